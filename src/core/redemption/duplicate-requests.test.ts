// Two direct requests of one code at once: one is sent, and what becomes of it is what becomes of the other.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { pruneKeys } from '../idempotency.ts';
import type { Redemption } from '../receipts/receipts.ts';
import { momentOf } from '../../clock.ts';

const PLAYER = '5170925570';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

async function redeem(code: string, actor = t.actor, key?: string): Promise<Redemption> {
  const answer = await t.core.redeem(actor, {
    gameId: 'game_id_2',
    playerId: PLAYER,
    code,
    ...(key !== undefined && { idempotencyKey: { scope: 'http' as const, key } }),
  });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption;
}
async function settle(core = t.core): Promise<void> {
  for (let look = 0; look < 6; look += 1) {
    t.clock.advance(60_000);
    await core.settleDoubts();
  }
}
const find = ({ id }: Redemption) => t.core.receipts.find(t.actor, id);

/** One in doubt, and a second one of the same code. */
async function beginDuplicates(
  isRedeemed: boolean,
): Promise<{ first: Redemption; second: Redemption; code: string }> {
  const code = makeCode();
  t.platform.script.redeem = (order) => {
    if (isRedeemed) t.platform.redeemNow(order);
    return { status: 'unknown', errorCode: 'UNKNOWN', message: '' };
  };
  const first = await redeem(code);
  const second = await redeem(code, t.actor, 'second');
  delete t.platform.script.redeem;
  return { first, second, code };
}

test.each([
  ['redeemed', true, 'CODE_USED'],
  ['not redeemed', false, 'NETWORK_ERROR'],
] as const)(
  'the second is not final before the first, which was %s',
  async (_what, isRedeemed, errorCode) => {
    const { first, second } = await beginDuplicates(isRedeemed);
    expect(second).toMatchObject({ state: 'failed', errorCode: 'UNKNOWN' });
    expect(second).toHaveProperty('settledAt', null);
    expect(t.core.receipts.list(t.actor, {}).every(({ settledAt }) => settledAt === null)).toBe(true);
    await t.core.settleDoubts();
    if (!isRedeemed) expect(find(second)).toHaveProperty('settledAt', null);
    await settle();
    expect(find(first)?.state).toBe(isRedeemed ? 'redeemed' : 'failed');
    expect(find(second)).toMatchObject({
      state: 'failed',
      errorCode,
      settledAt: expect.any(Number) as number,
    });
    expect(t.platform.orders).toHaveLength(1);
    expect(t.core.quota(t.actor).daily.used).toBe(isRedeemed ? 1 : 0);
  },
);

test('it is final after a restart, too, and frees no key', async () => {
  const { second, code } = await beginDuplicates(true);
  await t.core.stop(0);
  const core = t.restart();
  await settle(core);
  expect(core.receipts.find(t.actor, second.id)).toMatchObject({ errorCode: 'CODE_USED' });
  const request = { gameId: 'game_id_2', playerId: PLAYER, code };
  const key = { scope: 'http' as const, key: 'second' };
  expect(await core.redeem(t.actor, { ...request, idempotencyKey: key })).toMatchObject({
    replayed: true,
    redemption: { id: second.id, errorCode: 'CODE_USED' },
  });
});

test('a second one of another account learns its end, too', async () => {
  const stranger = await t.openAccount();
  const { code } = await beginDuplicates(true);
  const third = await redeem(code, stranger);
  await settle();
  expect(t.core.receipts.find(stranger, third.id)).toMatchObject({ errorCode: 'CODE_USED' });
});

test('its end is told with that of the first, to whoever is to be told', async () => {
  const core = t.restart({ checkWebhookAddress: (url) => Promise.resolve({ url }) });
  const added = await core.webhooks.add(t.actor, {
    url: 'https://shop.example/',
    events: ['redemption.settled'],
  });
  if (added.status !== 'added') throw new Error(added.status);
  const told = () =>
    core.webhookDeliveries
      .listDue(added.webhook.id, 100, new Set())
      .map(({ fact }) => 'redemption' in fact && [fact.redemption.id, fact.redemption.errorCode]);
  const [code, ends] = [makeCode(), Promise.withResolvers<void>()];
  t.platform.script.redeem = async (order) => {
    await ends.promise;
    return t.platform.redeemNow(order);
  };
  const request = { gameId: 'game_id_2', playerId: PLAYER, code };
  const first = core.redeem(t.actor, request);
  const second = await core.redeem(t.actor, request);
  expect([second, told()]).toMatchObject([{ redemption: { errorCode: 'UNKNOWN' } }, []]);
  ends.resolve();
  expect(await first).toMatchObject({ redemption: { id: 1, state: 'redeemed' } });
  expect(told()).toEqual([
    [1, null],
    [2, 'CODE_USED'],
  ]);
});

test('what comes while the process stops is recorded as failed over HTTP, and not begun from the chat', async () => {
  const request = { gameId: 'game_id_2', playerId: PLAYER, code: makeCode() };
  const key = { scope: 'http' as const, key: 'late' };
  await t.core.stop(0);
  expect(await t.core.redeem(t.actor, { ...request, idempotencyKey: key })).toMatchObject({
    status: 'answered',
    redemption: { state: 'failed', errorCode: 'NETWORK_ERROR', codeReset: false },
  });
  await expect(t.core.beginRedemption(t.actor, request)).rejects.toThrow('The service is stopping');
  expect(t.platform.orders).toHaveLength(0);
  const core = t.restart();
  expect(await core.redeem(t.actor, { ...request, idempotencyKey: key })).toMatchObject({
    replayed: false,
    redemption: { state: 'redeemed' },
  });
});

test('the key of the second stands as long as the first is in doubt, however long that is', async () => {
  const { second, code } = await beginDuplicates(false);
  t.clock.advance(2 * DAY_MS);
  const forget = () => t.store.write((tables) => pruneKeys(tables, momentOf(t.clock), 100));
  await forget();
  expect(await redeem(code, t.actor, 'second')).toMatchObject({ id: second.id });
  await settle();
  expect(find(second)).toMatchObject({ errorCode: 'NETWORK_ERROR' });
  await forget();
  expect(await redeem(code, t.actor, 'second')).toMatchObject({ id: second.id });
  expect(t.platform.orders).toHaveLength(1);
});
