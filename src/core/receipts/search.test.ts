// Looking back: whoever may search finds their own account's redemptions by everything that a customer can tell, and
// nothing else.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { endRedeemed } from '../../../test/harness/attempts.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { DAY_MS } from '../../../test/harness/core.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { dayAt } from '../zones.ts';
import type { HistoryPage } from './history.ts';
import { createSearch, MOST_FOUND, type Search } from './search.ts';

let t: TestStore;
let shop: TestAccount;
let search: Search;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  shop = await openTestAccount(t.store);
  search = createSearch(t);
});
afterEach(() => t.close());

interface Past {
  code?: string;
  playerId?: string;
  playerName?: string;
  accountId?: number;
  at?: number;
}

let made = 0;
/** Keeps what was redeemed (without a name: what failed). */
const keep = (past: Past[]) =>
  t.store.write((tables) =>
    past.map(({ code = `60SX${String((made += 1)).padStart(12, '0')}`, ...rest }) => {
      const { playerId = '5170925570', playerName, accountId = shop.accountId, at = t.clock.now() } = rest;
      const id = tables.redemptions.begin({
        accountId,
        actor: 'apiKey:1',
        gameId: 'game_id_1',
        playerId,
        mode: 'database',
        denomination: 60,
        codeId: null,
        code: { text: code, ...t.store.seals.seal('game_id_1', code) },
        usageId: null,
        now: at,
      });
      if (playerName !== undefined) {
        const receipt = { openid: 'o', playerName, region: null, productName: null, amount: 60 };
        const credentials = { password: 'pw-canary' };
        endRedeemed(tables, id, { ...receipt, warning: false, credentials }, at);
      }
      return id;
    }),
  );
const find = async (text: string, actor = shop.actors.support) => (await search.find(actor, text)).ids;

describe('a redemption is found', () => {
  test('by its receipt, its player, its code and the end of the code', async () => {
    const [id] = await keep([{ code: 'AbcdefGhijkl98Zz', playerId: '5555512345', playerName: 'Ann' }]);
    await keep([{ playerName: 'Ann' }]);
    for (const text of [
      `${id}`,
      `/receipt_${id}`,
      '5555512345',
      'AbcdefGhijkl98Zz',
      'kl98Zz',
      ' ijkl98Zz ',
    ]) {
      expect(await find(text), text).toEqual([id]);
    }
  });

  test('by six characters and more of either end of its code, in any case and with its dashes', async () => {
    const [id] = await keep([{ code: 'Abcde-fGhij-kl98Zz' }]);
    await keep([{ code: 'Abcde-fGhXX-kl9XZz' }]);
    for (const text of ['abcdefghijkl98zz', 'KL98ZZ', 'abcdefghij', 'ABCDE–FGHIJ'])
      expect(await find(text), text).toEqual([id]);
    for (const text of ['l98Zz', 'Abcde', 'XbcdefGhijkl98Zz', 'AbcdefGhijkX', 'cdefgh'])
      expect(await find(text), text).toEqual([]);
    expect(await find('abcdef')).toHaveLength(2);
  });

  test.each([
    ['ann', 'Hanna'],
    ['STRASSE', 'straße 7'],
    ['ΟΔΟΣ', 'οδος'],
    ['пётр', 'ПЁТР Великий'],
    ['ｎａｍｅ', 'my name'],
    ['ann', 'a\u200bn\u200bn'],
    ['<b>', '<b>bold</b>'],
    ['😀', 'so 😀 glad'],
    ['100%', '100% sure'],
    ['a_c', 'xa_cx'],
  ])('by a part of its player’s name, whatever the case: %j finds %j', async (text, playerName) => {
    const [id] = await keep([{ playerName }]);
    await keep([{ playerName: 'abc somebody' }, {}]);
    expect(await find(text)).toEqual([id]);
  });

  test('among thousands without anybody waiting, and the newest two hundred are enough', async () => {
    await keep(Array.from({ length: 3_000 }, (_, n) => ({ playerName: n === 0 ? 'needle' : 'hay', at: n })));
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    const needle = await search.find(shop.actors.admin, 'NEEDLE');
    clearInterval(counting);
    expect(needle).toMatchObject({ ids: [expect.any(Number)], isComplete: true });
    expect(turns).toBeGreaterThan(0);
    const hay = await search.find(shop.actors.admin, 'hay');
    expect(hay).toMatchObject({ isComplete: false });
    expect(hay.ids).toHaveLength(MOST_FOUND);
    expect(hay.ids).toEqual([...hay.ids].sort((a, b) => b - a));
  });

  test('briefly, as far as there is time; what lies before the day that was reached goes on from there', async () => {
    let elapsed = 0;
    const hurried = { ...t.clock, elapsed: () => (elapsed += 31) };
    const { find } = createSearch({ store: t.store, clock: hurried });
    const day = (back: number) => t.clock.now() - back * DAY_MS;
    const past = [3, ...Array<number>(300).fill(1)].map((back) => ({ at: day(back), playerName: 'hay' }));
    const [oldest] = await keep(past.map((row, n) => (n === 0 ? { ...row, playerName: 'needle' } : row)));
    const isBrief = true;
    expect(await find(shop.actors.admin, 'needle')).toMatchObject({ ids: [oldest], isComplete: true });
    const brief = await find(shop.actors.admin, 'needle', { isBrief });
    expect(brief).toMatchObject({ ids: [], isComplete: false, reached: day(1) });
    const to = dayAt('UTC', day(2));
    const further = await find(shop.actors.admin, 'needle', { isBrief, filter: { to } });
    expect(further).toMatchObject({ ids: [oldest], isComplete: true });
  });

  test.each([
    ['their player', { playerId: '5222222222' }, '5222222222'],
    ['a name', { playerName: 'Somebody' }, 'somebody'],
  ])('among many of one moment by %s: the newest two hundred, the newest first', async (_by, past, text) => {
    const ids = await keep(Array.from({ length: 1_100 }, () => past));
    const found = await search.find(shop.actors.admin, text);
    expect(found).toMatchObject({ ids: ids.slice(-MOST_FOUND).reverse(), isComplete: false });
  });

  test('not by nothing, and not by what matches everything', async () => {
    await keep([{ playerName: 'Ann' }]);
    for (const text of ['', '  ', '%', '*', '\u200b', 'a']) expect(await find(text), text).toEqual([]);
  });
});

