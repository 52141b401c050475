// Documents of receipts, made a slice at a time when they are sent: no row of the outbox holds a receipt.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { MOST_EXPORTED, type ExportedRedemption } from '../../core/index.ts';

/** A document that receipts are written into. */
export interface ReceiptsDocument {
  add(receipts: readonly ExportedRedemption[]): void;
  end(): Buffer;
}

/** Written in one turn. */
const AT_ONCE = 25;

/** As many receipts as one document holds. */
export async function makeDocument(
  slices: AsyncIterable<readonly ExportedRedemption[]>,
  document: ReceiptsDocument,
  most = MOST_EXPORTED,
): Promise<{ document: Buffer; count: number; isMore: boolean }> {
  let count = 0;
  let isMore = false;
  for await (const slice of slices) {
    const fitting = slice.slice(0, most - count);
    for (let at = 0; at < fitting.length; at += AT_ONCE) {
      if (at > 0) await nextTurn();
      document.add(fitting.slice(at, at + AT_ONCE));
    }
    count += fitting.length;
    isMore = fitting.length < slice.length;
    if (isMore) break;
  }
  return { document: document.end(), count, isMore };
}
