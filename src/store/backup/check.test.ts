// The check beside a running service: all of one moment, nothing held on to meanwhile, nothing left behind.
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { TestStore } from '../../../test/harness/store.ts';
import { openTradedStore } from '../../../test/harness/traded-store.ts';
import type { Secrets } from '../engine/secrets.ts';
import { checkRunning, hasRoomForCopy } from './check.ts';
import { copyRunning, openForProof } from './snapshot-file.ts';

let t: TestStore;
let other: Database.Database;
beforeEach(async () => {
  ({ fixture: t } = await openTradedStore());
  t.allowDrift();
  other = new Database(t.store.path, { timeout: 0 });
});
afterEach(() => {
  other.close();
  return t.close();
});

/** Whether somebody keeps the log from being used again, after each write that comes while the check opens a value. */
function watchLog(): { secrets: Secrets; held: boolean[] } {
  const held: boolean[] = [];
  const { secrets } = t.store;
  const write = () => {
    other.exec(
      "update quotas set used = used + 1, purchased = purchased + 4; update accounts set name = name || 'x'",
    );
    const [{ busy }] = other.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    held.push(busy === 1);
  };
  const watched: Pick<Secrets, 'open' | 'openByHash'> = {
    open(...value) {
      write();
      return secrets.open(...value);
    },
    openByHash(...value) {
      write();
      return secrets.openByHash(...value);
    },
  };
  return { secrets: { ...secrets, ...watched }, held };
}
const left = () => readdirSync(dirname(t.store.path)).filter((name) => name.includes('checking'));

test('is of one moment, whatever is written meanwhile, and the log of the service is free', async () => {
  const { secrets, held } = watchLog();
  const { rows, counts } = await checkRunning(t.store.path, secrets);
  expect(rows).toEqual([]);
  expect(counts.added).toBe(15);
  expect(held.length).toBeGreaterThan(counts.sealed);
  expect(held).not.toContain(true);
  expect(left()).toEqual([]);
  // What was written was wrong, and is so in the next check.
  expect((await checkRunning(t.store.path, t.store.secrets)).rows.map(({ check }) => check)).toEqual([
    'quotaUsed',
    'quotaPurchased',
  ]);
});

test('where the disk has no room for a copy it reads the database itself, all the same of one moment', async () => {
  const { secrets, held } = watchLog();
  const { rows } = await checkRunning(t.store.path, secrets, { hasRoom: () => false });
  // The canary is opened before: what is written then is seen.
  expect(rows.map(({ check }) => check)).toEqual(['quotaUsed', 'quotaPurchased']);
  expect(held).toContain(true);
});

test('a copy needs room for the database, for its log, and some to spare', () => {
  const { path } = t.store;
  const [file, log] = [statSync(path).size, statSync(`${path}-wal`).size];
  expect([file, log].every((size) => size > 0)).toBe(true);
  const rooms = [file, log, file + log, 2 * (file + log)].map((free) => hasRoomForCopy(path, free));
  expect(rooms).toEqual([false, false, false, true]);
  // A log that is not there needs none.
  expect(hasRoomForCopy(`${path}.nothing`, 1)).toBe(true);
});

test('sorts on the disk, whatever it sorts', async () => {
  const copy = `${t.store.path}.copy`;
  await copyRunning(t.store.path, copy);
  const connection = openForProof(copy);
  expect(connection.pragma('temp_store', { simple: true })).toBe(1);
  connection.close();
});

test('leaves nothing where it fails, and takes away what a killed one left', async () => {
  const [old, recent] = ['old', 'recent'].map((name) => `${t.store.path}.checking-${name}`) as [
    string,
    string,
  ];
  for (const folder of [old, recent]) mkdirSync(folder);
  utimesSync(old, new Date(0), new Date(0));
  other.exec("delete from meta where key = 'canary'");
  await expect(checkRunning(t.store.path, t.store.secrets)).rejects.toThrow(
    /is not a database of this service/,
  );
  expect([existsSync(old), existsSync(recent), left()]).toEqual([
    false,
    true,
    ['redemption.db.checking-recent'],
  ]);
});
