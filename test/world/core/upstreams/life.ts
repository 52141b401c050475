// Shops over several services that lose, delay, cut and lie, each step over others: their people order, and redeem codes
// without us, the process is killed at a commit, the machine lost. Every doubt ends, or is a person's.
import type { AccountActor } from '../../../../src/core/context.ts';
import type { OrderRequest, Redemption } from '../../../../src/core/index.ts';
import type { Seeded } from '../../../harness/seeded.ts';
import { look, newestOf } from '../../run/rest.ts';
import { conserved } from '../books.ts';
import { ask } from '../orders/life.ts';
import { isSinceRestore, rethrowUnlessGone } from '../service.ts';
import type { CoreWorld, Living } from '../world.ts';
import { countTried, judge } from './judge.ts';
import { connect, drawServices, KINDS, type Kind, type Service } from './services.ts';
import { GAME } from './stand-in.ts';

export interface Shops extends CoreWorld {
  kind: Kind;
  services: readonly Service[];
  actors: AccountActor[];
  /** Codes that people bring. */
  given: string[];
  /** Of this step. */
  orders: PlacedOrder[];
  /** Orders that were cancelled, and when. */
  cancelled: { id: string; at: number }[];
}

/** An order as its shop knows it. */
interface PlacedOrder {
  actor: AccountActor;
  playerId: string;
  /** What the last answer to it was; undefined where none came. */
  answered: Redemption | undefined;
  tookMs: number;
}

const HOST = { kind: 'host', by: 'cli' } as const;
const PLATFORM_TIMEOUT_MS = 45_000;
const PLAYERS = ['5170925570', '5170925571', '5170925572'];
const STOCK = 9;
/** An answer is there after this, as docs say. */
const ANSWERED_MS = 60_000;
const ANSWERED_AT_LAST_MS = 10 * 60_000;
const MOST_COMMITS = 14;
const LOOKED_MS = 1_100;
const MOST_LOOKS = 400;
/** More than the service lets wait before it refuses whoever they are of. */
const CROWD = 1_100;
/** Of an account whose stock is not sold: what may have rested is tried again by then. */
const TRIES = 6;
const TRIED_AFTER_MS = 20 * 60_000;
/** As long as what was just sent may still be carried out, nothing is used after a restore. */
const LOST_MS = 6 * 60_000;

export async function openUpstreams(world: CoreWorld): Promise<Living> {
  const { service } = world;
  const kind = world.random.weigh(KINDS);
  world.note(`this world is ${kind}`);
  const nothing = { services: [], actors: [], given: [], orders: [], cancelled: [] };
  const shops: Shops = Object.assign(world, { kind, ...nothing });
  service.platformTimeoutMs = PLATFORM_TIMEOUT_MS;
  service.upstreams = (life) => connect(shops, shops.services, life);
  return {
    async act(random) {
      world.count('sets of services');
      const first = newestOf(service, 'redemptions');
      await open(shops, random);
      await live(shops, random);
      if (kind === 'restored' || random.chance(0.2)) await sellAgain(shops);
      countTried(shops, first);
      world.amiss.push(...judge(shops));
    },
    end: () => Promise.resolve(void world.amiss.push(...conserved(world))),
  };
}

/** Other services, and shops that have never heard of those before. */
async function open(shops: Shops, random: Seeded): Promise<void> {
  const { service, kind } = shops;
  shops.services = drawServices(shops, random, kind);
  shops.note(shops.services.map(({ wire }) => wire).join(', '));
  Object.assign(shops, { actors: [], orders: [], cancelled: [] });
  service.kill();
  await service.within(service.start());
  const codes = (many: number) =>
    Array.from({ length: many }, () => `60S${String(shops.next()).padStart(13, '0')}`);
  for (let left = 1 + random.below(2); left > 0; left -= 1) {
    const { accountId } = await ask(shops, ({ accounts }) =>
      accounts.create(HOST, { name: 'Shop', days: 60 }),
    );
    const actor = { kind: 'apiKey', accountId, apiKeyId: 1 } as const;
    await ask(shops, (core) => core.codes.add(actor, GAME, [{ denomination: 60, codes: codes(STOCK) }]));
    shops.actors.push(actor);
  }
  shops.given = codes(kind === 'provable' ? 0 : random.below(4));
}

