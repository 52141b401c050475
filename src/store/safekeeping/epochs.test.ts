// A restore is an epoch: what the backup caught in the middle is closed, what is known of the time since is carried, rows are
// known by what they are, and no number is given twice.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  GAME,
  numberedCodes,
  openTrader,
  purchase,
  type Trader,
} from '../../../test/harness/traded-store.ts';
import { backup } from './backup.ts';
import { checkConservation } from './conservation.ts';
import { createStore, type Store } from '../index.ts';
import { restore } from './restore.ts';

const KEY = Buffer.alloc(32, 3);
const HOUR_MS = 60 * 60 * 1000;

let folder: string;
let path: string;
let store: Store;
let trader: Trader;
let now: number;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 13);
  folder = mkdtempSync(join(tmpdir(), 'epochs-'));
  path = join(folder, 'redemption.db');
  store = open();
  trader = await openTrader(
    () => store,
    () => now,
  );
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const open = () => createStore({ path, encryptionKey: KEY, exclusive: false });
/** Time passes before every deed that has a time. */
const wait = (ms = 60_000) => void (now += ms);

async function backUp(name: string): Promise<string> {
  const file = join(folder, name);
  await backup(path, file, { secrets: store.secrets, now });
  wait();
  return file;
}

/** Stops the service, restores, starts it again. `over`: what became of the file that is replaced. */
async function goBack(file: string, over: 'readable' | 'dead disk' = 'readable') {
  await store.close();
  if (over === 'dead disk') writeFileSync(path, 'no database any more '.repeat(400));
  wait();
  const restored = restore({ file, databasePath: path, key: KEY, now });
  store = open();
  wait();
  expect(restored.rows).toEqual([]);
  expect(driftOf()).toEqual([]);
  return restored;
}

function driftOf(): unknown[] {
  const connection = new Database(path, { readonly: true });
  const { rows } = checkConservation(connection, { secrets: store.secrets });
  connection.close();
  return rows;
}

function query(sql: string): unknown[] {
  const connection = new Database(path, { readonly: true });
  try {
    return connection.prepare(sql).pluck().all();
  } finally {
    connection.close();
  }
}

const stateOf = (code: string) =>
  store.read((tables) => tables.codes.findOwner(GAME.id, store.seals.hash(GAME.id, code))?.state);

/** An import, a job of each kind, and everything the bot may be in the middle of. */
async function leaveUnfinished(): Promise<void> {
  const { accountId } = trader.actor;
  const owned = { accountId, gameId: GAME.id, actor: 'member:1', now };
  const running = { accountId, actor: 'member:1', now };
  await store.write((tables) => {
    const collecting = tables.imports.open({ ...owned, denomination: 60 });
    const piece = { importId: collecting, pieceKey: 'one', position: 1, kind: 'message' as const };
    tables.imports.addPiece({ ...piece, text: numberedCodes('P', 3).join('\n') });
    const committing = tables.imports.open({ ...owned, denomination: 60 });
    const batchId = tables.batches.open(owned);
    tables.imports.move(committing, 'collecting', 'committing');
    tables.imports.setBatch(committing, batchId);
    const jobId = tables.jobs.open({ ...running, kind: 'add', subjectId: batchId, total: 6 });
    tables.jobSlices.keep({ jobId, position: 0, denomination: 60, content: numberedCodes('J', 3) });
    tables.jobSlices.keep({ jobId, position: 1, denomination: 60, content: numberedCodes('K', 3) });
    tables.jobs.open({ ...running, kind: 'undo', subjectId: 1, total: 2 });
    const extractionId = tables.extractions.open({ ...owned, denomination: 60, wanted: 5 });
    tables.jobs.open({ ...running, kind: 'extract', subjectId: extractionId, total: 5 });
    tables.inbox.keep(1, JSON.stringify({ update_id: 1, message: { text: 'hello' } }), now);
    tables.outbox.keep({ key: 'one', chatId: 1, content: '{}', now });
    tables.conversations.save(1, 1, '{}', now);
    const draft = { id: 'redeem', chatId: 1, userId: 1, action: 'redeem-now', payload: '{}' };
    tables.drafts.keep({ ...draft, expiresAt: now + HOUR_MS });
    tables.drafts.take('redeem', 1, now);
    tables.orders.keep({ ...ORDER, id: 'redeem' }, now);
  });
}

