// What leaves as CSV: every cell comes back as it was, and none is a formula in somebody's spreadsheet.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readCsv } from '../test/harness/csv.ts';
import { toCsvLine } from './csv.ts';

describe('a cell', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '\u200b=1',
    '\u202e=1',
    '＝1',
    '\ufeff=1',
  ])('that a spreadsheet would run is defused: %j', (typed) => {
    expect(toCsvLine([typed]).replace(/^"/, '').startsWith(`'${typed}`)).toBe(true);
  });

  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [60, '60'],
    [undefined, ''],
    [false, 'false'],
  ])('%j is written %j', (cell, written) => {
    expect(toCsvLine([cell])).toBe(`${written}\r\n`);
  });

  test('whatever it holds, a line reads back as so many cells', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), (cells) => {
        const read = readCsv(toCsvLine(cells));
        expect(read).toHaveLength(1);
        expect(read[0]!.map((cell, n) => (cell === cells[n] ? cell : cell.slice(1)))).toEqual(cells);
        for (const cell of read[0]!) expect(cell).not.toMatch(/^\s*[=+@-]/);
      }),
    );
  });
});
