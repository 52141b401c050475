// Tables with a column per denomination, as spreadsheets have them: a header of denominations, and codes under each.
// A row that does not fit its header is no row: the caller reads it as a plain line, so that nothing is lost.
import { DELIMITERS, readAmount, splitCells } from './table.ts';
import type { PasteToken } from './token.ts';
import type { Vocabulary } from './vocabulary.ts';
import { findWords, LONGEST_WORD } from './words.ts';

/** The denomination of each column, with the words of its header; undefined for one that holds something else: `No`, `date`. */
export interface Columns {
  delimiter: string;
  denominations: readonly ({ denomination: number; text: string } | undefined)[];
}

const LONGEST_HEADER = 1_000;
const LONGEST_ROW = 2_000;

/** The columns this line is the header of: two denominations or more, each in a cell of its own, and nothing unknown beside them. */
export function findColumns(line: string, vocabulary: Vocabulary): Columns | undefined {
  if (line.length > LONGEST_HEADER || !/\d/.test(line)) return undefined;
  for (const delimiter of DELIMITERS) {
    if (!line.includes(delimiter)) continue;
    const cells = splitCells(line, delimiter);
    if (cells.some((cell) => vocabulary.readCode(cell) !== undefined)) return undefined;
    const denominations = cells.map((text) => {
      const denomination = text === '' ? undefined : readAmount(text, vocabulary);
      return denomination === undefined ? undefined : { denomination, text };
    });
    const different = new Set(denominations.flatMap((column) => column?.denomination ?? []));
    const isKnown = (cell: string, index: number) =>
      cell === '' ||
      denominations[index] !== undefined ||
      vocabulary.namesOthers(cell) ||
      /^№\.?$/.test(cell);
    if (different.size >= 2 && cells.every(isKnown)) return { delimiter, denominations };
  }
  return undefined;
}

/**
 * The codes of a row, each of its column's denomination; undefined where the line is none. A spreadsheet leaves out empty cells at
 * the end of a row, others do not. A cell with more in it than codes is asked about.
 */
export function readColumnRow(
  line: string,
  { delimiter, denominations }: Columns,
  vocabulary: Vocabulary,
): PasteToken[] | undefined {
  if (line.length > LONGEST_ROW || !line.includes(delimiter)) return undefined;
  const cells = splitCells(line, delimiter);
  if (cells.slice(denominations.length).some((cell) => cell !== '')) return undefined;
  if (cells.length < denominations.length && delimiter !== '\t') return undefined;
  const tokens: PasteToken[] = [];
  for (const [index, column] of denominations.entries()) {
    const found = column && readCell(cells[index] ?? '', column, vocabulary);
    // A number, a word: the line is of another kind.
    if (column && !found) return undefined;
    tokens.push(...(found ?? []));
  }
  return tokens;
}

/** What a row says outside its columns of codes: `used` in one of notes. */
export const leaveOutColumns = (line: string, { delimiter, denominations }: Columns): string =>
  splitCells(line, delimiter)
    .filter((_, index) => denominations[index] === undefined)
    .join(delimiter);

function readCell(
  cell: string,
  { denomination, text: own }: { denomination: number; text: string },
  vocabulary: Vocabulary,
): PasteToken[] | undefined {
  const words = findWords(cell).map(({ text }) => text);
  const codes = words.map((word) => vocabulary.readCode(word));
  const isAll = codes.every((code) => code !== undefined);
  const tokens = words.flatMap((word, index): PasteToken[] => {
    const code = codes[index];
    if (code !== undefined)
      return [{ kind: 'code', code, denomination: isAll ? denomination : undefined, own }];
    if (!vocabulary.isMalformed(word)) return [];
    return [{ kind: 'malformed', text: word.slice(0, LONGEST_WORD), denomination }];
  });
  return tokens.length === 0 && words.length > 0 ? undefined : tokens;
}
