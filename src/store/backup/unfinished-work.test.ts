// What the backup caught in the middle is closed, and no number is given twice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeUnreadable } from '../../../test/harness/damaged-file.ts';
import { GAME, numberedCodes, openTrader, type Trader } from '../../../test/harness/traded-store.ts';
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
  folder = mkdtempSync(join(tmpdir(), 'unfinished-'));
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
/** Time passes before every action that has a time. */
const wait = (ms = 60_000) => void (now += ms);

async function backUp(name: string): Promise<string> {
  const file = join(folder, name);
  await backup(path, file, { secrets: store.secrets, now });
  wait();
  return file;
}

/** The disk dies; restores, and starts the service again. */
async function goBack(file: string) {
  await store.close();
  makeUnreadable(path);
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
    tables.jobSlices.save({ jobId, position: 0, denomination: 60, content: numberedCodes('J', 3) });
    tables.jobSlices.save({ jobId, position: 1, denomination: 60, content: numberedCodes('K', 3) });
    tables.jobs.open({ ...running, kind: 'undo', subjectId: 1, total: 2 });
    const extractionId = tables.extractions.open({ ...owned, denomination: 60, requested: 5 });
    tables.jobs.open({ ...running, kind: 'extract', subjectId: extractionId, total: 5 });
    tables.inbox.save(1, JSON.stringify({ update_id: 1, message: { text: 'hello' } }), now);
    tables.tasks.add({ task: 'result', queue: 'chat:1', key: 'one', payload: '{}', now });
    tables.conversations.save(1, 1, '{}', now);
    const confirmation = { id: 'redeem', chatId: 1, userId: 1, action: 'redeem-now', payload: '{}' };
    tables.confirmations.save({ ...confirmation, expiresAt: now + HOUR_MS });
    tables.confirmations.take('redeem', 1, now);
    const order = { ...owned, name: 'ord_1', playerId: '5170925570', playerName: null, key: 'k' };
    const terms = { onShortage: 'refuse', onBadCode: 'stop', deadline: null, reference: null } as const;
    tables.orders.insert({ ...order, ...terms });
  });
}

/** The first slice of the job that `leaveUnfinished` left. */
async function addFirstSlice(): Promise<void> {
  const stockKey = { accountId: trader.actor.accountId, gameId: GAME.id, denomination: 60 };
  const sealed = numberedCodes('J', 3).map((code) => store.seals.seal(GAME.id, code));
  await store.write((tables) => {
    const job = tables.jobs.findOfSubject('add', 2)!;
    for (const code of sealed) tables.batches.insertCode({ ...stockKey, batchId: job.subjectId, now }, code);
    tables.batches.grow(job.subjectId, stockKey, 3);
    tables.jobs.advance(job.id, { done: 3, cursor: null });
    tables.jobSlices.finish(job.id, 0, { added: 3, content: { used: [], disowned: [] } });
  });
}

describe('what the backup caught in the middle is closed', () => {
  const expectAllClosed = () => {
    expect(query("select count(*) from jobs where state = 'running'")).toEqual([0]);
    expect(query("select state from jobs where kind = 'extract'")).toContain('cancelled');
    expect(query('select count(*) from extractions where ended_at is null')).toEqual([0]);
    expect(query('select count(*) from job_slices where added is null')).toEqual([0]);
    expect(query('select count(*) from import_pieces')).toEqual([0]);
    expect(query('select state from inbox')).toEqual(['set_aside']);
    expect(query('select run_at is null and dead_at is not null from tasks')).toEqual([1]);
    expect(query('select count(*) from conversations')).toEqual([0]);
    expect(query('select count(*) from confirmations')).toEqual([0]);
    // Nothing more of an order begins; it is over by its next step.
    expect(query('select ending from orders where ended_at is null')).toEqual(['RESTORED']);
    // A batch whose undo was interrupted can be undone anew.
    expect(store.read((tables) => tables.jobs.findOfSubject('undo', 1))).toBeUndefined();
  };

  test('nothing of it goes on', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await leaveUnfinished();
    const file = await backUp('b.db');
    const { ordersStopped } = await goBack(file);
    expect(ordersStopped).toEqual([{ accountId: trader.actor.accountId, orders: 1 }]);
    expectAllClosed();
    expect(query('select state from imports')).toEqual(['cancelled', 'cancelled']);
    for (const code of [...numberedCodes('J', 3), ...numberedCodes('K', 3)])
      expect(stateOf(code)).toBeUndefined();
  });

  test('an import half done is committed with what it has, and its job tells what that was', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await leaveUnfinished();
    await addFirstSlice();
    await goBack(await backUp('b.db'));
    expectAllClosed();
    expect(query('select state from imports')).toEqual(['cancelled', 'committed']);
    expect(query("select state from jobs where kind = 'add' and done = 3 and total = 6")).toEqual([
      'cancelled',
    ]);
    // Five were just being handed out.
    expect(numberedCodes('J', 3).map(stateOf)).toEqual(['in_question', 'in_question', 'in_question']);
    expect(query('select added from batches where id = 2')).toEqual([3]);
  });

  test('updates that say that money moved wait for their booking', async () => {
    const paid = (id: number) => JSON.stringify({ update_id: id, message: { successful_payment: {} } });
    await store.write((tables) => {
      tables.inbox.save(1, paid(1), now);
      tables.inbox.save(2, JSON.stringify({ update_id: 2, message: { text: 'hello' } }), now);
    });
    await goBack(await backUp('b.db'));
    expect(query('select state from inbox order by update_id')).toEqual(['waiting', 'set_aside']);
  });

  test('notices that were still to tell are told: twice is better than never', async () => {
    await store.write((tables) =>
      tables.tasks.add({ task: 'announce', queue: 'notices', payload: '{}', now }),
    );
    const file = await backUp('b.db');
    await store.write((tables) => tables.tasks.finish(1, now));
    await goBack(file);
    expect(store.read((tables) => tables.tasks.findFirst('notices')?.id)).toBe(1);
  });
});

describe('numbers', () => {
  test('one backup restored twice over a dead disk gives no number twice', async () => {
    await trader.addCodes(numberedCodes('A', 4));
    const file = await backUp('b.db');
    await goBack(file);
    const first = await redeemOne();
    expect(first.id).toBeGreaterThan(1_000_000);
    await goBack(file);
    const second = await redeemOne();
    expect(second.id).toBeGreaterThan(first.id);
    expect(second.code).toBe(first.code);
  });

  test('leap in every table that counts, also where none was given', async () => {
    await goBack(await backUp('b.db'));
    const counted = "from sqlite_schema where type = 'table' and sql like '%AUTOINCREMENT%'";
    const [tables] = query(`select count(*) ${counted}`);
    expect(query('select count(*) from sqlite_sequence where seq > 1000000')).toEqual([tables]);
    expect(query("select min(id) from audit_log where what = 'restored'")[0]).toBeGreaterThan(1_000_000);
  });
});

async function redeemOne() {
  const begun = await trader.begin();
  await trader.redeem(begun);
  wait();
  return begun;
}
