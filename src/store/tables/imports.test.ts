// Imports under way, row by row: from state to state as it was seen, answered while they collect, and their pieces in
// order.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const ROW = { accountId: 1, gameId: 'game_id_1', actor: 'member:1', denomination: null };
const UNDECIDED = { answers: null, shownIn: null, supplier: null };
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  await t.store.write(({ accounts, imports }) => {
    for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
    imports.open({ ...ROW, now: 10 });
    imports.open({ ...ROW, denomination: 60, now: 20 });
    imports.open({ ...ROW, actor: 'member:2', now: 20 });
    imports.open({ ...ROW, accountId: 2, now: 30 });
  });
});
afterEach(() => t.close());

const write = <T>(work: (imports: Tables['imports']) => T) => t.store.write(({ imports }) => work(imports));
const read = <T>(work: (imports: Tables['imports']) => T) => t.store.read(({ imports }) => work(imports));
const states = () => read((imports) => [1, 2, 3, 4].map((id) => imports.find(id)?.state));
const piece = (pieceKey: string, position: number, more: { importId?: number; kind?: 'file' } = {}) =>
  write((imports) =>
    imports.addPiece({ importId: 1, pieceKey, position, kind: 'message', text: `text ${pieceKey}`, ...more }),
  );
const keys = (importId = 1) => read((imports) => imports.listPieceKeys(importId));

test('an import begins as one that collects, and an actor’s newest is found', () => {
  const whole = {
    ...{ ...ROW, id: 1, state: 'collecting', batchId: null, at: 10, ...UNDECIDED },
  };
  expect(read((imports) => [imports.find(1), imports.find(2), imports.find(9)])).toEqual([
    whole,
    { ...whole, id: 2, denomination: 60, at: 20 },
    undefined,
  ]);
  const latest = (accountId: number, actor: string) =>
    read((imports) => imports.findLatest(accountId, actor));
  expect(latest(1, 'member:1')).toEqual({ ...whole, id: 2, denomination: 60, at: 20 });
  expect([latest(1, 'member:2')?.id, latest(2, 'member:1')?.id, latest(2, 'member:2')]).toEqual([
    3,
    4,
    undefined,
  ]);
});

test('a state changes from the one that was seen, of that import alone', async () => {
  const moved = await write((imports) => [
    imports.move(1, 'committing', 'committed'),
    imports.move(1, 'collecting', 'committing'),
    imports.move(1, 'collecting', 'cancelled'),
    imports.move(9, 'collecting', 'cancelled'),
  ]);
  expect([moved, states()]).toEqual([
    [false, true, false, false],
    ['committing', 'collecting', 'collecting', 'collecting'],
  ]);
  expect(read((imports) => imports.findLatest(1, 'member:1')?.id)).toBe(2);
});

test('those that commit are listed, and found by their batch while they do', async () => {
  await t.store.write(({ batches }) => {
    for (const now of [1, 2]) batches.open({ accountId: 1, gameId: 'game_id_1', actor: 'host', now });
  });
  await write((imports) => {
    imports.setBatch(1, 1);
    imports.setBatch(2, 2);
    imports.move(1, 'collecting', 'committing');
  });
  const ofBatches = () => read((imports) => [1, 2].map((id) => imports.findOfBatch(id)));
  const whole = { ...ROW, id: 1, state: 'committing', batchId: 1, at: 10, ...UNDECIDED };
  expect([ofBatches(), read((imports) => imports.listCommitting())]).toEqual([[whole, undefined], [whole]]);
  await write((imports) => imports.move(1, 'committing', 'committed'));
  expect([ofBatches(), read((imports) => imports.listCommitting())]).toEqual([[undefined, undefined], []]);
  expect(read((imports) => [1, 2, 3].map((id) => imports.find(id)?.batchId))).toEqual([1, 2, null]);
});

test('those that still collect and were begun until then are listed, as many as were asked for', async () => {
  const undecided = (until: number, limit = 9) =>
    read((imports) => imports.listUndecided(until, limit).map(({ id }) => id));
  expect([undecided(9), undecided(10), undecided(20), undecided(99, 2)]).toEqual([
    [],
    [1],
    [1, 2, 3],
    [1, 2],
  ]);
  await write((imports) => imports.move(2, 'collecting', 'cancelled'));
  expect(undecided(20)).toEqual([1, 3]);
});

