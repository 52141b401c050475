// Random days of a shop that lives by orders, held against a plain model of them after every step. Every order has a
// player of its own, so that what the platform has spent for a player is what their order has cost.
import type { Core, OrderRequest } from '../../../../src/core/index.ts';
import { wakeWaiting } from '../../../../src/core/promises.ts';
import { bookUsage, findRoom } from '../../../../src/core/quota/usage.ts';
import type { PlatformOrder, RedeemOutcome } from '../../../../src/platform/port.ts';
import type { Tables } from '../../../../src/store/index.ts';
import { UNREACHED } from '../../../harness/platform.ts';
import type { Seeded } from '../../../harness/seeded.ts';
import { GOOD_MANNERS, type Manners } from '../../machine/platform.ts';
import { look, newestOf } from '../../run/rest.ts';
import { conserved } from '../books.ts';
import { rethrowUnlessGone } from '../service.ts';
import type { CoreWorld, Living } from '../world.ts';
import { compareOrder, comparePromises } from './compare.ts';
import { NATURES, type ModelOrder, type Nature } from './model.ts';

export const GAME = 'game_id_1';
export const DENOMINATIONS = [60, 325] as const;
const STRANGER = '7777777777';
const HOST = { kind: 'host', by: 'cli' } as const;
const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;
/** A lost time that is longer is only listed: who repeats an order of it begins it anew. */
const GIVEN_MS = 15 * 60_000;
/** What it has done it tells at once. */
const TELLING: Manners = { ...GOOD_MANNERS, worksOnReceipts: 0 };
/** So that whatever is asked of it once more after a restore is answered within a step. */
const QUICK_MS = 20;
const LOOKED_MS = 1_100;
const SWEPT_MS = 20_000;
const RESTS_WITHIN_MS = 10 * 60_000;
const MOST_COMMITS = 30;
const ODD: Nature[] = ['USED', 'NOBODY', 'INVALID', 'HIDES', 'SWALLOWS', 'STOLEN', 'RISK'];
const GIVEN: Nature[] = ['GOOD', 'USED', 'INVALID', 'HIDES'];

export interface ShopOrder extends ModelOrder {
  request: OrderRequest;
  apiKeyId: number;
  /** As what it has ended: that is final. */
  ended?: string | undefined;
  /** For stock or quota, after how many redemptions of it, and since when. */
  waits?: { what: string; steps: number; at: number } | undefined;
}

export interface Shop extends CoreWorld {
  accountId: number;
  /** Its keys, the revoked too. */
  keys: number[];
  orders: ShopOrder[];
  batches: number[];
  /** Of those that were ever added, the codes that a backup in place lacked: nothing tells that they are spent. */
  added: string[];
  unknown: Set<string>;
  /** The newest backup, when it was made, and of the orders that there were how far each was. */
  backup:
    { number: number; at: number; keys: number; orders: { marks: number; isOver: boolean }[] } | undefined;
}

/** A shop at a platform that makes of each code what its first letters say. */
export async function openShop(world: CoreWorld): Promise<Shop> {
  const { platform } = world;
  platform.manners = TELLING;
  if (world.fault !== 'slow platform') platform.answersInMs = () => QUICK_MS;
  platform.wayOf = decideByNature(world);
  platform.tellsOf = (code) => natureOf(code) !== 'NOBODY';
  const { accountId } = await ask(world, ({ accounts }) =>
    accounts.create(HOST, { name: 'Shop', days: 3650 }),
  );
  const known = { orders: [], batches: [], added: [], unknown: new Set<string>(), backup: undefined };
  return Object.assign(world, { accountId, keys: [1], ...known });
}

