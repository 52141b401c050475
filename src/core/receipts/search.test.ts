// Looking back: whoever may search finds their account's redemptions, an operator his own, by everything that a customer
// or a colleague can tell, and nothing else.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { endRedeemed } from '../../../test/harness/attempts.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../../store/index.ts';
import { DAY_MS } from '../../clock.ts';
import { createTimeZones, dayAt } from '../zones.ts';
import type { AccountActor } from '../context.ts';
import type { DayPage, HistoryLine } from './history.ts';
import { MOST_FOUND, createSearch, type Search } from './search.ts';

const GAME = 'game_id_1';
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
  accountId?: number;
  by?: string;
  playerId?: string;
  playerName?: string;
  code?: string;
  at?: number;
  state?: 'redeemed' | 'failed' | 'in_doubt';
}
let made = 0;
function insert(tables: Tables, past: Past): number {
  made += 1;
  const { accountId = shop.accountId, by = 'apiKey:1', playerId = '5170925570', playerName = 'Ann' } = past;
  const { at = t.clock.now(), state = 'redeemed', code = `60SX${String(made).padStart(12, '0')}` } = past;
  const id = tables.redemptions.begin({
    ...{ accountId, actor: by, gameId: GAME, playerId, playerName, now: at },
    ...{ mode: 'database', denomination: 60, codeId: null, usageId: null },
    code: { text: code, ...t.store.seals.seal(GAME, code) },
  });
  const failure = { errorCode: 'UNKNOWN', errorMessage: null } as const;
  const receipt = { openid: 'o', playerName, region: null, productName: null, amount: 60, warning: false };
  const credentials = { password: 'pw-canary' };
  if (state === 'redeemed') endRedeemed(tables, id, { ...receipt, credentials }, at);
  if (state === 'failed') tables.redemptions.settleFailed(id, { ...failure, codeReset: false }, at);
  if (state === 'in_doubt') tables.redemptions.doubt(id, failure, at);
  return id;
}
const keep = (...past: Past[]) => t.store.write((tables) => past.map((each) => insert(tables, each)));
const keepOne = async (past: Past = {}): Promise<number> => (await keep(past))[0]!;
const find = async (text: string, actor: AccountActor = shop.actors.support) =>
  (await search.find(actor, text)).ids;
const memberName = (role: keyof TestAccount['members'], of = shop) => `member:${of.members[role].telegramId}`;
/** Members of a test account are called by their role; this one also by `username`. */
const nameMember = (role: keyof TestAccount['members'], name: string, username: string | null, of = shop) =>
  t.store.write((tables) => {
    const { telegramId, accountId } = of.members[role];
    tables.members.remove(accountId, telegramId, role);
    tables.members.insert({ telegramId, accountId, role, name, username, now: 0 });
  });

/** A redemption, what finds it, and what does not: not in another account, nor for an operator whose it is not. */
const FOUND_BY: [past: Past, by: string[], notBy: string[]][] = [
  [
    { playerId: '5170925570' },
    ['5170925570', 'id5170925570', 'ID: 5170925570', '(5170925570)', '«5170925570»', 'a5170925570b'],
    ['5170925579', '5170925570 today failed'],
  ],
  [{ playerId: '12345' }, ['12345', 'id12345', 'x12345x'], []],
  [{ playerId: '1234' }, ['1234', 'id1234'], ['x1234x']],
  // Four digits and more of either end.
  [
    { playerId: '5170925571' },
    ['5571', '51709', '…5571', 'id5571', 'id 25571', '٥٥٧١', '５５７１', '5571 today'],
    ['0925', '571', '5571x', '#5571'],
  ],
  // Six characters and more of either end.
  [
    { code: 'ABCD1EFGH2IJKL3M' },
    ['ABCD1EFGH2IJKL3M', 'abcd1e', 'ABCD-1E', '(abcd1efgh', ' IJKL3M ', 'h2ij-kl3m', 'abcd-1efg-h2ij'],
    ['ABCD1', 'JKL3M', 'BCD1EF', 'ABCD1F', 'EFGH2I', 'XXKL3M', 'XBCD1EFGH2IJKL3M'],
  ],
  [
    { code: 'Abcde-fGhij-kl98Zz' },
    ['abcdefghijkl98zz', 'KL98ZZ', 'abcdefghij', 'ABCDE–FGHIJ'],
    ['l98Zz', 'Abcde', 'AbcdefGhijkX', 'cdefgh'],
  ],
  // A part of the player's name, whatever the case; nothing, or what matches everything, is none.
  [{ playerName: 'Hanna' }, ['ann'], ['', '  ', '%', '*', '\u200b', 'a', 'null', '@']],
  [{ playerName: 'straße 7' }, ['STRASSE'], []],
  [{ playerName: 'οδος' }, ['ΟΔΟΣ'], []],
  [{ playerName: 'ПЁТР Великий' }, ['пётр'], []],
  [{ playerName: 'my name' }, ['ｎａｍｅ'], []],
  [{ playerName: 'a\u200bn\u200bn' }, ['ann'], []],
  [{ playerName: '<b>bold</b>' }, ['<b>'], []],
  [{ playerName: 'so 😀 glad' }, ['😀'], []],
  [{ playerName: '100% sure' }, ['100%'], []],
  [{ playerName: 'xa_cx' }, ['a_c'], ['abc']],
  // Who began it: a name, a word of it, a username; the beginning of a key, or more of it than is shown.
  [
    { by: 'admin' },
    ['anna', 'IVANOVA', 'anna ivanova', 'Anna_Shop', '@anna_shop', 'by Anna'],
    ['ann', 'shop', '@anna', '@ann', 'annaivanova', '@null'],
  ],
  [
    { by: 'apiKey' },
    ['crs_A', 'crs_Ab12', 'crs_Ab12…', 'crs_Ab12rest', 'crs_Ab…'],
    ['crs_', 'crs_…', 'crs_B', 'rs_Ab12', 'crs_Ab13'],
  ],
];

