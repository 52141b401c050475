// Receipts as CSV, for programs; what people open is export-sheet.ts.
import { FULL_RECEIPT_COLUMNS, RECEIPT_COLUMNS } from '../../core/index.ts';
import { CSV_MARK, toCsvLine } from '../../csv.ts';
import type { ReceiptsDocument } from './export-document.ts';

/** Begins with the names of the columns; its times are those of the zone. */
export function createCsvDocument({ full, timeZone }: { full: boolean; timeZone: string }): ReceiptsDocument {
  const columns = full ? FULL_RECEIPT_COLUMNS : RECEIPT_COLUMNS;
  const written = [Buffer.from(CSV_MARK + toCsvLine(columns.map(([name]) => name)))];
  return {
    add(receipts) {
      const lines = receipts.map((receipt) =>
        toCsvLine(columns.map(([, value]) => value(receipt, timeZone))),
      );
      written.push(Buffer.from(lines.join('')));
    },
    end: () => Buffer.concat(written),
  };
}
