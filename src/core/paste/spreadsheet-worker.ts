// The thread that reads one spreadsheet: sizes are added up before anything is inflated, and nothing is inflated beyond
// what they say.
import { parentPort, workerData } from 'node:worker_threads';
import { unzipSync } from 'fflate';
import readSheets from 'read-excel-file/universal';

import { foldCode } from '../folding.ts';
import type { SpreadsheetOrder, SpreadsheetText } from './files.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ROWS = 100_000;

type Rows = readonly (readonly unknown[])[];

async function read({
  bytes,
  codePatterns,
  mostBytes = MOST_BYTES,
  mostRows = MOST_ROWS,
}: SpreadsheetOrder): Promise<SpreadsheetText> {
  let inflated = 0;
  unzipSync(bytes, { filter: ({ originalSize }) => (inflated += originalSize) < 0 });
  if (inflated > mostBytes) return 'tooLarge';
  // Numbers as they are written: longer ones than 15 digits are codes.
  const sheets = await readSheets(new Uint8Array(bytes).buffer, { parseNumber: (written) => written });
  const isCode = (cell: string) =>
    codePatterns.some((pattern) => pattern.test(foldCode(cell, pattern)) && /\d/.test(cell));
  const tables = sheets.map(({ data }) => data as Rows);
  const found = tables.find((rows) => rows.some((row) => row.some((cell) => isCode(formatCell(cell)))));
  const rows = found ?? tables.find((each) => each.length > 0) ?? [];
  if (rows.length > mostRows) return 'tooLarge';
  return { text: rows.map((row) => row.map(formatCell).join('\t').trimEnd()).join('\n') };
}

/** In one line, without what sets cells apart. */
function formatCell(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  if (typeof cell !== 'string') return typeof cell === 'boolean' ? String(cell) : '';
  return cell.replaceAll(/\s+/g, ' ');
}

const text = await read(workerData as SpreadsheetOrder).catch(() => 'unreadable' as const);
parentPort?.postMessage(text);