test.each(FOUND_BY)('%j is found by %j, and not by %j', async (past, by, notBy) => {
  const rival = await openTestAccount(t.store);
  const plain = { playerId: '9190925570', playerName: 'Zed' };
  await keep(plain);
  const keepOf = async (of: TestAccount) => {
    await nameMember('admin', 'Anna Ivanova', 'anna_shop', of);
    const key = { digest: Buffer.alloc(32, of.accountId), prefix: 'crs_Ab12', createdBy: 'host', now: 0 };
    const keyId = await t.store.write(({ apiKeys }) => apiKeys.insert({ accountId: of.accountId, ...key }));
    const actors: Record<string, string> = { admin: memberName('admin', of), apiKey: `apiKey:${keyId}` };
    const actor = past.by === undefined ? 'host' : actors[past.by]!;
    // A code lives once.
    const state = past.code !== undefined && of === rival ? 'failed' : 'redeemed';
    return keepOne({ state, ...plain, ...past, by: actor, accountId: of.accountId });
  };
  const [theirs, ours] = [await keepOf(rival), await keepOf(shop)];
  for (const text of by) {
    expect([text, await find(text)]).toEqual([text, [ours]]);
    expect([text, await find(text, rival.actors.owner)]).toEqual([text, [theirs]]);
    expect([text, await find(text, shop.actors.operator)]).toEqual([text, []]);
  }
  for (const text of notBy) expect([text, await find(text)]).toEqual([text, []]);
  expect(search.read(shop.actors.owner, [theirs])).toEqual([]);
  expect(search.read(shop.actors.operator, [ours])).toEqual([]);
  const listed = await search.day(rival.actors.owner, { size: 10 });
  expect(listed?.lines.map(({ id }) => id)).toEqual([theirs]);
});

