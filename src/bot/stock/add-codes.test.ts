import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { ROLES } from '../../core/context.ts';
import type { SeenMessage, User } from '../../../test/telegram/types.ts';

let t: Stage;
beforeEach(async () => {
  t = await openStage();
});
afterEach(() => t.stop());

const GAME = 'game_id_1';
const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const file = (name: string, text: string, caption?: string) => ({
  document: { name, bytes: new TextEncoder().encode(text), ...(caption !== undefined && { caption }) },
});
const stock = (denomination = 60) =>
  t.app().core.codes.countAvailable(t.actors.admin, GAME).get(denomination);

/** The newest message of the bot that holds this, once it is there. */
function sees(person: User, pattern: RegExp, timeoutMs = 8_000): Promise<SeenMessage> {
  const find = () =>
    t.api.messages(person).findLast((message) => message.from?.is_bot && pattern.test(message.text));
  return t.api.waitFor(find, timeoutMs, String(pattern));
}

function says(person: User, text: string): void {
  t.api.send(person, person, text);
}

async function presses(person: User, label: string): Promise<string | undefined> {
  const find = () =>
    t.api
      .messages(person)
      .findLast((message) => message.from?.is_bot && message.buttons.some((button) => button.text === label));
  const message = await t.api.waitFor(find, 8_000, `a button ${label}`);
  return (await t.api.press(person, message, label))?.text;
}

test('an admin pastes 600 codes cut inside codes, with rubbish, and adds and undoes them', async () => {
  const { admin } = t.people;
  const codes = makeCodes(600);
  says(admin, '/add_codes');
  const asked = await sees(admin, /Which denomination/);
  await presses(admin, '60 UC');
  // In place of the question.
  expect((await sees(admin, /Paste the codes now/)).id).toBe(asked.id);
  const text = [...codes, codes[0], codes[1], 'ABCD-1234', 'hello there'].join('\n');
  const pieces = t.api.sendLong(admin, admin, text);
  expect(pieces.length).toBeGreaterThan(2);
  const preview = await sees(admin, new RegExp(`Read: ${pieces.length} messages`), 20_000);
  expect(preview.text).toContain('60 UC: 600 new\n');
  expect(preview.text).toContain('2 codes were repeated');
  expect(preview.text).toContain('1 is not understood');
  expect(preview.visible).not.toContain('ABCD-1234');
  expect(stock()).toBe(0);
  await presses(admin, 'Add 600 codes');
  const added = await sees(admin, /Batch \d+: 600 codes added/);
  expect(added.text).toContain('60 UC: 600');
  expect(stock()).toBe(600);
  await presses(admin, 'Undo');
  await sees(admin, /is undone: 600 codes were taken back/);
  expect(stock()).toBe(0);
});

test('nothing pasted is lost when the service stops between two pieces, nor counted twice when delivered again', async () => {
  const { operator } = t.people;
  const codes = makeCodes(450);
  says(operator, '/add_codes 60');
  await sees(operator, /Paste the codes now/);
  const text = codes.join(' ');
  const first = t.api.send(operator, operator, text.slice(0, 4_096));
  await sees(operator, /Read: 1 message\./);
  await t.restart();
  if (first.updateId !== undefined) t.api.redeliver(first.updateId);
  says(operator, text.slice(4_096));
  await sees(operator, /Read: 2 messages/);
  await presses(operator, 'Add 450 codes');
  await sees(operator, /450 codes added/);
  await presses(operator, 'Undo');
  await sees(operator, /450 codes were taken back/);
});

test('files are read, their caption may carry the denomination, and what cannot be read gets a sentence', async () => {
  const { owner } = t.people;
  const [a, b, c] = makeCodes(3) as [string, string, string];
  says(owner, '/add_codes');
  await presses(owner, 'It’s in the text');
  t.api.send(owner, owner, file('codes.txt', a, '60'));
  t.api.send(owner, owner, file('codes.csv', `code,denomination\n${b},325\n${c},60`));
  t.api.send(owner, owner, file('codes.xlsx', 'PK'));
  t.api.send(owner, owner, { photo: new Uint8Array([0xff, 0xd8, 0xff]) });
  await sees(owner, /cannot read codes from pictures/);
  await sees(owner, /codes\.xlsx.* was not taken/);
  await sees(owner, /Read: 2 files\./);
  says(owner, 'done');
  const preview = await sees(owner, /Preview/);
  expect(preview.text).toContain('60 UC: 2 new');
  expect(preview.text).toContain('325 UC: 1 new');
  await presses(owner, 'Add 3 codes');
  await sees(owner, /3 codes added/);
});

