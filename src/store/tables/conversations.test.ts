// Conversations row by row: one state a chat and person, saved over, removed, and forgotten when nobody touched it
// since.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const PLACES = [
  [5, 6],
  [5, 7],
  [8, 6],
] as const;
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  await write((conversations) => {
    for (const [index, [chat, user]] of PLACES.entries())
      conversations.save(chat, user, `state ${index}`, 10 * (index + 1));
  });
});
afterEach(() => t.close());

const write = <T>(work: (conversations: Tables['conversations']) => T) =>
  t.store.write(({ conversations }) => work(conversations));
const find = () =>
  t.store.read(({ conversations }) => PLACES.map(([chat, user]) => conversations.find(chat, user)));
const SAVED = [
  { state: 'state 0', touchedAt: 10 },
  { state: 'state 1', touchedAt: 20 },
  { state: 'state 2', touchedAt: 30 },
];

test('a state is found by chat and person, and saved over', async () => {
  expect(find()).toEqual(SAVED);
  expect(t.store.read(({ conversations }) => conversations.find(8, 7))).toBeUndefined();
  await write((conversations) => conversations.save(5, 6, 'later', 40));
  expect(find()).toEqual([{ state: 'later', touchedAt: 40 }, SAVED[1], SAVED[2]]);
});

test('a state is removed once, and no other with it', async () => {
  const removed = await write((conversations) => [
    conversations.remove(5, 6),
    conversations.remove(5, 6),
    conversations.remove(8, 7),
  ]);
  expect(removed).toEqual([true, false, false]);
  expect(find()).toEqual([undefined, SAVED[1], SAVED[2]]);
});

test('what nobody touched since is forgotten, as many as were asked for', async () => {
  const forget = (until: number, limit: number) =>
    write((conversations) => conversations.prune(until, limit));
  expect([await forget(9, 9), await forget(20, 1), await forget(20, 9), await forget(20, 9)]).toEqual([
    0, 1, 1, 0,
  ]);
  expect(find()).toEqual([undefined, undefined, SAVED[2]]);
});

test('one that does not open any more is none, and costs no other', () => {
  t.inspect((file) =>
    file.exec(
      'update conversations set state_secret = (select state_secret from conversations where chat_id = 8) where chat_id = 5 and user_id = 6',
    ),
  );
  expect(find()).toEqual([undefined, SAVED[1], SAVED[2]]);
});
