// The fields that several requests and answers share, each with its rule, a description and an example.
import { z } from '@hono/zod-openapi';

import { ERROR_CODES } from '../core/index.ts';
import type { Games } from '../core/index.ts';

/** Of the examples; what is tried out from /docs under it gets a key of its own. */
export const EXAMPLE_ORDER_KEY = 'order-8f2c41';

type Issue = { input?: unknown };

/** The words for a field that is missing, or that breaks its rule: `must be a string of digits`. */
export function rule(words: string): (issue: Issue) => string {
  return ({ input }) => (input === undefined ? `is required and ${words}` : words);
}

export const Time = z.string().openapi({
  format: 'date-time',
  description: 'ISO 8601, UTC, with milliseconds',
  example: '2026-01-13T08:27:18.520Z',
});

export const ReceiptId = z
  .int()
  .openapi({ description: 'Identifier of the receipt, as in GET /history/{id}', example: 4711 });

export const PlayerId = z
  .string({ error: rule('must be a string of digits, in quotes: "5124780131"') })
  .openapi({ description: 'The in-game character ID, 5 to 20 digits', example: '5124780131' });

/** As answers tell it. */
export const ToldPlayerId = z.string().openapi({
  description: 'The in-game character ID as it was sent; `forgotten-…` once the player asked to be forgotten',
  example: '5124780131',
});

export const Code = z.string().openapi({ description: 'The code', example: '60SXW4QK7H2M9TZR' });

const DENOMINATION_WORDS = 'must be an integer: 60';

export const Denomination = z
  .union(
    [
      z
        .number()
        .refine((value) => Number.isSafeInteger(value) && value >= 0, {
          error: DENOMINATION_WORDS,
          abort: true,
        })
        .openapi({ type: 'integer' }),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ],
    { error: rule(DENOMINATION_WORDS) },
  )
  .openapi({
    description: 'Denomination of a code; a string of digits is taken as that integer',
    example: 60,
  });

export const WireErrorCode = z
  .enum(ERROR_CODES)
  .openapi({ description: 'Why the redemption failed', example: 'NO_CODES_AVAILABLE' });

/** A count for each denomination or amount, `{ "60": 12 }`. */
export const CountByAmount = z.record(z.string().regex(/^\d+$/), z.int().nonnegative());

export const GameId = z.string().openapi({ description: 'Identifier of the game', example: 'game_id_1' });

/** The identifier of a game of the catalogue; `defaultGameId` is what a request without one means. */
export function gameIdField(games: Games, defaultGameId: string | undefined): z.ZodType<string> {
  const ids = games.all.map(({ id }) => id);
  return chooseGame(ids, defaultGameId, `must be one of ${ids.join(', ')}`);
}

/** The identifier of a game with a code database; without one, the first such game. */
export function managedGameIdField(games: Games): z.ZodType<string> {
  const ids = games.managed.map(({ id }) => id);
  const words =
    ids.length === 0
      ? 'cannot be chosen: no game of this service has a code database'
      : `must be a game with a code database: ${ids.join(', ')}`;
  return chooseGame(ids, ids[0], words);
}

function chooseGame(ids: string[], fallback: string | undefined, words: string): z.ZodType<string> {
  const description = `Identifier of the game${fallback === undefined ? '' : `; ${fallback} if left out`}`;
  const known = z.enum(ids, { error: rule(words) });
  const chosen = fallback === undefined ? known : known.nullish().transform((id) => id ?? fallback);
  return chosen.openapi({ description, example: ids[0] });
}

/** A map of counts as the wire tells it. */
export function countsByAmount(counts: ReadonlyMap<number, number>): Record<string, number> {
  return Object.fromEntries([...counts].map(([amount, count]) => [String(amount), count]));
}

export function formatTimestamp(ms: number): string;
export function formatTimestamp(ms: number | null | undefined): string | undefined;
export function formatTimestamp(ms: number | null | undefined): string | undefined {
  return ms === undefined || ms === null ? undefined : new Date(ms).toISOString();
}

/** Inside, a null is a null; the wire leaves out what is not known. */
export function withoutNulls<T extends object>(
  record: T,
): { [Key in keyof T]: null extends T[Key] ? NonNullable<T[Key]> | undefined : T[Key] };
export function withoutNulls(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
