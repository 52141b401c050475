// The thread that reads one spreadsheet: sizes are added up before anything is inflated, and nothing is inflated beyond
// what they say.
import { parentPort, workerData } from 'node:worker_threads';
import { strFromU8, unzipSync } from 'fflate';
import readSheets from 'read-excel-file/universal';

import { foldCode } from '../folding.ts';
import type { SpreadsheetOrder, SpreadsheetText } from './files.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ROWS = 100_000;

/** What programs call a sheet that nobody named. */
const UNNAMED = /^(?:sheet|лист|sayfa|hoja|planilha|lembar|ورقة|工作表)\s*\d*$/iu;

interface Sheet {
  name: string;
  rows: readonly (readonly unknown[])[];
  isHidden: boolean;
}

async function read({
  bytes,
  codePatterns,
  mostBytes = MOST_BYTES,
  mostRows = MOST_ROWS,
}: SpreadsheetOrder): Promise<SpreadsheetText> {
  let inflated = 0;
  const { 'xl/workbook.xml': workbook } = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      inflated += originalSize;
      return name === 'xl/workbook.xml' && originalSize <= mostBytes;
    },
  });
  if (inflated > mostBytes) return 'tooLarge';
  const states = [...strFromU8(workbook ?? new Uint8Array()).matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)];
  // Numbers as they are written: longer ones than 15 digits are codes.
  const read = await readSheets(new Uint8Array(bytes).buffer, { parseNumber: (written) => written });
  const sheets = read.map(({ sheet: name, data }, at): Sheet => {
    return { name, rows: data, isHidden: /\sstate="(?:veryH|h)idden"/.test(states[at]?.[0] ?? '') };
  });
  const isCode = (cell: string) =>
    codePatterns.some((pattern) => pattern.test(foldCode(cell, pattern)) && /\d/.test(cell));
  const holding = sheets.filter(({ rows }) =>
    rows.some((row) => row.some((cell) => isCode(formatCell(cell)))),
  );
  // A hidden one says nothing of what people see.
  holding.sort((a, b) => Number(a.isHidden) - Number(b.isHidden));
  const found = holding.length > 0 ? holding : sheets.filter(({ rows }) => rows.length > 0).slice(0, 1);
  if (found.reduce((sum, { rows }) => sum + rows.length, 0) > mostRows) return 'tooLarge';
  return { text: found.map((sheet) => formatSheet(sheet, found.length > 1)).join('\n') };
}

/** Its rows, under its name where there are several; what nobody sees of a sheet says so in each of its lines. */
function formatSheet({ name, rows, isHidden }: Sheet, isNamed: boolean): string {
  const lines = rows.map((row) => row.map(formatCell).join('\t').trimEnd());
  const heading = isNamed && !UNNAMED.test(name.trim()) ? [name] : [];
  return [...heading, ...lines.map((line) => (isHidden && line !== '' ? `${line}\t⛔` : line))].join('\n');
}

/** In one line, without what sets cells apart. */
function formatCell(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  if (typeof cell !== 'string') return typeof cell === 'boolean' ? String(cell) : '';
  return cell.replaceAll(/\s+/g, ' ');
}

const text = await read(workerData as SpreadsheetOrder).catch(() => 'unreadable' as const);
parentPort?.postMessage(text);
