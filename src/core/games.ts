// The catalogue of games (data/games.json): what is sold, what a code looks like, whether there is a code database; and
// what every verb asks of it first: is there such a game, has it a code database, has it this denomination.
import { z } from 'zod';

import { CoreError } from './errors.ts';

const GameEntry = z.strictObject({
  id: z.string().min(1),
  name: z.record(z.string().min(2), z.string().trim().min(1).max(64)).optional(),
  currency: z.string().min(1),
  database: z.boolean(),
  denominations: z.array(z.int().positive()),
  codePattern: z.string().refine(isPattern, 'is not a regular expression'),
  receipts: z.enum(['account', 'session']),
});

const Catalogue = z
  .array(GameEntry)
  .min(1)
  .refine((entries) => new Set(entries.map((entry) => entry.id)).size === entries.length, 'repeats an id')
  .refine(
    (entries) => entries.every((entry) => !entry.database || entry.denominations.length > 0),
    'has a game with a database and no denominations',
  );

/** One game. `receipts: 'session'` is the family whose receipts hold a player account id and a session token. */
export interface Game {
  id: string;
  /** What people are shown instead of the id, by language; programs see the id. */
  name?: Readonly<Record<string, string>> | undefined;
  currency: string;
  database: boolean;
  /** In units of the currency, ascending. */
  denominations: readonly number[];
  codePattern: RegExp;
  receipts: 'account' | 'session';
}

export interface Games {
  all: readonly Game[];
  /** The games whose codes can be kept in a code database; the first is the default of the `/db` endpoints. */
  managed: readonly Game[];
  find(id: string): Game | undefined;
  /**
   * As people are shown it: by its name in that language, else in English; by its id where it has none, or is sold no
   * more.
   */
  nameOf(id: string, language: string): string;
}

/** `60 UC`; the number alone where the game is sold no more. */
export const formatAmount = (amount: number, game: Pick<Game, 'currency'> | undefined): string =>
  `${amount} ${game?.currency ?? ''}`.trim();

/** Reads a parsed games file. Throws an Error whose message names every mistake. */
export function createGames(catalogue: unknown): Games {
  const parsed = Catalogue.safeParse(catalogue);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const all = parsed.data.map((entry) => ({
    ...entry,
    denominations: [...entry.denominations].sort((a, b) => a - b),
    codePattern: new RegExp(entry.codePattern),
  }));
  const byId = new Map(all.map((game) => [game.id, game]));
  return {
    all,
    managed: all.filter((game) => game.database),
    find: (id) => byId.get(id),
    nameOf(id, language) {
      const names = byId.get(id)?.name ?? {};
      return names[language] ?? names.en ?? Object.values(names)[0] ?? id;
    },
  };
}

/** How the receipts of a game are read; of one that left the catalogue, as most are. */
export const receiptFamilyOf = (games: Games, gameId: string): Pick<Game, 'receipts'> =>
  games.find(gameId) ?? { receipts: 'account' };

/** The game of this id. Throws CoreError INVALID_INPUT. */
export function requireGame(games: Games, gameId: string): Game {
  const game = games.find(gameId);
  if (game) return game;
  const known = games.all.map(({ id }) => id).join(', ');
  throw new CoreError('INVALID_INPUT', `There is no such game. Send one of: ${known}.`);
}

/** The game, if it has a code database. Throws CoreError INVALID_INPUT. */
export function requireCodeDatabase(games: Games, gameId: string): Game {
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

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

/** A name of one of them in any language, in any case, with any blanks in it; undefined where none has a name. */
export function gameNamePattern(games: readonly Game[]): RegExp | undefined {
  const names = games.flatMap(({ name }) => Object.values(name ?? {}));
  if (names.length === 0) return undefined;
  const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s*'));
  return new RegExp(`(?<![\\p{L}\\d])(?:${escaped.join('|')})(?![\\p{L}\\d])`, 'iu');
}
