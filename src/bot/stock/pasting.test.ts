// A paste of many pieces with headings, from the first message to the last button: what is said of it, how often, and
// what stays.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { FAULTS } from '../../../test/telegram/faults.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { makeCode } from '../../../test/harness/core.ts';

let t: Stage;
let admin: Person;
beforeEach(async () => {
  t = await openStage();
  admin = personOf(t.api, t.people.admin);
});
afterEach(() => t.stop());

const GAME = 'game_id_1';
const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const stock = () => Object.fromEntries(t.app().core.codes.countAvailable(t.actors.admin, GAME));
const sent = () => t.api.calls().filter(({ method }) => method === 'sendMessage').length;
/** Without the marks around what people wrote. */
const plain = ({ text }: { text: string }) => text.replace(/[\u2066-\u2069]/g, '');
const labels = (message: { buttons: { text: string }[] }) => message.buttons.map(({ text }) => text);

test('whoever may add no codes any more is told so when they paste, and nothing of it is kept', async () => {
  admin.says('/add_codes 60');
  await admin.sees('Paste the codes now');
  await t.app().core.members.changeRole(t.actors.owner, t.people.admin.id, 'support');
  admin.says(makeCodes(2).join('\n'));
  await admin.sees('Your role may not do this');
  const { id = 0 } = t.app().core.imports.findOpen(t.actors.admin) ?? {};
  expect(t.app().core.imports.describe(t.actors.admin, id)).toMatchObject({ messages: 0 });
  // The question is over: what they write next is what support writes.
  admin.looksAway();
  admin.says('5170925570');
  await admin.sees(/5170925570/);
});

test('600 codes under headings in 17 pieces are one tap, and it stands below the last piece', async () => {
  const headings = ['60 UC', '660 юс', 'UC325:', 'коды по 60', '1.8k', '660 x 100'];
  const lines = headings.flatMap((heading) => [heading, ...makeCodes(100)]);
  const before = sent();
  for (let piece = 0; piece < 17; piece += 1) {
    const size = Math.ceil(lines.length / 17);
    admin.says(lines.slice(piece * size, (piece + 1) * size).join('\n'));
  }
  const preview = await admin.sees(/Read: 17 messages/, 20_000);
  const messages = t.api.messages(t.people.admin).filter(({ deleted }) => !deleted);
  expect(messages.at(-1)?.id).toBe(preview.id);
  expect(admin.all().filter((message) => labels(message).includes('Cancel'))).toHaveLength(1);
  expect(sent() - before).toBeLessThan(8);
  expect(plain(preview)).toContain('“60 UC” → 60 UC: 100 codes');
  expect(plain(preview)).toContain('“660 юс” → 660 UC: 100 codes');
  expect(plain(preview)).toContain('“UC325:” → 325 UC: 100 codes');
  expect(plain(preview)).toContain('“коды по 60” → 60 UC: 100 codes');
  expect(plain(preview)).toContain('“1.8k” → 1800 UC: 100 codes');
  expect(plain(preview)).toContain('660 UC: 200 new');
  await admin.presses('Add 600 codes');
  const added = await admin.sees(/600 codes added/);
  expect(labels(added)).toEqual(['Undo', 'Delete my paste', 'Stock', 'Add more', 'Redeem']);
  expect(stock()).toMatchObject({ 60: 200, 325: 100, 660: 200, 1800: 100 });
});

test('what is not understood is asked about, one after another, and nothing is added before', async () => {
  const [a, b, c, d] = makeCodes(4) as [string, string, string, string];
  admin.says(`${a}\n325 UC\n${b}\nNext 77:\n${c}\n№ 660\n${d}`);
  const asked = await admin.sees(/What is this code worth\?/);
  expect(plain(asked)).toContain('“325 UC” → 325 UC: 1 code');
  expect(plain(asked)).toContain('“Next 77:” → ? 1 code');
  expect(labels(asked)).toEqual([
    ...['60 UC', '325 UC', '660 UC', '1800 UC', '3850 UC', '8100 UC'],
    ...['Leave it out', 'Cancel'],
  ]);
  await admin.presses('60 UC');
  await admin.sees((message) => /is the 1 code under “Next 77:”\?/.test(plain(message)));
  await t.restart();
  await admin.presses('1800 UC');
  await admin.sees((message) => /is the 1 code under “№ 660”\?/.test(plain(message)));
  const last = await admin.presses('Leave it out').then(() => admin.sees(/1 code is left out/));
  expect(last.id).toBe(asked.id);
  await t.api.press(t.people.admin, last, { data: asked.buttons[0]?.callback_data ?? '' });
  await admin.presses('Add 3 codes');
  await admin.sees(/3 codes added/);
  expect(stock()).toMatchObject({ 60: 1, 325: 1, 660: 0, 1800: 1 });
});

