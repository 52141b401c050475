// Spreadsheets as text: which sheet, what stands in its cells, and what is too much or none.
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';

import { makeXlsx } from '../../../test/harness/xlsx.ts';
import { createSpreadsheetReader, decodePaste } from './files.ts';

const codePatterns = [/^[A-Za-z0-9]{12,32}$/];
const read = createSpreadsheetReader();
const CODE = 'K7QZ2MXB9TRW';
const OTHER = 'P3LS-8VCD-6GYF';

test('the sheets that hold codes are read, their cells apart by tabs, numbers as they are written', async () => {
  const bytes = makeXlsx([
    {
      name: 'Prices',
      rows: [
        ['UC', 'USD'],
        [{ number: '60' }, { number: '0.99' }],
      ],
    },
    {
      name: 'Codes',
      rows: [
        ['Code', '', 'UC'],
        [OTHER, '', { number: '60' }],
        [{ number: '4829103756281945' }, 'two\nlines'],
        [{ formula: 'A2', value: CODE }],
      ],
    },
    { name: '325 UC', rows: [[CODE]] },
    { name: 'Sheet 4', rows: [[CODE]] },
  ]);
  expect(await read({ bytes, codePatterns })).toEqual({
    text: `Codes\nCode\t\tUC\n${OTHER}\t\t60\n4829103756281945\ttwo lines\n${CODE}\n325 UC\n${CODE}\n${CODE}`,
  });
});

test('what nobody sees of a sheet says so beside each code', async () => {
  for (const state of ['hidden', 'veryHidden'] as const) {
    const bytes = makeXlsx([
      { name: 'sold', state, rows: [[OTHER]] },
      { name: '60 UC', rows: [[CODE]] },
    ]);
    expect(await read({ bytes, codePatterns })).toEqual({ text: `60 UC\n${CODE}\nsold\n${OTHER}\t⛔` });
  }
});

test('so does a row that nobody sees, whatever is empty above it', async () => {
  const rows = [['code', 'UC'], [], [OTHER, { number: '60' }], [CODE, { number: '60' }]];
  const bytes = makeXlsx([
    { name: 'Prices', rows: [['UC']], hidden: [0] },
    { name: 'Codes', rows, hidden: [1, 2] },
  ]);
  expect(await read({ bytes, codePatterns })).toEqual({
    text: `code\tUC\n\n${OTHER}\t60\t⛔\n${CODE}\t60`,
  });
});

test('a letter is read as it was before e-mail cut and escaped it', () => {
  const decode = (text: string) => decodePaste(Buffer.from(text));
  const head = 'Content-Transfer-Encoding: quoted-printable\n\n';
  expect(decode(`${head}Your codes (60 UC):\nPIN=3D${CODE}\nK7QZ2M=\nXB9TRW =E2=82=BD`)).toBe(
    `${head}Your codes (60 UC):\nPIN=${CODE}\n${CODE} ₽`,
  );
  expect(decode(`a=3D${CODE}\r\nb=3D${CODE.slice(0, 6)}=\r\n${CODE.slice(6)}`)).toBe(
    `a=${CODE}\r\nb=${CODE}`,
  );
  expect(decode(`60=\n${CODE}`), 'once is no letter').toBe(`60=\n${CODE}`);
});

test('where no sheet holds a code the first that holds anything is read, so that it is said what it is not', async () => {
  const bytes = makeXlsx([
    { name: 'Empty', rows: [] },
    { name: 'Words', rows: [['hello']] },
  ]);
  expect(await read({ bytes, codePatterns })).toEqual({ text: 'hello' });
});

test.each<[what: string, bytes: Uint8Array]>([
  ['a text', Buffer.from('60S1')],
  ['another archive', zipSync({ 'a.txt': new Uint8Array(3) })],
  ['nothing', new Uint8Array(0)],
  ['one that was cut', makeXlsx([{ name: 'Codes', rows: [[CODE]] }]).slice(0, 300)],
])('%s is none', async (_what, bytes) => {
  expect(await read({ bytes, codePatterns })).toBe('unreadable');
});

test('what is too much is not read: inflated, or in rows', async () => {
  const bytes = makeXlsx([{ name: 'A', rows: [[CODE], [CODE]] }], { 'xl/zeros.xml': new Uint8Array(10_000) });
  const order = { bytes, codePatterns };
  expect(await read({ ...order, mostBytes: 10_000 })).toBe('tooLarge');
  expect(await read({ ...order, mostRows: 1 })).toBe('tooLarge');
  expect(await read({ ...order, mostBytes: 20_000, mostRows: 2 })).toEqual({ text: `${CODE}\n${CODE}` });
});

test('what takes too long is given up', async () => {
  const hasty = createSpreadsheetReader({ withinMs: 1 });
  const rows = Array.from({ length: 2_000 }, () => [CODE]);
  expect(await hasty({ bytes: makeXlsx([{ name: 'A', rows }]), codePatterns })).toBe('tooLarge');
});

test('an archive that says less than it holds is not inflated beyond it', async () => {
  const bytes = makeXlsx([{ name: 'A', rows: [[CODE], [CODE]] }]);
  const name = Buffer.from('xl/worksheets/sheet1.xml');
  // The sizes in the central directory, which is what is believed.
  const at = Buffer.from(bytes).lastIndexOf(name) - 46 + 24;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, 10, true);
  expect(await read({ bytes, codePatterns })).toBe('unreadable');
});
