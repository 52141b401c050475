// The pieces of an import as they are kept, in chunks, and read back: in order, chunks joined, and none passed over
// that does not open.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { Store } from '../../store/index.ts';
import { addInChunks, createImportLexer, readPieces } from './import-codes.ts';

const games = TEST_GAMES;
const reader = {
  lex: createImportLexer(games, games.managed[0]!),
  clock: { now: () => 0, elapsed: () => 0 },
};

type Kept = [key: string, text: string | undefined];

/** Pieces by their keys; one without an entry was forgotten since the keys were listed. */
function read(keys: string[], kept: Kept[]): string[] {
  const byKey = new Map(kept);
  const imports = {
    listPieceKeys: () => keys,
    findPiece: (_id: number, key: string) =>
      byKey.has(key) ? { kind: 'message', position: keys.indexOf(key), text: byKey.get(key) } : undefined,
  };
  const store: Store = fake({ read: (work: (tables: unknown) => unknown) => work({ imports }) });
  return [...readPieces(store, 1)].map(({ text, position }) => `${position} ${text}`);
}

test.each<[what: string, keys: string[], kept: Kept[], pieces: string[]]>([
  ['nothing', [], [], []],
  [
    'pieces',
    ['1', '2'],
    [
      ['1', 'A'],
      ['2', 'B'],
    ],
    ['0 A', '1 B'],
  ],
  [
    'chunks',
    ['1', '1#1', '1#2', '2'],
    [
      ['1', 'A'],
      ['1#1', 'B'],
      ['1#2', 'C'],
      ['2', 'D'],
    ],
    ['0 ABC', '3 D'],
  ],
  [
    'a chunk without its first',
    ['1#1', '2'],
    [
      ['1#1', 'B'],
      ['2', 'C'],
    ],
    ['0 B', '1 C'],
  ],
  ['what was forgotten meanwhile', ['1', '2'], [['2', 'B']], ['1 B']],
])('%s', (_what, keys, kept, pieces) => expect(read(keys, kept)).toEqual(pieces));

test('one that does not open any more stops the reading', () => {
  expect(() =>
    read(
      ['1', '2'],
      [
        ['1', 'A'],
        ['2', undefined],
      ],
    ),
  ).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});

test('a long piece is kept in chunks under keys of their own, which any process knows again and which sort as they follow', async () => {
  const text = 'A'.repeat(128 * 1024).concat('B'.repeat(128 * 1024), 'C');
  const keep = async (known: string[], kept: string[] = []) => {
    const answer = await addInChunks({ key: 'file', position: 3, kind: 'file', text }, reader, (chunk) => {
      kept.push(`${chunk.pieceKey} ${chunk.text[0]} ${chunk.text.length}`);
      return Promise.resolve(known.includes(chunk.pieceKey) ? 'repeated' : 'added');
    });
    return { answer, kept };
  };
  const kept = ['file A 131072', 'file#00001 B 131072', 'file#00002 C 1'];
  expect(await keep([])).toEqual({ answer: 'added', kept });
  expect(await keep(['file', 'file#00001'])).toEqual({ answer: 'added', kept });
  expect(await keep(['file', 'file#00001', 'file#00002'])).toEqual({ answer: 'repeated', kept });
});
