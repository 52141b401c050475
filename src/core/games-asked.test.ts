// The two questions of every verb about codes, and the error that answers them.
import { expect, test } from 'vitest';

import { CoreError } from './errors.ts';
import { createGames, requireCodeDatabase, requireDenomination } from './games.ts';

const game = (id: string, denominations: number[]) => ({
  id,
  currency: id,
  database: denominations.length > 0,
  denominations,
  codePattern: '^[A-Za-z0-9]{12,32}$',
  receipts: 'account' as const,
});
const games = createGames([game('game_id_1', [60, 325]), game('game_id_2', []), game('game_id_3', [100])]);

function refusalOf(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    return error;
  }
}

test('a game with a code database is given; any other is refused with the names of those', () => {
  expect(requireCodeDatabase(games, 'game_id_3')).toBe(games.find('game_id_3'));
  for (const id of ['game_id_2', 'game_id_9']) {
    expect(refusalOf(() => requireCodeDatabase(games, id))).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'There is no code database for this game. Games with one: game_id_1, game_id_3.',
    });
  }
});

test('a denomination of the game passes; any other is refused with those that there are', () => {
  const one = requireCodeDatabase(games, 'game_id_1');
  expect(refusalOf(() => requireDenomination(one, 325))).toBeUndefined();
  expect(refusalOf(() => requireDenomination(one, 100))).toMatchObject({
    code: 'INVALID_INPUT',
    message: 'game_id_1 has these denominations: 60, 325.',
  });
});

test('an error says what it is, keeps its cause, and is of a first subscription only where told so', () => {
  const cause = new Error('below');
  expect(new CoreError('CONFLICT', 'No.', { cause })).toMatchObject({
    name: 'CoreError',
    code: 'CONFLICT',
    message: 'No.',
    cause,
    because: undefined,
  });
  expect(new CoreError('SUBSCRIPTION_EXPIRED', 'No.', { because: 'never' }).because).toBe('never');
});
