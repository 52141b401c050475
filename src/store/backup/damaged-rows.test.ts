// Going back to a backup in which a row does not open or contradicts another: each such row costs itself, and is named.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { numberedCodes, openTrader, type Trader } from '../../../test/harness/traded-store.ts';
import { backup } from './backup.ts';
import { createStore, type Store } from '../index.ts';
import { restore } from './restore.ts';

const KEY = Buffer.alloc(32, 3);
const now = Date.UTC(2026, 0, 13);

let folder: string;
let path: string;
let store: Store;
let trader: Trader;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damagedRows-'));
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

async function backUp(name: string): Promise<string> {
  const file = join(folder, name);
  await backup(path, file, { secrets: store.secrets, now });
  return file;
}

function query(sql: string): unknown[] {
  const connection = new Database(path, { readonly: true });
  try {
    return connection.prepare(sql).pluck().all();
  } finally {
    connection.close();
  }
}

describe('a backup that is not as it must be', () => {
  test('is restored without the code that does not open: it is put aside, named, and never taken', async () => {
    await trader.addCodes(numberedCodes('A', 3));
    const file = await backUp('b.db');
    flipLastBit(file, 'select code_secret from codes where id = 1');
    await store.close();
    rmSync(path);
    const restored = restore({ file, databasePath: path, key: KEY, now: now + 1 });
    store = open();
    expect(restored).toMatchObject({ unreadable: 1, drift: 0, unverified: 2 });
    expect(restored.rows).toEqual([{ check: 'sealed', table: 'codes', column: 'code_secret', row: 1 }]);
    expect(query('select state from codes order by id')).toEqual(['invalid', 'unverified', 'unverified']);
    expect((await trader.begin()).code).toBe(numberedCodes('A', 3)[1]);
  });

  test('is restored although it contradicts itself, and that is told', async () => {
    await trader.addCodes(numberedCodes('A', 3));
    const connection = new Database(path);
    connection.exec('update batches set added = added + 1');
    connection.close();
    const file = await backUp('b.db');
    await store.close();
    rmSync(path);
    const restored = restore({ file, databasePath: path, key: KEY, now: now + 1 });
    store = open();
    expect(restored).toMatchObject({ unreadable: 0 });
    expect(restored.rows.map(({ check }) => check)).toContain('batchCount');
  });

  function flipLastBit(file: string, sql: string) {
    const connection = new Database(file, { readonly: true });
    const secret = connection.prepare(sql).pluck().get() as Buffer;
    connection.close();
    const bytes = readFileSync(file);
    const at = bytes.indexOf(secret) + secret.length - 1;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    writeFileSync(file, bytes);
  }
});