async function live(shops: Shops, random: Seeded): Promise<void> {
  const { service, kind } = shops;
  let backup: number | undefined;
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    if (kind !== 'provable' && random.chance(0.3)) service.diesIn = 1 + random.below(MOST_COMMITS);
    await order(shops, random);
    service.diesIn = 0;
    if (kind === 'restored') backup ??= (await service.within(service.backUp())).number;
    await endDoubts(shops);
  }
  if (backup === undefined) return;
  service.kill();
  service.wipe();
  service.restore(backup);
  shops.count('restores');
  await service.within(service.start());
  await shops.time.passUntil(() => false, LOST_MS);
  await order(shops, random);
  await endDoubts(shops);
}

/** All of them have their answers, or were lost with a process; where that was killed the next goes on. */
async function order(shops: Shops, random: Seeded): Promise<void> {
  const { service, time, amiss, given, kind } = shops;
  const spread = random.pick([1_000, 20_000, 120_000]);
  const [crowd] = kind === 'provable' && random.chance(0.3) ? shops.actors.slice(1) : [];
  const ordering = crowd ? shops.actors.slice(0, 1) : shops.actors;
  const acting = Array.from({ length: 1 + random.below(3) }, () => {
    const code = given.length > 0 && random.chance(0.5) ? random.pick(given) : undefined;
    const [actor, playerId, at] = [random.pick(ordering), random.pick(PLAYERS), random.below(spread)];
    if (code === undefined && kind !== 'provable' && random.chance(0.3))
      return cancel(shops, { actor, playerId, at, inMs: random.below(spread) });
    const order = { actor, playerId, answered: undefined, tookMs: 0 };
    shops.orders.push(order);
    const wanted = { gameId: GAME, playerId, ...(code === undefined ? { denomination: 60 } : { code }) };
    return place(shops, order, { wanted, hasKey: random.chance(0.5), at, crowd });
  });
  if (kind === 'elsewhere' && given.length > 0) {
    const [code, playerId, at] = [random.pick(given), random.pick(PLAYERS), random.below(spread * 2)];
    acting.push(time.sleep(at).then(() => shops.platform.redeemElsewhere(GAME, code, playerId)));
  }
  let isOver = false;
  Promise.all(acting)
    .catch((error: Error) => amiss.push(`an order throws: ${error.message}`))
    .finally(() => (isOver = true));
  const isDue = () => isOver || !service.isRunning();
  while (!isOver) {
    if (!(await time.passUntil(isDue, ANSWERED_AT_LAST_MS)))
      return void amiss.push('an order is never answered');
    await goOn(shops);
  }
}

async function goOn({ service, count, note }: Shops): Promise<void> {
  if (service.isRunning()) return;
  note('killed');
  count('killed at a commit');
  while (!service.isRunning()) await service.within(service.start());
}

interface Wanted {
  wanted: { gameId: string; playerId: string };
  /** It is repeated with its key where it was answered as not begun or failed, or lost. */
  hasKey: boolean;
  at: number;
  /** Whose many wishes stand before it. */
  crowd: AccountActor | undefined;
}

async function place(shops: Shops, order: PlacedOrder, { wanted, hasKey, at, crowd }: Wanted): Promise<void> {
  const { time, service, amiss } = shops;
  const idempotencyKey = { scope: 'http', key: `key-${shops.next()}` } as const;
  const request = { ...wanted, ...(hasKey && { idempotencyKey }) };
  await time.sleep(at);
  for (let tries = hasKey ? 3 : 1; tries > 0; tries -= 1) {
    const begun = time.clock.elapsed();
    if (crowd) askForMuch(shops, crowd);
    const told = await askNow(() => service.askOnce((core) => core.redeem(order.actor, request)));
    order.tookMs = time.clock.elapsed() - begun;
    if (told?.status === 'answered') {
      order.answered = told.redemption;
      if (order.tookMs > ANSWERED_MS) amiss.push(`an answer took ${order.tookMs} ms`);
      if (told.redemption.state === 'redeemed') return;
    }
    await time.sleep(2_000 + shops.random.below(4_000));
  }
}

