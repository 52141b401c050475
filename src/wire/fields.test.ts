// The fields that requests share: what each takes, and in what words it refuses.
import { expect, test } from 'vitest';
import type { z } from '@hono/zod-openapi';

import { createGames } from '../core/index.ts';
import { Denomination, gameIdField, managedGameIdField, PlayerId } from './fields.ts';

const game = (id: string, database: boolean) => ({
  id,
  currency: 'UC',
  database,
  denominations: database ? [60] : [],
  codePattern: '^[0-9]+$',
  receipts: 'account' as const,
});
const games = createGames([game('game_id_1', false), game('game_id_2', true), game('game_id_3', true)]);
const withoutStock = createGames([game('game_id_1', false)]);
const told = (schema: z.ZodType, value: unknown) => {
  const read = schema.safeParse(value);
  return read.success ? read.data : read.error.issues.map(({ message }) => message);
};

test.each([
  [60, 60],
  [0, 0],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['60', 60],
  ['0060', 60],
  ['123456789012345', 123_456_789_012_345],
])('a denomination %j is %i', (given, taken) => expect(told(Denomination, given)).toBe(taken));

test.each([
  -1,
  1.5,
  2 ** 53,
  Infinity,
  NaN,
  '-1',
  '6.0',
  ' 60',
  '60 ',
  '',
  '1234567890123456',
  true,
  null,
  {},
])('a denomination is not %j', (given) =>
  expect(told(Denomination, given)).toEqual(['must be an integer: 60']),
);

test('what is missing is told to be required', () => {
  expect(told(Denomination, undefined)).toEqual(['is required and must be an integer: 60']);
  const digits = 'must be a string of digits, in quotes: "5124780131"';
  expect(told(PlayerId, undefined)).toEqual([`is required and ${digits}`]);
  expect(told(PlayerId, 5124780131)).toEqual([digits]);
});

test('a game is one of those there are; a game with stock one of those that have it, the first when it is left out', () => {
  const any = gameIdField(games, undefined);
  expect(told(any, 'game_id_3')).toBe('game_id_3');
  expect(told(any, 'game_id_4')).toEqual(['must be one of game_id_1, game_id_2, game_id_3']);
  expect(told(any, undefined)).toEqual(['is required and must be one of game_id_1, game_id_2, game_id_3']);
  expect(told(gameIdField(games, 'game_id_2'), null)).toBe('game_id_2');
  const managed = managedGameIdField(games);
  expect([told(managed, undefined), told(managed, null), told(managed, 'game_id_3')]).toEqual([
    'game_id_2',
    'game_id_2',
    'game_id_3',
  ]);
  expect(told(managed, 'game_id_1')).toEqual(['must be a game with a code database: game_id_2, game_id_3']);
  expect(told(managedGameIdField(withoutStock), 'game_id_1')).toEqual([
    'cannot be chosen: no game of this service has a code database',
  ]);
});