describe('a redemption is found', () => {
  test('by its day, in the account’s time zone', async () => {
    const evening = await keepOne({ at: Date.UTC(2026, 0, 11, 21, 30) });
    const noon = await keepOne({ at: Date.UTC(2026, 0, 12, 12) });
    const today = await keepOne();
    expect(await find('12.1')).toEqual([noon]);
    expect(await find('yesterday')).toEqual([noon]);
    await createTimeZones(t).setTimeZone(shop.actors.owner, 'Europe/Moscow');
    expect(await find('12.01.2026')).toEqual([noon, evening]);
    expect(await find('вчера')).toEqual([noon, evening]);
    expect(await find('2026-01-13')).toEqual([today]);
    expect(await find('11.1 12.1')).toEqual([noon, evening]);
  });

  test('by what became of it', async () => {
    const failed = await keepOne({ state: 'failed' });
    const doubt = await keepOne({ state: 'in_doubt' });
    await keepOne();
    for (const text of ['failed', 'Ошибки', 'не удалось']) expect(await find(text), text).toEqual([failed]);
    for (const text of ['in doubt', 'под вопросом']) expect(await find(text), text).toEqual([doubt]);
  });

  test('and told by what: the days, the outcome, and the words beside them', async () => {
    const told = async (text: string) => (await search.find(shop.actors.support, text)).by;
    await keep({ by: 'apiKey:7', state: 'failed' });
    const today = { year: 2026, month: 1, day: 13 };
    expect(await told('today failed 5170925570')).toStrictEqual({
      days: [today, today],
      state: 'failed',
      words: ['5170925570'],
    });
    expect(await told('5170925570')).toStrictEqual({ words: ['5170925570'] });
  });

  test('by all of it side by side, in any order', async () => {
    await nameMember('operator', 'Анна', null);
    const past = [
      { by: memberName('operator'), state: 'failed', at: TEST_START - DAY_MS },
      { by: memberName('operator'), state: 'failed' },
      { by: memberName('operator'), at: TEST_START - DAY_MS },
      { by: memberName('owner'), state: 'failed', at: TEST_START - DAY_MS, playerId: '5555512345' },
    ] as const;
    const ids: number[] = [];
    for (const each of past) ids.push(await keepOne(each));
    expect(await find('вчера failed')).toEqual([ids[3], ids[0]]);
    expect(await find('Анна failed вчера')).toEqual([ids[0]]);
    expect(await find('failed 5170925570')).toEqual([ids[1], ids[0]]);
    expect(await find('5555512345 yesterday')).toEqual([ids[3]]);
    expect(await find('"failed" вчера')).toEqual([]);
  });

  test('by its number alone, or marked; a bare one may be an end of an ID, too', async () => {
    await keepOne();
    t.inspect((file) => file.exec("update sqlite_sequence set seq = 5570 where name = 'redemptions'"));
    const id = await keepOne({ playerId: '12345' });
    const ending = await keepOne({ playerId: `77${id}` });
    expect(await find(`${id}`)).toEqual([ending, id]);
    expect(await find(`${id} today`)).toEqual([ending]);
    for (const text of [`#${id}`, `№${id}`, `receipt ${id}`, `чек #${id}`, `/RECEIPT_${id}`, `#${id}!?`])
      expect(await find(text), text).toEqual([id]);
    for (const text of [`x#${id}`, `#${id}x`]) expect(await find(text), text).toEqual([]);
    const other = await openTestAccount(t.store);
    expect(await find(`#${id}`, other.actors.owner)).toEqual([]);
  });

  test('among thousands without anybody waiting, and the newest two hundred are enough', async () => {
    await keep(
      ...Array.from({ length: 3_000 }, (_, n) => ({ playerName: n === 0 ? 'needle' : 'hay', at: n })),
    );
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
    const [oldest] = await keep(...past.map((row, n) => (n === 0 ? { ...row, playerName: 'needle' } : row)));
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
    const ids = await keep(...Array.from({ length: 1_100 }, () => past));
    const found = await search.find(shop.actors.admin, text);
    expect(found).toMatchObject({ ids: ids.slice(-MOST_FOUND).reverse(), isComplete: false });
  });
});

test('an operator finds his own, by whatever he looks, and nothing of others', async () => {
  const { operator } = shop.actors;
  const own = await keepOne({ by: memberName('operator'), code: 'ABCD1EFGH2IJKL3M', state: 'in_doubt' });
  const others = await keepOne({ by: memberName('owner'), code: 'ABCD1EFGH2IJKL3N', state: 'in_doubt' });
  for (const text of ['5170925570', 'ABCD1E', 'ann', 'in doubt', '13.1', 'today', '13.1 ann', 'operator'])
    expect(await find(text, operator), text).toEqual([own]);
  for (const text of [`${others}`, `#${others}`, 'ABCD1EFGH2IJKL3N', 'owner', 'owner 5170925570 13.1'])
    expect(await find(text, operator), text).not.toContain(others);
  expect(search.read(operator, [own, others]).map(({ id }) => id)).toEqual([own]);
  expect(await find('5170925570')).toEqual([others, own]);
});

test('where more codes begin so than are compared it asks for more characters', async () => {
  const codes = Array.from(
    { length: 230 },
    (_, n) => `SAME1${String(1_000 + n)}${String(n).padStart(5, 'X')}`,
  );
  await t.store.write((tables) => codes.forEach((code) => void insert(tables, { code: `AB-${code}` })));
  const few = await search.find(shop.actors.support, 'absame1');
  expect(few).toMatchObject({ asksForMore: true });
  expect(few.ids.length).toBeGreaterThan(100);
  const one = await search.find(shop.actors.support, `ABSAME1${1_000 + 77}XX`);
  expect(one).toMatchObject({ asksForMore: false });
  expect(one.ids).toHaveLength(1);
});

