// What an order waits for over the real core: quota, a subscription, a key that still redeems; who is told, and what
// becomes of its promise meanwhile.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { HOUR_MS, MINUTE_MS } from '../../clock.ts';
import type { AccountActor, Core, OrderRequest } from '../index.ts';
import type { PlaceAnswer } from './place.ts';

const GAME = 'game_id_1';
const HOST = { kind: 'host', by: 'cli' } as const;

let t: TestCore;
let core: Core;
let keys = 0;

beforeEach(async () => {
  t = await openTestCore();
  core = t.restart({ checkWebhookAddress: (url) => Promise.resolve({ url }) });
  await core.start();
});
afterEach(() => t.close());

const stock = (count: number) =>
  core.codes.add(t.actor, GAME, [
    { denomination: 60, codes: Array.from({ length: count }, () => makeCode()) },
  ]);
const nextKey = () => ({ scope: 'http', key: `key-${(keys += 1)}` }) as const;

function place(count: number, asked: Partial<OrderRequest> = {}, actor: AccountActor = t.actor) {
  return core.orders.place(actor, {
    ...{ gameId: GAME, playerId: '5170925570', items: [{ denomination: 60, count }] },
    ...{ onShortage: 'wait', onBadCode: 'replace', deadline: t.clock.now() + 7 * DAY_MS },
    ...{ idempotencyKey: nextKey(), ...asked },
  });
}

function idOf(answer: PlaceAnswer): string {
  if (answer.status !== 'placed') throw new Error(`It was not placed: ${answer.status}.`);
  return answer.order.id;
}

const find = (id: string) => core.orders.find(t.actor, id);
const comesTo = (id: string, state: string) => expect.poll(() => find(id)?.state).toBe(state);
const waitsFor = (id: string, what: string) => expect.poll(() => find(id)?.waitsFor).toBe(what);
const available = () => core.codes.countAvailable(t.actor, GAME).get(60);

/** For what it was told to wait, in turn. */
async function listen(): Promise<() => unknown[]> {
  const events = ['order.waiting'] as const;
  const answer = await core.webhooks.add(t.actor, { url: 'https://shop.example/hook', events });
  if (answer.status !== 'added') throw new Error(answer.status);
  const { id } = answer.webhook;
  return () =>
    core.webhookDeliveries
      .listDue(id, 100, new Set())
      .map(({ fact }) => (fact.type === 'order.waiting' ? fact.order.waitsFor : fact.type));
}

const useUp = (daily: number, agoMs: number) =>
  t.store.write((tables) => {
    const at = t.clock.monotonicNow() - agoMs;
    tables.quota.roll(t.actor.accountId, at - DAY_MS);
    const booked = { accountId: t.actor.accountId, at, start: at - DAY_MS, daily: 4, purchased: 0 };
    for (let n = 0; n < daily; n += 1) tables.quota.book({ ...booked, kind: 'redeem' });
  });

test('for quota: what is promised to it is so for an hour, and it goes on when there is quota again', async () => {
  t.allowDrift();
  const told = await listen();
  await stock(5);
  await useUp(299, 22 * HOUR_MS);
  const id = idOf(await place(3));
  await waitsFor(id, 'quota');
  expect([find(id)?.redeemed.codes, available()]).toEqual([1, 2]);
  t.clock.advance(59 * MINUTE_MS);
  await expect
    .poll(() => t.store.read(({ orders }) => orders.findByName(id)?.lookAt))
    .toBeGreaterThan(t.clock.now());
  expect(available()).toBe(2);
  t.clock.advance(2 * MINUTE_MS);
  await expect.poll(available).toBe(4);
  expect(find(id)?.waitsFor).toBe('quota');
  t.clock.advance(HOUR_MS);
  await comesTo(id, 'done');
  expect(told()).toEqual(['quota']);
});

test('for a subscription, and it is told each time that it begins to wait', async () => {
  const told = await listen();
  const id = idOf(await place(1));
  await waitsFor(id, 'stock');
  const { accountId } = t.actor;
  const endsIn = 30 * DAY_MS;
  await t.store.write(({ accounts }) => accounts.shortenSubscription(accountId, endsIn, t.clock.now()));
  await stock(1);
  await waitsFor(id, 'subscription');
  await t.store.write(({ accounts }) => accounts.extendSubscription(accountId, endsIn, t.clock.now()));
  t.clock.advance(MINUTE_MS);
  await comesTo(id, 'done');
  expect(told()).toEqual(['stock', 'subscription']);
});

test('one whose key was revoked stops, and another key resumes it', async () => {
  const { accountId } = t.actor;
  const issue = async () => {
    const { id } = await core.apiKeys.forHost.issue(HOST, { accountId });
    return { kind: 'apiKey', accountId, apiKeyId: id } as const;
  };
  const [first, other] = [await issue(), await issue()];
  const id = idOf(await place(1, {}, first));
  await waitsFor(id, 'stock');
  await core.apiKeys.forHost.revoke(HOST, first.apiKeyId);
  await comesTo(id, 'stopped');
  await stock(1);
  expect([find(id)?.reason, available(), t.platform.orders.length]).toEqual(['KEY_REVOKED', 1, 0]);
  const resume = (actor: AccountActor) => core.orders.resume(actor, id, { idempotencyKey: nextKey() });
  await expect(resume(first)).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  expect(await resume(other)).toMatchObject({ status: 'resumed', order: { run: 2 } });
  await comesTo(id, 'done');
});

test.each<[string, (owner: AccountActor, telegramId: number) => Promise<unknown>]>([
  ['is removed', (owner, telegramId) => core.members.remove(owner, telegramId)],
  ['may redeem no more', (owner, telegramId) => core.members.changeRole(owner, telegramId, 'support')],
  ['is in an account that is closed', ({ accountId }) => core.accounts.suspend(HOST, accountId, 'close')],
])('what a person ordered stops at once where they %s', async (_, end) => {
  const { accountId } = t.actor;
  const made = ['owner', 'operator'] as const;
  await t.store.write(({ members }) => {
    for (const [at, role] of made.entries())
      members.insert({ telegramId: 7 + at, accountId, role, name: role, username: null, now: at });
  });
  const [owner, operator] = made.map((role, at) => ({
    ...{ kind: 'member' as const, accountId, telegramId: 7 + at, role },
  }));
  if (!owner || !operator) throw new Error('nobody');
  const [id, others] = [idOf(await place(1, {}, operator)), idOf(await place(1, {}, owner))];
  await waitsFor(others, 'stock');
  await end(owner, operator.telegramId);
  await comesTo(id, 'stopped');
  expect(find(id)?.reason).toBe('FORBIDDEN');
});

test('a thousand of an account that have not ended are the most', async () => {
  const { accountId } = t.actor;
  await t.store.write(({ orders }) => {
    for (let n = 1; n < 1_000; n += 1)
      orders.insert({
        ...{ name: `ord_${n}`, accountId, actor: 'apiKey:1', gameId: GAME, playerId: '5170925570' },
        ...{ playerName: null, reference: null, onShortage: 'wait', onBadCode: 'stop', deadline: null },
        ...{ key: `key ${n}`, now: 0 },
      });
  });
  const id = idOf(await place(1));
  expect(await place(1)).toEqual({ status: 'tooManyOrders' });
  await core.orders.cancel(t.actor, id);
  expect((await place(1)).status).toBe('placed');
});
