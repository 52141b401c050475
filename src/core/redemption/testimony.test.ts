// The old disk turns up after a takeover: what it has closed is closed, nothing else of it is taken, and nothing twice.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';

import { ANN, BOB, KEY, STOCK_KEY, useLosingShop } from '../../../test/harness/losing-shop.ts';
import { HOUR_MS } from '../../clock.ts';
import { backup } from '../../store/backup/backup.ts';
import { checkConservation } from '../../store/backup/conservation.ts';
import { readLostTime } from '../../store/backup/epochs.ts';
import { openPast } from '../../store/backup/testimony.ts';
import { openConnection } from '../../store/engine/connection.ts';
import { createCodeSeals, createSecrets } from '../../store/engine/secrets.ts';
import { createStore } from '../../store/index.ts';
import { createTables } from '../../store/tables/index.ts';
import type { MemberActor } from '../index.ts';
import type { Redemption } from '../receipts/receipts.ts';
import { hearTestimony, type Testimony } from './testimony.ts';

const secrets = createSecrets(KEY);
const HOST = { kind: 'host', by: 'cli' } as const;
const DIRECT = { gameId: 'game_id_1' };
const FOREIGN = '60SFOREIGN0000001';
const CLOSED = { extracted: Array<string>(3).fill('extracted') };
const keyed = (key: string) => ({ idempotencyKey: { scope: 'http' as const, key } });
const NOTHING = {
  ...{ extracted: 0, undone: 0, used: 0, invalid: 0, recovered: 0, completed: 0, keysEnded: 0 },
  ...{ membersEnded: 0, webhooksEnded: 0, payments: 0, refunds: 0 },
};

const t = useLosingShop();
const { add, extract, takeOver, order, redeem } = t;
let owner: MemberActor;
beforeEach(async () => {
  owner = { kind: 'member', accountId: t.actor.accountId, telegramId: 7, role: 'owner' };
  await letIn(owner);
});

const letIn = ({ accountId, telegramId, role }: MemberActor) =>
  t.store.write(({ members }) =>
    members.insert({ accountId, telegramId, role, name: 'Ann', username: null, now: t.clock.now() }),
  );

/** As the host's command does, over the stopped service. */
async function testify(): Promise<Testimony> {
  await t.end();
  const now = t.clock.now();
  const connection = openConnection(t.path());
  const past = openPast(t.lost(), { databasePath: t.path(), secrets, now });
  try {
    const tables = createTables(connection, secrets);
    const court = {
      ...{ tables, host: HOST, moment: { now, monotonicNow: now } },
      ...{ lost: readLostTime(connection), seals: createCodeSeals(secrets) },
    };
    const heard = past.over(connection, (other) => hearTestimony({ ...court, past: other }, past.asOf));
    expect(checkConservation(connection, { secrets }).rows).toEqual([]);
    return heard;
  } finally {
    past.close();
    connection.close();
    t.open();
  }
}

const release = () =>
  t.store.write(({ takeover }) =>
    takeover.release(
      { ...STOCK_KEY, accountId: t.actor.accountId },
      { as: 'unverified', limit: 99, now: t.clock.now() },
    ),
  );

function change(sql: string, at: string): void {
  const file = new Database(at);
  file.exec(sql);
  file.close();
}

function query<T>(sql: string, at = t.path()): T[] {
  const file = new Database(at, { readonly: true });
  try {
    return file.prepare(sql).pluck().all() as T[];
  } finally {
    file.close();
  }
}
const statesOf = (...of: string[]) =>
  of.map((code) => {
    const hash = t.store.seals.hash(STOCK_KEY.gameId, code).toString('hex');
    return query<string>(
      `select state from codes where hex(code_hash) = upper('${hash}') order by id desc`,
    )[0];
  });

test('codes that left the stock of the lost machine leave this one, and what was handed out can be read here', async () => {
  const [first = '', ...others] = await add(9);
  t.clock.advance(60_000);
  await extract(1);
  const undone = await add(2);
  let given: string[] = [];
  await takeOver(async () => {
    t.platform.spent.set(first, { playerId: BOB, redeemedAt: t.clock.now() - HOUR_MS, reference: 'other' });
    await order(ANN);
    await t.core.imports.undo(owner, query<number>('select max(id) from batches')[0] ?? 0);
    given = (await t.core.codes.extract(t.actor, { ...STOCK_KEY, amount: 3, ...keyed('taken') })).codes;
  });
  expect(statesOf(first, ...given)).toEqual(['unverified', 'unverified', 'unverified', 'in_question']);
  expect(await testify()).toEqual({ ...NOTHING, extracted: 3, undone: 2, used: 1 });
  expect(statesOf(first, ...given, ...undone)).toEqual(['used', ...CLOSED.extracted, 'undone', 'undone']);
  expect(await testify()).toEqual({ ...NOTHING });
  const acts = "select object from audit_log where what = 'codesExtracted' order by id";
  expect(query(acts)).toEqual(query(acts, t.lost()));
  // Whoever did not hear of it asks again, and has the same; and nobody else has any of it.
  const again = await t.core.codes.extract(t.actor, { ...STOCK_KEY, amount: 3, ...keyed('taken') });
  expect(again.codes.toSorted()).toEqual(given.toSorted());
  await release();
  const rest = await extract(20);
  expect(rest.toSorted()).toEqual(others.filter((code) => !given.includes(code)).slice(0, rest.length));
  expect(rest).toHaveLength(4);
});