describe('a day', () => {
  const at = (day: number, hour = 12) => Date.UTC(2026, 0, day, hour);
  const dayOf = async (
    actor: AccountActor,
    day?: number,
    beside?: Parameters<Search['day']>[1]['beside'],
  ) => {
    const asked = { day: day === undefined ? undefined : { year: 2026, month: 1, day }, size: 2, beside };
    const found = await search.day(actor, asked);
    return (
      found && {
        ids: found.lines.map(({ id }) => id),
        ...found,
        earlier: found.earlier?.day,
        later: found.later?.day,
      }
    );
  };

  test('is shown page by page, with the days beside it on which there is something', async () => {
    const ids: number[] = [];
    for (const when of [at(5), at(9, 0), at(9, 1), at(9, 23), at(12)]) ids.push(await keepOne({ at: when }));
    const first = await dayOf(shop.actors.support, 9);
    expect(first).toMatchObject({ ids: [ids[3], ids[2]], hasMore: true, earlier: 5, later: 12 });
    const second = await dayOf(shop.actors.support, 9, { after: placeOf(first!.lines[1]) });
    expect(second).toMatchObject({ ids: [ids[1]], hasMore: false, earlier: 5, later: 12 });
    expect(await dayOf(shop.actors.support, 9, { before: placeOf(second!.lines[0]) })).toMatchObject({
      ids: [ids[3], ids[2]],
    });
    expect(await dayOf(shop.actors.support)).toMatchObject({
      day: { day: 12 },
      ids: [ids[4]],
      earlier: 9,
      later: undefined,
    });
    expect(await dayOf(shop.actors.support, 7)).toMatchObject({
      ids: [],
      hasMore: false,
      earlier: 5,
      later: 9,
    });
  });

  test('is one’s own for an operator', async () => {
    const own = await keepOne({ at: at(5), by: memberName('operator') });
    for (let n = 0; n < 250; n += 1) await keep({ at: at(9, 0) + n * 1_000 });
    const later = await keepOne({ at: at(9, 3), by: memberName('operator') });
    expect(await dayOf(shop.actors.operator)).toMatchObject({ day: { day: 9 }, ids: [later], earlier: 5 });
    expect(await dayOf(shop.actors.operator, 5)).toMatchObject({ ids: [own], earlier: undefined, later: 9 });
    expect(await dayOf(shop.actors.operator, 7)).toMatchObject({ ids: [], earlier: 5, later: 9 });
    expect(await dayOf(shop.actors.operator, 9)).toMatchObject({
      total: { redeemed: 1, failed: 0, open: 0 },
    });
    expect(await dayOf(shop.actors.support, 9)).not.toHaveProperty('total');
  });

  test('is said alone, and nothing else is taken for one', async () => {
    const { support } = shop.actors;
    expect(search.readDay(support, 'yesterday')).toEqual({ year: 2026, month: 1, day: 12 });
    expect(search.readDay(support, 'за 12 января')).toEqual({ year: 2026, month: 1, day: 12 });
    for (const text of ['2', 'failed', 'yesterday failed', '', '11.1 12.1', 'x 12.1'])
      expect(search.readDay(support, text), text).toBeUndefined();
  });
});

test('a line holds neither a code nor a credential', async () => {
  const ids = await keep({ code: 'AbcdefGhijkl98Zz', playerName: 'Ann' }, { code: 'Short6' });
  const lines = search.read(shop.actors.support, ids);
  expect(lines[0]).toMatchObject({ codeTail: 'kl98Zz', playerName: 'Ann', amount: 60, state: 'redeemed' });
  expect(lines[1]?.codeTail).toBe('rt6');
  expect(JSON.stringify(lines)).not.toMatch(/AbcdefGhijkl98Zz|Short6|pw-canary/);
});

test('pages of a day follow each other without a gap, and what is redeemed meanwhile does not shift them', async () => {
  const ids = await keep(...Array.from({ length: 25 }, () => ({})));
  const pageOf = async (beside?: object) =>
    (await search.day(shop.actors.owner, { day: { year: 2026, month: 1, day: 13 }, size: 10, ...beside }))!;
  const first = await pageOf();
  t.clock.advance(1_000);
  await keep({}, {});
  const older = (page: DayPage) => pageOf({ beside: { after: placeOf(page.lines.at(-1)) } });
  const second = await older(first);
  const pages = [first, second, await older(second)];
  expect(idsOf(...pages)).toEqual([...ids].reverse());
  expect(pages.map((page) => page.hasMore)).toEqual([true, true, false]);
  expect((await older(pages[2]!)).lines).toEqual([]);
  expect((await pageOf({ beside: { before: placeOf(second.lines[0]) } })).lines).toEqual(first.lines);
});

const placeOf = (line?: HistoryLine) => ({ at: line!.createdAt, id: line!.id });
const idsOf = (...pages: DayPage[]) => pages.flatMap(({ lines }) => lines.map(({ id }) => id));
