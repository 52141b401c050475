// The real core under orders beside their model, and the comparison of both. Every order has a player of its own, so
// that what the platform has spent for a player is what their order has cost.
import { checkConservation } from '../../../src/store/backup/conservation.ts';
import type { Core, OrderRecord, OrderRequest } from '../../../src/core/index.ts';
import type { Tables } from '../../../src/store/index.ts';
import type { PlatformOrder, RedeemOutcome } from '../../../src/platform/port.ts';
import { makeCode } from '../../harness/core.ts';
import { createScriptedPlatform, UNREACHED, type ScriptedPlatform } from '../../harness/platform.ts';
import {
  judgeOrder,
  NATURES,
  type ModelOrder,
  type ModelStep,
  type Nature,
} from '../../world/core/orders/model.ts';
import { openProcesses, type Processes } from './process.ts';

export const GAME = 'game_id_1';
export const DENOMINATIONS = [60, 325] as const;
const STRANGER = '7777777777';
const HOST = { kind: 'host', by: 'cli' } as const;

interface WorldOrder extends ModelOrder {
  request: OrderRequest;
  apiKeyId: number;
  /** As what it has ended: that is final. */
  ended?: string | undefined;
  /** For stock or quota, after how many redemptions of it, and since when. */
  waits?: { what: string; steps: number; at: number } | undefined;
}

export interface OrderWorld extends Processes {
  /** `namesNobody`: of a code that is redeemed it tells the openid of the player alone. */
  platform: ScriptedPlatform & { isDown: boolean; namesNobody: boolean };
  accountId: number;
  /** Its keys, the revoked too. */
  keys: number[];
  orders: WorldOrder[];
  batches: number[];
  /** Of those that were ever added, the codes that a backup in place lacked: nothing tells that they are spent. */
  added: string[];
  unknown: Set<string>;
  /** When the newest backup was made, and of the orders that there were how far each was. */
  backup: { at: number; keys: number; orders: { marks: number; isOver: boolean }[] } | undefined;
  made: number;
}

export async function openOrderWorld(): Promise<OrderWorld> {
  let platform: OrderWorld['platform'] | undefined;
  const processes = openProcesses((now) => (platform = createPlatform(now)));
  if (!platform) throw new Error('There is no platform.');
  const { accountId } = await processes.core().accounts.create(HOST, { name: 'Shop', days: 3650 });
  await processes.core().start();
  const world = { orders: [], batches: [], backup: undefined, made: 0, keys: [1] };
  const codes = { added: [], unknown: new Set<string>() };
  return { ...processes, platform, accountId, ...world, ...codes };
}

const natureOf = (code: string): Nature =>
  (Object.keys(NATURES) as Nature[]).find((nature) => code.startsWith(nature)) ?? 'GOOD';

export const makeOf = (nature: Nature): string => makeCode(nature);

function createPlatform(now: () => number): OrderWorld['platform'] {
  const scripted = createScriptedPlatform(now);
  const platform = Object.assign(scripted, { isDown: false, namesNobody: false });
  const tried = new Set<string>();
  const refused = (errorCode: 'CODE_USED' | 'INVALID_CODE' | 'RISK_CONTROL') =>
    ({ status: 'refused', errorCode, message: '', asked: true }) as const;
  const SILENCE: RedeemOutcome = { status: 'unknown', errorCode: 'UNKNOWN', message: '' };

  platform.script.redeem = (order: PlatformOrder): RedeemOutcome => {
    if (platform.isDown) return UNREACHED;
    const isFirst = !tried.has(order.code);
    tried.add(order.code);
    switch (natureOf(order.code)) {
      case 'NOBODY':
        return refused('CODE_USED');
      case 'INVALID':
        return refused('INVALID_CODE');
      case 'RISK':
        return isFirst ? refused('RISK_CONTROL') : platform.redeemNow(order);
      case 'USED':
        if (!platform.spent.has(order.code)) spendFor(STRANGER, order.code);
        return platform.redeemNow(order);
      case 'HIDES':
        platform.redeemNow(order);
        return SILENCE;
      case 'SWALLOWS':
        return isFirst ? SILENCE : platform.redeemNow(order);
      case 'STOLEN':
        if (isFirst) spendFor(STRANGER, order.code);
        return isFirst ? SILENCE : platform.redeemNow(order);
      default:
        return platform.redeemNow(order);
    }
  };
  platform.script.findCode = (code) => {
    const found = platform.spent.get(code);
    if (platform.isDown || natureOf(code) === 'NOBODY') return { status: 'unreachable', message: '' };
    if (!found) return { status: 'notRedeemed' };
    const { playerId, redeemedAt } = found;
    const told = { toldAt: now(), expiresAt: redeemedAt + 1, channelName: 'test', productName: '60' };
    const who = { openid: `open-${playerId}`, ...(!platform.namesNobody && { playerId }) };
    return { status: 'redeemed', redeemedAt, ...told, ...who, amount: 60 };
  };
  const spendFor = (playerId: string, code: string) =>
    void platform.spent.set(code, { playerId, redeemedAt: now() });
  return platform;
}

export const actorOf = ({ accountId }: OrderWorld, apiKeyId: number) =>
  ({ kind: 'apiKey', accountId, apiKeyId }) as const;

export const reader = (world: OrderWorld): Parameters<Core['orders']['find']>[0] =>
  actorOf(world, newestKey(world));

export const newestKey = ({ keys }: OrderWorld): number => keys.at(-1) ?? 1;

