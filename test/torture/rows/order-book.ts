// A shop that has read only /docs, at work: hundreds of paid orders over a line that cuts, doubles and delays, through a
// SIGKILL of the service, a quota that is used up, a stock that is empty and filled again, and bad codes among the
// good. Every buyer got what they paid for, or their order says what is missing; and the platform spent no code more.
import { withStore } from '../../../src/cli/command.ts';
import { HOST, openVerbs } from '../../../src/cli/verbs.ts';
import { pause, within } from '../../../src/waiting.ts';
import { check, readBooks, waitUntilSettled } from '../books.ts';
import { nextPlayer } from '../client.ts';
import { startFaultyProxy } from '../faulty-proxy.ts';
import { count, type Findings, type TortureOptions } from '../findings.ts';
import { inShop, type Shop } from '../shop.ts';
import { fulfil, type Invoice, type Order } from './order-book-program.ts';

/** How codes begin, and so what the sandbox makes of them; most are what they should be. */
const BAD = { TIMEOUT: 3, GARBLED: 2, LOST: 3, USED: 1, INVALID: 1, LOGIN: 1, RISK: 1 };
const GOOD = 88;
const AMOUNTS = [60, 120, 325, 385, 445];
const DENOMINATIONS = [325, 60];
const AT_ONCE = 40;
/** What the subscription holds does not do for all of them. */
const GRANTED = 10_000;
const KILLED_AT = 0.3;
const GRANTED_AT = 0.5;
/** Of what they need, at first; and when the rest is there. */
const STOCKED = 0.4;
const REFILLED_AT = 0.35;
const OVER_WITHIN_MS = 15 * 60_000;

/** What each order said last. */
type Ended = Map<Invoice, Order>;

/** `count` orders. */
export const fulfilOrders = ({ count: wanted, seed, tell }: TortureOptions): Promise<Findings> =>
  inShop(seed, {}, (shop) => fulfilAll(shop, wanted, tell), { purchased: 0 });

async function fulfilAll(shop: Shop, wanted: number, tell: TortureOptions['tell']): Promise<void> {
  const { seeded, account, violations } = shop;
  const proxy = await startFaultyProxy(() => shop.service().url, seeded, { requestTwice: 15 });
  const invoices = Array.from({ length: wanted }, (_, index) => ({
    ...{ id: `INV-${index + 1}`, playerId: nextPlayer(), amount: seeded.pick(AMOUNTS) },
  }));
  const ended: Ended = new Map();
  const waiting = invoices.values();
  const lane = async () => {
    for (const invoice of waiting) {
      ended.set(invoice, await fulfil({ base: proxy.url, key: account.apiKey }, invoice));
      if (ended.size % AT_ONCE === 0) tell?.(`${ended.size} of ${wanted}`);
    }
    return true;
  };
  try {
    await stock(shop, invoices, STOCKED);
    const lanes = Promise.all(Array.from({ length: AT_ONCE }, lane));
    const all = Promise.all([lanes, befall(shop, invoices, ended)]);
    if (!(await within(all, OVER_WITHIN_MS)))
      violations.push(`not over in time: ${wanted - ended.size} orders have no end`);
    await judge(shop, invoices, ended);
  } finally {
    await proxy.close();
  }
  count(shop, 'orders', wanted);
  for (const { state, reason = '' } of ended.values()) count(shop, `${state} ${reason}`.trim());
  for (const [fault, times] of Object.entries(proxy.faults)) count(shop, fault, times);
}

/** So much of what all of them need, and a little more, for the bad ones. */
async function stock(shop: Shop, invoices: readonly Invoice[], share: number): Promise<void> {
  for (const denomination of DENOMINATIONS) {
    const needed = invoices.reduce((sum, { amount }) => sum + countOf(amount, denomination), 0);
    const prefixes = shop.seeded.draw(Math.ceil(needed * share), { ...BAD, [`${denomination}S`]: GOOD });
    await shop.stock(denomination, prefixes);
  }
}

/** How many of that are in the sum, of the fewest codes. */
function countOf(amount: number, denomination: number): number {
  const large = Math.floor(amount / 325);
  return denomination === 325 ? large : (amount - large * 325) / 60;
}

/** What befalls the service, one after the other, as the orders come to their ends. */
async function befall(shop: Shop, invoices: readonly Invoice[], ended: Ended): Promise<void> {
  const reached = async (share: number) => {
    let before = -1;
    // Or no more come to an end: they wait for it.
    for (let same = 0; ended.size < share * invoices.length && same < 20; await pause(500)) {
      same = ended.size === before ? same + 1 : 0;
      before = ended.size;
    }
  };
  await reached(KILLED_AT);
  await shop.restart('SIGKILL');
  await reached(REFILLED_AT);
  await stock(shop, invoices, 2 - STOCKED);
  await reached(GRANTED_AT);
  const { accountId } = shop.account;
  const place = { databasePath: `${shop.folder}/redemption.db`, encryptionKey: undefined };
  await withStore(place, (store) =>
    openVerbs(store).accounts.grant(HOST, { accountId, purchased: GRANTED, orderId: 'grant-1' }),
  );
}

/** The sandbox's own ledger, and ours, against what each order said last. */
async function judge(
  { folder, violations }: Shop,
  invoices: readonly Invoice[],
  ended: Ended,
): Promise<void> {
  if (!(await waitUntilSettled(folder))) violations.push('there are redemptions that have no end');
  const { orders, redemptions } = readBooks(folder);
  const spentFor = Map.groupBy(orders, ({ playerId }) => playerId);
  const redeemed = redemptions.filter(({ state }) => state === 'redeemed');
  const receiptsOf = Map.groupBy(redeemed, ({ playerId }) => playerId);
  const known = new Set(invoices.map(({ playerId }) => playerId));
  for (const { playerId, code } of orders)
    if (!known.has(playerId)) violations.push(`${code} was spent for ${playerId}, who has paid for nothing`);
  for (const invoice of invoices) {
    const { id, playerId, amount } = invoice;
    const spent = spentFor.get(playerId)?.length ?? 0;
    const receipts = receiptsOf.get(playerId)?.length ?? 0;
    if (receipts !== spent) violations.push(`${id}: ${receipts} receipts, and ${spent} codes are spent`);
    const order = ended.get(invoice);
    if (!order) continue;
    const { wanted, redeemed: told, missing = [], state } = order;
    const missed = missing.reduce((sum, { denomination, count: codes }) => sum + denomination * codes, 0);
    const facts: [boolean, string][] = [
      [wanted.amount === amount, 'it is of another sum'],
      [told.codes === spent, `${spent} codes are spent`],
      [told.amount + missed === amount, 'what is redeemed and what is missing is not what was paid'],
      [(state === 'done') === (missed === 0), 'it is done with something missing, or not done with nothing'],
    ];
    for (const [holds, what] of facts)
      if (!holds) violations.push(`${id}: ${what}: ${JSON.stringify(order)}`);
  }
  violations.push(...(await check(folder)));
}
