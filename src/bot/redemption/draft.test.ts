import { describe, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { createGames } from '../../core/index.ts';
import { findGamesFor, parsePlayerId, parseWanted } from './draft.ts';

const CATALOGUE = { currency: 'UC', database: false, denominations: [], receipts: 'account' } as const;

describe('a player ID is found in what people write', () => {
  test.each([
    ['5170925570', '5170925570'],
    [' 5170 925-570\n', '5170925570'],
    ['ID: 5170925570', '5170925570'],
    ['\u200e5170925570\u200e', '5170925570'],
    ['12345', '12345'],
    ['uid5170925570', '5170925570'],
    ['ID-5170925570', '5170925570'],
    ['айди 5170925570.', '5170925570'],
    ['5170925570id', '5170925570'],
    ['my player: 5170925570, thanks', '5170925570'],
    ['٥١٧٠٩٢٥٥٧٠', '5170925570'],
    ['５１７０–９２５–５７０', '5170925570'],
    ['айди ৫১৭০৯২৫৫৭০', '5170925570'],
  ])('%j', (text, id) => expect(parsePlayerId(text)).toBe(id));

  test.each(['', '1234', '1'.repeat(21), 'player', '51709 and 25570', '5170925570x5170925571'])(
    'and none is made up from %j',
    (text) => expect(parsePlayerId(text)).toBeUndefined(),
  );
});

test.each([
  'ABCDEFGH123456',
  '60S98765432abcde',
  'XKCD12345ABCDEFG',
  'Slayer12345',
  'grid12345',
  'ABCD-12345-EFGH',
  'ABCD_12345',
  '12345.ABCD',
  'Игрок77712345x',
])('digits inside something else are no player: %j', (text) => expect(parsePlayerId(text)).toBeUndefined());

describe('what is to be redeemed', () => {
  const game = TEST_GAMES.find('game_id_1')!;
  const direct = TEST_GAMES.find('game_id_2')!;
  test.each([
    ['60', { denomination: 60 }],
    ['60 UC', { denomination: 60 }],
    ['325 uc', { denomination: 325 }],
    [' AbCd12345678 ', { code: 'AbCd12345678' }],
    ['AbCd-1234-5678', { code: 'AbCd12345678' }],
    ['123456789012', { code: '123456789012' }],
  ])('%j', (text, wanted) => expect(parseWanted(text, game)).toEqual(wanted));

  test.each(['', '61', '60 gems', '60 UC 60', 'short', 'two codes1234567', '-60', '6e1'])(
    'is not %j',
    (text) => expect(parseWanted(text, game)).toBeUndefined(),
  );

  test('is never a denomination where there is no database', () => {
    expect(parseWanted('60', direct)).toBeUndefined();
  });
});

test('a game is meant only where no other fits what was written', () => {
  const games = createGames([
    { ...CATALOGUE, id: 'managed', database: true, denominations: [60], codePattern: '^[A-Z]{12}$' },
    { ...CATALOGUE, id: 'alike', codePattern: '^[A-Z]{12}$' },
    { ...CATALOGUE, id: 'digits', codePattern: '^[0-9]{12}$' },
  ]);
  const idsFor = (wanted?: string) => findGamesFor(games, wanted).map(({ id }) => id);
  expect(idsFor('60')).toEqual(['managed']);
  expect(idsFor('ABCDEFGHIJKL')).toEqual(['managed', 'alike']);
  expect(idsFor('123456789012')).toEqual(['digits']);
  expect(idsFor('neither')).toEqual(['managed']);
  expect(idsFor()).toEqual(['managed', 'alike', 'digits']);
});

test('where no game has a database, what fits none may be meant for each', () => {
  const games = createGames([
    { ...CATALOGUE, id: 'one', codePattern: '^[A-Z]{12}$' },
    { ...CATALOGUE, id: 'other', codePattern: '^[0-9]{12}$' },
  ]);
  expect(findGamesFor(games, 'neither').map(({ id }) => id)).toEqual(['one', 'other']);
});
