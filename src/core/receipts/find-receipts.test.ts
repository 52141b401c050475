// Finding as support thinks: words side by side, and whoever may see their own alone.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { endRedeemed } from '../../../test/harness/attempts.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import { createTimeZones } from '../zones.ts';
import type { AccountActor } from '../context.ts';
import { createSearch, type Search } from './search.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
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
  by?: string;
  playerId?: string;
  playerName?: string;
  code?: string;
  at?: number;
  state?: 'redeemed' | 'failed' | 'in_doubt';
}
let made = 0;
/** Keeps what was redeemed; its number. */
const keep = (past: Past = {}) => t.store.write((tables) => insert(tables, past));
function insert(tables: Parameters<Parameters<TestStore['store']['write']>[0]>[0], past: Past): number {
  made += 1;
  const {
    by = 'apiKey:1',
    playerId = '5170925570',
    playerName = 'Ann',
    at = TEST_START,
    state = 'redeemed',
  } = past;
  const { code = `60SX${String(made).padStart(12, '0')}` } = past;
  const id = tables.redemptions.begin({
    ...{ accountId: shop.accountId, actor: by, gameId: GAME, playerId, playerName, now: at },
    ...{ mode: 'direct', denomination: null, codeId: null, usageId: null },
    code: { text: code, ...t.store.seals.seal(GAME, code) },
  });
  const failure = { errorCode: 'UNKNOWN', errorMessage: null };
  const receipt = { openid: 'o', playerName, region: null, productName: null, amount: 60, warning: false };
  if (state === 'redeemed') endRedeemed(tables, id, { ...receipt, credentials: null }, at);
  if (state === 'failed') tables.redemptions.settleFailed(id, { ...failure, codeReset: false }, at);
  if (state === 'in_doubt') tables.redemptions.doubt(id, failure, at, at);
  return id;
}
const find = async (text: string, actor: AccountActor = shop.actors.support) =>
  (await search.find(actor, text)).ids;
const memberName = (role: keyof TestAccount['members']) => `member:${shop.members[role].telegramId}`;
/** Members of a test account are called by their role; this one also by `username`. */
const nameMember = (role: keyof TestAccount['members'], name: string, username: string | null) =>
  t.store.write((tables) => {
    const { telegramId, accountId } = shop.members[role];
    tables.members.remove(accountId, telegramId, role);
    tables.members.insert({ telegramId, accountId, role, name, username, now: 0 });
  });

describe('a redemption is found', () => {
  test('by its day, in the account’s time zone', async () => {
    const evening = await keep({ at: Date.UTC(2026, 0, 11, 21, 30) });
    const noon = await keep({ at: Date.UTC(2026, 0, 12, 12) });
    const today = await keep();
    expect(await find('12.1')).toEqual([noon]);
    expect(await find('yesterday')).toEqual([noon]);
    await createTimeZones(t).setTimeZone(shop.actors.owner, 'Europe/Moscow');
    expect(await find('12.01.2026')).toEqual([noon, evening]);
    expect(await find('вчера')).toEqual([noon, evening]);
    expect(await find('2026-01-13')).toEqual([today]);
    expect(await find('11.1 12.1')).toEqual([noon, evening]);
  });

  test('by what became of it', async () => {
    const failed = await keep({ state: 'failed' });
    const doubt = await keep({ state: 'in_doubt' });
    await keep();
    for (const text of ['failed', 'Ошибки', 'не удалось']) expect(await find(text), text).toEqual([failed]);
    for (const text of ['in doubt', 'под вопросом']) expect(await find(text), text).toEqual([doubt]);
  });

  test('by who began it: a name, a part of it, @user', async () => {
    await nameMember('operator', 'Anna Ivanova', 'anna_shop');
    const hers = await keep({ by: memberName('operator'), playerName: 'x' });
    await keep({ by: 'apiKey:7', playerName: 'x' });
    for (const text of ['anna', 'IVANOVA', 'anna ivanova', '@Anna_Shop', 'anna_shop', 'by Anna'])
      expect(await find(text), text).toEqual([hers]);
    expect(await find('@ann')).toEqual([]);
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
    for (const each of past) ids.push(await keep(each));
    expect(await find('вчера failed')).toEqual([ids[3], ids[0]]);
    expect(await find('Анна failed вчера')).toEqual([ids[0]]);
    expect(await find('failed 5170925570')).toEqual([ids[1], ids[0]]);
    expect(await find('5555512345 yesterday')).toEqual([ids[3]]);
    expect(await find('"failed" вчера')).toEqual([]);
  });

  test('by an ID with a word before it', async () => {
    const id = await keep({ playerId: '5170925571', code: 'ABCD1EFGH2IJKL3M' });
    for (const text of ['ID: 5170925571', 'id5170925571', 'abcd-1efg-h2ij', '(5170925571)'])
      expect(await find(text), text).toEqual([id]);
  });

  test('by four digits and more of either end of its ID', async () => {
    const other = await keep({ playerId: '5555512345' });
    const id = await keep({ playerId: '5170925571' });
    for (const text of ['5571', '51709', '…5571', 'id 25571', '٥٥٧١', '5571 today'])
      expect(await find(text), text).toEqual([id]);
    expect(await find('0925')).toEqual([]);
    expect(await find('571')).toEqual([]);
    expect(await find('5555')).toEqual([other]);
  });

  test('by a number that a receipt has and that an ID ends with: both; by a marked one the receipt', async () => {
    await keep();
    t.inspect((file) => file.exec("update sqlite_sequence set seq = 5570 where name = 'redemptions'"));
    const id = await keep({ playerId: '12345' });
    const ending = await keep({ playerId: `77${id}` });
    expect(await find(`${id}`)).toEqual([ending, id]);
    for (const text of [`#${id}`, `receipt ${id}`, `чек ${id}`]) expect(await find(text), text).toEqual([id]);
  });

  test('by its number, which may also be a part of a name', async () => {
    const id = await keep({ playerName: 'x' });
    for (const text of [`${id}`, `#${id}`, `№${id}`, `/receipt_${id}`, `чек #${id}`])
      expect(await find(text), text).toEqual([id]);
  });
});

