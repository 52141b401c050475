// Orders side by side, over the real core: so many of an account and in all, and no place is lost.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { UNREACHED } from '../../../test/harness/platform.ts';
import type { Store } from '../../store/index.ts';
import type { ApiKeyActor, Core } from '../index.ts';
import { orderWake } from '../promises.ts';

const GAME = 'game_id_1';

let t: TestCore;
let core: Core;
/** What the platform has been asked for and has not answered, by account. */
let asked: Map<string, (() => void)[]>;
let most: { ofAccount: number; inAll: number };
let orders: number;

beforeEach(async () => {
  t = await openTestCore();
  core = t.core;
  await core.start();
  asked = new Map();
  most = { ofAccount: 0, inAll: 0 };
  orders = 0;
  t.platform.script.redeem = (order) => {
    const account = order.playerId.slice(0, 7);
    const { promise, resolve } = Promise.withResolvers<void>();
    asked.set(account, [...(asked.get(account) ?? []), resolve]);
    most.ofAccount = Math.max(most.ofAccount, countAsked(account));
    most.inAll = Math.max(most.inAll, countAsked());
    return promise.then(() => t.platform.redeemNow(order));
  };
});
afterEach(() => t.close());

const nameAccount = ({ accountId }: ApiKeyActor) => String(1_000_000 + accountId);
const countAsked = (account?: string) =>
  [...asked].reduce(
    (sum, [name, { length }]) => (account === undefined || account === name ? sum + length : sum),
    0,
  );
const countOf = (actor: ApiKeyActor) => countAsked(nameAccount(actor));
const answerOne = (actor: ApiKeyActor) => asked.get(nameAccount(actor))?.shift()?.();

async function stock(actor: ApiKeyActor, count: number) {
  await t.core.codes.add(actor, GAME, [
    { denomination: 60, codes: Array.from({ length: count }, () => makeCode()) },
  ]);
  return actor;
}

function place(actor: ApiKeyActor, many: number, count = 1): Promise<string[]> {
  return Promise.all(
    Array.from({ length: many }, async () => {
      orders += 1;
      const answer = await core.orders.place(actor, {
        ...{ gameId: GAME, playerId: `${nameAccount(actor)}${10_000 + orders}` },
        ...({ onShortage: 'refuse', onBadCode: 'replace', items: [{ denomination: 60, count }] } as const),
        idempotencyKey: { scope: 'http', key: `order-${orders}` },
      });
      if (answer.status !== 'placed') throw new Error(answer.status);
      return answer.order.id;
    }),
  );
}

/** What a busy machine has put off goes on, too. */
const comes = <T>(look: () => T) =>
  expect.poll(() => {
    t.clock.advance(20);
    return look();
  });
const isDone = (actor: ApiKeyActor, id: string) => core.orders.find(actor, id)?.state === 'done';

test('20 of an account are carried out side by side, 200 in all', async () => {
  const others = await Promise.all(Array.from({ length: 11 }, () => t.openAccount()));
  for (const actor of [t.actor, ...others]) await stock(actor, 48);
  const first = await place(t.actor, 24, 2);
  await comes(() => countOf(t.actor)).toBe(20);
  const placed = [{ actor: t.actor, ids: first }];
  for (const actor of others) placed.push({ actor, ids: await place(actor, 20) });
  await comes(() => countAsked()).toBe(200);
  const isOver = () => {
    t.clock.advance(1_000);
    for (const actor of [t.actor, ...others]) answerOne(actor);
    return placed.every(({ actor, ids }) => ids.every((id) => isDone(actor, id)));
  };
  await comes(isOver).toBe(true);
  expect(most).toEqual({ ofAccount: 20, inAll: 200 });
});

test('one that ends while it stands in the line takes no place', async () => {
  await stock(t.actor, 60);
  await place(t.actor, 20);
  const cancelled = await place(t.actor, 20);
  await comes(() => countOf(t.actor)).toBe(20);
  for (const id of cancelled) await t.core.orders.cancel(t.actor, id);
  const next = await place(t.actor, 20);
  for (let n = 0; n < 20; n += 1) answerOne(t.actor);
  await comes(() => countOf(t.actor)).toBe(20);
  for (let n = 0; n < 20; n += 1) answerOne(t.actor);
  await comes(() => next.every((id) => isDone(t.actor, id))).toBe(true);
});

test('one that the disk does not let in is let in as soon as it does', async () => {
  let wake = '';
  let failing = 3;
  const store: Store = {
    ...t.store,
    write: (work, options) =>
      t.store.write((tables) => {
        const isHeld = wake !== '' && failing > 0 && tables.tasks.isHeldFor(wake);
        const value = work(tables);
        if (!isHeld || tables.tasks.isHeldFor(wake)) return value;
        failing -= 1;
        throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
      }, options),
  };
  await stock(t.actor, 21);
  await core.stop(0);
  core = t.restart({ store });
  await core.start();
  await place(t.actor, 20);
  await comes(() => countOf(t.actor)).toBe(20);
  const [last = ''] = await place(t.actor, 1);
  wake = orderWake(t.store.read(({ orders }) => orders.findByName(last)?.id ?? 0));
  await comes(() => t.store.read(({ tasks }) => tasks.isHeldFor(wake))).toBe(true);
  answerOne(t.actor);
  await comes(() => countOf(t.actor)).toBe(20);
  expect(failing).toBe(0);
  for (let n = 0; n < 20; n += 1) answerOne(t.actor);
  await comes(() => isDone(t.actor, last)).toBe(true);
});

test('one whose pause is over while others have all places is let in by the end of one of them', async () => {
  await stock(t.actor, 21);
  const { redeem } = t.platform.script;
  t.platform.script.redeem = () => UNREACHED;
  const [paused = ''] = await place(t.actor, 1);
  await comes(() => core.orders.find(t.actor, paused)?.waitsFor).toBe('platform');
  t.platform.script.redeem = redeem;
  await place(t.actor, 20);
  await comes(() => countOf(t.actor)).toBe(20);
  t.clock.advance(5_000);
  await comes(() => core.orders.find(t.actor, paused)?.state).toBe('running');
  answerOne(t.actor);
  await comes(() => countOf(t.actor)).toBe(20);
  for (let n = 0; n < 20; n += 1) answerOne(t.actor);
  await comes(() => isDone(t.actor, paused)).toBe(true);
});
