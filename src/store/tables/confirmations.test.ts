// Last confirmations row by row: kept once, pressed by one update before their time is over, and forgotten after it.
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
      ['late', NOW],
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

test('a confirmation is found as it was first kept, by its id alone', async () => {
  await write((confirmations) =>
    confirmations.save({ id: 'a', chatId: 1, userId: 2, action: 'other', payload: '[]', expiresAt: 1 }),
  );
  expect(find('a')).toEqual({
    ...CONFIRMATION,
    id: 'a',
    expiresAt: NOW + 1,
    takenBy: null,
    madeOf: null,
    messageId: null,
  });
  expect([find('b')?.expiresAt, find('none')]).toEqual([NOW + 2, undefined]);
});

test('it is taken before its time is over, by one update, which may take it again later', async () => {
  expect([await take('late', 7, NOW), await take('none', 7, NOW)]).toEqual([false, false]);
  expect([await take('a', 7, NOW), await take('a', 8, NOW), await take('a', 7, NOW + 9)]).toEqual([
    true,
    false,
    true,
  ]);
  expect([await take('late', 7, NOW + 9), await take('late', 7, NOW - 1)]).toEqual([false, true]);
  expect(['late', 'a', 'b'].map((id) => find(id)?.takenBy)).toEqual([7, 7, null]);
});

test('confirmations whose time is over are forgotten, as many as were asked for', async () => {
  await take('late', 7, NOW - 1);
  const forget = (until: number, limit: number) =>
    write((confirmations) => confirmations.prune(until, limit));
  expect([await forget(NOW - 1, 9), await forget(NOW + 1, 1), await forget(NOW + 1, 9)]).toEqual([0, 1, 1]);
  expect(await forget(NOW + 1, 9)).toBe(0);
  expect(['late', 'a', 'b'].map((id) => find(id)?.id)).toEqual([undefined, undefined, 'b']);
});

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