export async function openOrders(world: CoreWorld): Promise<Living> {
  const { platform } = world;
  const shop = await openShop(world);
  const acts: Record<keyof typeof WEIGHTS, (shop: Shop, random: Seeded) => Promise<void>> = {
    ...{ add, place, wait, cancel, resume, revoke, useUp, takeAway, backUp, goBack },
    switchPlatform(_, random) {
      platform.manners = { ...TELLING, isAway: random.chance(0.5) ? 1 : 0 };
      return Promise.resolve();
    },
    kill: restart,
  };
  return {
    async act(random) {
      const what = random.weigh(WEIGHTS);
      world.count(what);
      world.note(what);
      await acts[what](shop, random);
      await rest(shop);
      for (const order of shop.orders) compareOrder(shop, order);
      comparePromises(shop);
    },
    end: () => Promise.resolve(void world.amiss.push(...conserved(world))),
  };
}

const WEIGHTS = {
  ...{ add: 3, place: 4, wait: 2, cancel: 1, resume: 2, switchPlatform: 1, kill: 1, revoke: 1, useUp: 1 },
  ...{ takeAway: 1, backUp: 2, goBack: 3 },
};

export const natureOf = (code: string): Nature =>
  (Object.keys(NATURES) as Nature[]).find((nature) => code.startsWith(nature)) ?? 'GOOD';

export const makeOf = ({ next }: CoreWorld, nature: Nature): string =>
  `${nature}${String(next()).padStart(13, '0')}`;

/** What the platform makes of an order is told by how its code begins. */
function decideByNature({ platform }: CoreWorld) {
  const tried = new Set<string>();
  const refused = (errorCode: 'CODE_USED' | 'INVALID_CODE' | 'RISK_CONTROL') =>
    ({ status: 'refused', errorCode, message: '', asked: true }) as const;
  const steal = (code: string) => platform.redeemElsewhere(GAME, code, STRANGER);
  const decide = (
    nature: Nature,
    code: string,
    isFirst: boolean,
  ): keyof Manners | RedeemOutcome | undefined => {
    if (nature === 'NOBODY') return refused('CODE_USED');
    if (nature === 'INVALID') return refused('INVALID_CODE');
    if (nature === 'HIDES') return 'hidesSuccess';
    if (nature === 'USED' || (nature === 'STOLEN' && isFirst)) steal(code);
    if (nature === 'RISK' && isFirst) return refused('RISK_CONTROL');
    return isFirst && (nature === 'SWALLOWS' || nature === 'STOLEN') ? 'hidesFailure' : undefined;
  };
  return ({ code }: PlatformOrder) => {
    if (platform.manners.isAway > 0) return UNREACHED;
    const isFirst = !tried.has(code);
    tried.add(code);
    return decide(natureOf(code), code, isFirst);
  };
}

const actorOf = ({ accountId }: Shop, apiKeyId: number) => ({ kind: 'apiKey', accountId, apiKeyId }) as const;
const newestKey = ({ keys }: Shop): number => keys.at(-1) ?? 1;
export const reader = (shop: Shop) => actorOf(shop, newestKey(shop));

const isOver = (shop: Shop, id: string): boolean =>
  shop.service.core().orders.find(reader(shop), id)?.endedAt !== undefined;

const UNFINISHED = `select (select count(*) from redemptions where state = 'pending')
  + (select count(*) from tasks where task = 'order' and run_at <= ?) as count`;

/** Until nothing goes on by itself any more. */
export async function rest({ time, service, platform }: CoreWorld): Promise<void> {
  const isAtRest = () =>
    !service.isRunning() ||
    (platform.underWay() === 0 &&
      look(service.disk.databasePath(), (file) =>
        file.prepare(UNFINISHED).pluck().get(time.machine.now()),
      ) === 0);
  if (!(await time.passUntil(isAtRest, RESTS_WITHIN_MS))) throw new Error('Something goes on for ever.');
}

async function restart({ service }: CoreWorld): Promise<void> {
  service.kill();
  await service.within(service.start());
}

export async function pass(world: CoreWorld, ms: number): Promise<void> {
  world.time.skip(ms);
  await world.time.passUntil(() => false, LOOKED_MS);
  await rest(world);
}

