// What addresses are owed, and when: every fact once, in its transaction; attempts for three days, then off.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listNotices } from '../../../test/harness/notices.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { Core, DueDelivery, WebhookEvent } from '../index.ts';
import { momentOf } from '../../clock.ts';
import { pruneDeliveries } from './webhook-deliveries.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const PLAYER = '5124780131';

let t: TestCore;
let core: Core;
let id: number;
beforeEach(async () => {
  t = await openTestCore();
  core = restart();
  id = await add(['redemption.settled', 'stock.low', 'quota.used', 'subscription.ending']);
});
afterEach(() => t.close());

const restart = () => t.restart({ checkWebhookAddress: (url) => Promise.resolve({ url }) });
let made = 0;
async function add(events: WebhookEvent[]): Promise<number> {
  const answer = await core.webhooks.add(t.actor, { url: `https://shop.example/${(made += 1)}`, events });
  if (answer.status !== 'added') throw new Error(answer.status);
  return answer.webhook.id;
}
const due = (webhookId = id): DueDelivery[] => core.webhookDeliveries.listDue(webhookId, 100, new Set());
/** What is owed, by type; of redemptions also how they ended. */
const owed = (webhookId = id) =>
  due(webhookId).map(({ fact }) =>
    fact.type === 'redemption.settled'
      ? `${fact.redemption.id} ${fact.redemption.errorCode ?? 'redeemed'}`
      : fact.type,
  );
const direct = (code = makeCode(), key?: string) =>
  core.redeem(t.actor, {
    gameId: 'game_id_2',
    playerId: PLAYER,
    code,
    ...(key !== undefined && { idempotencyKey: { scope: 'http', key } as const }),
  });
const report = (problem?: string, startedAt = t.clock.now()) =>
  core.webhookDeliveries.report(due()[0]!, { startedAt, ...(problem !== undefined && { problem }) });

describe('the end of a redemption', () => {
  test('is owed once for each, whatever the end: redeemed, refused by the platform, refused by us', async () => {
    await direct();
    t.platform.script.redeem = () => ({
      status: 'refused',
      errorCode: 'INVALID_CODE',
      message: '',
      asked: true,
    });
    await direct();
    await direct('no code');
    await core.redeem(t.actor, { gameId: 'game_id_1', playerId: PLAYER, denomination: 60 });
    expect(owed()).toEqual(['1 redeemed', '2 INVALID_CODE', '3 INVALID_CODE', '4 NO_CODES_AVAILABLE']);
  });

  test('is owed when a doubt ends, not when it begins; its duplicates with it', async () => {
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
    const code = makeCode();
    await direct(code);
    await direct(code);
    expect(owed()).toEqual([]);
    t.platform.script.findCode = () => ({ status: 'notRedeemed' });
    for (let step = 0; step < 20; step += 1) {
      t.clock.advance(HOUR_MS);
      await core.settleDoubts();
    }
    expect(owed()).toEqual(['1 UNKNOWN', '2 NETWORK_ERROR']);
  });

  test('is owed for one that a dead process left open, when the next settles it', async () => {
    t.platform.script.redeem = () => new Promise(() => undefined);
    void direct();
    await t.until(() => t.core.health.countOpen().pending === 1);
    await core.stop(0);
    core = restart();
    await core.start();
    t.platform.script.findCode = () => ({ status: 'notRedeemed' });
    for (let step = 0; step < 20; step += 1) {
      t.clock.advance(HOUR_MS);
      await core.settleDoubts();
    }
    expect(owed()).toEqual(['1 UNKNOWN']);
  });

  test('tells the record as it stands, and the key of its request as it was sent', async () => {
    await direct(makeCode(), 'order-7');
    await direct();
    const [named, unnamed] = due().map(({ fact }) => fact);
    expect(named).toMatchObject({ idempotencyKey: 'order-7', redemption: { id: 1, state: 'redeemed' } });
    expect(unnamed).not.toHaveProperty('idempotencyKey');
  });

  test("the key of an order in the chat is nobody else's business", async () => {
    const order = { gameId: 'game_id_2', playerId: PLAYER, code: makeCode() };
    await core.redeem(t.actor, { ...order, idempotencyKey: { scope: 'chat', key: 'confirmation' } });
    expect(owed()).toEqual(['1 redeemed']);
    expect(due()[0]?.fact).not.toHaveProperty('idempotencyKey');
  });

  test('a repeated request owes nothing again', async () => {
    const code = makeCode();
    await direct(code, 'order-7');
    await direct(code, 'order-7');
    expect(owed()).toHaveLength(1);
  });
});

