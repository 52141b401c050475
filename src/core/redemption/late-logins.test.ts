// What was settled without its login: when it is asked for, until when, and what becomes of what comes.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { listNotices } from '../../../test/harness/notices.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { CodeOutcome } from '../../platform/port.ts';

const PLAYER = '5170925570';
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const RECEIPT = {
  openid: `open-${PLAYER}`,
  name: 'As kept',
  amount: 60,
  email: 'late@example.test',
  password: 'kept',
};

let t: TestCore;
let asked: number;
beforeEach(async () => {
  t = await openTestCore();
  asked = 0;
});
afterEach(() => t.close());

const told = (more: object): CodeOutcome => ({
  status: 'redeemed',
  redeemedAt: 0,
  toldAt: 0,
  expiresAt: 1,
  channelName: 'shop',
  openid: `open-${PLAYER}`,
  amount: 60,
  productName: '60',
  ...more,
});

function tell(more: object): void {
  t.platform.script.findCode = () => {
    asked += 1;
    return told(more);
  };
}

/** In doubt, and its receipt not to be seen. */
async function doubt(): Promise<number> {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'late' });
  await t.core.codes.add(t.actor, 'game_id_1', [{ denomination: 60, codes: [makeCode()] }]);
  const answer = await t.core.redeem(t.actor, { gameId: 'game_id_1', playerId: PLAYER, denomination: 60 });
  if (answer.status !== 'answered') throw new Error(answer.status);
  tell({ receiptAwaited: true });
  return answer.redemption.id;
}

async function look(times: number, everyMs: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    t.clock.advance(everyMs);
    await t.core.settleDoubts();
  }
}

const lookLate = (afterMs: number) => look(1, afterMs);

const find = (id: number) => t.core.receipts.find(t.actor, id);
const notices = () =>
  listNotices(t.store)
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'stockLow');

async function settleWithout(): Promise<number> {
  const id = await doubt();
  await look(10, 3 * HOUR_MS);
  expect(find(id)).toMatchObject({ state: 'redeemed', warning: true });
  expect(find(id)).toHaveProperty('credentials', null);
  return id;
}

test.each([
  ['a day, and nine looks', 9, 3 * HOUR_MS, 'in_doubt'],
  ['ten looks, and less than a day', 10, 2 * HOUR_MS, 'in_doubt'],
  ['a day and ten looks', 10, 3 * HOUR_MS, 'redeemed'],
])('%s: a receipt that cannot be shown is waited for', async (_, looks, everyMs, state) => {
  const id = await doubt();
  await look(looks, everyMs);
  expect(find(id)?.state).toBe(state);
});

test('then it is settled with a warning, and the host is told once', async () => {
  await settleWithout();
  expect(notices()).toEqual(['loginAwaited', 'doubtSettled']);
});

test('what comes later is put into the receipt, and told once', async () => {
  const id = await settleWithout();
  await lookLate(HOUR_MS);
  tell({ receipt: { ...RECEIPT, fullReceipt: true } });
  await lookLate(2 * HOUR_MS);
  await lookLate(4 * DAY_MS);
  const { email, password } = RECEIPT;
  expect(find(id)).toMatchObject({ warning: false, playerName: 'As kept', credentials: { email, password } });
  expect(notices()).toEqual(['loginAwaited', 'doubtSettled', 'loginCame']);
  expect(asked).toBe(12);
});

test('it is asked for after pauses that double up to four days, for a month', async () => {
  await settleWithout();
  const before = asked;
  for (let hours = 0; hours < 60 * 24; hours += 1) await lookLate(HOUR_MS);
  expect(asked - before).toBe(14);
});

test.each([
  ['that it keeps none', {}],
  ['of another player', { receipt: { ...RECEIPT, openid: 'another', fullReceipt: true } }],
])('a platform that tells %s is not asked again', async (_, more) => {
  const id = await settleWithout();
  const kept = find(id);
  tell(more);
  await lookLate(HOUR_MS);
  const before = asked;
  await lookLate(4 * DAY_MS);
  expect([asked, find(id)]).toEqual([before, kept]);
  expect(notices()).not.toContain('loginCame');
});
