// The counts of a day: every redemption in exactly one, by the UTC day in which it began.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

const TODAY = '2026-01-13';
const ZERO = { 0: 0, 60: 0, 325: 0 };
const MIDNIGHT = Date.parse('2026-01-14T00:00:00.000Z');

const redeem = (denomination = 60) =>
  t.core.redeem(t.actor, { gameId: 'game_id_1', playerId: '5170925570', denomination });
const redeemDirectly = (gameId = 'game_id_1') =>
  t.core.redeem(t.actor, { gameId, playerId: '5170925570', code: makeCode() });
const add = (count: number, denomination = 60) =>
  t.core.codes.add(t.actor, 'game_id_1', [
    { denomination, codes: Array.from({ length: count }, () => makeCode()) },
  ]);

async function read(date?: string, actor = t.actor, gameId = 'game_id_1') {
  const of = { gameId, ...(date !== undefined && { date }) };
  const { activations, errors, ...rest } = await t.core.dayStatistics(actor, of);
  return { ...rest, activations: Object.fromEntries(activations), errors: Object.fromEntries(errors) };
}

test('a day without anything tells every denomination, and 0 for what is not known', async () => {
  expect(await read()).toEqual({ date: TODAY, activations: ZERO, errors: ZERO });
});

test('successes count by the denomination, failures by the denomination asked for', async () => {
  await add(2);
  await redeem();
  await redeem();
  await redeem(325);
  await redeem(325);
  expect(await read()).toMatchObject({ activations: { ...ZERO, 60: 2 }, errors: { ...ZERO, 325: 2 } });
});

test('an amount that is not known, and a failure without a denomination, count under 0', async () => {
  t.platform.script.redeem = () => ({
    status: 'redeemed',
    receipt: { openid: 'o', name: 'n' },
    fullReceipt: true,
  });
  await redeemDirectly();
  t.platform.script.redeem = () => ({ status: 'refused', errorCode: 'CODE_USED', message: '', asked: true });
  await redeemDirectly();
  expect(await read()).toMatchObject({ activations: { ...ZERO, 0: 1 }, errors: { ...ZERO, 0: 1 } });
});

test('from the database the denomination counts, whatever the receipt tells; a direct one by its amount', async () => {
  await add(2);
  for (const amount of [61, undefined]) {
    t.platform.script.redeem = () => ({
      status: 'redeemed',
      receipt: { openid: 'o', name: 'n', ...(amount !== undefined && { amount }) },
      fullReceipt: true,
    });
    await redeem();
  }
  t.platform.script.redeem = () => ({
    status: 'redeemed',
    receipt: { openid: 'o', name: 'n', amount: 325 },
    fullReceipt: true,
  });
  await redeemDirectly();
  expect((await read()).activations).toEqual({ ...ZERO, 60: 2, 325: 1 });
});

test('each game is told for itself', async () => {
  t.platform.script.redeem = () => ({
    status: 'redeemed',
    receipt: { openid: 'o', name: 'n', amount: 1_166 },
    fullReceipt: true,
  });
  await redeemDirectly('game_id_2');
  expect((await read(TODAY, t.actor, 'game_id_2')).activations).toEqual({ 0: 0, 1166: 1 });
  expect((await read()).activations).toEqual(ZERO);
  await expect(read(TODAY, t.actor, 'game_id_9')).rejects.toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: 'There is no game game_id_9.' }),
  );
});

test('what is in doubt is an error until it is settled', async () => {
  await add(1);
  t.platform.script.redeem = (order) => {
    t.platform.redeemNow(order);
    return { status: 'unknown', errorCode: 'UNKNOWN', message: '' };
  };
  await redeem();
  expect(await read()).toMatchObject({ activations: ZERO, errors: { ...ZERO, 60: 1 } });
  t.clock.advance(1_000);
  await t.core.settleDoubts();
  expect(await read()).toMatchObject({ activations: { ...ZERO, 60: 1 }, errors: ZERO });
});

test('a day begins at its first millisecond UTC and ends before the next day’s', async () => {
  for (const at of [MIDNIGHT - DAY_MS - 1, MIDNIGHT - DAY_MS, MIDNIGHT - 1, MIDNIGHT]) {
    t.clock.set(at);
    await redeem();
  }
  expect((await read('2026-01-12')).errors[60]).toBe(1);
  expect((await read('2026-01-13')).errors[60]).toBe(2);
  expect((await read('2026-01-14')).errors[60]).toBe(1);
  expect((await read()).date).toBe('2026-01-14');
});

test.each(['2026-02-30', '2026-1-13', 'today', '', '2026-01-13T00:00:00Z', '+012026-01-13'])(
  'a date that is none is refused: %j',
  async (date) => {
    await expect(read(date)).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: 'A date is written YYYY-MM-DD.' }),
    );
  },
);