/** The first slice of the job that `leaveUnfinished` left. */
async function addFirstSlice(): Promise<void> {
  const lot = { accountId: trader.actor.accountId, gameId: GAME.id, denomination: 60 };
  const sealed = numberedCodes('J', 3).map((code) => store.seals.seal(GAME.id, code));
  await store.write((tables) => {
    const job = tables.jobs.findOfSubject('add', 2)!;
    for (const code of sealed) tables.batches.insertCode({ ...lot, batchId: job.subjectId, now }, code);
    tables.batches.grow(job.subjectId, lot, 3);
    tables.jobs.advance(job.id, { done: 3, cursor: null });
    tables.jobSlices.finish(job.id, 0, { added: 3, content: { used: [], disowned: [] } });
  });
}

const ORDER = {
  accountId: 1,
  telegramId: 1,
  chatId: 1,
  messageId: 1,
  language: null,
  gameId: 'game_id_1',
  warnedOf: 0,
  items: [60, 60].map((denomination) => ({ playerId: '5170925570', playerName: 'Somebody', denomination })),
};

describe('what the backup caught in the middle is closed', () => {
  const expectAllClosed = () => {
    expect(query("select count(*) from jobs where state = 'running'")).toEqual([0]);
    expect(query("select state from jobs where kind = 'extract'")).toContain('cancelled');
    expect(query('select count(*) from extractions where ended_at is null')).toEqual([0]);
    expect(query('select count(*) from job_slices where added is null')).toEqual([0]);
    expect(query('select count(*) from import_pieces')).toEqual([0]);
    expect(query('select state from inbox')).toEqual(['set_aside']);
    expect(query('select state from outbox')).toEqual(['dropped']);
    expect(query('select count(*) from conversations')).toEqual([0]);
    expect(query('select count(*) from drafts')).toEqual([0]);
    // The unbegun rest of an order of several codes.
    expect(query('select state || reason from orders')).toEqual(['stoppedrestored']);
    // A batch whose undo was interrupted can be undone anew.
    expect(store.read((tables) => tables.jobs.findOfSubject('undo', 1))).toBeUndefined();
  };

  test.each(['readable', 'dead disk'] as const)('over a %s: nothing of it goes on', async (over) => {
    await trader.addCodes(numberedCodes('A', 2));
    await leaveUnfinished();
    const file = await backUp('b.db');
    await goBack(file, over);
    expectAllClosed();
    expect(query('select state from imports')).toEqual(['cancelled', 'cancelled']);
    for (const code of [...numberedCodes('J', 3), ...numberedCodes('K', 3)])
      expect(stateOf(code)).toBeUndefined();
  });

  test('an import half done is committed with what it has, and its job tells what that was', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await leaveUnfinished();
    await addFirstSlice();
    await goBack(await backUp('b.db'), 'dead disk');
    expectAllClosed();
    expect(query('select state from imports')).toEqual(['cancelled', 'committed']);
    expect(query("select state from jobs where kind = 'add' and done = 3 and total = 6")).toEqual([
      'cancelled',
    ]);
    expect(numberedCodes('J', 3).map(stateOf)).toEqual(['unverified', 'unverified', 'unverified']);
    expect(query('select added from batches where id = 2')).toEqual([3]);
  });

  test('codes that were handed out from an import after its backup are never added again', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await leaveUnfinished();
    const file = await backUp('b.db');
    await addFirstSlice();
    wait();
    const handedOut = await trader.extract(5);
    expect(handedOut).toEqual([...numberedCodes('A', 2), ...numberedCodes('J', 3)]);
    wait();
    expect((await goBack(file)).since).toBe('carried');
    for (const code of handedOut) expect(stateOf(code)).toBeUndefined();
    expect(query("select count(*) from codes where state = 'extracted'")).toEqual([5]);
    await expect(trader.begin()).rejects.toThrow(/refused/);
  });

  test('updates that say that money moved wait for their booking, and orders can be paid', async () => {
    const paid = (id: number) => JSON.stringify({ update_id: id, message: { successful_payment: {} } });
    await store.write((tables) => {
      tables.inbox.keep(1, paid(1), now);
      tables.inbox.keep(2, paid(2), now);
      for (const action of ['invoice', 'unbooked-charge', 'refunded-charge', 'extract-now']) {
        const draft = { id: action, chatId: 1, userId: 1, action, payload: '{}' };
        tables.drafts.keep({ ...draft, expiresAt: now + HOUR_MS });
      }
    });
    const file = await backUp('b.db');
    await store.write((tables) => {
      tables.inbox.finish(1, 'done');
      tables.inbox.keep(3, paid(3), now);
      const draft = { id: 'later', chatId: 1, userId: 1, action: 'invoice', payload: '{}' };
      tables.drafts.keep({ ...draft, expiresAt: now + HOUR_MS });
    });
    await goBack(file);
    expect(query('select state from inbox order by update_id')).toEqual(['done', 'waiting', 'waiting']);
    expect(query('select id from drafts order by id')).toEqual([
      'invoice',
      'later',
      'refunded-charge',
      'unbooked-charge',
    ]);
    await goBack(file, 'dead disk');
    expect(query('select state from inbox order by update_id')).toEqual(['waiting', 'waiting']);
  });
});

