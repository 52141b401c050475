// The old disk turns up after a takeover: what it has closed is closed, nothing else of it is taken, and nothing twice.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { createScriptedPlatform, type ScriptedPlatform } from '../../../test/harness/platform.ts';
import { createManualClock, type ManualClock } from '../../clock.ts';
import { randomIds } from '../../ids.ts';
import { backup } from '../../store/backup/backup.ts';
import { checkConservation } from '../../store/backup/conservation.ts';
import { readLostTime } from '../../store/backup/epochs.ts';
import { restore } from '../../store/backup/restore.ts';
import { openPast } from '../../store/backup/testimony.ts';
import { openConnection } from '../../store/engine/connection.ts';
import { createCodeSeals, createSecrets } from '../../store/engine/secrets.ts';
import { createStore, type Store } from '../../store/index.ts';
import { createTables } from '../../store/tables/index.ts';
import { createCore, type ApiKeyActor, type Core, type MemberActor } from '../index.ts';
import type { Redemption } from '../receipts/receipts.ts';
import { hearTestimony, type Testimony } from './testimony.ts';
import { alone } from '../../platforms.ts';

const KEY = Buffer.alloc(32, 7);
const secrets = createSecrets(KEY);
const HOST = { kind: 'host', by: 'cli' } as const;
const STOCK_KEY = { gameId: 'game_id_1', denomination: 60 };
const [ANN, BOB] = ['5170925570', '5170925571'];
const DIRECT = { gameId: 'game_id_1' };
const FOREIGN = '60SFOREIGN0000001';
const CLOSED = { extracted: Array<string>(3).fill('extracted') };
const keyed = (key: string) => ({ idempotencyKey: { scope: 'http' as const, key } });
const HOUR_MS = 60 * 60_000;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NOTHING = {
  ...{ extracted: 0, undone: 0, used: 0, invalid: 0, recovered: 0, completed: 0, keysEnded: 0 },
  ...{ membersEnded: 0, webhooksEnded: 0, payments: 0, refunds: 0 },
};

let folder: string;
let clock: ManualClock;
let platform: ScriptedPlatform;
let store: Store;
let core: Core;
let actor: ApiKeyActor;
let owner: MemberActor;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'testimony-'));
  clock = createManualClock(Date.UTC(2026, 0, 13, 12));
  platform = createScriptedPlatform(() => clock.now());
  open();
  const { accountId } = await core.accounts.create(HOST, { name: 'Shop', days: 30 });
  actor = { kind: 'apiKey', accountId, apiKeyId: 1 };
  owner = { kind: 'member', accountId, telegramId: 7, role: 'owner' };
  await letIn(owner);
});
afterEach(async () => {
  await end();
  rmSync(folder, { recursive: true });
});

const path = () => join(folder, 'redemption.db');
const lost = () => join(folder, 'lost.db');
const letIn = ({ accountId, telegramId, role }: MemberActor) =>
  store.write(({ members }) =>
    members.insert({ accountId, telegramId, role, name: 'Ann', username: null, now: clock.now() }),
  );

function open(): void {
  store = createStore({ path: path(), encryptionKey: KEY, exclusive: false });
  core = createCore({
    ...{
      store,
      upstreams: alone(platform),
      games: TEST_GAMES,
      clock,
      ids: randomIds,
      log,
      platformTimeoutMs: 45_000,
    },
    checkWebhookAddress: (url) => Promise.resolve({ url }),
  });
}
async function end(): Promise<void> {
  await core.stop(0);
  await store.close();
}

let codes = 0;
async function add(count: number): Promise<string[]> {
  const added = Array.from({ length: count }, () => `60S${String((codes += 1)).padStart(13, '0')}`);
  await core.codes.add(actor, STOCK_KEY.gameId, [{ denomination: 60, codes: added }]);
  return added;
}
const extract = async (amount: number) => (await core.codes.extract(actor, { ...STOCK_KEY, amount })).codes;

/** What happens in `lostTime` is in the lost file alone; its service is killed. */
async function takeOver(lostTime: () => Promise<unknown>): Promise<void> {
  const file = join(folder, 'backup.db');
  await backup(path(), file, { secrets, now: clock.now() });
  clock.advance(5_000);
  await lostTime();
  clock.advance(5_000);
  await end();
  copyFileSync(path(), lost());
  rmSync(path());
  restore({ file, databasePath: path(), key: KEY, now: clock.now() });
  clock.advance(platform.settlingMs);
  open();
}

/** The machine that took over is lost as well, and the same backup is put in place once more. */
async function takeOverAgain(): Promise<void> {
  clock.advance(5_000);
  await end();
  copyFileSync(path(), lost());
  rmSync(path());
  restore({ file: join(folder, 'backup.db'), databasePath: path(), key: KEY, now: clock.now() });
  clock.advance(platform.settlingMs);
  open();
}

