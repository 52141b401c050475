// A spreadsheet as a program writes one: sheets of cells, texts inline, numbers as they are written.
import { strToU8, zipSync } from 'fflate';

type Cell = string | { number: string } | { formula: string; value: string };
export interface TestSheet {
  name: string;
  rows: readonly (readonly Cell[])[];
  state?: 'hidden' | 'veryHidden';
  /** Their places, from 0. */
  hidden?: readonly number[];
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** `beside`: other files of the archive. */
export function makeXlsx(sheets: readonly TestSheet[], beside: Record<string, Uint8Array> = {}): Uint8Array {
  const entries = sheets.map(
    ({ name, state = 'visible' }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" state="${state}" r:id="r${index + 1}"/>`,
  );
  const relations = sheets.map(
    (_, index) =>
      `<Relationship Id="r${index + 1}" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const files = Object.fromEntries(
    sheets.map((sheet, index) => [`xl/worksheets/sheet${index + 1}.xml`, strToU8(formatSheet(sheet))]),
  );
  return zipSync({
    'xl/workbook.xml': strToU8(
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${entries.join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `${HEAD}<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`,
    ),
    ...files,
    ...beside,
  });
}

function formatSheet({ rows, hidden = [] }: TestSheet): string {
  const cells = rows.map(
    (row, at) =>
      `<row r="${at + 1}"${hidden.includes(at) ? ' hidden="1"' : ''}>${row.map((cell, column) => formatCell(cell, `${String.fromCharCode(65 + column)}${at + 1}`)).join('')}</row>`,
  );
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${cells.join('')}</sheetData></worksheet>`;
}

function formatCell(cell: Cell, place: string): string {
  if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  if ('number' in cell) return `<c r="${place}"><v>${cell.number}</v></c>`;
  return `<c r="${place}" t="str"><f>${cell.formula}</f><v>${cell.value}</v></c>`;
}
