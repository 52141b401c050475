// The lines of /stock in pages: how many have room, how a page is found again, and its buttons.
import { expect, test } from 'vitest';

import { createRecordedContext, wordButtons } from '../../../test/harness/bot-words.ts';
import type { Game } from '../../core/index.ts';
import { findPage, listStock, pageKeyboard, STOCK_PAGE, wordPage, type StockPage } from './stock-pages.ts';

const { ctx } = createRecordedContext();
const gameOf = (id: string) => ({ id, currency: 'UC' }) as unknown as Game;
const HEADING = 'stock-game {"game":"a"}'.length;

/** Lots of games, each with what is said of it. */
async function list(lots: Record<string, number[]>, lineLength?: number): Promise<StockPage[]> {
  const say = (key: string, variables: { lot?: string }) =>
    key === 'stock-line' && lineLength !== undefined
      ? 'x'.repeat(lineLength)
      : `${key} ${JSON.stringify(variables)}`;
  const core = {
    games: { managed: Object.keys(lots).map(gameOf) },
    badCodes: { isPaused: () => false },
    handedOut: { countSpentToday: () => Promise.resolve(new Map([[60, 7]])) },
    codes: {
      countStock: (_actor: object, id: string) =>
        lots[id]?.map((denomination) => ({ denomination, available: 3, held: 1 })),
    },
  };
  return listStock(core as never, createRecordedContext({ say }).ctx);
}

const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const sizesOf = (pages: readonly StockPage[]) => pages.map((page) => page.length);

test('a line tells what is there, what is held, and what was spent today', async () => {
  const [page] = await list({ a: [60, 325] });
  const lineOf = (denomination: number, spent: number) =>
    `stock-line ${JSON.stringify({
      lot: `codes-lot {"denomination":"${denomination}","currency":"UC"}`,
      ...{ available: 3, held: 1, spent },
    })}`;
  expect(page?.map(({ line }) => line)).toEqual([lineOf(60, 7), lineOf(325, 0)]);
});

test.each<[what: string, lots: Record<string, number[]>, lineLength: number, sizes: number[]]>([
  ['nothing', {}, 1, []],
  ['thirty', { a: many(30) }, 1, [30]],
  ['one more', { a: many(31) }, 1, [30, 1]],
  ['two games', { a: many(16), b: many(16) }, 1, [30, 2]],
  ['what just has room', { a: many(4) }, (3_600 - HEADING) / 3 - 1 / 3, [3, 1]],
  ['long lines', { a: [1, 2, 3] }, 1_785, [2, 1]],
  ['lines that leave room for one heading', { a: [1], b: [2] }, 3_600 / 2 - HEADING, [2]],
  ['lines that leave none', { a: [1], b: [2] }, 3_600 / 2 - HEADING + 1, [1, 1]],
])('%s', async (_what, lots, lineLength, sizes) => {
  expect(sizesOf(await list(lots, Math.floor(lineLength)))).toEqual(sizes);
});

test('a page has a heading for each game, and in which zone today is', async () => {
  const [page = []] = await list({ a: [60], b: [1, 2] }, 2);
  expect(wordPage(ctx, page, 'UTC+3')).toBe(
    'stock-game {"game":"a"}\nxx\n\nstock-game {"game":"b"}\nxx\nxx\n\nstock-note {"zone":"UTC+3"}',
  );
});

test('a page is found by any of its lots; the first where it is nowhere any more', async () => {
  const pages = await list({ a: many(31), b: [1] });
  const [, game = ''] = /^stock:\d+:(.+)$/.exec(turnOf(pages, 0) ?? '') ?? [];
  expect([findPage(pages, 30, game), findPage(pages, 31, game), findPage(pages, 32, game)]).toEqual([
    0, 1, 0,
  ]);
  expect(findPage(pages, 31, 'other')).toBe(0);
});

const turnOf = (pages: readonly StockPage[], at: number) =>
  wordButtons(pageKeyboard(ctx, pages, at, { mayAdd: false, manyGames: false }) ?? {})
    .flat()
    .map((button) => button.split(' -> ')[1])
    .at(-1);

test('the pages beside it have a button each', async () => {
  const pages = await list({ a: many(70) });
  const rowsAt = (at: number) =>
    wordButtons(pageKeyboard(ctx, pages, at, { mayAdd: false, manyGames: false }) ?? {}).map((row) =>
      row.map((button) => button.replace(/:[^:]*$/, '')),
    );
  expect([0, 1, 2].map(rowsAt)).toEqual([
    [['page-next -> stock:31']],
    [['page-previous -> stock:1', 'page-next -> stock:61']],
    [['page-previous -> stock:31']],
  ]);
  expect(turnOf(pages, 0)).toMatch(STOCK_PAGE);
  const [only] = await list({ a: [1] });
  expect(pageKeyboard(ctx, [only!], 0, { mayAdd: false, manyGames: false })).toBeUndefined();
  expect(pageKeyboard(ctx, [], 0, { mayAdd: true, manyGames: false })).toBeUndefined();
});

test('whoever may add has a button for each lot, two in a row, as far as its data has room', async () => {
  const lot = (denomination: number) =>
    `codes-lot {\\"denomination\\":\\"${denomination}\\",\\"currency\\":\\"UC\\"}`;
  const [page = []] = await list({ a: [1, 2, 3] });
  const rows = (manyGames: boolean) =>
    wordButtons(pageKeyboard(ctx, [page], 0, { mayAdd: true, manyGames })!);
  const button = (key: string, each: number) =>
    `${key} {"lot":"${lot(each)}","game":"a"} -> add:new:${each}:a`;
  expect(rows(false)).toEqual([
    [button('button-add-lot', 1), button('button-add-lot', 2)],
    [button('button-add-lot', 3)],
  ]);
  expect(rows(true)[1]).toEqual([button('button-add-lot-of', 3)]);
  const longest = 'g'.repeat(64 - 'add:new:1:'.length);
  const [long = []] = await list({ [longest]: [1, 22, 3] });
  const keyboard = pageKeyboard(ctx, [long], 0, { mayAdd: true, manyGames: false })!;
  expect(wordButtons(keyboard).map((row) => row.length)).toEqual([2]);
});
