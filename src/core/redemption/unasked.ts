// Codes of before a restore that nobody can be asked about.
import type { Store, Tables } from '../../store/index.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';
import type { OpenRedemption } from './settle.ts';

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