/** The redemptions of its player, the oldest first. */
function listSteps(world: OrderWorld, playerId: string): ModelStep[] {
  const ids = world
    .reader()
    .prepare('select id from redemptions where player_id = ? order by id')
    .pluck()
    .all(playerId);
  return (ids as number[]).map((id) => {
    const row = world.store().read(({ redemptions }) => redemptions.get(id));
    const { state, errorCode, createdAt, settledAt, doubtedAt } = row;
    return {
      id,
      state,
      errorCode,
      createdAt,
      settledAt,
      isDoubted: doubtedAt !== null,
      nature: natureOf(row.code ?? ''),
    };
  });
}

const require = (holds: boolean, words: string) => {
  if (!holds) throw new Error(words);
};

/** Every order is what its model says, and what is promised is what rows say. */
export function compareOrders(world: OrderWorld): void {
  for (const order of world.orders) compareOrder(world, order);
}

export function checkDrift(world: OrderWorld): void {
  const drift = checkConservation(world.reader(), { secrets: world.store().secrets }).rows;
  require(drift.length === 0, `drift: ${JSON.stringify(drift)}`);
}

function compareOrder(world: OrderWorld, order: WorldOrder): void {
  const told = world.core().orders.find(reader(world), order.id);
  require(told !== undefined, `${order.id} is not there`);
  if (!told) return;
  const spent = [...world.platform.spent].filter(
    ([code, { playerId }]) => playerId === order.playerId && !world.unknown.has(code),
  ).length;
  const words = `${order.id}: ${JSON.stringify({ ...told, spent })}`;
  require(spent <= order.wanted.length, `more was spent than wanted, ${words}`);
  require(told.state !== 'done' || spent === order.wanted.length, `done without all, ${words}`);
  require((told.endedAt !== undefined) ===
    (told.waitsFor === undefined && told.state !== 'running'), `ended or not, ${words}`);
  require(told.endedAt === undefined || told.open === 0, `ended while open, ${words}`);
  require(told.state !== 'running', `it runs, and nothing goes on, ${words}`);
  if (told.open === 0 && !order.isOfLostTime)
    require(told.redeemed.codes === spent, `receipts are not codes, ${words}`);
  // The platform may have to tell first what a lost time has spent.
  const isUntold = told.waitsFor === 'platform' || told.reason === 'NETWORK_ERROR';
  if (
    order.isOfLostTime ||
    (isUntold && (order.hasWaited ?? false)) ||
    (isUntold && world.store().lost !== undefined)
  )
    return;
  const ended = told.endedAt === undefined ? undefined : JSON.stringify(told);
  if (order.ended !== undefined)
    return require(order.ended === ended, `it has changed after its end, ${words}`);
  order.ended = ended;
  const steps = listSteps(world, order.playerId);
  // What was begun meanwhile ended the waiting, though the same is waited for again.
  if (order.waits?.steps !== steps.length) Object.assign(order, { waits: undefined, waitedMs: 0 });
  if (order.waits) order.waitedMs = world.clock.now() - order.waits.at;
  const isOfThisProcess = (steps.at(-1)?.id ?? 0) > world.begunAfter();
  const expected = judgeOrder(order, steps, { ...readFacts(world, order), isOfThisProcess });
  const { state, reason, waitsFor } = told;
  const isSame =
    state === expected.state &&
    (expected.state !== 'stopped' || expected.reasons.includes(reason ?? '')) &&
    (expected.state !== 'waiting' || expected.waitsFor.includes(waitsFor ?? '')) &&
    expected.failed === told.failed &&
    expected.codes === told.redeemed.codes;
  require(isSame, `expected ${JSON.stringify(expected)}, ${words}`);
  if (told.endedAt === undefined) noteWait(world, order, { what: told.waitsFor, steps: steps.length });
  if (told.endedAt !== undefined)
    require(missing(told) === order.wanted.length - spent, `what is missing, ${words}`);
}

function noteWait(
  { clock }: OrderWorld,
  order: WorldOrder,
  { what, steps }: { what: string | undefined; steps: number },
): void {
  const isCounted = what === 'stock' || what === 'quota';
  order.hasWaited ||= isCounted;
  if (!isCounted) Object.assign(order, { waits: undefined, waitedMs: 0 });
  else if (order.waits?.what !== what)
    Object.assign(order, { waits: { what, steps, at: clock.now() }, waitedMs: 0 });
}

const missing = (told: OrderRecord): number =>
  (told.missing ?? []).reduce((sum, each) => sum + ('n' in each ? 1 : each.count), 0);

function readFacts(world: OrderWorld, order: ModelOrder) {
  const { accountId } = world;
  const available = world.core().codes.countAvailable(reader(world), GAME);
  const orderId = world.store().read(({ orders }) => orders.findByName(order.id)?.id ?? 0);
  const find = (n: number) =>
    world.store().read(({ orderItems }) => orderItems.list(orderId).find((item) => item.n === n));
  return {
    now: world.clock.now(),
    hasStock: (denomination: number, n: number) =>
      !world
        .store()
        .read(({ stockPauses }) => stockPauses.isPaused({ accountId, gameId: GAME, denomination })) &&
      ((find(n)?.promised ?? 0) > 0 || (available.get(denomination) ?? 0) > 0),
    isBehind: (denomination: number) => {
      const wanting = ({ orderItems }: Tables) =>
        orderItems.listWanting({ accountId, gameId: GAME, denomination }, 1);
      const [oldest] = world.store().read(wanting);
      return oldest !== undefined && oldest.orderId < orderId;
    },
    hasQuota: world.core().quota(reader(world)).daily.remaining >= 1,
  };
}
