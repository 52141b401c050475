// The catalogue: its mistakes, each named.
import { expect, test } from 'vitest';

import { createGames } from './games.ts';

const game = {
  id: 'game_id_1',
  currency: 'UC',
  database: true,
  denominations: [325, 60],
  codePattern: '^[A-Z0-9]{12}$',
  receipts: 'account',
};

test.each<[mistake: string, catalogue: unknown]>([
  ['repeats an id', [game, game]],
  ['has a game with a database and no denominations', [{ ...game, denominations: [] }]],
  ['is not a regular expression', [{ ...game, codePattern: '[' }]],
  ['expected array to have >=1 items', []],
  ['at [0].id', [{ ...game, id: '' }]],
  ['at [0].currency', [{ ...game, currency: '' }]],
  ['at [0].denominations[0]', [{ ...game, denominations: [0] }]],
  ['at [0].receipts', [{ ...game, receipts: 'other' }]],
  ['at [0].name', [{ ...game, name: { en: ' ' } }]],
  ['at [0].name', [{ ...game, name: { e: 'Game' } }]],
  ['at [0].name', [{ ...game, name: { en: 'x'.repeat(65) } }]],
  ['Unrecognized key', [{ ...game, more: 1 }]],
])('a mistake is named: %s', (mistake, catalogue) => {
  expect(() => createGames(catalogue)).toThrow(mistake);
});

test('denominations ascend; a game without a database needs none, and is not managed', () => {
  const other = { ...game, id: 'game_id_2', database: false, denominations: [], name: { en: 'Two' } };
  const games = createGames([game, other]);
  expect(games.find('game_id_1')?.denominations).toEqual([60, 325]);
  expect(games.all.map(({ id }) => id)).toEqual(['game_id_1', 'game_id_2']);
  expect(games.managed.map(({ id }) => id)).toEqual(['game_id_1']);
  expect(games.find('game_id_3')).toBeUndefined();
});

test('people are shown a name in their language, else in English, else the id', () => {
  const names = { en: 'One', ru: 'Один' };
  const { nameOf } = createGames([
    { ...game, name: names },
    { ...game, id: 'game_id_2' },
  ]);
  expect([nameOf('game_id_1', 'ru'), nameOf('game_id_1', 'de')]).toEqual(['Один', 'One']);
  expect([nameOf('game_id_2', 'en'), nameOf('gone', 'en')]).toEqual(['game_id_2', 'gone']);
});
