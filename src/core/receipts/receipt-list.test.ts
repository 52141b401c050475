// Pages of filtered receipts: joined, in either direction, they are what is exported, and what the rows say.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { DAY_MS, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { addGeneratedCodes, GENERATED, generateReceipts } from '../../../test/harness/generated-receipts.ts';
import { createSeeded, type Seeded } from '../../../test/harness/seeded.ts';
import type { StoredRedemption } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import type { ListOrder } from '../list-walk.ts';
import { dayAt, startOfDay, addDays } from '../zones.ts';
import { createReceiptList } from './receipt-list.ts';
import { LISTED_STATES, type ReceiptFilter } from './receipt-filter.ts';

let t: TestCore;
let shop: TestAccount;
let own: string;
beforeEach(async () => {
  t = await openTestCore();
  t.allowDrift();
  shop = await openTestAccount(t.store);
  own = `member:${shop.members.operator.telegramId}`;
});
afterEach(() => t.close());

async function generate(random: Seeded, count: number, stepMs: number): Promise<void> {
  const actors = ['apiKey:1', 'apiKey:2', own];
  const from = t.clock.now() - 20 * DAY_MS;
  const otherId = t.actor.accountId;
  await generateReceipts(t.store, random, {
    accountId: shop.accountId,
    otherId,
    actors,
    count,
    from,
    stepMs,
  });
}

/** Each row of this account, as the store has it, oldest first. */
const listAll = (): StoredRedemption[] =>
  t.store.read(({ history }) =>
    history.list({
      ...{
        accountId: shop.accountId,
        direction: 'newer',
        createdAt: 0,
        id: 0,
        end: Infinity,
        limit: 100_000,
      },
    }),
  );

function drawFilter(random: Seeded): ReceiptFilter {
  const maybe = <T>(value: T): T | undefined => (random.next() < 0.25 ? value : undefined);
  const day = () => addDays(dayAt('UTC', t.clock.now()), -random.between(0, 20));
  const code = () => `0000${String(random.between(0, 200)).padStart(4, '0')}`;
  return {
    state: maybe(random.pick(LISTED_STATES)),
    from: maybe(day()),
    to: maybe(day()),
    gameId: maybe(random.pick(GENERATED.games)),
    amount: maybe(random.pick([0, ...GENERATED.amounts])),
    playerId: maybe(random.pick(GENERATED.players)),
    name: maybe(random.pick(['iva', 'ИВА', 'ёЛК', '<b>', 'zz'])),
    apiKeyId: maybe(random.between(1, 3)),
    errorCode: maybe(random.pick(GENERATED.errors)),
    batchId: maybe(random.between(1, 3)),
    ...(random.next() < 0.1 && { code: code() }),
    ...(random.next() < 0.1 && { id: random.between(1, 300) }),
  };
}

