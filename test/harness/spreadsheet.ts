// Reading a spreadsheet that the bot made, as somebody sees it: the texts of its cells, moments as they are shown.
import { strFromU8, unzipSync } from 'fflate';

const DAY_MS = 24 * 60 * 60 * 1000;
const CELL =
  /<c r="([A-Z]+)\d+"(?: s="(\d)")?(?: t="inlineStr")?>(?:<v>([^<]*)<\/v>|<is><t xml:space="preserve">([^<]*)<\/t><\/is>)<\/c>/g;
const UNESCAPED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Its rows, each as long as its last cell that holds something. */
export function readSpreadsheet(file: Uint8Array): string[][] {
  if (file.length === 0) return [];
  const sheet = unzipSync(file, { filter: ({ name }) => name.endsWith('/sheet1.xml') });
  const xml = strFromU8(Object.values(sheet)[0] ?? new Uint8Array());
  return [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) => readRow(row));
}

function readRow(row: string): string[] {
  const cells: string[] = [];
  for (const [, letters = '', style, value, text] of row.matchAll(CELL))
    cells[toIndex(letters)] = value === undefined ? unescape(text ?? '') : readValue(value, style);
  return Array.from(cells, (cell) => cell ?? '');
}

const readValue = (value: string, style: string | undefined): string =>
  style === '1' ? new Date(Math.round((Number(value) - 25_569) * DAY_MS)).toISOString() : value;

const unescape = (text: string): string =>
  text
    .replace(/&(?:amp|lt|gt);/g, (mark) => UNESCAPED[mark] ?? mark)
    .replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const toIndex = (letters: string): number =>
  [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
