// Adding codes where things come at once, or come between: two presses, a restart, a fault, what is decided elsewhere.
// What is said step by step stands in chats/.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';
import { pause } from '../../waiting.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';

let t: Stage;
let admin: Person;
beforeEach(async () => {
  t = await openStage();
  admin = personOf(t.api, t.people.admin);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await t.stop();
});

const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const stock = () => t.app().core.codes.countAvailable(t.actors.admin, 'game_id_1').get(60) ?? 0;
const openId = () => t.app().core.imports.findOpen(t.actors.admin)?.id ?? 0;

async function asksForPaste(): Promise<void> {
  admin.says('/add_codes 60');
  await admin.sees('Paste the codes now');
}

test('thirty thousand codes in a file: the chat answers meanwhile, and a restart in the middle loses nothing', async () => {
  await asksForPaste();
  admin.sendsFile('codes.txt', makeCodes(30_000).join('\n'));
  await admin.sees('60 UC: 30,000 new', 30_000);
  await admin.presses('Add 30000 codes');
  // How far it is may not be shown before it is over, where the chat has just had so many words.
  await t.until(() => stock() > 0);
  admin.says('/stock');
  await admin.sees('began at 00:00');
  expect(stock()).toBeLessThan(30_000);
  await t.restart();
  await admin.sees('30,000 codes added', 60_000);
  expect(stock()).toBe(30_000);
});

test('a piece that is delivered again after a restart counts once', async () => {
  await asksForPaste();
  const first = admin.says(makeCodes(2).join('\n'));
  await admin.sees('Read: 1 message.');
  await t.restart();
  t.api.redeliver(first.updateId ?? 0);
  admin.says(makeCode());
  await admin.sees('Read: 2 messages');
  await admin.presses('Add 3 codes');
  await admin.sees('3 codes added');
});

test('Add that is pressed twice at once adds once', async () => {
  admin.says(`/add_codes 60 ${makeCode()}`);
  const preview = await admin.sees('Preview');
  const taps = ['Add 1 code', 'Add 1 code'].map((label) => t.api.press(admin.user, preview, label));
  const [first, second] = await Promise.all(taps);
  expect([first?.text, second?.text]).toEqual([
    undefined,
    'This button was already used, and nothing is done twice. Its result is in this chat, or comes here.',
  ]);
  await admin.sees('1 code added');
  expect(stock()).toBe(1);
});

test('what takes long to read is shown to be read, however often Done is pressed, and more than is read is told', async () => {
  await asksForPaste();
  const asked = admin.last();
  admin.sendsFile('codes.txt', makeCodes(2).join('\n'));
  await t.until(() => t.app().core.imports.describe(t.actors.admin, openId()).files === 1);
  const { imports } = t.app().core;
  const preview = await imports.preview(t.actors.admin, openId());
  vi.spyOn(imports, 'preview').mockImplementation(() =>
    pause(2_000).then(() => ({ ...preview, tooMany: true })),
  );
  const taps = ['Done', 'Done'].map((label) => t.api.press(admin.user, asked, label));
  expect((await Promise.all(taps)).map((tap) => tap?.text)).toEqual([undefined, undefined]);
  expect((await admin.sees('60 UC: 2 new')).text).toContain('There are more than 100,000 codes.');
  expect(t.api.calls().map(({ payload }) => payload['text'])).toContain('Reading what you sent…');
});

test('after it was cancelled elsewhere, what comes is for something else', async () => {
  await asksForPaste();
  await t.app().core.imports.cancel(t.actors.admin, openId());
  admin.says('hello');
  await admin.sees('Send a player ID and an amount');
});

test('a piece that could not be kept is said to have failed, or to be more than a batch holds; the next is taken', async () => {
  await asksForPaste();
  const { imports } = t.app().core;
  vi.spyOn(imports, 'addPiece')
    .mockRejectedValueOnce(new Error('The disk is full.'))
    .mockResolvedValueOnce('full');
  admin.says(makeCode());
  await admin.sees('Something went wrong on my side');
  admin.says(makeCode());
  await admin.sees('That is more than one batch can hold');
  admin.says(makeCode());
  await admin.sees('60 UC: 1 new');
});

test('a file without a name, of which nobody can tell what it is, is not taken', async () => {
  await asksForPaste();
  t.api.send(admin.user, admin.chat, { document: { bytes: Buffer.from(makeCode()) } });
  await admin.sees(/this file.? was not taken/);
});

test('what is gone before it could be shown is said to be gone, once', async () => {
  await asksForPaste();
  const file = new Database(t.app().databasePath);
  admin.says(makeCode());
  admin.says(makeCode());
  const pieces = file.prepare('select count(*) from import_pieces').pluck();
  await t.until(() => pieces.get() === 2);
  file.exec('delete from import_pieces; delete from imports');
  file.close();
  await t.quiet();
  expect(admin.all().filter(({ text }) => text.includes('not there any more'))).toHaveLength(1);
});

test('that the paste was deleted is said once, also where Telegram took the words and its answer was lost', async () => {
  admin.says(`60 UC\n${makeCodes(2).join('\n')}`);
  await admin.presses('Add 2 codes');
  const added = await admin.sees('2 codes added');
  const isTheEnd = (text?: string) => /was deleted/.test(text ?? '');
  t.api.faults.next('deleteMessages', FAULTS.badGateway);
  t.api.faults.next(
    ({ method, params }) => method === 'editMessageText' && isTheEnd(params.text('text')),
    FAULTS.gatewayTimeoutAfter,
  );
  await admin.presses('Delete my paste');
  await t.quiet();
  expect(t.api.calls().filter(({ payload }) => isTheEnd(String(payload['text'])))).toHaveLength(2);
  expect(admin.all().filter(({ text }) => text.includes('delete'))).toMatchObject([{ id: added.id }]);
});
