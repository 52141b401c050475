// Reading back: the list of redemptions and the statistics of a day.
import { z } from '@hono/zod-openapi';

import type { DayStatistics, Games, Redemption } from '../core/index.ts';
import {
  Code,
  CountByAmount,
  countsByAmount,
  formatTimestamp,
  GameId,
  gameIdField,
  ReceiptId,
  Time,
  ToldPlayerId,
  withoutNulls,
} from './fields.ts';
import { UtcDay, instant } from './instants.ts';

export const HistoryQuery = z
  .object({
    before: instant(Math.ceil, 'Strictly before this time, newest first'),
    after: instant(
      Math.floor,
      'Strictly after this time, oldest first; what began in this very millisecond comes with the next page',
    ),
  })
  .refine(({ before, after }) => before === undefined || after === undefined, {
    path: ['after'],
    message: 'and before exclude each other: send at most one of them',
  });

export const WireHistoryEntry = z
  .strictObject({
    id: ReceiptId,
    error: z.boolean().openapi({ description: 'Failed, or not settled yet', example: false }),
    warning: z.boolean().openapi({ description: 'As in the receipt', example: false }),
    code: Code.optional(),
    denomination: z.int().optional().openapi({
      description: 'The one asked for, or else the amount of the receipt; absent where neither is known',
      example: 60,
    }),
    playerId: ToldPlayerId,
    gameId: GameId,
    createdAt: Time,
    settledAt: Time.optional().openapi({
      description: 'Since when this is final; absent while it is under way or in doubt',
    }),
  })
  .openapi('HistoryEntry');
export type WireHistoryEntry = z.infer<typeof WireHistoryEntry>;

/** Without credentials. */
export function renderHistoryEntry(redemption: Redemption): WireHistoryEntry {
  const { id, state, warning, code, amount, playerId, gameId, createdAt, settledAt } = redemption;
  return {
    ...{ id, error: state !== 'redeemed', warning },
    ...withoutNulls({ code, denomination: redemption.denomination ?? amount, playerId, gameId }),
    createdAt: formatTimestamp(createdAt),
    settledAt: formatTimestamp(settledAt),
  };
}

/** One game; the first with a code database if left out. */
export function createStatisticsQuery(games: Games) {
  const gameId = gameIdField(games, (games.managed[0] ?? games.all[0])?.id);
  return z.object({ gameId, date: UtcDay });
}

export const Statistics = z
  .strictObject({
    date: z.string().openapi({ description: 'The day, in UTC', format: 'date', example: '2026-01-13' }),
    activations: CountByAmount.openapi({
      description:
        'Redemptions: from the code database by denomination, direct ones by the amount of the receipt',
      example: { '0': 0, '60': 12 },
    }),
    errors: CountByAmount.openapi({ description: 'Failures by denomination', example: { '0': 1, '60': 0 } }),
  })
  .openapi('Statistics', { description: '`"0"` stands for an amount that is not known' });
export type Statistics = z.infer<typeof Statistics>;

export function renderStatistics({ date, activations, errors }: DayStatistics): Statistics {
  return { date, activations: countsByAmount(activations), errors: countsByAmount(errors) };
}
