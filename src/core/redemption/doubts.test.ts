// The host asks about doubts: at once, bounded, and not again and again.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { UNREACHED } from '../../../test/harness/platform.ts';
import type { HostActor } from '../context.ts';

const host: HostActor = { kind: 'host', by: 'cli' };
const HOUR_MS = 60 * 60 * 1000;
let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

async function doubt(actor = t.actor): Promise<number> {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'late' });
  const answer = await t.core.redeem(actor, {
    gameId: 'game_id_1',
    playerId: '5170925570',
    code: makeCode(),
  });
  if (answer.status !== 'answered') throw new Error(answer.status);
  delete t.platform.script.redeem;
  return answer.redemption.id;
}

test('they are counted, dated, and listed by account', async () => {
  expect(t.core.doubts.summary(host)).toEqual({ count: 0, held: 0, oldestAt: undefined });
  const begun = t.clock.now();
  const first = await doubt();
  t.clock.advance(HOUR_MS);
  const other = await t.openAccount();
  const second = await doubt(other);
  expect(t.core.doubts.summary(host)).toEqual({ count: 2, held: 0, oldestAt: begun });
  const listed = (accountId: number) => t.core.doubts.listOf(host, accountId);
  expect(listed(t.actor.accountId)).toMatchObject({ doubts: [{ id: first }], isPart: false });
  expect(listed(other.accountId)).toMatchObject({ doubts: [{ id: second, playerId: '5170925570' }] });
});

test('asked about now, one whose pause is long is settled at once; asked again within a minute, nothing is done', async () => {
  const id = await doubt();
  t.platform.script.findCode = () => ({ status: 'unreachable', message: 'down' });
  t.platform.script.redeem = () => UNREACHED;
  for (let look = 0; look < 12; look += 1) {
    t.clock.advance(HOUR_MS);
    await t.core.settleDoubts();
  }
  delete t.platform.script.findCode;
  t.clock.advance(60_000);
  await t.core.settleDoubts();
  expect(t.core.receipts.find(t.actor, id)?.state).toBe('in_doubt');

  expect(await t.core.doubts.askNow(host)).toEqual({ status: 'asked', count: 1 });
  await t.core.settleDoubts();
  expect(t.core.receipts.find(t.actor, id)?.state).toBe('failed');
  expect(await t.core.doubts.askNow(host)).toEqual({ status: 'justAsked' });
  t.clock.advance(60_000);
  expect(await t.core.doubts.askNow(host)).toEqual({ status: 'asked', count: 0 });
});

test('of one account, and fifty at the most', async () => {
  for (let n = 0; n < 52; n += 1) await doubt();
  const other = await t.openAccount();
  await doubt(other);
  t.platform.script.findCode = () => ({ status: 'unreachable', message: 'down' });
  expect(await t.core.doubts.askNow(host, other.accountId)).toEqual({ status: 'asked', count: 1 });
  t.clock.advance(60_000);
  await t.core.settleDoubts();
  expect(await t.core.doubts.askNow(host)).toEqual({ status: 'asked', count: 50 });
  const log = (accountId: number) =>
    t.store.read((tables) => tables.auditLog.listBefore({ accountId, before: 1e9, limit: 1 }));
  const asked = { what: 'doubtsAsked', actor: 'host:cli', after: { count: 1 } };
  expect(log(other.accountId)).toMatchObject([asked]);
  // Of all accounts together: told to none of them.
  expect(log(t.actor.accountId)).not.toMatchObject([{ what: 'doubtsAsked' }]);
  await t.core.settleDoubts();
});
