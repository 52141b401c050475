// What leaves as a spreadsheet: a file that spreadsheets open, with every text as it was written.
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { receiptOf } from '../../../test/harness/receipt-of.ts';
import { readSpreadsheet } from '../../../test/harness/spreadsheet.ts';
import type { ExportedRedemption } from '../../core/index.ts';
import { createTexts } from '../texts.ts';
import { makeDocument } from './export-document.ts';
import { createSheetDocument } from './export-sheet.ts';
import { createSheet, type SheetCell } from './sheet.ts';

const read = (file: Buffer) =>
  Object.fromEntries(Object.entries(unzipSync(file)).map(([path, bytes]) => [path, strFromU8(bytes)]));
const SHEET = 'xl/worksheets/sheet1.xml';
function writeCells(cells: readonly SheetCell[]): Buffer {
  const sheet = createSheet('Sheet', [{ heading: 'head', width: 10 }]);
  sheet.addRows(cells.map((cell) => [cell]));
  return sheet.end();
}
const textsOf = (cells: readonly SheetCell[]) => readSpreadsheet(writeCells(cells)).map(([cell]) => cell);

describe('a text', () => {
  test.each([
    ...['=1+1', '+1', '-1', '@SUM(A1)', '00123', '17029764536540252426', ' two  blanks ', '<b>&amp;"', 'é😀'],
    ...['constructor', '__proto__', 'a\u0000b\u0007', '_x0041_', 'two\r\nlines', '1e5', 'TRUE'],
  ])('is what was written: %j', (text) => {
    const [head, cell] = textsOf([text]);
    expect([head, cell]).toEqual(['head', text]);
  });

  test('comes back whatever it holds, but for halves of letters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 5 }), (cells) => {
        expect(textsOf(cells).slice(1)).toEqual(cells.map((cell) => cell.toWellFormed()));
      }),
      { numRuns: 20 },
    );
  });

  test('is cut where no spreadsheet takes more', () => {
    expect(textsOf(['x'.repeat(40_000)])[1]).toHaveLength(32_767);
  });
});

test('a moment is a date, a number is a number, and nothing is no cell', () => {
  const sheet = read(writeCells([{ shown: Date.UTC(2026, 10, 19, 12) }, 60, undefined, '']))[SHEET];
  expect(sheet).toContain('<c r="A2" s="1"><v>46345.5</v></c>');
  expect(sheet).toContain('<c r="A3"><v>60</v></c>');
  expect(sheet).toContain('<row r="4"></row><row r="5"></row>');
});

test('the file has the parts that a spreadsheet looks for, each of them named where it is looked for', () => {
  const sheet = createSheet(
    'A & B',
    Array.from({ length: 28 }, () => ({ heading: 'h', width: 9 })),
  );
  const parts = read(sheet.end());
  const named = [
    ...Object.values(parts)
      .join('')
      .matchAll(/(?:Target|PartName)="\/?(?:xl\/)?([^"]+)"/g),
  ];
  expect(new Set(named.map(([, path]) => path))).toEqual(
    new Set(['workbook.xml', 'styles.xml', 'worksheets/sheet1.xml']),
  );
  expect(Object.keys(parts)).toHaveLength(6);
  expect(parts['xl/workbook.xml']).toContain('name="A &amp; B"');
  expect(parts[SHEET]).toContain('<c r="AB1" ');
});

const RECEIPT: ExportedRedemption = {
  ...receiptOf({ playerId: '5170925571', playerName: 'Ann', code: '60S0000000ABCDEF' }),
  ...{ createdAt: Date.UTC(2026, 10, 19, 14, 41), settledAt: Date.UTC(2026, 10, 19, 14, 42) },
  ...{ codeTail: 'ABCDEF', actorLabel: { kind: 'member', telegramId: 5, name: 'Оператор' } },
  credentials: { uid: '17029764536540252426', password: '=pw' },
};

const exportAs = async (language: 'en' | 'ru', full: boolean, changes: object = {}) => {
  async function* slices() {
    yield await Promise.resolve(Array.from({ length: 60 }, () => ({ ...RECEIPT, ...changes })));
  }
  const texts = createTexts({ nameOf: (game, of) => `${of} ${game}` });
  const reader = { full, timeZone: 'Europe/Moscow', language, texts, games: TEST_GAMES };
  const { document, count } = await makeDocument(slices(), createSheetDocument(reader));
  const [headings = [], ...rows] = readSpreadsheet(document);
  return { count, headings, rows };
};

test('receipts are told in the language of whoever asked, games and people by name, in the time of the shop', async () => {
  const { count, headings, rows } = await exportAs('ru', false);
  expect([count, rows.length]).toEqual([60, 60]);
  const told = Object.fromEntries(headings.map((heading, at) => [heading, rows[0]?.[at] ?? '']));
  expect(told).toEqual({
    Чек: '7',
    'Когда (Europe/Moscow)': '2026-11-19T17:41:00.000Z',
    Завершено: '2026-11-19T17:42:00.000Z',
    Итог: 'Активировано',
    Игра: 'ru game_id_1',
    'ID игрока': '5170925571',
    Игрок: 'Ann',
    Регион: '',
    Товар: '',
    Запрошено: '60',
    Номинал: '60',
    Валюта: 'UC',
    'Конец кода': 'ABCDEF',
    Причина: '',
    Выполнил: 'Оператор',
  });
});

test('codes and credentials stand in a full one only; why it failed is told in words', async () => {
  const plain = (await exportAs('en', false)).rows.flat();
  const secrets = ['60S0000000ABCDEF', '17029764536540252426', '', '=pw'];
  for (const secret of secrets) if (secret !== '') expect(plain).not.toContain(secret);
  const { headings, rows } = await exportAs('en', true, { state: 'failed', errorCode: 'INVALID_CODE' });
  expect(headings.slice(-6)).toEqual([
    'Reason',
    'By',
    'Code',
    'Account',
    'Login or account ID',
    'Password or token',
  ]);
  expect(rows[0]?.slice(-6)).toEqual(['The code is not valid.', 'Оператор', ...secrets]);
});