/** In a process that is killed meanwhile, perhaps; then the next goes on. */
async function killedDuring(world: CoreWorld, random: Seeded, work: () => Promise<unknown>): Promise<void> {
  const { service } = world;
  service.diesIn = random.chance(1 / 3) ? 0 : 1 + random.below(MOST_COMMITS);
  await service.within(work().catch(rethrowUnlessGone));
  await rest(world);
  service.diesIn = 0;
  if (service.isRunning()) return;
  world.note('killed');
  world.count('killed at a commit');
  await service.within(service.start());
  await rest(world);
}

export const ask = <T>({ service }: CoreWorld, work: (core: Core) => Promise<T>): Promise<T> =>
  service.within(service.ask(work));

async function add(shop: Shop, random: Seeded): Promise<void> {
  const natures = Array.from({ length: 1 + random.below(4) }, () =>
    random.chance(0.6) ? 'GOOD' : random.pick(ODD),
  );
  const codes = natures.map((nature) => makeOf(shop, nature));
  const stock = [{ denomination: random.pick(DENOMINATIONS), codes }];
  const { batchId } = await ask(shop, (core) => core.codes.add(reader(shop), GAME, stock));
  shop.batches.push(batchId);
  shop.added.push(...codes);
}

const drawDeadline = ({ time }: CoreWorld, random: Seeded): number | undefined =>
  random.chance(0.5) ? undefined : time.machine.now() + random.pick([HOUR_MS / 2, 2 * HOUR_MS, 30 * HOUR_MS]);

async function place(shop: Shop, random: Seeded): Promise<void> {
  const isGiven = random.chance(0.2);
  const items: (number | Nature)[] = Array.from({ length: 1 + random.below(isGiven ? 3 : 4) }, () =>
    isGiven ? random.pick(GIVEN) : random.pick(DENOMINATIONS),
  );
  const n = shop.next();
  const terms = {
    onShortage: random.pick(['refuse', 'wait'] as const),
    onBadCode: random.pick(['replace', 'replace', 'stop'] as const),
  };
  const [playerId, apiKeyId, deadline] = [
    String(5_170_000_000 + n),
    newestKey(shop),
    drawDeadline(shop, random),
  ];
  const request: OrderRequest = {
    ...{ gameId: GAME, playerId, ...terms, idempotencyKey: { scope: 'http', key: `INV-${n}` } },
    items: items.map((item) =>
      typeof item === 'number' ? { denomination: item, count: 1 } : { code: makeOf(shop, item) },
    ),
    ...(deadline !== undefined && { deadline }),
  };
  shop.note(JSON.stringify(request));
  const placedAt = shop.time.machine.now();
  const isThere = terms.onShortage === 'wait' || hasAll(shop, items);
  const send = (core: Core) => core.orders.place(actorOf(shop, apiKeyId), request);
  await killedDuring(shop, random, () => shop.service.ask(send));
  const answer = await ask(shop, send);
  if ((answer.status === 'placed') !== isThere) throw new Error(`It was ${answer.status}.`);
  if (answer.status !== 'placed') return;
  const wanted = items.map((item) => (typeof item === 'number' ? item : null));
  shop.orders.push({
    ...{ id: answer.order.id, playerId, wanted, onBadCode: terms.onBadCode, deadline, marks: [] },
    ...{ isOfLostTime: false, waitedMs: 0, placedAt, request, apiKeyId },
  });
}

function hasAll(shop: Shop, items: readonly (number | Nature)[]): boolean {
  const available = shop.service.core().codes.countAvailable(reader(shop), GAME);
  return (
    DENOMINATIONS.every((denomination) => {
      const count = items.filter((item) => item === denomination).length;
      return count === 0 || (!isPaused(shop, denomination) && count <= (available.get(denomination) ?? 0));
    }) && hasQuota(shop, items.length)
  );
}

export const isPaused = ({ service, accountId }: Shop, denomination: number): boolean =>
  service.store().read(({ stockPauses }) => stockPauses.isPaused({ accountId, gameId: GAME, denomination }));
