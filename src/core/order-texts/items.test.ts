// What is wanted, out of words: all of it is understood, or nothing is.
import { expect, test } from 'vitest';

import { createGames } from '../games.ts';
import { countCodes, MOST_CODES, readOrderItems } from './items.ts';
import { createOrderVocabulary } from './words.ts';

const game = (id: string, currency: string, denominations: number[]) => ({
  id,
  currency,
  database: denominations.length > 0,
  denominations,
  codePattern: '^[A-Za-z0-9]{12,32}$',
  receipts: 'account' as const,
});
const vocabulary = createOrderVocabulary(
  createGames([game('game_id_1', 'UC', [10, 60, 325, 660]), game('game_id_2', 'diamonds', [100])]),
);
const read = (text: string) => readOrderItems(vocabulary.cut(text.toLowerCase()), vocabulary);

test.each([
  ['', ''],
  ['60', '1 x 60'],
  ['60 UC', '1 x 60'],
  ['UC 60', '1 x 60'],
  ['UC: 60', '1 x 60'],
  ['60 60', '2 x 60'],
  ['60, 325', '1 x 60, 1 x 325'],
  ['60 + 325 UC', '1 x 60, 1 x 325'],
  ['60 x2', '2 x 60'],
  ['60 uc x2', '2 x 60'],
  ['60 UC x: 2', '2 x 60'],
  ['60 x2 pcs', '2 x 60'],
  ['60 2 pcs', '2 x 60'],
  ['60 UC - 2 pcs', '2 x 60'],
  ['60 x2 325', '2 x 60, 1 x 325'],
  ['2x60', '2 x 60'],
  ['2 x 60 UC', '2 x 60'],
  ['2 x 60 UC 325', '2 x 60, 1 x 325'],
  ['3 x 10', '3 x 10'],
  ['2 pcs of 60', '2 x 60'],
  ['2 pcs 60', '2 x 60'],
  ['2 of: 60', '2 x 60'],
  ['x2 60 UC', '2 x 60'],
  ['x1 60', '1 x 60'],
  ['qty: 2, UC: 60', '2 x 60'],
  ['60, 2 pcs of 325', '1 x 60, 2 x 325'],
  ['of 60', '1 x 60'],
  ['60 of', '1 x 60'],
  ['100 diamonds', '1 x 100'],
  ['2 x 100 diamonds', '2 x 100'],
])('%j wants %j', (text, wanted) => {
  expect(
    read(text)
      ?.map(({ denomination, count }) => `${count} x ${denomination}`)
      .join(', '),
  ).toBe(wanted);
});

test.each([
  ...['60 2', '60 UC 2', '2, 60', '7', 'UC', '2 pcs', 'x2', '2 x', '2 x 5', '60 word', '60 id'],
  // None at all, or a count on either side.
  ...['60 x0', '60 0 pcs', 'x2 60 x3', 'x2 2x60', 'x x 60', 'x60 60'],
  // Either could be the denomination.
  ...['10 x 60', '60 x 10', '60 x 325', '60 10 pcs'],
  // Sold in another unit.
  ...['60 diamonds', 'diamonds 60', '60 UC diamonds', '2 x 60 diamonds'],
])('%j is not understood', (text) => expect(read(text)).toBeUndefined());

test('ten codes at most are ordered at once', () => {
  expect([MOST_CODES, countCodes([]), countCodes(read('60 x2 + 325 x3') ?? [])]).toEqual([10, 0, 5]);
});
