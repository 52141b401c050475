// The times that restores have lost, as far as anything of them may still be found: that of the last, and of those
// shortly before it.
import { MINUTE_MS } from '../../clock.ts';
import type { LostTime, Store, Tables } from '../../store/index.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';
import { SLACK_MS } from './decide-doubt.ts';
import type { OpenRedemption } from './settle.ts';

const LOST_AT_MOST_MS = 15 * MINUTE_MS;

const listAll = ({ lost }: Pick<Store, 'lost'>): readonly LostTime[] =>
  lost ? [lost, ...(lost.earlier ?? [])] : [];

interface Asking {
  store: Pick<Store, 'lastCodeBeforeLoss'>;
  witnesses: Pick<Witnesses, 'canProve'>;
}

/**
 * Codes up to this id are of before a restore, and there is nobody whose word says that they are unspent; undefined
 * where that is none. `tables`: of the write that it is asked in.
 */
export const findUnaskedUpTo = (
  { store: { lastCodeBeforeLoss: last }, witnesses }: Asking,
  gameId: string,
  tables?: Tables,
): number | undefined => (last === undefined || witnesses.canProve(gameId, tables) ? undefined : last);

/** Whether its code came out of the stock so: one that is used was used in the lost time, and costs nothing. */
export const isUnasked = (
  asking: Asking,
  tables: Tables,
  { mode, codeId, gameId }: Pick<OpenRedemption, 'mode' | 'codeId' | 'gameId'>,
): boolean =>
  mode === 'database' && codeId !== null && codeId <= (findUnaskedUpTo(asking, gameId, tables) ?? 0);

/**
 * Those that may have lost what was carried out at that moment, by our calendar; none: it is none of ours. What nobody
 * tells the time of is dated at the end of one, and may be of any.
 */
export const listLostTimes = (store: Pick<Store, 'lost'>, at: number, settlingMs: number): LostTime[] => {
  const all = listAll(store);
  if (all.some(({ until }) => until === at)) return [...all];
  return all.filter(({ asOf, until }) => at >= asOf - SLACK_MS && at <= until + settlingMs);
};

/** Whether what was recovered of it is given to orders that are repeated; of a longer time it is only listed. */
export const isShort = ({ asOf, until }: LostTime): boolean => until - asOf <= LOST_AT_MOST_MS;

/** Whether anything that is recovered may be. */
export const isGiven = (store: Pick<Store, 'lost'>): boolean => listAll(store).some(isShort);