function askForMuch({ service, count }: Shops, { accountId: whose }: AccountActor): void {
  count('crowds of one account');
  const store = service.store();
  for (let left = CROWD; left > 0; left -= 1) void store.write(() => undefined, { whose });
}

interface Regretted {
  actor: AccountActor;
  playerId: string;
  at: number;
  inMs: number;
}

/** Of the stock, and thought better of: perhaps while nobody knows what became of it. */
async function cancel(shops: Shops, { actor, playerId, at, inMs }: Regretted): Promise<void> {
  const { service, time } = shops;
  const request: OrderRequest = {
    ...{ gameId: GAME, playerId, items: [{ denomination: 60, count: 1 }] },
    ...{ onShortage: 'wait', onBadCode: 'replace' },
    idempotencyKey: { scope: 'http', key: `order-${shops.next()}` },
  };
  await time.sleep(at);
  const told = await askNow(() => service.ask(({ orders }) => orders.place(actor, request)));
  await time.sleep(inMs);
  if (told?.status !== 'placed') return;
  const { id } = told.order;
  const order = await askNow(() => service.ask(({ orders }) => orders.cancel(actor, id)));
  if (order === undefined) return;
  shops.cancelled.push({ id, at: time.machine.now() });
  shops.count('cancelled');
}

/** Once all of them are sound each shop sells: somebody is believed about its stock, or nobody is asked. */
async function sellAgain(shops: Shops): Promise<void> {
  const { time, amiss, actors, services } = shops;
  for (const { standIn } of services) standIn.heal();
  for (const actor of actors) {
    const request = { gameId: GAME, playerId: String(5_170_000_000 + shops.next()), denomination: 60 };
    for (let tries = TRIES; ; tries -= 1) {
      if ((shops.service.core().codes.countAvailable(actor, GAME).get(60) ?? 0) === 0) break;
      const told = await ask(shops, (core) => core.redeem(actor, request));
      if (told.status === 'answered' && told.redemption.state === 'redeemed') break;
      if (tries === 0)
        return void amiss.push(`nothing is sold, though all is sound: ${JSON.stringify(told)}`);
      time.skip(TRIED_AFTER_MS);
      await endDoubts(shops);
    }
  }
  await endDoubts(shops);
}

/** undefined where the process ends before it answers, none is there, or it is to be asked again since a restore. */
async function askNow<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isSinceRestore(error)) rethrowUnlessGone(error);
    return undefined;
  }
}

const PENDING = "select count(*) from redemptions where state = 'pending'";
const NEXT = `select min(run_at) from redemptions join tasks on job_key = 'doubt:' || redemptions.id
  where state = 'in_doubt'`;

/** From look to look, until no doubt is left that anybody but a person can end. */
async function endDoubts(shops: Shops): Promise<void> {
  const { service, time, services } = shops;
  const read = (sql: string) =>
    look(service.disk.databasePath(), (file) => file.prepare(sql).pluck().get() as number | null);
  const isIdle = () => !service.isRunning() || !services.some(({ standIn }) => standIn.isBusy());
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    if (!(await time.passUntil(isIdle, ANSWERED_AT_LAST_MS))) break;
    await goOn(shops);
    const [pending, next] = [read(PENDING), read(NEXT)];
    if (pending === 0 && next === null) return;
    // What a stand-in still works on never meets a time that has leapt.
    if (pending === 0) time.skip(Math.max(0, (next ?? 0) - time.machine.now()));
    await time.passUntil(() => false, LOOKED_MS);
  }
  shops.amiss.push('a doubt does not end');
}
