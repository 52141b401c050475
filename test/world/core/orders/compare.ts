// An order as the service tells it, held against its model: what its redemptions have come to says what it must be.
import type { OrderRecord } from '../../../../src/core/index.ts';
import type { Tables } from '../../../../src/store/index.ts';
import { look } from '../../run/rest.ts';
import {
  DENOMINATIONS,
  GAME,
  hasQuota,
  isPaused,
  natureOf,
  reader,
  type Shop,
  type ShopOrder,
} from './life.ts';
import { judgeOrder, type ModelStep } from './model.ts';

/** The redemptions of its player, the oldest first. */
function listSteps({ service }: Shop, playerId: string): ModelStep[] {
  const ids = look(
    service.disk.databasePath(),
    (file) =>
      file
        .prepare('select id from redemptions where player_id = ? order by id')
        .pluck()
        .all(playerId) as number[],
  );
  return ids.map((id) => {
    const row = service.store().read(({ redemptions }) => redemptions.get(id));
    const { state, errorCode, createdAt, settledAt, doubtedAt, code } = row;
    const isDoubted = doubtedAt !== null;
    return { id, state, errorCode, createdAt, settledAt, isDoubted, nature: natureOf(code ?? '') };
  });
}

/** It is what its model says, and what is promised is what rows say. */
export function compareOrder(shop: Shop, order: ShopOrder): void {
  const { service, platform, unknown } = shop;
  const told = service.core().orders.find(reader(shop), order.id);
  if (!told) throw new Error(`${order.id} is not there`);
  const spent = [...platform.spent.values()].filter(
    ({ code, playerId }) => playerId === order.playerId && !unknown.has(code),
  ).length;
  const require = (holds: boolean, words: string) => {
    if (!holds) throw new Error(`${words}, ${order.id}: ${JSON.stringify({ ...told, spent })}`);
  };
  const hasEnded = told.endedAt !== undefined;
  require(spent <= order.wanted.length, 'more was spent than wanted');
  require(told.state !== 'done' || spent === order.wanted.length, 'done without all');
  require(hasEnded === (told.waitsFor === undefined && told.state !== 'running'), 'ended or not');
  require(!hasEnded || told.open === 0, 'ended while open');
  require(told.state !== 'running', 'it runs, and nothing goes on');
  if (told.open === 0 && !order.isOfLostTime)
    require(told.redeemed.codes === spent, 'receipts are not codes');
  // The platform may have to tell first what a lost time has spent.
  const isUntold = told.waitsFor === 'platform' || told.reason === 'NETWORK_ERROR';
  if (order.isOfLostTime) return;
  if (isUntold && ((order.hasWaited ?? false) || service.store().lost !== undefined)) return;
  const ended = hasEnded ? JSON.stringify(told) : undefined;
  if (order.ended !== undefined) return require(order.ended === ended, 'it has changed after its end');
  order.ended = ended;
  const steps = listSteps(shop, order.playerId);
  const expected = judgeOrder(order, steps, readFacts(shop, order, steps));
  const isSame =
    told.state === expected.state &&
    (expected.state !== 'stopped' || expected.reasons.includes(told.reason ?? '')) &&
    (expected.state !== 'waiting' || expected.waitsFor.includes(told.waitsFor ?? '')) &&
    expected.failed === told.failed &&
    expected.codes === told.redeemed.codes;
  require(isSame, `expected ${JSON.stringify(expected)}`);
  if (!hasEnded) noteWait(shop, order, { what: told.waitsFor, steps: steps.length });
  else require(missing(told) === order.wanted.length - spent, 'what is missing');
}

/** What there is is promised to whoever wants it; half of it at most to those who wait where there is none. */
export function comparePromises({ service, accountId }: Shop): void {
  for (const denomination of DENOMINATIONS) {
    const stockKey = { accountId, gameId: GAME, denomination };
    service.store().read(({ stock, stockPauses, orderItems }) => {
      const [available, { count, patient }] = [
        stock.countAvailable(stockKey),
        orderItems.countPromised(stockKey),
      ];
      if (stockPauses.isPaused(stockKey) || available <= count) return;
      const isDue = ({ onShortage }: { onShortage: string }) =>
        onShortage === 'refuse' || patient < Math.ceil(available / 2);
      const due = orderItems.listWanting(stockKey, 100).find(isDue);
      if (due)
        throw new Error(
          `${available - count} of ${denomination} are promised to nobody, and wanted by ${due.orderId}`,
        );
    });
  }
}

function noteWait(
  { time }: Shop,
  order: ShopOrder,
  { what, steps }: { what: string | undefined; steps: number },
): void {
  const isCounted = what === 'stock' || what === 'quota';
  order.hasWaited ||= isCounted;
  if (!isCounted) Object.assign(order, { waits: undefined, waitedMs: 0 });
  else if (order.waits?.what !== what)
    Object.assign(order, { waits: { what, steps, at: time.machine.now() }, waitedMs: 0 });
}

const missing = (told: OrderRecord): number =>
  (told.missing ?? []).reduce((sum, each) => sum + ('n' in each ? 1 : each.count), 0);

function readFacts(shop: Shop, order: ShopOrder, steps: readonly ModelStep[]) {
  const { accountId, service, time } = shop;
  // What was begun meanwhile ended the waiting, though the same is waited for again.
  if (order.waits?.steps !== steps.length) Object.assign(order, { waits: undefined, waitedMs: 0 });
  if (order.waits) order.waitedMs = time.machine.now() - order.waits.at;
  const available = service.core().codes.countAvailable(reader(shop), GAME);
  const read = <T>(work: (tables: Tables) => T) => service.store().read(work);
  const orderId = read(({ orders }) => orders.findByName(order.id)?.id ?? 0);
  const find = (n: number) => read(({ orderItems }) => orderItems.list(orderId).find((item) => item.n === n));
  return {
    now: time.machine.now(),
    isOfThisProcess: (steps.at(-1)?.id ?? 0) > service.begunAfter(),
    hasStock: (denomination: number, n: number) =>
      !isPaused(shop, denomination) &&
      ((find(n)?.promised ?? 0) > 0 || (available.get(denomination) ?? 0) > 0),
    isBehind: (denomination: number) => {
      const stockKey = { accountId, gameId: GAME, denomination };
      const [oldest] = read(({ orderItems }) => orderItems.listWanting(stockKey, 1));
      return oldest !== undefined && oldest.orderId < orderId;
    },
    hasQuota: hasQuota(shop, 1),
  };
}