test('an order of the lost time that is repeated has its receipt with its login, at once and charged once', async () => {
  const [first, second, third] = await add(6);
  const [, , , , , given = ''] = await add(6);
  let before: Redemption[] = [];
  await takeOver(async () => {
    before = [
      await order(ANN, 'one'),
      await order(ANN),
      await redeem({ ...DIRECT, playerId: BOB, code: given }),
    ];
    await redeem({ ...DIRECT, playerId: BOB, code: FOREIGN }, 'direct');
  });
  expect(await testify()).toEqual({ ...NOTHING, recovered: 4 });
  expect(statesOf(first!, second!, given)).toEqual(['redeemed', 'redeemed', 'redeemed']);
  expect(t.core.quota(t.actor).daily.used).toBe(4);
  const sent = t.platform.orders.length;
  const again = await order(ANN, 'one');
  expect(again).toMatchObject({ state: 'redeemed', code: before[0]?.code, replayed: true, warning: false });
  expect(again.credentials).toEqual(before[0]?.credentials);
  expect([t.platform.orders.length, t.core.quota(t.actor).daily.used]).toEqual([sent, 4]);
  // Without a key it is known by its likeness, as without a testimony; and the code of the keyed one is not given to it.
  expect(await order(ANN)).toMatchObject({ code: before[1]?.code, replayed: true });
  expect((await order(ANN)).code).toBe(third);
  expect(await redeem({ ...DIRECT, playerId: BOB, code: FOREIGN }, 'direct')).toMatchObject({
    state: 'redeemed',
  });
  expect(await testify()).toEqual({ ...NOTHING });
});

test('a login that the other past still asked for is asked for here', async () => {
  await add(3);
  await takeOver(() => order(ANN, 'one'));
  change('update redemptions set credentials_secret = null, next_look_at = 1', t.lost());
  expect(await testify()).toEqual({ ...NOTHING, recovered: 1 });
  expect(query<number>('select count(*) from redemptions where next_look_at is not null')).toEqual([1]);
});

test('when it comes late, what was recovered is completed, and a code that was spent meanwhile stays so', async () => {
  const [first, , third] = await add(6);
  let before: Redemption | undefined;
  await takeOver(async () => (before = await order(ANN, 'one')));
  expect((await order(BOB, 'two')).code).not.toBe(first);
  t.clock.advance(2 * HOUR_MS);
  await order(ANN, 'one');
  expect(query<string>("select player_id from redemptions where actor = 'lost'")).toEqual([`open-${ANN}`]);
  const { used } = t.core.quota(t.actor).daily;
  expect(await testify()).toEqual({ ...NOTHING, completed: 1 });
  expect(t.core.quota(t.actor).daily.used).toBe(used);
  const [id = 0] = query<number>("select id from redemptions where actor = 'lost'");
  expect(t.store.read(({ redemptions }) => redemptions.get(id))).toMatchObject({
    playerId: ANN,
    credentials: before?.credentials,
  });
  expect((await order(BOB, 'three')).code).not.toBe(third);
  expect(await testify()).toEqual({ ...NOTHING });
});

test('an order whose code was tried here and was used has its receipt, and is charged once', async () => {
  await takeOver(() => redeem({ ...DIRECT, playerId: BOB, code: FOREIGN }, 'direct'));
  const again = () => redeem({ ...DIRECT, playerId: BOB, code: FOREIGN }, 'again');
  expect(await again()).toMatchObject({ state: 'failed', errorCode: 'CODE_USED' });
  const { used } = t.core.quota(t.actor).daily;
  expect(await testify()).toEqual({ ...NOTHING, recovered: 1 });
  expect([used, t.core.quota(t.actor).daily.used]).toEqual([1, 1]);
});

test('a second restore from the same backup is another epoch, and an order of the first has its receipt once that testifies', async () => {
  const [, second] = await add(4);
  await takeOver(() => Promise.resolve());
  const { epoch } = t.store;
  // Carried out, and not known to be: only the platform can tell, by the reference of that epoch.
  t.platform.script.redeem = (sent) => {
    t.platform.redeemNow(sent);
    return { status: 'unknown', errorCode: 'UNKNOWN', message: '' };
  };
  const { code } = await order(ANN, 'one');
  const newest = query<number>('select max(id) from redemptions')[0];
  delete t.platform.script.redeem;
  await t.takeOverAgain();
  expect(t.store.epoch).not.toBe(epoch);
  expect(await testify()).toEqual(NOTHING);
  expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed', code, replayed: true });
  const next = await order(ANN, 'two');
  expect([next.code, next.replayed]).toEqual([second, false]);
  expect(next.id).toBeGreaterThan(newest ?? Infinity);
  expect(t.core.quota(t.actor).daily.used).toBe(2);
});