describe('other facts', () => {
  test('low stock is owed with what is left', async () => {
    await core.codes.add(t.actor, 'game_id_1', [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
    await t.store.write((tables) =>
      tables.stock.setAlert({
        accountId: t.actor.accountId,
        gameId: 'game_id_1',
        denomination: 60,
        threshold: 2,
      }),
    );
    await core.redeem(t.actor, { gameId: 'game_id_1', playerId: PLAYER, denomination: 60 });
    const facts = due().map(({ fact }) => fact);
    expect(facts).toContainEqual({
      type: 'stock.low',
      gameId: 'game_id_1',
      denomination: 60,
      available: 1,
      threshold: 2,
    });
  });

  test('the quota is owed at 80 and at 100 %, once each', async () => {
    for (let n = 0; n < 300; n += 1) await direct();
    const told = core.webhooks
      .listDeliveries(t.actor, id, {}, 1_000)
      .filter(({ type }) => type === 'quota.used');
    expect(told).toHaveLength(2);
  });

  test('the end of the subscription is owed', async () => {
    await core.start();
    t.clock.advance(29 * DAY_MS);
    await t.until(() => owed().includes('subscription.ending'));
  });

  test('each address is owed what it asked for, under one message', async () => {
    const other = await add(['redemption.settled']);
    const deaf = await add(['stock.low']);
    await direct();
    expect(due(other)[0]?.messageId).toBe(due()[0]?.messageId);
    expect(due(deaf)).toEqual([]);
  });

  test('a crowd of addresses is looked through a few at a time', async () => {
    const crowd = [id, await add(['redemption.settled']), await add(['redemption.settled'])];
    await direct();
    const first = core.webhookDeliveries.listDueWebhooks(0, 2);
    expect(first).toMatchObject({ due: [{ id: crowd[0] }, { id: crowd[1] }], next: crowd[1] });
    expect(core.webhookDeliveries.listDueWebhooks(first.next!, 2)).toMatchObject({
      due: [{ id: crowd[2] }],
      next: undefined,
    });
  });

  test('what is under way is not handed out again, and takes no place of what is due beside it', async () => {
    for (let n = 0; n < 5; n += 1) await direct();
    const [first, second, ...rest] = due();
    const underWay = new Set([first!.id, second!.id]);
    expect(core.webhookDeliveries.listDue(id, 2, underWay)).toEqual(rest.slice(0, 2));
    expect(core.webhookDeliveries.listDue(id, 9, underWay)).toEqual(rest);
  });

  test('another account is owed nothing', async () => {
    const stranger = await t.openAccount();
    await core.redeem(stranger, { gameId: 'game_id_2', playerId: PLAYER, code: makeCode() });
    expect(owed()).toEqual([]);
  });
});

describe('an attempt', () => {
  test('that went through ends the delivery', async () => {
    await direct();
    const [delivery] = due();
    await core.webhookDeliveries.report(delivery!, { startedAt: t.clock.now(), status: 204 });
    expect(due()).toEqual([]);
    expect(core.webhooks.listDeliveries(t.actor, id)).toMatchObject([
      { state: 'delivered', status: 204, attempts: 1 },
    ]);
  });

  test('that failed is repeated after growing pauses, for three days, at last at their end', async () => {
    await direct();
    const began = t.clock.now();
    const pauses: number[] = [];
    for (;;) {
      const before = t.clock.now();
      await core.webhookDeliveries.report({ id: 1, webhookId: id }, { startedAt: before, problem: 'No.' });
      const [{ nextAttemptAt, state } = { nextAttemptAt: undefined, state: '' }] =
        core.webhooks.listDeliveries(t.actor, id);
      if (state === 'failed') break;
      pauses.push(nextAttemptAt! - before);
      t.clock.advance(nextAttemptAt! - before);
    }
    expect(t.clock.now() - began).toBe(3 * DAY_MS);
    const [minute, hour] = [60_000, HOUR_MS];
    const growing = [5_000, 30_000, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour];
    const longest = 12 * hour;
    const whole = [...growing, longest, longest, longest, longest];
    expect(pauses).toEqual([...whole, 3 * DAY_MS - whole.reduce((sum, pause) => sum + pause, 0)]);
  });

  test('is listed with when it was, what was answered, and when the next one is', async () => {
    const createdAt = t.clock.now();
    await direct();
    const told = { id: 1, messageId: 'msg_000000000001', type: 'redemption.settled', createdAt };
    const list = () => core.webhooks.listDeliveries(t.actor, id);
    expect(list()).toEqual([{ ...told, state: 'waiting', attempts: 0, nextAttemptAt: createdAt }]);
    t.clock.advance(700);
    const startedAt = t.clock.now();
    await core.webhookDeliveries.report(due()[0]!, { startedAt, status: 500, problem: 'It answers 500.' });
    const failed = { attempts: 1, lastAttemptAt: startedAt, status: 500, problem: 'It answers 500.' };
    expect(list()).toEqual([{ ...told, ...failed, state: 'waiting', nextAttemptAt: startedAt + 5_000 }]);
    t.clock.advance(5_000);
    await report();
    expect(list()).toEqual([{ ...told, state: 'delivered', attempts: 2, lastAttemptAt: t.clock.now() }]);
  });

  test('that failed holds nothing back that came after it', async () => {
    await direct();
    await report('No.');
    await direct();
    expect(owed()).toEqual(['2 redeemed']);
  });

  test('is due again when the clock went back further than any pause', async () => {
    await direct();
    await report('No.');
    t.clock.set(t.clock.now() - 11 * HOUR_MS);
    expect(owed()).toEqual([]);
    t.clock.set(t.clock.now() - HOUR_MS);
    expect(owed()).toEqual(['1 redeemed']);
  });

  test('is neither given up nor forgotten where the calendar jumps forward, and its address stays on', async () => {
    await direct();
    await report('No.');
    const now = t.clock.now();
    t.clock.set(now + 30 * DAY_MS);
    await report('No.');
    await t.store.write((tables) => pruneDeliveries(tables, momentOf(t.clock)));
    t.clock.set(now);
    expect(core.webhooks.listDeliveries(t.actor, id)).toMatchObject([{ state: 'waiting', attempts: 2 }]);
    expect(core.webhooks.list(t.actor)[0]).not.toHaveProperty('disabledAt');
    expect(owed()).toEqual(['1 redeemed']);
  });

  test('reported late, of an address that was removed, changes nothing', async () => {
    await direct();
    const [delivery] = due();
    await core.webhooks.remove(t.actor, id);
    await core.webhookDeliveries.report(delivery!, { startedAt: 0, problem: 'No.' });
  });
});

describe('three days of silence', () => {
  async function failForThreeDays(): Promise<void> {
    await direct();
    await report('No answer.');
    t.clock.advance(3 * DAY_MS);
    await report('No answer.');
  }

  test('switch an address off, and the account is told', async () => {
    await failForThreeDays();
    expect(core.webhooks.list(t.actor)).toMatchObject([{ disabledAt: t.clock.now() }]);
    expect(listNotices(t.store).filter(({ kind }) => kind === 'webhookOff')).toMatchObject([
      { payload: { host: 'shop.example' } },
    ]);
    await direct();
    expect(due()).toEqual([]);
    await expect(core.webhooks.test(t.actor, id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('do not, where anything went through in between', async () => {
    await direct();
    await direct();
    await report('No answer.');
    t.clock.advance(DAY_MS);
    await report();
    t.clock.advance(2 * DAY_MS);
    await report('No answer.');
    expect(core.webhooks.list(t.actor)[0]).not.toHaveProperty('disabledAt');
  });

  test('are not over where days passed in which nothing was owed', async () => {
    const isOff = () => core.webhooks.list(t.actor)[0]?.disabledAt !== undefined;
    await direct();
    await report('No answer.');
    t.clock.advance(DAY_MS);
    await direct();
    await core.webhookDeliveries.report(due().at(-1)!, { startedAt: t.clock.now() });
    await report('No answer.');
    t.clock.advance(2 * DAY_MS);
    await report('No answer.');
    expect([due(), isOff()]).toEqual([[], false]);
    t.clock.advance(7 * DAY_MS);
    await direct();
    await report('No answer.');
    expect(isOff()).toBe(false);
    t.clock.advance(3 * DAY_MS);
    await report('No answer.');
    expect(isOff()).toBe(true);
  });

  test('are over when it is switched on again: what it was owed and failed can be ordered once more', async () => {
    await failForThreeDays();
    await core.webhooks.enable(t.actor, id);
    expect(core.webhooks.list(t.actor)[0]).not.toHaveProperty('failingSince');
    expect(due()).toEqual([]);
    await core.webhooks.retry(t.actor, id, 1);
    expect(owed()).toEqual(['1 redeemed']);
    await report();
    expect(core.webhooks.listDeliveries(t.actor, id)).toMatchObject([{ state: 'delivered', attempts: 3 }]);
  });
});