test('an operator finds his own, by whatever he looks, and nothing of others', async () => {
  const { operator } = shop.actors;
  const own = await keep({ by: memberName('operator'), code: 'ABCD1EFGH2IJKL3M', state: 'in_doubt' });
  const others = await keep({ by: memberName('owner'), code: 'ABCD1EFGH2IJKL3N', state: 'in_doubt' });
  for (const text of ['5170925570', 'ABCD1E', 'ann', 'in doubt', '13.1', 'today', '13.1 ann', 'operator'])
    expect(await find(text, operator), text).toEqual([own]);
  for (const text of [`${others}`, `#${others}`, 'ABCD1EFGH2IJKL3N', 'owner', 'owner 5170925570 13.1'])
    expect(await find(text, operator), text).not.toContain(others);
  expect(search.read(operator, [own, others]).map(({ id }) => id)).toEqual([own]);
  expect(await find('5170925570')).toEqual([others, own]);
});

test.each([
  [200, false],
  [201, true],
])(
  'two hundred codes that begin so are compared: of %i it asks for more characters: %s',
  async (count, asksForMore) => {
    const codes = Array.from({ length: count }, (_, n) => `SAME1${1_000 + n}${String(n).padStart(5, 'X')}`);
    await t.store.write((tables) => codes.forEach((code) => void insert(tables, { code })));
    const found = await search.find(shop.actors.support, 'same11');
    expect([found.asksForMore, found.ids.length > 100]).toEqual([asksForMore, true]);
  },
);

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
    for (const when of [at(5), at(9, 0), at(9, 1), at(9, 23), at(12)]) ids.push(await keep({ at: when }));
    const first = await dayOf(shop.actors.support, 9);
    expect(first).toMatchObject({ ids: [ids[3], ids[2]], hasMore: true, earlier: 5, later: 12 });
    const second = await dayOf(shop.actors.support, 9, { olderThan: first!.lines[1]! });
    expect(second).toMatchObject({ ids: [ids[1]], hasMore: false, earlier: 5, later: 12 });
    expect(await dayOf(shop.actors.support, 9, { newerThan: second!.lines[0]! })).toMatchObject({
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
    const own = await keep({ at: at(5), by: memberName('operator') });
    for (let n = 0; n < 250; n += 1) await keep({ at: at(9, 0) + n * 1_000 });
    const later = await keep({ at: at(9, 3), by: memberName('operator') });
    expect(await dayOf(shop.actors.operator)).toMatchObject({ day: { day: 9 }, ids: [later], earlier: 5 });
    expect(await dayOf(shop.actors.operator, 5)).toMatchObject({ ids: [own], earlier: undefined, later: 9 });
    expect(await dayOf(shop.actors.operator, 7)).toMatchObject({ ids: [], earlier: 5, later: 9 });
    expect(await dayOf(shop.actors.operator, 9)).toMatchObject({
      total: { redeemed: 1, failed: 0, open: 0 },
    });
    expect(await dayOf(shop.actors.support, 9)).not.toHaveProperty('total');
    expect((await search.page(shop.actors.operator, { page: 1, size: 1 })).lines.map(({ id }) => id)).toEqual(
      [later],
    );
    expect(await search.page(shop.actors.operator, { page: 2, size: 1 })).toMatchObject({
      lines: [{ id: own }],
      hasMore: false,
    });
  });

  test('is said alone, and nothing else is taken for one', async () => {
    const { support } = shop.actors;
    expect(search.readDay(support, 'yesterday')).toEqual({ year: 2026, month: 1, day: 12 });
    expect(search.readDay(support, 'за 12 января')).toEqual({ year: 2026, month: 1, day: 12 });
    for (const text of ['2', 'failed', 'yesterday failed', '', '11.1 12.1', 'x 12.1'])
      expect(search.readDay(support, text), text).toBeUndefined();
  });
});

test('only by an index, a slice a turn: others are served between', async () => {
  await t.store.write((tables) => {
    for (let n = 0; n < 3_000; n += 1) insert(tables, { playerName: 'hay', at: TEST_START - n * HOUR_MS });
  });
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  await search.find(shop.actors.support, 'failed');
  clearInterval(counting);
  expect(turns).toBeGreaterThan(0);
});
