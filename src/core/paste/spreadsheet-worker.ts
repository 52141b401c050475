// The thread that reads one spreadsheet: sizes are added up before anything is inflated, and nothing is inflated beyond
// what they say.
import { parentPort, workerData } from 'node:worker_threads';
import { strFromU8, unzipSync } from 'fflate';
import readSheets from 'read-excel-file/universal';

import { foldCode } from '../folding.ts';
import type { SpreadsheetOrder, SpreadsheetText } from './files.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ROWS = 100_000;
/** Files of the archive in which it is said what is hidden. */
const READ = /^xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels|worksheets\/[^/]+)$/;

/** What programs call a sheet that nobody named. */
const UNNAMED = /^(?:sheet|лист|sayfa|hoja|planilha|lembar|ورقة|工作表)\s*\d*$/iu;

interface Sheet {
  name: string;
  rows: readonly (readonly unknown[])[];
  isHidden: boolean;
  /** Hidden by hand, or by a filter; the first is 1. */
  hiddenRows: ReadonlySet<number>;
}

async function read({
  bytes,
  codePatterns,
  mostBytes = MOST_BYTES,
  mostRows = MOST_ROWS,
}: SpreadsheetOrder): Promise<SpreadsheetText> {
  let inflated = 0;
  unzipSync(bytes, {
    filter: ({ originalSize }) => {
      inflated += originalSize;
      return false;
    },
  });
  if (inflated > mostBytes) return 'tooLarge';
  const files = unzipSync(bytes, { filter: ({ name }) => READ.test(name) });
  const tags = listTags(files['xl/workbook.xml'], 'sheet');
  const paths = new Map(
    listTags(files['xl/_rels/workbook.xml.rels'], 'Relationship').map((tag) => [
      attribute(tag, 'Id'),
      attribute(tag, 'Target'),
    ]),
  );
  // Numbers as they are written: longer ones than 15 digits are codes.
  const read = await readSheets(new Uint8Array(bytes).buffer, { parseNumber: (written) => written });
  const sheets = read.map(({ sheet: name, data }, at): Sheet => {
    const tag = tags[at] ?? '';
    const path = paths.get(attribute(tag, '\\w+:id')) ?? '';
    const file = files[path.startsWith('/') ? path.slice(1) : `xl/${path}`];
    const hidden = listTags(file, 'row').filter((row) => /^(?:1|true)$/.test(attribute(row, 'hidden')));
    return {
      name,
      rows: data,
      isHidden: /hidden$/i.test(attribute(tag, 'state')),
      hiddenRows: new Set(hidden.map((row) => Number(attribute(row, 'r')))),
    };
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

/** The opening tags of this name; of the text between them nothing is looked at. */
const listTags = (file: Uint8Array | undefined, name: string): string[] =>
  strFromU8(file ?? new Uint8Array(), true).match(new RegExp(`<(?:\\w+:)?${name}\\s[^>]*>`, 'g')) ?? [];

const attribute = (tag: string, name: string): string =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** Its rows, under its name where there are several; what nobody sees of it says so in each of its lines. */
function formatSheet({ name, rows, isHidden, hiddenRows }: Sheet, isNamed: boolean): string {
  const lines = rows.map((row, at) => {
    const line = row.map(formatCell).join('\t').trimEnd();
    return line !== '' && (isHidden || hiddenRows.has(at + 1)) ? `${line}\t⛔` : line;
  });
  const heading = isNamed && !UNNAMED.test(name.trim()) ? [name] : [];
  return [...heading, ...lines].join('\n');
}

/** In one line, without what sets cells apart. */
function formatCell(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  if (typeof cell !== 'string') return typeof cell === 'boolean' ? String(cell) : '';
  return cell.replaceAll(/\s+/g, ' ');
}

const text = await read(workerData as SpreadsheetOrder).catch(() => 'unreadable' as const);
parentPort?.postMessage(text);