export const hasQuota = (shop: Shop, count: number): boolean =>
  shop.service.core().quota(reader(shop)).daily.remaining >= count;
const pickFrom = <T>(from: readonly T[], random: Seeded): T | undefined =>
  from.length === 0 ? undefined : random.pick(from);
const findNewest = ({ service }: CoreWorld): number => newestOf(service, 'redemptions');

async function cancel(shop: Shop, random: Seeded): Promise<void> {
  const order = pickFrom(shop.orders, random);
  if (!order) return;
  const send = (core: Core) => core.orders.cancel(reader(shop), order.id);
  if (isOver(shop, order.id)) return void (await ask(shop, send));
  order.marks.push({ what: 'cancel', after: findNewest(shop) });
  await killedDuring(shop, random, () => shop.service.ask(send));
  await ask(shop, send);
}

async function resume(shop: Shop, random: Seeded): Promise<void> {
  const ended = shop.orders.filter(({ id }) => isOver(shop, id));
  const order = pickFrom(ended, random);
  if (!order) return;
  const [apiKeyId, deadline] = [newestKey(shop), drawDeadline(shop, random)];
  const idempotencyKey = { scope: 'http', key: `resume-${shop.next()}` } as const;
  const request = { idempotencyKey, ...(deadline !== undefined && { deadline }) };
  const send = (core: Core) => core.orders.resume(actorOf(shop, apiKeyId), order.id, request);
  const isStopped = shop.service.core().orders.find(reader(shop), order.id)?.state === 'stopped';
  if (isStopped) {
    const after = findNewest(shop);
    order.marks.push({ what: 'allow', after }, { what: 'resume', after, deadline });
    Object.assign(order, { apiKeyId, waitedMs: 0, waits: undefined, ended: undefined });
  }
  await killedDuring(shop, random, () => shop.service.ask(send));
  const answer = await ask(shop, send);
  if ((answer?.status === 'resumed') !== isStopped) throw new Error(`${order.id} was ${answer?.status}.`);
}

async function wait(shop: Shop, random: Seeded): Promise<void> {
  const ms = random.pick([10_000, QUARTER_MS, HOUR_MS + 1_000, 25 * HOUR_MS]);
  shop.note(`${ms} ms`);
  await killedDuring(shop, random, () => Promise.resolve(shop.time.skip(ms)));
  await pass(shop, 0);
}

async function revoke(shop: Shop): Promise<void> {
  const { accountId, keys, service, time } = shop;
  const now = time.machine.now();
  const old = newestKey(shop);
  const fresh = {
    accountId,
    digest: Buffer.from(`key ${keys.length}`),
    prefix: 'crs_',
    createdBy: 'host:cli',
    now,
  };
  const id = await service.within(
    service.store().write((tables) => {
      tables.apiKeys.revoke(accountId, old, now);
      wakeWaiting(tables, accountId, `apiKey:${old}`, now);
      return tables.apiKeys.insert(fresh);
    }),
  );
  keys.push(id);
  const after = findNewest(shop);
  for (const order of shop.orders)
    if (order.apiKeyId === old && !isOver(shop, order.id)) order.marks.push({ what: 'revoke', after });
  await pass(shop, QUARTER_MS);
}

/** Perhaps before others want stock, and get some: they wait for the quota then, with a promise or without one. */
async function useUp(shop: Shop, random: Seeded): Promise<void> {
  const { service, accountId, time } = shop;
  const [times, now] = [random.pick([3, 290, 300]), time.machine.now()];
  await service.within(
    service.store().write((tables) => {
      for (let count = 0; count < times; count += 1) {
        const room = findRoom(tables, { accountId }, 'redemptionTime', now);
        if (room.status === 'quotaExceeded') return;
        bookUsage(tables, room, now);
      }
    }),
  );
  if (random.chance(0.5)) for (const act of [place, place, place, add]) await act(shop, random);
}

