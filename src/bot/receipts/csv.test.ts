// What leaves as CSV: every cell comes back as it was, and none is a formula in somebody's spreadsheet.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ExportedRedemption } from '../../core/index.ts';
import { toCsvLine, createCsvDocument } from './export-csv.ts';
import { makeExportPart } from './export-part.ts';

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

test('a document has room for so many receipts, and names the last where there are more; none is lost or cut', async () => {
  const redemption = { playerId: '5170925570', playerName: 'x'.repeat(60), state: 'redeemed' };
  const all = Array.from({ length: 70 }, (_, id) => ({ ...redemption, id, createdAt: id }));
  async function* slicesAfter(last: number) {
    for (let from = last + 1; from < all.length; from += 7) {
      await Promise.resolve();
      yield all.slice(from, from + 7) as ExportedRedemption[];
    }
  }
  const ids: number[] = [];
  let parts = 0;
  for (let after: number | undefined = -1; after !== undefined; parts += 1) {
    const part = await makeExportPart(
      slicesAfter(after),
      createCsvDocument({ full: false, timeZone: 'UTC' }),
      2_000,
    );
    const [head, ...lines] = part.document.toString().split('\r\n').slice(0, -1);
    expect(head).toMatch(/^\ufeffreceiptId,createdAt,/);
    expect(part.count).toBe(lines.length);
    ids.push(...lines.map((line) => Number(line.split(',')[0])));
    after = part.last?.id;
  }
  expect(parts).toBeGreaterThan(2);
  expect(ids).toEqual(all.map(({ id }) => id));
});

test('its times are those of the zone, on both sides of a change of its clocks', async () => {
  const change = Date.parse('2026-03-29T01:00:00Z');
  const receipt = { id: 1, createdAt: change - 1, settledAt: change };
  const textIn = async (timeZone: string) => {
    async function* slices() {
      yield await Promise.resolve([receipt] as ExportedRedemption[]);
    }
    const { document } = await makeExportPart(slices(), createCsvDocument({ full: false, timeZone }));
    return document.toString().split('\r\n')[1];
  };
  expect(await textIn('Europe/Berlin')).toMatch(
    /^1,2026-03-29T01:59:59\.999\+01:00,2026-03-29T03:00:00\.000\+02:00,/,
  );
  expect(await textIn('-04:30')).toMatch(/^1,2026-03-28T20:29:59\.999-04:30,/);
  expect(await textIn('UTC')).toMatch(/^1,2026-03-29T00:59:59\.999Z,/);
});

/** A reader of RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += text[at] === '"' ? 2 : 1)
        cell += text[at];
      at += 1;
    } else {
      for (; at < text.length && text[at] !== ',' && !text.startsWith('\r\n', at); at += 1) cell += text[at];
    }
    row.push(cell);
    if (text[at] === ',') at += 1;
    else {
      rows.push(row);
      row = [];
      at += 2;
    }
  }
  return rows;
}
