// Backups: made beside a running service, proven before they have their name, for their owner alone.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import {
  numberedCodes,
  openTrader,
  tradeEverything,
  type Trader,
} from '../../../test/harness/traded-store.ts';
import { backup } from './backup.ts';
import { checkConservation } from './conservation.ts';
import { createSecrets } from '../engine/secrets.ts';

let fixture: TestStore;
let trader: Trader;
let folder: string;
let file: string;

beforeEach(async () => {
  fixture = openTestStore();
  trader = await openTrader(
    () => fixture.store,
    () => fixture.clock.now(),
  );
  await tradeEverything(fixture.store, trader);
  folder = join(dirname(fixture.store.path), 'backups');
  mkdirSync(folder);
  file = join(folder, 'backup.db');
});

afterEach(() => fixture.close());

const make = () => backup(fixture.store.path, file, fixture.store.secrets);

test('a backup is one file for its owner alone, with everything that was committed', async () => {
  await make();
  expect(readdirSync(folder)).toEqual(['backup.db']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const copy = new Database(file, { readonly: true });
  expect(copy.pragma('journal_mode', { simple: true })).toBe('delete');
  const { drift, counts } = checkConservation(copy, { secrets: fixture.store.secrets });
  copy.close();
  expect(drift).toBe(0);
  expect(counts.added).toBe(15);
});

test('a backup made while the service writes has no drift', async () => {
  let writing = true;
  const writer = (async () => {
    for (let batch = 0; writing; batch += 1) await trader.addCodes(numberedCodes(`W${batch}x`, 20));
  })();
  await make();
  writing = false;
  await writer;
  const copy = new Database(file, { readonly: true });
  expect(checkConservation(copy).drift).toBe(0);
  copy.close();
});

test('an existing file is never overwritten', async () => {
  writeFileSync(file, 'precious');
  await expect(make()).rejects.toThrow(/exists already/);
  expect(readFileSync(file, 'utf8')).toBe('precious');
  expect(readdirSync(folder)).toEqual(['backup.db']);
});

test('a folder that does not exist is refused in a sentence', async () => {
  await expect(backup(fixture.store.path, join(folder, 'no/such.db'), fixture.store.secrets)).rejects.toThrow(
    /cannot be written there/,
  );
});

test('the wrong key makes no backup', async () => {
  const wrong = createSecrets(Buffer.alloc(32, 1));
  await expect(backup(fixture.store.path, file, wrong)).rejects.toThrow(/key is not the one/);
  expect(readdirSync(folder)).toEqual([]);
});

test('a database that contradicts itself makes no backup, and says where', async () => {
  const connection = new Database(fixture.store.path);
  connection.exec("delete from codes where id = (select max(id) from codes where state = 'available')");
  connection.close();
  await expect(make()).rejects.toThrow(/contradicts itself in 1 rows \(batchCount\)/);
  expect(readdirSync(folder)).toEqual([]);
});

test('a database that is not there is not made', async () => {
  const nowhere = join(folder, 'nowhere.db');
  await expect(backup(nowhere, file, fixture.store.secrets)).rejects.toThrow(/cannot be read/);
  expect(existsSync(nowhere)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});