/** As the host's command does, over the stopped service. */
async function testify(): Promise<Testimony> {
  await end();
  const connection = openConnection(path());
  const past = openPast(lost(), { databasePath: path(), secrets, now: clock.now() });
  try {
    const tables = createTables(connection, secrets);
    const moment = { now: clock.now(), monotonicNow: clock.now() };
    const court = {
      tables,
      lost: readLostTime(connection),
      seals: createCodeSeals(secrets),
      host: HOST,
      moment,
    };
    const heard = past.over(connection, (other) => hearTestimony({ ...court, past: other }, past.asOf));
    expect(checkConservation(connection, { secrets }).rows).toEqual([]);
    return heard;
  } finally {
    past.close();
    connection.close();
    open();
  }
}

async function order(playerId: string, key?: string): Promise<Redemption & { replayed: boolean }> {
  return redeem({ ...STOCK_KEY, playerId }, key);
}
async function redeem(what: Parameters<Core['redeem']>[1], key?: string) {
  const answer = await core.redeem(actor, { ...what, ...(key !== undefined && keyed(key)) });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return { ...answer.redemption, replayed: answer.replayed };
}

const release = () =>
  store.write(({ takeover }) =>
    takeover.release({ ...STOCK_KEY, accountId: actor.accountId }, 99, clock.now()),
  );

function change(sql: string, at: string): void {
  const file = new Database(at);
  file.exec(sql);
  file.close();
}

function query<T>(sql: string, at = path()): T[] {
  const file = new Database(at, { readonly: true });
  try {
    return file.prepare(sql).pluck().all() as T[];
  } finally {
    file.close();
  }
}
const statesOf = (...of: string[]) =>
  of.map((code) => {
    const hash = store.seals.hash(STOCK_KEY.gameId, code).toString('hex');
    return query<string>(
      `select state from codes where hex(code_hash) = upper('${hash}') order by id desc`,
    )[0];
  });

test('codes that left the stock of the lost machine leave this one, and what was handed out can be read here', async () => {
  const [first = '', ...others] = await add(9);
  clock.advance(60_000);
  await extract(1);
  const undone = await add(2);
  let given: string[] = [];
  await takeOver(async () => {
    platform.spent.set(first, { playerId: BOB, redeemedAt: clock.now() - HOUR_MS, reference: 'other' });
    await order(ANN);
    await core.imports.undo(owner, query<number>('select max(id) from batches')[0] ?? 0);
    given = (await core.codes.extract(actor, { ...STOCK_KEY, amount: 3, ...keyed('taken') })).codes;
  });
  expect(statesOf(first, ...given)).toEqual(['unverified', 'unverified', 'unverified', 'in_question']);
  expect(await testify()).toEqual({ ...NOTHING, extracted: 3, undone: 2, used: 1 });
  expect(statesOf(first, ...given, ...undone)).toEqual(['used', ...CLOSED.extracted, 'undone', 'undone']);
  expect(await testify()).toEqual({ ...NOTHING });
  const acts = "select object from audit_log where what = 'codesExtracted' order by id";
  expect(query(acts)).toEqual(query(acts, lost()));
  // Whoever did not hear of it asks again, and has the same; and nobody else has any of it.
  const again = await core.codes.extract(actor, { ...STOCK_KEY, amount: 3, ...keyed('taken') });
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
  expect(core.quota(actor).daily.used).toBe(4);
  const sent = platform.orders.length;
  const again = await order(ANN, 'one');
  expect(again).toMatchObject({ state: 'redeemed', code: before[0]?.code, replayed: true, warning: false });
  expect(again.credentials).toEqual(before[0]?.credentials);
  expect([platform.orders.length, core.quota(actor).daily.used]).toEqual([sent, 4]);
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
  change('update redemptions set credentials_secret = null, next_look_at = 1', lost());
  expect(await testify()).toEqual({ ...NOTHING, recovered: 1 });
  expect(query<number>('select count(*) from redemptions where next_look_at is not null')).toEqual([1]);
});