test('thirty thousand codes in a file: the chat answers meanwhile, and a restart in the middle loses nothing', async () => {
  const { admin } = t.people;
  const codes = makeCodes(30_000);
  says(admin, '/add_codes 60');
  await sees(admin, /Paste the codes now/);
  t.api.send(admin, admin, file('codes.txt', codes.join('\n')));
  await sees(admin, /60 UC: 30,000 new/, 30_000);
  await presses(admin, 'Add 30000 codes');
  // How far it is may not be shown before it is over, where the chat has just had so many words.
  await t.until(() => (stock() ?? 0) > 0);
  says(admin, '/stock');
  await sees(admin, /began at 00:00/);
  expect(stock()).toBeLessThan(30_000);
  await t.restart();
  await sees(admin, /30,000 codes added/, 60_000);
  expect(stock()).toBe(30_000);
}, 120_000);

test('codes in the command go straight to the preview; without a denomination it is asked there', async () => {
  const { operator } = t.people;
  const [a, b] = makeCodes(2) as [string, string];
  says(operator, `/add_codes 60 UC ${a}`);
  await sees(operator, /60 UC: 1 new/);
  expect(t.api.messages(operator).filter(({ text }) => /Paste the codes/.test(text))).toEqual([]);
  await presses(operator, 'Cancel');
  await sees(operator, /Cancelled/);
  says(operator, `/add_codes ${a} ${b}`);
  await sees(operator, /What are these 2 codes worth/);
  await presses(operator, '325 UC');
  await sees(operator, /325 UC: 2 new/);
  await presses(operator, 'Add 2 codes');
  await sees(operator, /2 codes added/);
  expect(stock(325)).toBe(2);
});

test('pressing Add twice adds once, and another person or a cancelled import adds nothing', async () => {
  const { admin } = t.people;
  says(admin, `/add_codes 60 ${makeCode()}`);
  const preview = await sees(admin, /Preview/);
  const [first, second] = await Promise.all([
    t.api.press(admin, preview, 'Add 1 code'),
    t.api.press(admin, preview, 'Add 1 code'),
  ]);
  expect([first?.text, second?.text]).toEqual([
    undefined,
    'This button was already used, and nothing is done twice. Its result is in this chat, or comes here.',
  ]);
  await sees(admin, /1 code added/);
  expect(await t.api.press(admin, preview, 'Cancel')).toMatchObject({ alert: true });
  expect(stock()).toBe(1);

  says(admin, `/add_codes 60 ${makeCode()}`);
  const other = await t.api.waitFor(() => {
    const message = t.api.messages(admin).at(-1);
    return message?.text.startsWith('Preview') ? message : undefined;
  });
  await t.api.press(admin, other, 'Cancel');
  await sees(admin, /Cancelled/);
  await t.api.press(admin, other, 'Add 1 code');
  await sees(admin, /Cancelled/);
  expect(stock()).toBe(1);
});

test('what comes after a preview goes into the same import, and the older preview does not add it', async () => {
  const { admin } = t.people;
  says(admin, '/add_codes 60');
  await sees(admin, /Paste the codes now/);
  says(admin, makeCode());
  const preview = await sees(admin, /Preview/);
  says(admin, `${makeCode()}\n${makeCode()}`);
  await sees(admin, /Read: 2 messages/);
  await t.api.press(admin, preview, 'Add 1 code');
  await sees(admin, /More came after this preview/);
  expect(stock()).toBe(0);
  await presses(admin, 'Preview again');
  await presses(admin, 'Add 3 codes');
  await sees(admin, /3 codes added/);
});

