// The lines of /stock in pages: how many have room, how a page is found again, and its buttons.
import { expect, test } from 'vitest';

import { createRecordedContext, formatButtons } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { Game } from '../../core/index.ts';
import {
  findStockPage,
  listStock,
  pageKeyboard,
  STOCK_PAGE,
  formatStockPage,
  type StockPage,
} from './stock-pages.ts';

const { ctx } = createRecordedContext();
const gameOf = (id: string) => ({ id, currency: 'UC' }) as unknown as Game;
const HEADING = 'stock-game {"game":"a"}'.length;

/** Stock keys of games, each with what is said of it. */
async function list(
  stockKeys: Record<string, number[]>,
  lineLength?: number,
  { never = [], pace = [] }: { never?: number[]; pace?: [number, number][] } = {},
): Promise<StockPage[]> {
  const say = (key: string, variables: { stockKey?: string }) =>
    key === 'stock-line' && lineLength !== undefined
      ? 'x'.repeat(lineLength)
      : `${key} ${JSON.stringify(variables)}`;
  const core = {
    games: { managed: Object.keys(stockKeys).map(gameOf) },
    badCodes: { isPaused: () => false },
    extractionHistory: {
      countSpentToday: () => Promise.resolve(new Map([[60, 7]])),
      paceOf: () => Promise.resolve(new Map(pace)),
    },
    codes: {
      countStock: (_actor: object, id: string) =>
        stockKeys[id]?.map((denomination) => ({
          ...{ denomination, available: 3, reserved: 1, inDoubt: 0 },
          wasStocked: !never.includes(denomination),
        })),
    },
  };
  return listStock(fake(core), createRecordedContext({ say }).ctx);
}

const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const sizesOf = (pages: readonly StockPage[]) => pages.map((page) => page.length);

test('a line tells what is there, what is held, and what was spent today', async () => {
  const [page] = await list({ a: [60, 325] });
  const lineOf = (denomination: number, spent: number) =>
    `stock-line ${JSON.stringify({
      stockKey: `codes-stock-key {"denomination":"${denomination}","currency":"UC"}`,
      ...{ available: 3, reserved: 1, inDoubt: 0, spent },
    })}`;
  expect(page?.map(({ line }) => line)).toEqual([lineOf(60, 7), lineOf(325, 0)]);
});

test('how long it lasts is told up to two months, and what never was there in one line', async () => {
  const pace: [number, number][] = [
    [1, 6],
    [2, 2],
    [3, 3 / 60],
    [4, 3 / 61],
  ];
  const [page] = await list({ a: [1, 9, 2, 3, 4, 10] }, 1, { never: [9, 10], pace });
  expect(page?.map(({ line }) => line)).toEqual([
    ...[0, 1, 60].map((days) => `x · stock-lasts {"days":${days}}`),
    'x',
    'stock-none {"stockKeys":"9 · 10"}',
  ]);
});

test.each<[what: string, stockKeys: Record<string, number[]>, lineLength: number, sizes: number[]]>([
  ['nothing', {}, 1, []],
  ['thirty', { a: many(30) }, 1, [30]],
  ['one more', { a: many(31) }, 1, [30, 1]],
  ['two games', { a: many(16), b: many(16) }, 1, [30, 2]],
  ['what just has room', { a: many(4) }, (3_600 - HEADING) / 3 - 1 / 3, [3, 1]],
  ['long lines', { a: [1, 2, 3] }, 1_785, [2, 1]],
  ['lines that leave room for one heading', { a: [1], b: [2] }, 3_600 / 2 - HEADING, [2]],
  ['lines that leave none', { a: [1], b: [2] }, 3_600 / 2 - HEADING + 1, [1, 1]],
])('%s', async (_what, stockKeys, lineLength, sizes) => {
  expect(sizesOf(await list(stockKeys, Math.floor(lineLength)))).toEqual(sizes);
});

test('a page has a heading for each game, and in which zone today is', async () => {
  const [page = []] = await list({ a: [60], b: [1, 2] }, 2);
  expect(formatStockPage(ctx, page, 'UTC+3')).toBe(
    'stock-game {"game":"a"}\nxx\n\nstock-game {"game":"b"}\nxx\nxx\n\nstock-note {"zone":"UTC+3"}',
  );
});

test('a page is found by any of its stockKeys; the first where it is nowhere any more', async () => {
  const pages = await list({ a: many(31), b: [1] }, 1);
  const [, game = ''] = /^stock:\d+:(.+)$/.exec(turnOf(pages, 0) ?? '') ?? [];
  expect([
    findStockPage(pages, 30, game),
    findStockPage(pages, 31, game),
    findStockPage(pages, 32, game),
  ]).toEqual([0, 1, 0]);
  expect(findStockPage(pages, 31, 'other')).toBe(0);
});

const turnOf = (pages: readonly StockPage[], at: number) =>
  formatButtons(pageKeyboard(ctx, pages, at, { mayAdd: false }) ?? {})
    .flat()
    .map((button) => button.split(' -> ')[1])
    .at(-1);

test('the pages beside it have a button each', async () => {
  const pages = await list({ a: many(70) }, 1);
  const rowsAt = (at: number) =>
    formatButtons(pageKeyboard(ctx, pages, at, { mayAdd: false }) ?? {}).map((row) =>
      row.map((button) => button.replace(/:[^:]*$/, '')),
    );
  expect([0, 1, 2].map(rowsAt)).toEqual([
    [['page-next -> stock:31']],
    [['page-previous -> stock:1', 'page-next -> stock:61']],
    [['page-previous -> stock:31']],
  ]);
  expect(turnOf(pages, 0)).toMatch(STOCK_PAGE);
  const [only] = await list({ a: [1] });
  expect(pageKeyboard(ctx, [only!], 0, { mayAdd: false })).toBeUndefined();
  expect(pageKeyboard(ctx, [], 0, { mayAdd: true })).toBeUndefined();
});

test('whoever may add has one button for that, on every page', async () => {
  const pages = await list({ a: many(31) }, 1);
  for (const at of [0, 1]) {
    const [row] = formatButtons(pageKeyboard(ctx, pages, at, { mayAdd: true })!);
    expect(row).toEqual(['start-button-add-codes -> go:add_codes']);
  }
});
