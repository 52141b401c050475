// The ledger through the core: an attempt stands there before its code is sent, and ends as what the platform is known
// to have done.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { RedeemOutcome } from '../../platform/port.ts';
import { createInFlight } from './in-flight.ts';
import { createRecovery } from './recover.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

/** Rows as they stand in the file. */
function rows(sql = 'select * from attempts order by redemption_id, n'): Record<string, unknown>[] {
  const file = new Database(t.store.path, { readonly: true });
  const found = file.prepare(sql).all() as Record<string, unknown>[];
  file.close();
  return found;
}

/** By another process. */
function change(sql: string): void {
  const file = new Database(t.store.path);
  file.exec(sql);
  file.close();
}

const redeem = (code: string | undefined = makeCode()) =>
  t.core.redeem(t.actor, { gameId: GAME, playerId: PLAYER, code });
const redeemOfStock = () => t.core.redeem(t.actor, { gameId: GAME, playerId: PLAYER, denomination: 60 });
const answers = (outcome: RedeemOutcome) => {
  t.platform.script.redeem = () => outcome;
};

test('is open before its code is sent, under the name that the platform hears', async () => {
  let sent: unknown;
  t.platform.script.redeem = (order) => {
    sent = rows();
    return t.platform.redeemNow(order);
  };
  await redeem();
  const { reference } = t.platform.orders[0]!;
  expect(sent).toMatchObject([
    {
      redemption_id: 1,
      n: 1,
      upstream: 'sandbox-1',
      kind: 'order',
      reference,
      state: 'open',
      ended_at: null,
    },
  ]);
  const spent = { state: 'spent', proof: 'answer', error_code: null, quiet_until: null, resolved_at: null };
  expect(rows()).toMatchObject([{ reference, ...spent, ended_at: t.clock.now() }]);
});

test.each([
  ['answered', {}, 'answer'],
  ['never sent', { neverSent: true as const }, 'never_sent'],
])('is not spent by a refusal that was %s', async (_, how, proof) => {
  answers({ status: 'refused', errorCode: 'RISK_CONTROL', message: 'risky', asked: false, ...how });
  await redeem();
  const refused = { state: 'not_spent', proof, error_code: 'RISK_CONTROL', message: 'risky' };
  expect(rows()).toMatchObject([{ ...refused, quiet_until: null }]);
});

test('is unknown where the platform did not tell, until a look-up does', async () => {
  const begun = t.clock.now();
  answers({ status: 'unknown', errorCode: 'UNKNOWN', message: 'silence' });
  await redeem();
  const unknown = { error_code: 'UNKNOWN', message: 'silence', ended_at: begun };
  expect(rows()).toMatchObject([{ ...unknown, state: 'unknown', proof: null, quiet_until: begun + 2_000 }]);
  for (const ms of [1_000, 4_000]) {
    t.clock.advance(ms);
    await t.core.settleDoubts();
  }
  const resolved = { state: 'not_spent', proof: 'lookup', resolved_at: t.clock.now() };
  expect(rows()).toMatchObject([{ ...unknown, ...resolved }]);
  expect(rows('select state, error_code from redemptions')).toEqual([
    { state: 'failed', error_code: 'UNKNOWN' },
  ]);
});

test.each([
  ['ours', PLAYER, { state: 'spent', proof: 'lookup', error_code: 'UNKNOWN' }],
  ['somebody else’s', '5170925571', { state: 'not_spent', proof: 'lookup', error_code: 'CODE_USED' }],
])('that was unknown is resolved by the code being %s', async (_, playerId, resolved) => {
  t.platform.script.redeem = (order) => {
    t.platform.redeemNow({ ...order, playerId });
    return { status: 'unknown', errorCode: 'UNKNOWN', message: 'silence' };
  };
  await redeem();
  t.clock.advance(1_000);
  await t.core.settleDoubts();
  expect(rows()).toMatchObject([{ ...resolved, resolved_at: t.clock.now() }]);
});

test('keeps the word of the platform where another is answered', async () => {
  const code = makeCode();
  answers({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  await redeem(code);
  t.clock.advance(4_000);
  await t.core.settleDoubts();
  t.clock.advance(4_000);
  await t.core.settleDoubts();
  answers({ status: 'refused', errorCode: 'CODE_USED', message: 'used', asked: true });
  await redeem(code);
  expect(rows()).toMatchObject([{}, { state: 'unknown', error_code: 'CODE_USED' }]);
  expect(rows('select error_code from redemptions where id = 2')).toEqual([{ error_code: 'UNKNOWN' }]);
});

test('is none where nothing was begun on the platform', async () => {
  await redeem('short');
  await redeemOfStock();
  expect([rows('select id from redemptions'), rows()]).toMatchObject([[{ id: 1 }, { id: 2 }], []]);
});

/** One of the stock, in question as after a restore. */
async function addUnverified(): Promise<string> {
  const code = makeCode();
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [code] }]);
  change("update codes set state = 'unverified' where state = 'available'");
  return code;
}

test('of a code in question begins when that is known to be unspent', async () => {
  await addUnverified();
  let asked: unknown;
  t.platform.script.findCode = () => {
    asked = rows();
    return { status: 'notRedeemed' };
  };
  await redeemOfStock();
  expect(asked).toEqual([]);
  expect(rows()).toMatchObject([{ state: 'spent', reference: t.platform.orders[0]?.reference }]);
});

/** What the next process finds at its start. */
const recover = () => createRecovery({ ...t, upstreams: t.platform, log: LOG, inFlight: createInFlight() })();

test('of a process that is gone is unknown, and its redemption in doubt', async () => {
  t.platform.script.redeem = () => new Promise<never>(() => undefined);
  void redeem().catch(() => undefined);
  await t.platform.arrived();
  expect(await recover()).toBe(1);
  expect(rows()).toMatchObject([{ state: 'unknown', quiet_until: t.clock.now() + 2_000 }]);
  expect(rows('select state from redemptions')).toEqual([{ state: 'in_doubt' }]);
});

test('that is open in a doubt is unknown after a start, too', async () => {
  t.allowDrift();
  answers({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  await redeem();
  change(`insert into attempts (redemption_id, n, upstream, kind, reference, state, begun_at)
    values (1, 2, 'sandbox-1', 'resend', 'r', 'open', ${t.clock.now() + 2_000})`);
  expect(await recover()).toBe(0);
  expect(rows().map(({ state }) => state)).toEqual(['unknown', 'unknown']);
});

test('was never begun by a process that died before: it failed, its code in question as before', async () => {
  await addUnverified();
  t.platform.script.findCode = () => new Promise<never>(() => undefined);
  void redeemOfStock().catch(() => undefined);
  await t.until(() => rows('select 1 from redemptions').length === 1);
  expect(t.core.quota(t.actor).daily.used).toBe(1);
  expect(await recover()).toBe(1);
  expect(rows()).toEqual([]);
  expect(rows('select state, error_code, code_reset, doubted_at from redemptions')).toEqual([
    { state: 'failed', error_code: 'NETWORK_ERROR', code_reset: 1, doubted_at: null },
  ]);
  expect(rows('select state from codes')).toEqual([{ state: 'unverified' }]);
  expect(t.core.quota(t.actor).daily.used).toBe(0);
});
