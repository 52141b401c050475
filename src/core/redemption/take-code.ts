// Taking the next code of a denomination, past those that do not open any more: a disk that rots costs its own rows, and stops
// nobody else. Such a code is put aside as invalid, and the host is told.
import type { SealedCode, Tables, TakenCode } from '../../store/index.ts';
import { writeNotice } from '../notices/notices.ts';

export interface CodeLot {
  accountId: number;
  gameId: string;
  denomination: number;
}

/** Reserves the next code that opens; undefined when there is none, or the denomination is paused. */
export function takeNextCode(
  tables: Tables,
  lot: CodeLot,
  now: number,
): (Omit<TakenCode, 'code'> & { code: { text: string } & SealedCode }) | undefined {
  if (tables.stockPauses.isPaused(lot)) return undefined;
  const unreadable: number[] = [];
  for (;;) {
    const taken = tables.codes.takeOldest({ ...lot, now });
    if (taken && taken.code === undefined) {
      tables.codes.keepAsInvalid(taken.id, now);
      unreadable.push(taken.id);
      continue;
    }
    tellUnreadable(tables, lot, unreadable, now);
    if (taken?.code === undefined) return undefined;
    return { ...taken, code: { text: taken.code, hash: taken.hash, secret: taken.secret } };
  }
}

/** Tells the host of codes that were put aside, in the transaction that did it. */
export function tellUnreadable(tables: Tables, lot: CodeLot, codeIds: readonly number[], now: number): void {
  if (codeIds.length === 0) return;
  writeNotice(
    tables,
    { kind: 'codesUnreadable', accountId: null, ofAccount: lot.accountId, codeIds: [...codeIds] },
    now,
  );
}
