// Games with a code database, and their denominations: the two questions every verb about codes begins with.
import { CoreError } from './errors.ts';
import type { Game, Games } from './games.ts';

/** The game, if it has a code database. Throws CoreError INVALID_INPUT. */
export function requireManaged(games: Games, gameId: string): Game {
  const game = games.find(gameId);
  if (game?.database) return game;
  const managed = games.managed.map(({ id }) => id).join(', ');
  throw new CoreError(
    'INVALID_INPUT',
    `There is no code database for this game. Games with one: ${managed}.`,
  );
}

/** Throws CoreError INVALID_INPUT where the game has no such denomination. */
export function requireDenomination(game: Game, denomination: number): void {
  if (game.denominations.includes(denomination)) return;
  throw new CoreError(
    'INVALID_INPUT',
    `${game.id} has these denominations: ${game.denominations.join(', ')}.`,
  );
}
