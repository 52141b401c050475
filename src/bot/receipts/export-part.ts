// Documents of receipts, made a slice at a time; in parts, since Telegram takes a document up to 50 MB, and an upload
// has twenty seconds. A part is made when it is sent, from where the one before it ended.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ExportedRedemption } from '../../core/index.ts';

/** A document that receipts are written into. */
export interface ReceiptsDocument {
  add(receipts: readonly ExportedRedemption[]): void;
  bytes(): number;
  end(): Buffer;
}

export interface ExportPart {
  document: Buffer;
  count: number;
  /** The last receipt in it, where there are more. */
  last: { createdAt: number; id: number } | undefined;
}

const PART_BYTES = 20 * 1024 * 1024;
/** Written in one turn. */
const AT_ONCE = 25;

/** As many receipts as there is room for in one document. */
export async function makeExportPart(
  slices: AsyncIterable<ExportedRedemption[]>,
  document: ReceiptsDocument,
  partBytes = PART_BYTES,
): Promise<ExportPart> {
  let count = 0;
  let last: ExportedRedemption | undefined;
  for await (const slice of slices) {
    if (last && document.bytes() >= partBytes)
      return { document: document.end(), count, last: { createdAt: last.createdAt, id: last.id } };
    for (let at = 0; at < slice.length; at += AT_ONCE) {
      if (at > 0) await nextTurn();
      document.add(slice.slice(at, at + AT_ONCE));
    }
    count += slice.length;
    last = slice.at(-1);
  }
  return { document: document.end(), count, last: undefined };
}