describe('from a predecessor that can be read', () => {
  test('redemptions are carried whole: receipt, credentials, and the key that finds them', async () => {
    await trader.addCodes(numberedCodes('A', 4));
    const open = await trader.begin();
    const file = await backUp('b.db');
    await trader.redeem(open);
    wait();
    const since = await trader.begin({ idempotencyKey: 'key' });
    await trader.redeem(since);
    wait();
    const doubtful = await trader.begin();
    await trader.doubt(doubtful);
    const before = store.read((tables) =>
      [open, since, doubtful].map(({ id }) => tables.redemptions.get(id)),
    );
    const balance = store.read((tables) => tables.quota.peek(1, 0));
    await goBack(file);
    const after = store.read((tables) => before.map(({ id }) => tables.redemptions.get(id)));
    expect(after).toEqual(before);
    expect(after.map(({ credentials }) => credentials?.password)).toEqual(['secret', 'secret', undefined]);
    expect(store.read((tables) => tables.quota.peek(1, 0))).toEqual(balance);
    const found = store.read((tables) =>
      tables.idempotencyKeys.find(1, tables.idempotencyKeys.hashKey('http:key')),
    );
    expect(found?.redemptionId).toBe(since.id);
    await trader.giveBack(doubtful);
    expect(stateOf(doubtful.code)).toBe('unverified');
  });

  test('codes added since are in question, also those of a job that had ended', async () => {
    const file = await backUp('b.db');
    const batchId = await trader.addCodes(numberedCodes('A', 3));
    await goBack(file);
    expect(numberedCodes('A', 3).map(stateOf)).toEqual(['unverified', 'unverified', 'unverified']);
    expect(store.read((tables) => tables.jobs.findOfSubject('add', batchId)?.state)).toBe('done');
    expect(query('select added from job_slices')).toEqual([3]);
  });

  test('a code that was handed out and then added again is the new owner’s', async () => {
    await trader.addCodes(numberedCodes('A', 1));
    const file = await backUp('b.db');
    await trader.extract(1);
    wait();
    await trader.addCodes(numberedCodes('A', 1));
    await goBack(file);
    expect(query('select state from codes order by id')).toEqual(['extracted', 'unverified']);
  });

  test('what was told stays told, what was still to tell is told', async () => {
    const stockLow = { accountId: 1, kind: 'stockLow', payload: {} };
    await store.write((tables) => tables.notices.insert({ ...stockLow, now }));
    const file = await backUp('b.db');
    await store.write((tables) => tables.notices.markDelivered(1, now));
    await store.write((tables) => tables.notices.insert({ ...stockLow, now }));
    await goBack(file);
    expect(store.read((tables) => tables.notices.listWaiting(9).length)).toBe(1);
    // Where nothing is known, being told twice is better than never.
    await goBack(file, 'dead disk');
    expect(store.read((tables) => tables.notices.listWaiting(9).length)).toBe(1);
  });
});