test('codes without a command begin an import by themselves, a file as well, also across a restart', async () => {
  const { operator } = t.people;
  const [a, b, c, d] = makeCodes(4) as [string, string, string, string];
  says(operator, `60 UC\n${a}\n${b}`);
  await sees(operator, /Read: 1 message\./);
  await t.restart();
  says(operator, `${c}\n325 UC\n${d}`);
  await sees(operator, /Read: 2 messages/);
  t.api.send(operator, operator, file('more.txt', makeCode(), '60'));
  await sees(operator, /Read: 2 messages, 1 file/);
  await presses(operator, 'Add 5 codes');
  await sees(operator, /5 codes added/);
  expect([stock(), stock(325)]).toEqual([4, 1]);

  t.api.send(operator, operator, file('bare.txt', `60:\n${makeCode()}`));
  await sees(operator, /Read: 1 file/);
  t.api.send(t.people.support, t.people.support, file('bare.txt', `60:\n${makeCode()}`));
  await sees(t.people.support, /may not do this/);
});

test('/cancel drops what was collected, another command keeps it and its preview', async () => {
  const { admin } = t.people;
  says(admin, '/add_codes 60');
  await sees(admin, /Paste the codes now/);
  says(admin, makeCode());
  await sees(admin, /Read: 1 message/);
  says(admin, '/stock');
  await sees(admin, /began at 00:00/);
  await presses(admin, 'Add 1 code');
  await sees(admin, /1 code added/);

  says(admin, '/add_codes 60');
  await t.api.waitFor(() => t.api.messages(admin).at(-1)?.text.includes('Paste the codes now'));
  const status = t.api.messages(admin).at(-1)!;
  says(admin, makeCode());
  says(admin, '/cancel');
  await sees(admin, /Cancelled\. Nothing was added, and what you pasted is dropped: 1 message/);
  expect(await t.api.press(admin, status, 'Done')).toMatchObject({ alert: true });
});

test('a long paste does not live in the conversation', async () => {
  const { admin } = t.people;
  says(admin, '/add_codes 60');
  await sees(admin, /Paste the codes now/);
  for (let count = 1; count <= 30; count += 1) says(admin, makeCodes(200).join(' '));
  await sees(admin, /Read: 30 messages/, 20_000);
  const store = t.beside();
  const kept = await t.api.waitFor(() =>
    store.read((tables) => tables.conversations.find(admin.id, admin.id)),
  );
  expect(kept.state.length).toBeLessThan(5_000);
  await store.close();
});

test('hostile file names and hostile text are shown as what they are', async () => {
  const { admin } = t.people;
  const hostile = `<b>&amp;\u202e${'x'.repeat(300)}</b>.exe`;
  says(admin, '/add_codes 60');
  await sees(admin, /Paste the codes now/);
  t.api.send(admin, admin, file(hostile, 'x'));
  const refused = await sees(admin, /was not taken/);
  expect(refused.text).toContain('<b>&amp;');
  says(admin, `AB<tg-spoiler>12-${'\u202eC3'.repeat(900)}\n</b>1234567`);
  await sees(admin, /nothing new to add/);
  expect(t.api.calls().filter((call) => call.error !== undefined)).toEqual([]);
});

describe('roles', () => {
  test('who may not add is told so, at the command and at a button of another', async () => {
    for (const role of ROLES) {
      says(t.people[role], '/add_codes 60');
      const pattern = role === 'support' ? /may not do this/ : /Paste the codes now/;
      await sees(t.people[role], pattern);
    }
    says(t.stranger, `/add_codes 60 ${makeCode()}`);
    await sees(t.stranger, /not a member/);
    const status = await sees(t.people.admin, /Paste the codes now/);
    const done = status.buttons.find((button) => button.text === 'Done')?.callback_data ?? '';
    const own = await sees(t.people.operator, /Paste the codes now/);
    expect(await t.api.press(t.people.operator, own, { data: done })).toMatchObject({ alert: true });
  });

  test('who is removed while codes are collected is told so, and the collecting is over', async () => {
    const { operator } = t.people;
    says(operator, '/add_codes 60');
    await sees(operator, /Paste the codes now/);
    await t.app().core.members.remove(t.actors.owner, operator.id);
    says(operator, makeCode());
    await sees(operator, /not a member/);
    expect(t.api.messages(operator).some(({ text }) => /went wrong/.test(text))).toBe(false);
  });
});
