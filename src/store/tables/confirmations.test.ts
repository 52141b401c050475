// Last confirmations: what does not open is none, and those that were made of a message are withdrawn with it. How one is
// taken: once.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const NOW = 1_000;
const CONFIRMATION = { chatId: 5, userId: 6, action: 'redeem', payload: '{"n":1}' };
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  await write((confirmations) => {
    for (const [id, expiresAt] of [
      ['a', NOW + 1],
      ['b', NOW + 2],
    ] as const)
      confirmations.save({ ...CONFIRMATION, id, expiresAt });
  });
});
afterEach(() => t.close());

const write = <T>(work: (confirmations: Tables['confirmations']) => T) =>
  t.store.write(({ confirmations }) => work(confirmations));
const find = (id: string) => t.store.read(({ confirmations }) => confirmations.find(id));
const take = (id: string, updateId: number, now: number) =>
  write((confirmations) => confirmations.take(id, updateId, now));

test('one that does not open any more, or is another’s payload, is none', () => {
  t.inspect((file) =>
    file.exec(
      "update confirmations set payload_secret = (select payload_secret from confirmations where id = 'b') where id = 'a'",
    ),
  );
  expect([find('a'), find('b')?.payload]).toEqual([undefined, CONFIRMATION.payload]);
});

const ASK = { updateId: -7, now: NOW, chatId: 5, userId: 6, madeOf: '?' };
const withdraw = (asked: Partial<typeof ASK> = {}) =>
  write((confirmations) => confirmations.withdraw({ ...ASK, ...asked }).map(({ id }) => id));
const ask = (id: string, madeOf: string | null, fields: object = {}, messageId?: number) =>
  write((confirmations) => {
    confirmations.save({ ...CONFIRMATION, id, expiresAt: NOW + 1, ...fields }, madeOf);
    if (messageId !== undefined) confirmations.place(id, messageId);
  });

test('what is asked of a person in a chat and not over is withdrawn, again by the same update, and pressed no more', async () => {
  await ask('q', '?,1,');
  await ask('list', null);
  await ask('preview', ',1,2,');
  await ask('other chat', '?,1,', { chatId: 9 });
  await ask('other person', '?,1,', { userId: 9 });
  await ask('over', '?,1,', { expiresAt: NOW });
  await ask('pressed', '?,1,');
  expect(await take('pressed', 8, NOW)).toBe(true);
  expect([await withdraw(), await withdraw(), await withdraw({ updateId: -8 })]).toEqual([['q'], ['q'], []]);
  expect([await take('q', 9, NOW), await take('preview', 9, NOW)]).toEqual([false, true]);
});

test('of a message what was made of it is withdrawn, whatever else it was made of', async () => {
  await ask('one', '?,1,');
  await ask('twelve', '?,12,');
  await ask('both', '?,1,2,');
  await ask('preview', ',2,3,');
  expect(await withdraw({ madeOf: ',2,' })).toEqual(['both', 'preview']);
  expect(await withdraw({ madeOf: ',1,', updateId: -8 })).toEqual(['one']);
});

test('where a message was pressed, or asks something else by now, nothing is left to withdraw', async () => {
  await ask('card', '?,1,', {}, 40);
  await ask('order', '?,1,', {}, 40);
  await ask('question', '?,2,', {}, 41);
  await ask('preview', ',2,', {}, 41);
  await ask('one', '?,3,', {}, 42);
  await ask('or the other', '?,3,', {}, 42);
  await take('order', 8, NOW);
  await ask('card again', '?,1,', {}, 40);
  expect(await withdraw()).toEqual(['one', 'or the other', 'card again']);
});