test('when it comes late, what was recovered is completed, and a code that was spent meanwhile stays so', async () => {
  const [first, , third] = await add(6);
  let before: Redemption | undefined;
  await takeOver(async () => (before = await order(ANN, 'one')));
  expect((await order(BOB, 'two')).code).not.toBe(first);
  clock.advance(2 * HOUR_MS);
  await order(ANN, 'one');
  expect(query<string>("select player_id from redemptions where actor = 'lost'")).toEqual([`open-${ANN}`]);
  const { used } = core.quota(actor).daily;
  expect(await testify()).toEqual({ ...NOTHING, completed: 1 });
  expect(core.quota(actor).daily.used).toBe(used);
  const [id = 0] = query<number>("select id from redemptions where actor = 'lost'");
  expect(store.read(({ redemptions }) => redemptions.get(id))).toMatchObject({
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
  const { used } = core.quota(actor).daily;
  expect(await testify()).toEqual({ ...NOTHING, recovered: 1 });
  expect([used, core.quota(actor).daily.used]).toEqual([1, 1]);
});

test('a second restore from the same backup is another epoch, and an order of the first has its receipt once that testifies', async () => {
  const [, second] = await add(4);
  await takeOver(() => Promise.resolve());
  const { epoch } = store;
  // Carried out, and not known to be: only the platform can tell, by the reference of that epoch.
  platform.script.redeem = (sent) => {
    platform.redeemNow(sent);
    return { status: 'unknown', errorCode: 'UNKNOWN', message: '' };
  };
  const { code } = await order(ANN, 'one');
  const newest = query<number>('select max(id) from redemptions')[0];
  delete platform.script.redeem;
  await takeOverAgain();
  expect(store.epoch).not.toBe(epoch);
  expect(await testify()).toEqual(NOTHING);
  expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed', code, replayed: true });
  const next = await order(ANN, 'two');
  expect([next.code, next.replayed]).toEqual([second, false]);
  expect(next.id).toBeGreaterThan(newest ?? Infinity);
  expect(core.quota(actor).daily.used).toBe(2);
});

test('codes that were added again after they were handed out leave, and one that is under way comes back to no stock', async () => {
  const [first = ''] = await add(1);
  let again: string[] = [];
  await takeOver(async () => {
    again = await add(2);
    await extract(3);
  });
  await core.codes.add(actor, STOCK_KEY.gameId, [{ denomination: 60, codes: again }]);
  await release();
  platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  expect((await order(ANN, 'one')).code).toBe(first);
  expect(await testify()).toMatchObject({ extracted: 3 });
  expect(statesOf(first, ...again)).toEqual(['in_doubt', 'extracted', 'extracted']);
  delete platform.script.redeem;
  // "Not redeemed" is final after the settling period of the process that asks.
  for (let looks = 0; looks < 2; looks += 1) {
    clock.advance(HOUR_MS);
    await core.settleDoubts();
  }
  expect(statesOf(first)).toEqual(['used']);
  // What is in other hands is charged to nobody here.
  expect(core.quota(actor).daily.used).toBe(0);
});

test('keys, members, webhooks that ended end, payments are booked; nothing that began there begins', async () => {
  const [staff, gone, back] = [8, 9, 10].map(
    (telegramId) => ({ ...owner, telegramId, role: 'support' }) as const,
  );
  for (const member of [staff!, gone!, back!]) await letIn(member);
  const key = (await core.apiKeys.issue(owner)).id;
  const hook = await core.webhooks.add(owner, {
    url: 'https://a.example.org/x',
    events: ['redemption.settled'],
  });
  const hookId = hook.status === 'added' ? hook.webhook.id : 0;
  const paid = { accountId: actor.accountId, currency: 'XTR', amount: 77, paidBy: 'member:7' };
  const buy = (chargeId: string) =>
    core.purchases.credit({ ...paid, chargeId, kind: 'activations', thousands: 1 });
  await buy('known');
  await takeOver(async () => {
    await core.apiKeys.revoke(owner, key);
    await core.apiKeys.issue(owner);
    await core.members.remove(owner, gone!.telegramId);
    await core.members.remove(owner, back!.telegramId);
    await core.webhooks.remove(owner, hookId);
    await buy('paid');
    await core.purchases.refund(HOST, 'known');
    await core.accounts.create(HOST, { name: 'Other', days: 3, purchased: 9 });
  });
  await core.members.remove(owner, back!.telegramId);
  clock.advance(HOUR_MS);
  await letIn(back!);
  const [accounts, keys] = [query('select id from accounts'), query<number>('select count(*) from api_keys')];
  const ended = { keysEnded: 1, membersEnded: 1, webhooksEnded: 1, payments: 1, refunds: 1 };
  expect(await testify()).toEqual({ ...NOTHING, ...ended });
  expect([core.members.findActor(gone!.telegramId), core.members.findActor(back!.telegramId)?.role]).toEqual([
    undefined,
    'support',
  ]);
  expect(core.apiKeys.list(owner).find(({ id }) => id === key)?.revoked).toBe(true);
  expect(core.webhooks.list(owner)).toEqual([]);
  expect(core.quota(actor).purchased).toBe(1000);
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
  const kept = join(folder, 'kept.db');
  copyFileSync(lost(), kept);
  await backup(path(), `${lost()}.own`, { secrets, now: clock.now() });
  copyFileSync(`${lost()}.own`, lost());
  await refuse(/own past of this database/);
  copyFileSync(kept, lost());
  change("insert into meta values ('platform', cast('upstream https://b.example.org' as blob))", lost());
  change("insert into meta values ('platform', cast('sandbox' as blob))", path());
  await refuse(/was used with the platform upstream/);
  rmSync(lost());
  await createStore({ path: lost(), encryptionKey: KEY, exclusive: false }).close();
  await refuse(/is of another database/);
  rmSync(lost());
  await createStore({ path: lost(), encryptionKey: Buffer.alloc(32, 8), exclusive: false }).close();
  await refuse(/encryption key is not the one/);
});
