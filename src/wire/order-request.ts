// What an order is asked for by: the body of POST /orders, and of a resumed one.
import { z } from '@hono/zod-openapi';

import {
  findBrokenRule,
  isPlayerId,
  LARGEST_ORDER_AMOUNT,
  LONGEST_ORDER_REFERENCE,
  MOST_ORDER_CODES,
  MOST_ORDER_ENTRIES,
} from '../core/index.ts';
import type { Game, Games, OrderEntry, OrderRequest } from '../core/index.ts';
import { Denomination, gameIdField, PlayerId, rule } from './fields.ts';
import { instant } from './instants.ts';

const MOST_OF_ENTRY = 50;

/** A body as a route works with it. */
type OrderBody = Omit<OrderRequest, 'playerName' | 'insteadOf' | 'idempotencyKey'>;

const Deadline = instant(
  Math.floor,
  'Nothing of it begins after that; in the future, 7 days at most',
  '2026-01-13T12:00:00.000Z',
);

const REFERENCE_WORDS = `must be 1 to ${LONGEST_ORDER_REFERENCE} visible characters`;
const VISIBLE = new RegExp(`^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]{1,${LONGEST_ORDER_REFERENCE}}$`, 'u');
export const Reference = z
  .string({ error: REFERENCE_WORDS })
  .refine((text) => VISIBLE.test(text), REFERENCE_WORDS)
  .openapi({
    description: 'A label to search by, not a key: 1 to 64 visible characters',
    minLength: 1,
    maxLength: LONGEST_ORDER_REFERENCE,
    example: 'INV-1001',
  });

const Entry = z
  .object(
    {
      denomination: Denomination.optional(),
      count: z
        .int(`must be a whole number from 1 to ${MOST_OF_ENTRY}`)
        .min(1, `must be a whole number from 1 to ${MOST_OF_ENTRY}`)
        .max(MOST_OF_ENTRY, `must be a whole number from 1 to ${MOST_OF_ENTRY}`)
        .optional()
        .openapi({ description: 'How many of that denomination; 1 if left out', example: 2 }),
      codeOverride: z
        .string({ error: 'must be a string' })
        .trim()
        .optional()
        .openapi({ description: 'A code of your own in place of a denomination' }),
    },
    { error: 'must be a JSON object' },
  )
  .openapi('OrderEntry', { example: { denomination: 60, count: 2 } });

/** The schema for this catalogue, built once. What the body asks for is folded into `items` of the core. */
export function createOrderBody(games: Games, defaultGameId: string | undefined): z.ZodType<OrderBody> {
  return z
    .object(
      {
        gameId: gameIdField(games, defaultGameId),
        playerId: PlayerId.refine((id) => isPlayerId(id.trim()), 'must have 5 to 20 digits'),
        items: z
          .array(Entry, { error: rule(`must be a list of 1 to ${MOST_ORDER_ENTRIES} entries`) })
          .min(1, `must have 1 to ${MOST_ORDER_ENTRIES} entries`)
          .max(MOST_ORDER_ENTRIES, `must have 1 to ${MOST_ORDER_ENTRIES} entries`)
          .optional()
          .openapi({ description: `Exactly one of items and amount; ${MOST_ORDER_CODES} codes in all` }),
        amount: z
          .int(`must be a whole number from 1 to ${LARGEST_ORDER_AMOUNT}`)
          .min(1, `must be a whole number from 1 to ${LARGEST_ORDER_AMOUNT}`)
          .max(LARGEST_ORDER_AMOUNT, `must be a whole number from 1 to ${LARGEST_ORDER_AMOUNT}`)
          .optional()
          .openapi({
            description:
              'A sum to be composed exactly, at acceptance, of what is available: of the fewest codes. With `onShortage: wait`, where what is there does not make it, of all denominations of the game',
            example: 445,
          }),
        onShortage: z
          .enum(['refuse', 'wait'], { error: 'must be refuse or wait' })
          .default('refuse')
          .openapi({
            description:
              '`refuse`: 409 (429 for the quota) before anything begins where stock, or quota for all of it, is not there; `wait`: accepted, and waits until `deadline`, else 24 hours',
          }),
        onBadCode: z
          .enum(['replace', 'stop'], { error: 'must be replace or stop' })
          .default('replace')
          .openapi({
            description:
              '`replace`: a bad code of the database (used by another player, or invalid) is followed by the next one, 3 times a code and 10 an order; `stop`: it ends the order',
          }),
        deadline: Deadline,
        reference: Reference.optional(),
      },
      { error: 'The body must be a JSON object' },
    )
    .superRefine((body, context) => requireOrder(games, body, context))
    .transform(({ items, amount, deadline, reference, ...rest }) => ({
      ...rest,
      ...(items !== undefined && { items: items.map(toEntry) }),
      amount,
      deadline,
      reference,
    }))
    .openapi('OrderRequest', {
      example: { playerId: '5124780131', gameId: games.all[0]?.id, amount: 445, reference: 'INV-1001' },
    });
}

type WireEntry = z.output<typeof Entry>;

function toEntry({ denomination, count = 1, codeOverride }: WireEntry): OrderEntry {
  return codeOverride === undefined ? { denomination: denomination ?? 0, count } : { code: codeOverride };
}

function requireOrder(
  games: Games,
  { gameId, items, amount }: { gameId: string; items?: WireEntry[] | undefined; amount?: number | undefined },
  context: z.RefinementCtx,
): void {
  const game = games.find(gameId);
  const add = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  if (!game) return;
  if ((items === undefined) === (amount === undefined))
    add(['items'], 'and amount exclude each other: send exactly one of them');
  if (amount !== undefined && !game.database)
    add(['amount'], `needs a game with a code database, which ${game.id} has not`);
  items?.forEach((entry, index) =>
    requireEntry(games, game, entry, (field, message) => add(['items', index, field], message)),
  );
  const codes = (items ?? []).reduce((sum, { count = 1 }) => sum + count, 0);
  if (codes > MOST_ORDER_CODES) add(['items'], `must be at most ${MOST_ORDER_CODES} codes in all`);
}

function requireEntry(
  games: Games,
  game: Game,
  { denomination, count, codeOverride }: WireEntry,
  add: (field: string, message: string) => void,
): void {
  const broken = findBrokenRule(games, {
    gameId: game.id,
    denomination,
    code: codeOverride,
  });
  if (broken) add(broken.field, broken.message);
  if (codeOverride !== undefined && count !== undefined && count !== 1)
    add('count', 'of a codeOverride is 1');
}

/** A body that may be left out. */
export const ResumeBody = z
  .object({ deadline: Deadline }, { error: 'The body must be a JSON object' })
  .openapi('ResumeRequest', { example: {} });
