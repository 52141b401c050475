// Telegram's own list of the Stars that went to the bot and back.
import type { Api } from 'grammy';
import type { StarTransaction } from 'grammy/types';

import { retry, type RetryPolicy } from '../../waiting.ts';
import { readRetryAfterMs } from '../errors.ts';
import type { StarPlace } from '../../store/bot-store.ts';
import { asApiSignal } from '../telegram/api-signal.ts';

/** The most that Telegram gives at once. */
const PAGE = 100;
const TRIES = 5;
const PAUSE_MS = 2_000;

const policy: RetryPolicy = (failures, error) =>
  failures < TRIES ? Math.max(PAUSE_MS * failures, readRetryAfterMs(error)) : undefined;

/** A part of the list, up to its end. */
export interface StarTransactions {
  /** How many transactions stand before it. */
  skipped: number;
  transactions: StarTransaction[];
}

/**
 * The list, oldest first, from a page before `place` on. The whole of it without a place, and where another transaction
 * stands there, or none: then it is not the list of which the place was kept. A page that cannot be had is asked for
 * five times, after longer and longer pauses, and not before Telegram allows it; then it rejects.
 */
export async function readStarTransactions(
  api: Pick<Api, 'getStarTransactions'>,
  signal: AbortSignal,
  place?: Pick<StarPlace, 'count' | 'last'>,
): Promise<StarTransactions> {
  const skipped = Math.max(0, (place?.count ?? 0) - PAGE);
  const transactions: StarTransaction[] = [];
  for (;;) {
    const page = await readPage(api, skipped + transactions.length, signal);
    if (place && transactions.length === 0 && page[place.count - skipped - 1]?.id !== place.last)
      return readStarTransactions(api, signal);
    transactions.push(...page);
    if (page.length < PAGE) return { skipped, transactions };
  }
}

async function readPage(
  api: Pick<Api, 'getStarTransactions'>,
  offset: number,
  signal: AbortSignal,
): Promise<StarTransaction[]> {
  const ask = () => api.getStarTransactions({ offset, limit: PAGE }, asApiSignal(signal));
  return (await retry(policy, ask, { signal })).transactions;
}