describe('another account’s redemption', () => {
  test('is found by nothing', async () => {
    const other = await openTestAccount(t.store);
    const [id] = await keep([
      { code: 'AbcdefGhijkl98Zz', playerId: '5555512345', playerName: 'Ann', accountId: other.accountId },
    ]);
    for (const text of [`${id}`, '5555512345', 'AbcdefGhijkl98Zz', 'kl98Zz', 'ann']) {
      expect(await find(text), text).toEqual([]);
      expect(await find(text, other.actors.owner), text).toEqual([id]);
    }
    expect(search.read(shop.actors.owner, [id!])).toEqual([]);
    expect((await search.page(shop.actors.owner, { page: 1, size: 10 })).lines).toEqual([]);
    const newest = { olderThan: { createdAt: Number.MAX_SAFE_INTEGER, id: 1 } };
    expect((await search.beside(shop.actors.owner, newest, 10)).lines).toEqual([]);
    expect(await search.day(shop.actors.owner, { size: 10 })).toBeUndefined();
  });
});

test('a line holds neither a code nor a credential', async () => {
  const ids = await keep([{ code: 'AbcdefGhijkl98Zz', playerName: 'Ann' }, { code: 'Short6' }]);
  const lines = search.read(shop.actors.support, ids);
  expect(lines[0]).toMatchObject({ codeTail: 'kl98Zz', playerName: 'Ann', amount: 60, state: 'redeemed' });
  expect(lines[1]?.codeTail).toBe('rt6');
  expect(JSON.stringify(lines)).not.toMatch(/AbcdefGhijkl98Zz|Short6|pw-canary/);
});

describe('pages', () => {
  test('follow each other without a gap, and what is redeemed meanwhile does not shift them', async () => {
    const ids = await keep(Array.from({ length: 25 }, () => ({})));
    const first = await search.page(shop.actors.owner, { page: 1, size: 10 });
    t.clock.advance(1_000);
    await keep([{}, {}]);
    const older = (page: HistoryPage) =>
      search.beside(shop.actors.owner, { olderThan: page.lines.at(-1)! }, 10);
    const second = await older(first);
    const pages = [first, second, await older(second)];
    expect(idsOf(...pages)).toEqual([...ids].reverse());
    expect(pages.map((page) => page.hasMore)).toEqual([true, true, false]);
    expect((await older(pages[2]!)).lines).toEqual([]);
    expect(await search.beside(shop.actors.owner, { newerThan: second.lines[0]! }, 10)).toEqual(first);
  });

  test('are found by their number, however far, and told when they are none', async () => {
    const ids = await keep(Array.from({ length: 25 }, () => ({})));
    const page = (number: number, size: number) => search.page(shop.actors.owner, { page: number, size });
    expect(idsOf(await page(3, 10))).toEqual(ids.slice(0, 5).reverse());
    expect(idsOf(await page(25, 1))).toEqual(ids.slice(0, 1));
    expect(await page(4, 10)).toEqual({ lines: [], hasMore: false });
    expect(await page(100_000, 10)).toEqual({ lines: [], hasMore: false });
    for (const none of [0, -1, 1.5, Number.NaN, 100_001])
      await expect(page(none, 10)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: 'The page must be a whole number from 1 to 100000.',
      });
  });
});

const idsOf = (...pages: HistoryPage[]) => pages.flatMap(({ lines }) => lines.map(({ id }) => id));
