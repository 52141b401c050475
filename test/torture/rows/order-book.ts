// A shop that has read only /docs, at work: hundreds of paid orders over a line that cuts, doubles and delays, through a
// SIGKILL of the service, a quota that is used up, a stock that is empty and filled again, and bad codes among the
// good. Every buyer got what they paid for, or their order says what is missing; and the platform spent no code more.
import { withStore } from '../../../src/cli/command.ts';
import { HOST, openVerbs } from '../../../src/cli/verbs.ts';
import { createAccount } from '../../harness/host.ts';
import { makeServiceFolder, spawnService, type Service } from '../process.ts';
import { check, readBooks, waitUntilSettled } from '../books.ts';
import { addCodes, makeCode, nextPlayer, type Account } from '../client.ts';
import { startFaultyProxy } from '../faulty-proxy.ts';
import type { Findings, TortureOptions } from '../findings.ts';
import { fulfil, type Invoice, type Order } from './order-book-program.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';

/** How codes begin, and so what the sandbox makes of them. */
const NATURES: Record<string, number> = {
  '': 88,
  TIMEOUT: 3,
  GARBLED: 2,
  LOST: 3,
  USED: 1,
  INVALID: 1,
  LOGIN: 1,
  RISK: 1,
};
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

interface Open {
  folder: string;
  account: Account & { accountId: number };
  seeded: Seeded;
  service: Service;
}

/** `count` orders. */
export async function fulfilOrders({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const { folder, remove } = makeServiceFolder();
  const open: Open = {
    folder,
    seeded: createSeeded(seed),
    service: await spawnService({ folder }),
    account: await createAccount(folder, { purchased: 0 }),
  };
  const { seeded, account } = open;
  const proxy = await startFaultyProxy(() => open.service.url, seeded, { requestTwice: 15 });
  const invoices = Array.from({ length: count }, (_, index) => ({
    ...{ id: `INV-${index + 1}`, playerId: nextPlayer(), amount: seeded.pick(AMOUNTS) },
  }));
  const ended = new Map<Invoice, Order>();
  const violations: string[] = [];
  try {
    await stock(open, invoices, STOCKED);
    const waiting = invoices.values();
    const lane = async () => {
      for (const invoice of waiting) {
        const order = await fulfil({ base: proxy.url, key: account.apiKey }, invoice);
        ended.set(invoice, order);
        if (ended.size % AT_ONCE === 0) tell?.(`${ended.size} of ${count}`);
      }
    };
    const late = new Promise<string>((resolve) => {
      setTimeout(() => resolve('not over in time'), OVER_WITHIN_MS).unref();
    });
    const all = Promise.all(Array.from({ length: AT_ONCE }, lane)).then(() => '');
    const wrong = await Promise.race([
      Promise.all([all, befall(open, invoices, ended)]).then(() => ''),
      late,
    ]);
    if (wrong) violations.push(`${wrong}: ${count - ended.size} orders have no end`);
    violations.push(...(await judge(open, invoices, ended)));
  } finally {
    await proxy.close();
    await open.service.kill();
    remove();
  }
  const states = Object.groupBy(ended.values(), ({ state, reason = '' }) => `${state} ${reason}`.trim());
  const tried = Object.fromEntries(
    Object.entries(states).map(([state, orders = []]) => [state, orders.length]),
  );
  return { tried: { orders: count, ...tried, ...proxy.faults }, violations };
}

/** So much of what all of them need, and a little more, for the bad ones. */
async function stock({ service, account, seeded }: Open, invoices: readonly Invoice[], share: number) {
  for (const denomination of DENOMINATIONS) {
    const needed = invoices.reduce((sum, { amount }) => sum + countOf(amount, denomination), 0);
    const codes = Array.from({ length: Math.ceil(needed * share) }, () => {
      const nature = seeded.weigh(NATURES);
      return makeCode(seeded, nature === '' ? `${denomination}S` : nature);
    });
    await addCodes(service.url, account, denomination, codes);
  }
}

/** How many of that are in the sum, of the fewest codes. */
function countOf(amount: number, denomination: number): number {
  const large = Math.floor(amount / 325);
  return denomination === 325 ? large : (amount - large * 325) / 60;
}

/** What befalls the service, one after the other, as the orders come to their ends. */
async function befall(open: Open, invoices: readonly Invoice[], ended: ReadonlyMap<Invoice, Order>) {
  const reached = async (share: number) => {
    let before = -1;
    // Or no more come to an end: they wait for it.
    for (let same = 0; ended.size < share * invoices.length && same < 20;) {
      same = ended.size === before ? same + 1 : 0;
      before = ended.size;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  await reached(KILLED_AT);
  await open.service.kill('SIGKILL');
  open.service = await spawnService({ folder: open.folder });
  await reached(REFILLED_AT);
  await stock(open, invoices, 2 - STOCKED);
  await reached(GRANTED_AT);
  const { accountId } = open.account;
  const place = { databasePath: `${open.folder}/redemption.db`, encryptionKey: undefined };
  await withStore(place, (store) =>
    openVerbs(store).accounts.grant(HOST, { accountId, purchased: GRANTED, orderId: 'grant-1' }),
  );
}

/** The sandbox's own ledger, and ours, against what each order said last. */
async function judge(
  { folder }: Open,
  invoices: readonly Invoice[],
  ended: ReadonlyMap<Invoice, Order>,
): Promise<string[]> {
  const violations: string[] = [];
  if (!(await waitUntilSettled(folder))) violations.push('there are redemptions that have no end');
  const { orders, redemptions } = readBooks(folder);
  const spentFor = Map.groupBy(orders, ({ playerId }) => playerId);
  const known = new Set(invoices.map(({ playerId }) => playerId));
  for (const { playerId, code } of orders)
    if (!known.has(playerId)) violations.push(`${code} was spent for ${playerId}, who has paid for nothing`);
  for (const invoice of invoices) {
    const { id, playerId, amount } = invoice;
    const order = ended.get(invoice);
    const spent = spentFor.get(playerId)?.length ?? 0;
    const receipts = redemptions.filter(
      (row) => row.playerId === playerId && row.state === 'redeemed',
    ).length;
    if (receipts !== spent) violations.push(`${id}: ${receipts} receipts, and ${spent} codes are spent`);
    if (!order) continue;
    const { wanted, redeemed, missing = [], state } = order;
    const missed = missing.reduce((sum, { denomination, count }) => sum + denomination * count, 0);
    const facts: [boolean, string][] = [
      [wanted.amount === amount, 'it is of another sum'],
      [redeemed.codes === spent, `${spent} codes are spent`],
      [redeemed.amount + missed === amount, 'what is redeemed and what is missing is not what was paid'],
      [(state === 'done') === (missed === 0), 'it is done with something missing, or not done with nothing'],
    ];
    for (const [holds, what] of facts)
      if (!holds) violations.push(`${id}: ${what}: ${JSON.stringify(order)}`);
  }
  violations.push(...(await check(folder)));
  return violations;
}
