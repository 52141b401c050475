// A spreadsheet (.xlsx, SpreadsheetML in a ZIP) of one sheet, written row by row: what is held is what is compressed
// already. Text is text to every spreadsheet, whatever it looks like, and moments are dates.
import { strToU8, Zip, ZipDeflate } from 'fflate';

import { DAY_MS } from '../../clock.ts';

/** `shown`: a moment as the clocks of its reader show it, in ms as if they were those of UTC. */
export type SheetCell = string | number | { shown: number } | null | undefined;

export interface SheetColumn {
  heading: string;
  /** In characters. */
  width: number;
}

export interface Sheet {
  addRows(rows: readonly (readonly SheetCell[])[]): void;
  /** The whole file. Nothing is added after it. */
  end(): Buffer;
}

/** Of `cellXfs` below. */
const STYLES = { moment: 1, text: 2, heading: 3 };
/** Days are counted from the end of 1899. */
const DAYS_TO_1970 = 25_569;
/** Of a cell: no spreadsheet takes more. */
const LONGEST_TEXT = 32_767;

/** An empty one with its headings. */
export function createSheet(name: string, columns: readonly SheetColumn[]): Sheet {
  const done: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    done.push(chunk);
  });
  const begin = (path: string): ZipDeflate => {
    const part = new ZipDeflate(path);
    zip.add(part);
    return part;
  };
  for (const [path, xml] of Object.entries(partsOf(name))) begin(path).push(strToU8(`${XML}${xml}`), true);
  const letters = columns.map((_, index) => toLetters(index));
  const sheet = begin('xl/worksheets/sheet1.xml');
  let rows = 0;
  const write = (cells: readonly SheetCell[], style?: number): string => {
    rows += 1;
    return `<row r="${rows}">${cells.map((cell, at) => toXml(cell, `${letters[at]}${rows}`, style)).join('')}</row>`;
  };
  const headings = columns.map(({ heading }) => heading);
  sheet.push(strToU8(`${XML}${beginningOf(columns)}${write(headings, STYLES.heading)}`));
  return {
    addRows: (added) => sheet.push(strToU8(added.map((cells) => write(cells)).join(''))),
    end() {
      // Without the last element every ID has a mark beside it: a number that is kept as text.
      const all = `A1:${letters.at(-1)}${rows}`;
      sheet.push(
        strToU8(
          `</sheetData><ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`,
        ),
        true,
      );
      zip.end();
      return Buffer.concat(done);
    },
  };
}

function toXml(cell: SheetCell, at: string, style: number = STYLES.text): string {
  if (cell === undefined || cell === null || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'object')
    return `<c r="${at}" s="${STYLES.moment}"><v>${cell.shown / DAY_MS + DAYS_TO_1970}</v></c>`;
  const text = escapeXml(cell.slice(0, LONGEST_TEXT));
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** What XML cannot hold is written as `_x0007_`, and what is written so already with its first mark so. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/_(?=x[0-9a-f]{4}_)/giu, '_x005F_')
    .replace(
      // eslint-disable-next-line no-control-regex
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/gu,
      (mark) => `_x${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replace(/[&<>]/g, (mark) => SPECIAL[mark] ?? mark);
}

/** `A` to `Z`, `AA`… */
const toLetters = (index: number): string =>
  (index < 26 ? '' : toLetters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function beginningOf(columns: readonly SheetColumn[]): string {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  // The headings stay where they are.
  const view = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return (
    `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${view}</sheetView></sheetViews>` +
    `<cols>${widths.join('')}</cols><sheetData>`
  );
}

/** All but the sheet. */
const partsOf = (name: string): Readonly<Record<string, string>> => ({
  '[Content_Types].xml':
    `<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${KIND}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${KIND}.styles+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${KIND}.worksheet+xml"/></Types>`,
  '_rels/.rels': relate(['officeDocument', 'xl/workbook.xml']),
  'xl/_rels/workbook.xml.rels': relate(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
  'xl/workbook.xml':
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
    `<sheet name="${escapeXml(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/styles.xml':
    `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4">' +
    [
      '0" fontId="0"',
      '164" fontId="0" applyNumberFormat="1"',
      '49" fontId="0" applyNumberFormat="1"',
      '49" fontId="1" applyFont="1"',
    ]
      .map((style) => `<xf numFmtId="${style} fillId="0" borderId="0" xfId="0"/>`)
      .join('') +
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
});

const relate = (...parts: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${parts
    .map(
      ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
