// Other attempts at the same code whose end was not known for a while: what "used" or "redeemed" may mean besides.
import type { Tables } from '../../store/index.ts';
import type { CoreClock } from '../steady.ts';

/** What began longer before has nothing to do with this one. */
const TOGETHER_MS = 24 * 60 * 60 * 1000;

/** A redemption whose attempt fell in doubt, or may have. */
export interface Attempt {
  id: number;
  accountId: number;
  gameId: string;
  code: string;
  playerId: string;
  chargeId: number | null;
  createdAt: number;
}

export interface DoubtfulAttempts {
  /** When the first one of this account at this code for this player was charged, on the steady scale; undefined: none before this. */
  earlierAt: number | undefined;
  /** Whether another account ever had one. */
  othersHadIt: boolean;
}

/** Looks at the attempts that fell in doubt beside this one; this account's from a day before it on. */
export function findDoubtfulAttempts(tables: Tables, attempt: Attempt): DoubtfulAttempts {
  const { id, accountId, gameId, code, playerId, createdAt } = attempt;
  const hash = tables.redemptions.hashOf(gameId, code);
  const since = createdAt - TOGETHER_MS;
  const { own, others } = tables.redemptions.findDoubtful({ id, accountId, gameId, hash, playerId, since });
  return { earlierAt: own, othersHadIt: others };
}

/**
 * How long ago the first of these attempts began, by when it was charged: on the scale that no jump of the calendar moves. What an
 * earlier process began may be older than that, as the calendar tells it: a machine can start behind.
 */
export function measureAge(
  tables: Tables,
  attempt: Attempt,
  { earlierAt }: DoubtfulAttempts,
  clock: CoreClock,
): { ageMs: number; isMeasured: boolean } {
  const chargedAt = attempt.chargeId === null ? undefined : tables.quota.chargedAt(attempt.chargeId);
  const begunAt = Math.min(chargedAt ?? Infinity, earlierAt ?? Infinity);
  const steadyMs = begunAt === Infinity ? 0 : clock.steadyNow() - begunAt;
  if (begunAt >= clock.begunAt) return { ageMs: steadyMs, isMeasured: begunAt !== Infinity };
  return { ageMs: Math.max(steadyMs, clock.now() - attempt.createdAt), isMeasured: false };
}