/** What is asked for, said once more and without an index. */
function isAsked(
  row: StoredRedemption,
  filter: ReceiptFilter,
  zone: string,
  batches: ReadonlyMap<number, number>,
): boolean {
  const open = ['pending', 'in_doubt'];
  const units = (row.state === 'redeemed' && row.amount) || row.denomination || 0;
  const folded = row.playerName?.toLowerCase() ?? '';
  const has = <T>(value: T | undefined, test: (value: T) => boolean) => value === undefined || test(value);
  return [
    has(filter.state, (state) => (state === 'open' ? open.includes(row.state) : row.state === state)),
    has(filter.from, (day) => row.createdAt >= startOfDay(zone, day)),
    has(filter.to, (day) => row.createdAt < startOfDay(zone, addDays(day, 1))),
    has(filter.gameId, (id) => row.gameId === id),
    has(filter.amount, (amount) => units === amount),
    has(filter.playerId, (id) => row.playerId === id),
    has(filter.name, (name) => folded.includes(name.toLowerCase())),
    has(filter.apiKeyId, (id) => row.actor === `apiKey:${id}`),
    has(filter.errorCode, (code) => row.errorCode === code),
    has(filter.code, (code) => row.code?.endsWith(code) === true),
    has(filter.id, (id) => row.id === id),
    has(filter.batchId, (id) => batches.get(row.codeId ?? 0) === id),
  ].every(Boolean);
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

/** From the first page on, and back from the last. */
async function joinPages(actor: AccountActor, filter: ReceiptFilter, order: ListOrder, limit: number) {
  const { receiptList } = t.core;
  const onward: number[] = [];
  let page = await receiptList.page(actor, filter, { order, limit });
  const { total } = page;
  onward.push(...idsOf(page.rows));
  while (page.next) {
    page = await receiptList.page(actor, filter, { order, limit, beside: { after: page.next } });
    onward.push(...idsOf(page.rows));
  }
  const back = idsOf(page.rows);
  while (page.previous && page.rows.length > 0) {
    page = await receiptList.page(actor, filter, { order, limit, beside: { before: page.previous } });
    back.unshift(...idsOf(page.rows));
  }
  return { onward, back, total };
}

async function walk(actor: AccountActor, filter: ReceiptFilter, order: ListOrder, full = false) {
  const found = [];
  for await (const rows of await t.core.receiptList.walk(actor, filter, { order, full })) found.push(...rows);
  return found;
}

test.each(['UTC', '+05:30'])(
  'pages joined, both ways, are the export and what the rows say, %s',
  async (zone) => {
    await t.core.accounts.setTimeZone(shop.members.owner, zone);
    const random = createSeeded(7);
    const batches = await addGeneratedCodes(t, shop.members.owner);
    await generate(random, 300, 2 * 60 * 60 * 1000);
    const rows = listAll();
    const { owner, operator } = shop.members;
    for (let round = 0; round < 30; round += 1) {
      const filter = drawFilter(random);
      const order = random.pick(['newest', 'oldest'] as const);
      const asked = rows.filter((row) => isAsked(row, filter, zone, batches));
      const expected = order === 'newest' ? asked.toReversed() : asked;
      const { onward, back, total } = await joinPages(owner, filter, order, random.between(1, 60));
      expect([filter, order, onward]).toEqual([filter, order, idsOf(expected)]);
      expect([filter, back]).toEqual([filter, onward]);
      expect([filter, total]).toEqual([filter, { count: expected.length, isMore: false }]);
      expect(idsOf(await walk(owner, filter, order))).toEqual(onward);
      const { onward: ofOperator } = await joinPages(operator, filter, order, 50);
      expect(ofOperator).toEqual(idsOf(expected.filter(({ actor }) => actor === own)));
    }
  },
);

test('of a batch of another account there is nothing', async () => {
  await addGeneratedCodes(t, shop.members.owner);
  await generate(createSeeded(7), 100, 1000);
  const ofBatch = async (actor: AccountActor) =>
    (await t.core.receiptList.page(actor, { batchId: 1 }, { order: 'newest', limit: 50 })).rows.length;
  expect(await ofBatch(shop.members.owner)).toBeGreaterThan(5);
  expect(await ofBatch((await openTestAccount(t.store)).members.owner)).toBe(0);
});

test('a page that takes too long ends with what there is, and goes on where it ended', async () => {
  await generate(createSeeded(1), 700, 1000);
  let elapsed = 0;
  const slow = { ...t.clock, elapsed: () => (elapsed += 16) };
  const list = createReceiptList({ store: t.store, clock: slow });
  const ends: (number | undefined)[] = [];
  const found: number[] = [];
  let beside: { after: { at: number; id: number } } | undefined;
  do {
    const page = await list.page(
      shop.members.owner,
      { name: 'иван' },
      { order: 'newest', limit: 200, beside },
    );
    found.push(...idsOf(page.rows));
    ends.push(page.searchedTo);
    if (page.next) expect(page.total.isMore).toBe(true);
    beside = page.next && { after: page.next };
  } while (beside);
  expect(ends.length).toBeGreaterThan(1);
  expect(ends.slice(0, -1).every((at) => at !== undefined)).toBe(true);
  expect(ends.at(-1)).toBeUndefined();
  const isIvan = ({ playerName }: StoredRedemption) => playerName === 'иВАН';
  expect(found).toEqual(idsOf(listAll().filter(isIvan).toReversed()));
});

test('codes come with a full walk alone, which is the owner’s, and is written down with its reason', async () => {
  await generate(createSeeded(2), 30, 1000);
  const { owner, admin, operator, support } = shop.members;
  const plain = await walk(admin, {}, 'newest');
  expect(JSON.stringify(plain)).not.toContain('60S00000000');
  expect(plain.some(({ codeTail }) => codeTail !== null)).toBe(true);
  expect(JSON.stringify(await walk(owner, {}, 'newest', true))).toContain('60S00000000');
  await expect(walk(admin, {}, 'newest', true)).rejects.toThrow('Your role may not do this');
  for (const actor of [operator, support])
    await expect(walk(actor, {}, 'newest')).rejects.toThrow('Your role may not do this');
  await t.core.receiptList.orderFull(owner, { filter: 'state=failed', reason: 'the supplier asks' });
  const order = { filter: '', reason: 'x' };
  await expect(t.core.receiptList.orderFull(admin, order)).rejects.toThrow('Your role may not do this');
  expect(t.core.readAuditLog(owner, { limit: 1 }).entries).toMatchObject([
    { what: 'credentialsExported', after: { filter: 'state=failed' }, reason: 'the supplier asks' },
  ]);
});

test('a page has 1 to 200 rows', async () => {
  for (const limit of [0, 201, 1.5])
    await expect(t.core.receiptList.page(shop.members.owner, {}, { order: 'newest', limit })).rejects.toThrow(
      '1 to 200 rows',
    );
});
