// Other attempts at the same code whose end was not known for a while: what "used" or "redeemed" may mean besides.
import type { Tables } from '../../store/index.ts';

/** What began longer before has nothing to do with this one. */
const TOGETHER_MS = 24 * 60 * 60 * 1000;

export interface DoubtfulAttempts {
  /** When the first doubtful attempt of this account at this code for this player began: this one, or one before it. */
  ownBegunAt: number;
  /** Whether there was one before it. */
  hasEarlier: boolean;
  /** When the first of any other account began; undefined where there was none. */
  othersBegunAt: number | undefined;
}

/** Looks at the attempts that fell in doubt, from a day before this one on. Another account's is never taken for one of ours. */
export function findDoubtfulAttempts(
  tables: Tables,
  attempt: {
    id: number;
    accountId: number;
    gameId: string;
    code: string;
    playerId: string;
    createdAt: number;
  },
): DoubtfulAttempts {
  const { id, accountId, gameId, code, playerId, createdAt } = attempt;
  const hash = tables.redemptions.hashOf(gameId, code);
  const since = createdAt - TOGETHER_MS;
  const { own, others } = tables.redemptions.findDoubtful({ id, accountId, gameId, hash, playerId, since });
  return {
    ownBegunAt: Math.min(own ?? createdAt, createdAt),
    hasEarlier: own !== undefined,
    othersBegunAt: others,
  };
}