test('the pasted messages are deleted but for those that hold something else, also where a restart came between', async () => {
  const { core } = t.app();
  const [ours] = makeCodes(1) as [string];
  await core.codes.add(t.actors.admin, GAME, [{ denomination: 60, codes: [ours] }]);
  const texts = [
    `60 UC\n${makeCodes(3).join('\n')}`,
    '60 UC',
    `${makeCode()}\n${ours}`,
    `${makeCode()}\nABCD-1234`,
    '999 UC',
  ];
  const pasted = texts.map((text) => admin.says(text).message.id);
  pasted.push(admin.sendsFile('more.txt', makeCodes(2).join('\n'), '60').message.id);
  await admin.sees(/Read: 5 messages, 1 file/);
  await admin.presses('Add 7 codes');
  await admin.sees(/7 codes added/);
  await t.restart();
  const stays = () =>
    t.api
      .messages(t.people.admin)
      .filter(({ id, deleted }) => pasted.includes(id) && !deleted)
      .map(({ id }) => id);
  await admin.presses('Delete my paste');
  const result = await admin.sees(
    /3 pasted messages were deleted\. 3 hold something that was not added, and stay\./,
  );
  expect(stays()).toEqual(pasted.slice(2, 5));
  expect(labels(result)).toEqual(['Undo', 'Stock', 'Add more', 'Redeem']);
  await admin.presses('Undo');
  await admin.sees(/is undone: 7 codes were taken back/);
});

test('what Telegram does not delete harms nothing and is said', async () => {
  admin.says(`60 UC\n${makeCodes(2).join('\n')}`);
  await admin.presses('Add 2 codes');
  await admin.sees(/2 codes added/);
  t.api.faults.next(
    'deleteMessages',
    { kind: 'error', code: 400, description: "Bad Request: message can't be deleted" },
    1,
  );
  await admin.presses('Delete my paste');
  await admin.sees(/No pasted message was deleted\. Telegram did not let me delete 1\./);
  expect(stock()).toMatchObject({ 60: 2 });
});

test('what was deleted is said once, also where Telegram took the words and its answer was lost', async () => {
  admin.says(`60 UC\n${makeCodes(2).join('\n')}`);
  await admin.presses('Add 2 codes');
  const added = await admin.sees(/2 codes added/);
  expect(added.text).toBe('Batch 1: 2 codes added.\nIn stock now:\n60 UC: 2');
  const isTheEnd = (text?: string) => /was deleted/.test(text ?? '');
  t.api.faults.next(
    ({ method, params }) => method === 'editMessageText' && isTheEnd(params.text('text')),
    FAULTS.gatewayTimeoutAfter,
    1,
  );
  await admin.presses('Delete my paste');
  const said = () => t.api.calls().filter(({ payload }) => isTheEnd(String(payload['text'])));
  await t.quiet();
  expect(said().length).toBe(2);
  await t.restart();
  admin.looksAway();
  admin.says('/help');
  await admin.sees(/Every day/);
  expect(admin.all().filter(({ text }) => /delete/.test(text))).toMatchObject([{ id: added.id }]);
});

test('where the result is gone from the chat, what was deleted is said anew', async () => {
  admin.says(`60 UC\n${makeCodes(2).join('\n')}`);
  await admin.presses('Add 2 codes');
  const added = await admin.sees(/2 codes added/);
  const isTheEnd = (text?: string) => /was deleted/.test(text ?? '');
  t.api.faults.next(
    ({ method, params }) => method === 'editMessageText' && isTheEnd(params.text('text')),
    FAULTS.messageGone,
    1,
  );
  await admin.presses('Delete my paste');
  expect((await admin.sees(/1 pasted message was deleted/)).id).toBeGreaterThan(added.id);
});

test('whoever is removed while they paste is told so when they say that they are done', async () => {
  admin.says('/add_codes 60');
  await admin.sees(/Paste the codes now/);
  await t.app().core.members.remove(t.actors.owner, t.people.admin.id);
  admin.says('done');
  await admin.sees(/not a member of an account/);
  expect(admin.all().filter(({ text }) => text.includes('went wrong'))).toEqual([]);
});
