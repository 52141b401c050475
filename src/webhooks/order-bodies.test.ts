// What programs are told of an order and of its codes, as the bodies that are sent: under which key it was placed, in
// which run it ended, whose a code is; and what the chat calls its orders is told to nobody.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import type { Core, WebhookEvent } from '../core/index.ts';
import { renderWebhookBody } from './bodies.ts';

const EVENTS: WebhookEvent[] = ['redemption.settled', 'order.settled', 'order.waiting'];
const GAME = 'game_id_1';

let t: TestCore;
let core: Core;
let hook: number;

beforeEach(async () => {
  t = await openTestCore();
  core = t.restart({ checkWebhookAddress: (url) => Promise.resolve({ url }) });
  await core.start();
  const answer = await core.webhooks.add(t.actor, { url: 'https://shop.example/hook', events: EVENTS });
  if (answer.status !== 'added') throw new Error(answer.status);
  hook = answer.webhook.id;
});
afterEach(() => t.close());

type Body = { type: string; data: Record<string, unknown> };
const bodies = () =>
  core.webhookDeliveries
    .listDue(hook, 100, new Set())
    .map((each) => JSON.parse(renderWebhookBody(each)) as Body);
const stock = () => core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
/** After some changes of it. */
async function comesTo(id: string, state: string): Promise<void> {
  const { find, waitForChange } = core.orders;
  const { signal } = new AbortController();
  for (let changes = 0; changes < 9 && find(t.actor, id)?.state !== state; changes += 1)
    await waitForChange(t.actor, id, 10_000, signal);
  expect(find(t.actor, id)?.state).toBe(state);
}

async function place(reference: string): Promise<string> {
  const answer = await core.orders.place(t.actor, {
    ...{ gameId: GAME, playerId: '5170925570', amount: 60, onShortage: 'wait', onBadCode: 'stop' },
    ...{ reference, idempotencyKey: { scope: 'http', key: 'payment-1' } },
  });
  if (answer.status !== 'placed') throw new Error(answer.status);
  return answer.order.id;
}

test('an order that waits, stops, and is resumed', async () => {
  const id = await place('INV-1001');
  await comesTo(id, 'waiting');
  const risk = { status: 'refused', errorCode: 'RISK_CONTROL', message: 'refused', asked: true } as const;
  t.platform.script.redeem = () => risk;
  await stock();
  await comesTo(id, 'stopped');
  delete t.platform.script.redeem;
  await core.orders.resume(t.actor, id, { idempotencyKey: { scope: 'http', key: 'again' } });
  await comesTo(id, 'done');
  const order = {
    type: 'Order',
    id,
    reference: 'INV-1001',
    idempotencyKey: 'payment-1',
    playerId: '5170925570',
  };
  const code = { orderId: id, reference: 'INV-1001' };
  expect(bodies()).toMatchObject([
    { type: 'order.waiting', data: { ...order, state: 'waiting', waitsFor: 'stock', run: 1 } },
    { type: 'redemption.settled', data: { type: 'ActivationError', errorCode: 'RISK_CONTROL', ...code } },
    { type: 'order.settled', data: { ...order, state: 'stopped', reason: 'RISK_CONTROL', run: 1 } },
    { type: 'redemption.settled', data: { type: 'ActivationReceipt', ...code } },
    { type: 'order.settled', data: { ...order, state: 'done', run: 2 } },
  ]);
});

test('of an order of the chat the reference is told to nobody', async () => {
  const id = await place('chat idididid');
  await stock();
  await comesTo(id, 'done');
  expect(core.orders.list(t.actor, {})).toMatchObject([{ id }]);
  const told = JSON.stringify([bodies(), core.orders.list(t.actor, {}), core.orders.find(t.actor, id)]);
  expect(told).not.toContain('reference');
});
