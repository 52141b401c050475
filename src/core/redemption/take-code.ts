// Taking the next code of a stock key, past those that do not open any more; and the pause of a stock key whose codes
// are refused one after another, before a platform that is wrong for a while has turned a whole stock into used and
// invalid codes (stock/bad-codes.ts lets it go on). And which codes nobody can be asked about after a restore.
import type {
  OrderPlace,
  SealedCode,
  StockKey,
  StockLevel,
  StoredRedemption,
  Tables,
  TakenCode,
  Store,
} from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { watchStock, writeNotice } from '../notices/notices.ts';
import { freeOf } from '../promises.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';

/**
 * Reserves the next code that opens, and watches the stock that it leaves; undefined when there is none that is promised
 * to nobody, or the denomination is paused. `order`: for whom it is, whose promise is used up. `knownAfter`: nobody can
 * be asked about codes up to this id, so that they are taken last.
 */
export function takeNextCode(
  tables: Tables,
  stockKey: StockKey,
  now: number,
  { order, knownAfter }: { order?: OrderPlace | undefined; knownAfter?: number | undefined } = {},
): (Omit<TakenCode, 'code'> & { code: { text: string } & SealedCode }) | undefined {
  const level = tables.stock.readLevel(stockKey);
  if (level.isPaused) return undefined;
  const isPromised = order !== undefined && tables.orderItems.takePromise(order);
  if (!isPromised && freeOf(level) === 0) return undefined;
  const unreadable: number[] = [];
  for (;;) {
    const taken = tables.codes.takeOldest({ ...stockKey, now, knownAfter });
    if (taken && taken.code === undefined) {
      tables.codes.markInvalid(taken.id, now);
      unreadable.push(taken.id);
      continue;
    }
    notifyUnreadable(tables, stockKey, unreadable, now);
    const gone = unreadable.length + (taken ? 1 : 0);
    if (gone > 0) watchStock(tables, stockKey, now, levelAfter(level, gone));
    if (taken?.code === undefined) return undefined;
    return { ...taken, code: { text: taken.code, hash: taken.hash, secret: taken.secret } };
  }
}

/** As it stands when so many were taken; undefined where promises have to be looked at anew. */
const levelAfter = (level: StockLevel, gone: number): StockLevel | undefined =>
  level.promised > 0 || level.isWanted ? undefined : { ...level, takeable: level.takeable - gone };

/** Tells the host of codes that were put aside, in the transaction that did it. */
export function notifyUnreadable(
  tables: Tables,
  stockKey: StockKey,
  codeIds: readonly number[],
  now: number,
): void {
  if (codeIds.length === 0) return;
  writeNotice(
    tables,
    { kind: 'codesUnreadable', accountId: null, ofAccount: stockKey.accountId, codeIds: [...codeIds] },
    now,
  );
}

/**
 * So many refusals as INVALID_CODE or CODE_USED in a row, with nothing redeemed between them; from the bot's document.
 */
const PAUSED_AFTER = 5;

/** A code of the stock was refused. */
export function noteRefused(tables: Tables, stockKey: StockKey, now: number): void {
  if (tables.stockPauses.refuse(stockKey) < PAUSED_AFTER) return;
  if (!tables.stockPauses.pause(stockKey, now)) return;
  const { accountId, gameId, denomination } = stockKey;
  const paused = { accountId, after: { gameId, denomination, count: PAUSED_AFTER } };
  record(tables, { kind: 'service' }, 'stockPaused', paused, now);
  writeNotice(tables, { kind: 'stockPaused', ...stockKey }, now);
}

/** A code of the stock was redeemed. */
export function noteRedeemed(tables: Tables, stockKey: StockKey): void {
  tables.stockPauses.forgive(stockKey);
}

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
  { mode, codeId, gameId }: Pick<StoredRedemption, 'mode' | 'codeId' | 'gameId'>,
): boolean =>
  mode === 'database' && codeId !== null && codeId <= (findUnaskedUpTo(asking, gameId, tables) ?? 0);