describe('numbers', () => {
  test('Monday’s backup over a dead disk, then Tuesday’s: no unspent code is spent, no receipt number given twice', async () => {
    const start = now;
    const monday = await backUp('monday.db');
    const tuesdays = numberedCodes('T', 6);
    await trader.addCodes(tuesdays);
    wait();
    const receipts = new Set([(await redeemOne()).id]);
    const tuesday = await backUp('tuesday.db');
    expect(await goBack(monday, 'dead disk')).toMatchObject({ since: 'nothing', asOf: start });
    await trader.addCodes(numberedCodes('W', 5));
    for (let redeemed = 0; redeemed < 5; redeemed += 1) {
      const { id } = await redeemOne();
      expect(receipts).not.toContain(id);
      receipts.add(id);
    }
    wait();
    expect((await goBack(tuesday)).since).toBe('carried');
    expect(tuesdays.map(stateOf)).toEqual(['redeemed', ...Array<string>(5).fill('unverified')]);
    expect(query("select id from redemptions where state = 'redeemed' order by id")).toEqual(
      [...receipts].sort((a, b) => a - b),
    );
    expect(receipts).not.toContain((await redeemOne()).id);
  });

  test('one backup restored twice over a dead disk gives no number twice', async () => {
    await trader.addCodes(numberedCodes('A', 4));
    const file = await backUp('b.db');
    await goBack(file, 'dead disk');
    const first = await redeemOne();
    expect(first.id).toBeGreaterThan(1_000_000);
    await goBack(file, 'dead disk');
    const second = await redeemOne();
    expect(second.id).toBeGreaterThan(first.id);
    expect(second.code).toBe(first.code);
  });

  test('that an earlier version gave twice are told apart by what they stand for', async () => {
    const monday = await backUp('monday.db');
    const [tuesdayShop, tuesdayCode] = await openShopAlone('T');
    const tuesday = await backUp('tuesday.db');
    await goBack(monday, 'dead disk');
    forgetGap();
    const [wednesdayShop, wednesdayCode] = await openShopAlone('W');
    expect(wednesdayShop.actor.accountId).toBe(tuesdayShop.actor.accountId);
    await goBack(tuesday);
    expect([tuesdayCode, wednesdayCode].map(stateOf)).toEqual(['redeemed', 'redeemed']);
    const keys = [...'TW'].map((name) =>
      store.read((tables) => tables.apiKeys.findByDigest(Buffer.alloc(32, name))),
    );
    const [tuesdays, wednesdays] = keys.map((key) => key?.accountId);
    expect(tuesdays).toBe(tuesdayShop.actor.accountId);
    expect(wednesdays).not.toBe(tuesdays);
    const order = store.read((tables) => tables.drafts.find('order-W'));
    expect(JSON.parse(order!.payload)).toEqual({ accountId: wednesdays });
    const jobs = store.read((tables) => [1, 2].map((id) => tables.jobs.find(id)!.accountId));
    expect(new Set(query('select actor from redemptions'))).toEqual(
      new Set(keys.map((key) => `apiKey:${key?.id}`)),
    );
    expect(jobs).toContain(tuesdays);
    expect(query('select count(*) from redemptions')).toEqual([2]);
  });

  /** Another account with a key, an order and a code that was redeemed. */
  async function openShopAlone(name: string): Promise<[Trader, string]> {
    const shop = await openTrader(
      () => store,
      () => now,
    );
    const { accountId } = shop.actor;
    const digest = Buffer.alloc(32, name);
    await store.write((tables) => {
      const apiKeyId = tables.apiKeys.insert({ accountId, prefix: name, digest, createdBy: 'host', now });
      Object.assign(shop.actor, { apiKeyId });
      const order = {
        id: `order-${name}`,
        chatId: 1,
        userId: 1,
        action: 'invoice',
        expiresAt: now + HOUR_MS,
      };
      tables.drafts.keep({ ...order, payload: JSON.stringify({ accountId }) });
    });
    const [code = ''] = numberedCodes(name, 1);
    await shop.addCodes([code]);
    const reference = `reference-${name}`;
    const begun = await shop.begin({ idempotencyKey: name });
    await store.write(() => undefined);
    await shop.redeem(begun);
    const connection = new Database(path);
    connection
      .prepare('update redemptions set reference = ?, credentials_secret = null where id = ?')
      .run(reference, begun.id);
    connection.close();
    wait();
    return [shop, code];
  }

  /** As a restore of an earlier version left it. */
  function forgetGap(): void {
    const connection = new Database(path);
    for (const name of query('select name from sqlite_sequence') as string[]) {
      connection.exec(
        `update sqlite_sequence set seq = (select coalesce(max(id), 0) from ${name}) where name = '${name}'`,
      );
    }
    connection.close();
  }
});