test('it is answered while it collects; where it was shown is noted always', async () => {
  const answered = await write((imports) => {
    imports.move(2, 'collecting', 'committing');
    imports.setShownIn(2, 77);
    return [
      ...[imports.setDenomination(1, 325), imports.setDenomination(2, 325), imports.setDenomination(9, 325)],
      ...[imports.setAnswers(1, '{"a":60}'), imports.setAnswers(2, '{}'), imports.setAnswers(9, '{}')],
    ];
  });
  expect(answered).toEqual([true, false, false, true, false, false]);
  const rows = read((imports) => [1, 2, 3].map((id) => imports.find(id)));
  expect(rows.map((row) => [row?.denomination, row?.answers, row?.shownIn])).toEqual([
    [325, '{"a":60}', null],
    [60, null, 77],
    [null, null, null],
  ]);
});

test('a piece is kept once a key, and read as it was pasted', async () => {
  expect([await piece('a', 1), await piece('a', 2, { kind: 'file' })]).toEqual([true, false]);
  expect(await piece('a', 3, { importId: 2, kind: 'file' })).toBe(true);
  expect(read((imports) => [1, 2, 3].map((id) => imports.findPiece(id, 'a')))).toEqual([
    { kind: 'message', position: 1, text: 'text a' },
    { kind: 'file', position: 3, text: 'text a' },
    undefined,
  ]);
  expect(
    read((imports) => [imports.hasPiece(1, 'a'), imports.hasPiece(1, 'b'), imports.hasPiece(3, 'a')]),
  ).toEqual([true, false, false]);
});

test('pieces are in the order of their places, then of their keys', async () => {
  for (const [key, position] of [
    ['d', 1],
    ['c', 2],
    ['b', 1],
    ['a', 3],
  ] as const)
    await piece(key, position);
  await piece('x', 1, { importId: 2 });
  expect([keys(), keys(2), keys(3)]).toEqual([['b', 'd', 'c', 'a'], ['x'], []]);
});

test('messages and files are counted, of one in several pieces the first, and measured as they are sealed', async () => {
  const count = (importId = 1) =>
    read((imports) => [imports.countPieces(importId), imports.measurePieces(importId)]);
  expect(count()).toEqual([{ messages: 0, files: 0 }, 0]);
  for (const key of ['a', 'b', 'b#1']) await piece(key, 1);
  for (const key of ['f', 'f#1', 'f#2', 'g', 'h']) await piece(key, 2, { kind: 'file' });
  await piece('x', 1, { importId: 2 });
  const head = 32;
  expect([count(), count(2)]).toEqual([
    [{ messages: 2, files: 3 }, 5 * (head + 6) + 3 * (head + 8)],
    [{ messages: 1, files: 0 }, head + 6],
  ]);
});

test('one piece is forgotten once, or all of an import, and none of another', async () => {
  for (const importId of [1, 2]) for (const key of ['a', 'b', 'c']) await piece(key, 1, { importId });
  expect(
    await write((imports) => [
      imports.deletePiece(1, 'a'),
      imports.deletePiece(1, 'a'),
      imports.deletePiece(3, 'b'),
    ]),
  ).toEqual([true, false, false]);
  expect([keys(), keys(2)]).toEqual([
    ['b', 'c'],
    ['a', 'b', 'c'],
  ]);
  await write((imports) => imports.deletePieces(1));
  expect([keys(), keys(2)]).toEqual([[], ['a', 'b', 'c']]);
});

test('a piece that does not open any more is there without its text', async () => {
  await piece('a', 1);
  await piece('b', 2);
  t.inspect((file) =>
    file.exec(
      "update import_pieces set text_secret = (select text_secret from import_pieces where piece_key = 'b')",
    ),
  );
  expect(read((imports) => ['a', 'b'].map((key) => imports.findPiece(1, key)?.text))).toEqual([
    undefined,
    'text b',
  ]);
});
