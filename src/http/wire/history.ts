// Reading back: the list of redemptions and the statistics of a day.
import { z } from '@hono/zod-openapi';

import type { DayStatistics, Games, HistoryEntry } from '../../core/index.ts';
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
} from './fields.ts';
import { isCalendarDate, parseInstant } from './instants.ts';

/** A moment finer than a millisecond is rounded so that "strictly before" and "strictly after" still hold. */
export function instant(round: (ms: number) => number, description: string) {
  return z
    .string()
    .transform((text, context) => {
      const ms = parseInstant(text);
      if (ms !== undefined) return round(ms);
      context.addIssue({
        code: 'custom',
        message: 'must be a time in ISO 8601: 2026-01-13T08:27:18.520Z',
      });
      return z.NEVER;
    })
    .optional()
    .openapi({ description, format: 'date-time', example: '2026-01-13T08:27:18.520Z' });
}

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

export function renderHistoryEntry(entry: HistoryEntry): WireHistoryEntry {
  const { code, denomination, settledAt } = entry;
  return {
    id: entry.id,
    error: entry.error,
    warning: entry.warning,
    code,
    denomination,
    playerId: entry.playerId,
    gameId: entry.gameId,
    createdAt: formatTimestamp(entry.createdAt),
    ...(settledAt !== undefined && { settledAt: formatTimestamp(settledAt) }),
  };
}

/** One game; the first with a code database if left out. */
export function createStatisticsQuery(games: Games) {
  const gameId = gameIdField(games, (games.managed[0] ?? games.all[0])?.id);
  return z.object({ gameId, date: Day });
}

const Day = z
  .string()
  .refine(isCalendarDate, 'must be a day of the calendar as YYYY-MM-DD: 2026-01-13')
  .optional()
  .openapi({ description: 'A day in UTC; today if left out', format: 'date', example: '2026-01-13' });

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