/** What others take: never what is promised. */
async function takeAway(shop: Shop, random: Seeded): Promise<void> {
  const { service, batches, time } = shop;
  const [what, denomination] = [random.pick(['redeem', 'extract', 'undo']), random.pick(DENOMINATIONS)];
  const actor = reader(shop);
  const free = service.core().codes.countAvailable(actor, GAME).get(denomination) ?? 0;
  if (what === 'undo') {
    const taking = (tables: Tables) =>
      tables.batches.takeBack(pickFrom(batches, random) ?? 0, Buffer.alloc(0), 1_000, time.machine.now());
    return void (await service.within(service.store().write(taking)));
  }
  if (what === 'extract') {
    const { codes } = await ask(shop, (core) =>
      core.codes.extract(actor, { gameId: GAME, denomination, amount: 2 }),
    );
    if (codes.length > free) throw new Error('More was handed out than is free.');
    return;
  }
  const request = { gameId: GAME, playerId: String(6_000_000_000 + shop.next()), denomination };
  const told = await ask(shop, (core) => core.redeem(actor, request));
  const began = told.status === 'answered' && told.redemption.errorCode !== 'NO_CODES_AVAILABLE';
  if (began && free === 0) throw new Error('What is promised was taken.');
}

async function backUp(shop: Shop): Promise<void> {
  const { number, wrong } = await shop.service.within(shop.service.backUp());
  shop.amiss.push(...wrong);
  const orders = shop.orders.map(({ id, marks }) => ({ marks: marks.length, isOver: isOver(shop, id) }));
  shop.backup = { number, at: shop.time.machine.now(), keys: shop.keys.length, orders };
}

export async function replaceBy(world: CoreWorld, backup: number): Promise<void> {
  const { service } = world;
  service.kill();
  service.wipe();
  service.restore(backup);
  await service.within(service.start());
  await rest(world);
}

/** After that the platform was asked about all of the stock. */
export async function passTheSweep(world: CoreWorld, ms: number): Promise<void> {
  await pass(world, ms);
  await world.time.passUntil(() => false, SWEPT_MS);
  await rest(world);
}

/** The machine is lost: whoever ordered in the lost time repeats it, where that was short enough, and goes on with the rest. */
async function goBack(shop: Shop, random: Seeded): Promise<void> {
  const { backup, orders, time } = shop;
  if (!backup) return;
  shop.count('restores');
  const isShort = time.machine.now() - backup.at <= GIVEN_MS;
  await replaceBy(shop, backup.number);
  noteUnknown(shop);
  Object.assign(shop, { backup: undefined, keys: shop.keys.slice(0, backup.keys) });
  shop.orders = orders.filter((order, index) => {
    const before = backup.orders[index];
    order.isOfLostTime ||= before?.isOver !== true || before.marks !== order.marks.length;
    return before !== undefined;
  });
  for (const order of isShort ? orders.slice(backup.orders.length) : []) {
    const answer = await ask(shop, (core) => core.orders.place(reader(shop), order.request));
    if (answer.status === 'placed') shop.orders.push({ ...order, id: answer.order.id });
  }
  await rest(shop);
  await passTheSweep(shop, QUARTER_MS);
  if (random.chance(0.5)) return;
  for (const { id } of shop.orders.filter((order) => order.isOfLostTime)) {
    const idempotencyKey = { scope: 'http', key: `resume-${shop.next()}` } as const;
    await ask(shop, (core) => core.orders.resume(reader(shop), id, { idempotencyKey }));
    await rest(shop);
  }
  await pass(shop, QUARTER_MS);
}

/** What was added after the backup is in no stock: that it is spent nobody can know, and an order that wants it takes another. */
function noteUnknown({ service, added, unknown }: Shop): void {
  const { seals } = service.store();
  look(service.disk.databasePath(), (file) => {
    const isKnown = file.prepare('select 1 from codes where code_hash = ?');
    for (const code of added) if (isKnown.get(seals.hash(GAME, code)) === undefined) unknown.add(code);
  });
}