describe('two pasts that both went on', () => {
  test('keep what each was paid, the key that either revoked, the end of a subscription that is later', async () => {
    const key = (byte: number) => ({
      accountId: 1,
      prefix: `k${byte}`,
      digest: Buffer.alloc(32, byte),
      createdBy: 'host',
      now,
    });
    const keys = await store.write((tables) => [1, 2].map((byte) => tables.apiKeys.insert(key(byte))));
    await store.write((tables) => {
      const member = { accountId: 1, name: 'A', username: null, now };
      tables.members.insert({ ...member, telegramId: 1, role: 'owner' });
      tables.members.insert({ ...member, telegramId: 2, role: 'admin' });
      tables.members.insert({ ...member, telegramId: 3, role: 'admin' });
    });
    const monday = await backUp('monday.db');
    await buy('tuesday');
    await store.write((tables) => {
      tables.apiKeys.revoke(1, keys[0]!, now);
      tables.members.remove(1, 2, 'admin');
      tables.accounts.extendSubscription(1, 90 * 24 * HOUR_MS, now);
    });
    wait();
    await buy('tuesday too');
    const tuesday = await backUp('tuesday.db');
    await goBack(monday, 'dead disk');
    await buy('wednesday');
    await store.write((tables) => {
      tables.apiKeys.revoke(1, keys[1]!, now);
      tables.members.remove(1, 3, 'admin');
    });
    await goBack(tuesday);
    expect(query('select charge_id from purchases order by charge_id')).toEqual([
      'first-1',
      'tuesday',
      'tuesday too',
      'wednesday',
    ]);
    expect(store.read((tables) => tables.quota.peek(1, 0).purchased)).toBe(4 * 400);
    expect(query('select count(*) from api_keys where revoked_at is null')).toEqual([0]);
    expect(query('select telegram_id from members')).toEqual([1]);
    const { subscriptionExpiresAt } = store.read((tables) => tables.accounts.find(1)!);
    expect(subscriptionExpiresAt).toBeGreaterThan(now + 100 * 24 * HOUR_MS);
  });

  test('what both spent of the same activations is a gift the second time', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await useUpDaily();
    const monday = await backUp('monday.db');
    await spend(400);
    const tuesday = await backUp('tuesday.db');
    await goBack(monday, 'dead disk');
    await spend(300);
    await goBack(tuesday);
    expect(store.read((tables) => tables.quota.peek(1, 0).purchased)).toBe(0);
    expect(query("select activations_quarters from purchases where charge_id like 'host:restore:%'")).toEqual(
      [300],
    );
  });

  async function buy(chargeId: string) {
    wait();
    await store.write((tables) => {
      tables.purchases.insert({ ...purchase(1, chargeId), at: now });
      tables.quota.credit(1, 400);
    });
  }

  async function useUpDaily() {
    const start = now - 24 * HOUR_MS;
    await store.write((tables) => {
      tables.quota.roll(1, start);
      tables.quota.charge({ accountId: 1, at: now, start, daily: 1200, purchased: 0, kind: 'character' });
    });
  }

  async function spend(purchased: number) {
    wait();
    const start = now - 24 * HOUR_MS;
    await store.write((tables) => {
      tables.quota.roll(1, start);
      tables.quota.charge({ accountId: 1, at: now, start, daily: 0, purchased, kind: 'character' });
    });
    wait();
  }
});

async function redeemOne() {
  const begun = await trader.begin();
  await trader.redeem(begun);
  wait();
  return begun;
}