test('codes that were added again after they were handed out leave, and one that is under way comes back to no stock', async () => {
  const [first = ''] = await add(1);
  let again: string[] = [];
  await takeOver(async () => {
    again = await add(2);
    await extract(3);
  });
  await t.core.codes.add(t.actor, STOCK_KEY.gameId, [{ denomination: 60, codes: again }]);
  await release();
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  expect((await order(ANN, 'one')).code).toBe(first);
  expect(await testify()).toMatchObject({ extracted: 3 });
  expect(statesOf(first, ...again)).toEqual(['in_doubt', 'extracted', 'extracted']);
  delete t.platform.script.redeem;
  // "Not redeemed" is final after the settling period of the process that asks.
  for (let looks = 0; looks < 2; looks += 1) {
    t.clock.advance(HOUR_MS);
    await t.core.settleDoubts();
  }
  expect(statesOf(first)).toEqual(['used']);
  // What is in other hands is charged to nobody here.
  expect(t.core.quota(t.actor).daily.used).toBe(0);
});

test('keys, members, webhooks that ended end, payments are booked; nothing that began there begins', async () => {
  const [staff, gone, back] = [8, 9, 10].map(
    (telegramId) => ({ ...owner, telegramId, role: 'support' }) as const,
  );
  for (const member of [staff!, gone!, back!]) await letIn(member);
  const key = (await t.core.apiKeys.issue(owner)).id;
  const hook = await t.core.webhooks.add(owner, {
    url: 'https://a.example.org/x',
    events: ['redemption.settled'],
  });
  const hookId = hook.status === 'added' ? hook.webhook.id : 0;
  const paid = { accountId: t.actor.accountId, currency: 'XTR', amount: 77, paidBy: 'member:7' };
  const buy = (chargeId: string) =>
    t.core.purchases.credit({ ...paid, chargeId, kind: 'activations', thousands: 1 });
  await buy('known');
  await takeOver(async () => {
    await t.core.apiKeys.revoke(owner, key);
    await t.core.apiKeys.issue(owner);
    await t.core.members.remove(owner, gone!.telegramId);
    await t.core.members.remove(owner, back!.telegramId);
    await t.core.webhooks.remove(owner, hookId);
    await buy('paid');
    await t.core.purchases.refund(HOST, 'known');
    await t.core.accounts.create(HOST, { name: 'Other', days: 3, purchased: 9 });
  });
  await t.core.members.remove(owner, back!.telegramId);
  t.clock.advance(HOUR_MS);
  await letIn(back!);
  const [accounts, keys] = [query('select id from accounts'), query<number>('select count(*) from api_keys')];
  const ended = { keysEnded: 1, membersEnded: 1, webhooksEnded: 1, payments: 1, refunds: 1 };
  expect(await testify()).toEqual({ ...NOTHING, ...ended });
  expect([
    t.core.members.findActor(gone!.telegramId),
    t.core.members.findActor(back!.telegramId)?.role,
  ]).toEqual([undefined, 'support']);
  expect(t.core.apiKeys.list(owner).find(({ id }) => id === key)?.revoked).toBe(true);
  expect(t.core.webhooks.list(owner)).toEqual([]);
  expect(t.core.quota(t.actor).purchased).toBe(1000);
  expect([query('select id from accounts'), query('select count(*) from api_keys')]).toEqual([
    accounts,
    keys,
  ]);
  const acts = "select what || ' ' || actor from audit_log where actor = 'host:cli' order by id desc limit 5";
  expect(query(acts).toSorted()).toEqual([
    ...['keyRevoked host:cli', 'memberRemoved host:cli', 'pastTestified host:cli', 'refunded host:cli'],
    'webhookRemoved host:cli',
  ]);
  expect(await testify()).toEqual({ ...NOTHING });
});

test('only another past of the same database is heard', async () => {
  await add(3);
  await takeOver(() => order(ANN, 'one'));
  const refuse = async (sentence: RegExp) => {
    await expect(testify()).rejects.toThrow(sentence);
    expect(query('select state from codes')).toEqual(Array(3).fill('unverified'));
  };
  const kept = join(t.folder, 'kept.db');
  copyFileSync(t.lost(), kept);
  await backup(t.path(), `${t.lost()}.own`, { secrets, now: t.clock.now() });
  copyFileSync(`${t.lost()}.own`, t.lost());
  await refuse(/own past of this database/);
  copyFileSync(kept, t.lost());
  change("insert into meta values ('platform', cast('upstream https://b.example.org' as blob))", t.lost());
  change("insert into meta values ('platform', cast('sandbox' as blob))", t.path());
  await refuse(/was used with the platform upstream/);
  rmSync(t.lost());
  await createStore({ path: t.lost(), encryptionKey: KEY, exclusive: false }).close();
  await refuse(/is of another database/);
  rmSync(t.lost());
  await createStore({ path: t.lost(), encryptionKey: Buffer.alloc(32, 8), exclusive: false }).close();
  await refuse(/encryption key is not the one/);
});
