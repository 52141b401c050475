// A database that leaves its place under the running service: nothing is written from that moment on, and a second
// service stays out.
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createStore, type Store } from '../index.ts';
import { assertUnlocked, takeProcessLock } from './process-lock.ts';

const KEY = Buffer.alloc(32, 7);

let folder: string;
let path: string;
let store: Store;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'place-'));
  path = join(folder, 'redemption.db');
  lines = [];
  const say = (_fields: object, message: string) => void lines.push(message);
  store = createStore({
    path,
    encryptionKey: KEY,
    exclusive: true,
    log: { info: say, warn: say, error: say },
  });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const openAccount = () =>
  store.write((tables) => tables.accounts.insert({ name: 'A', now: 0, subscriptionExpiresAt: null }));

const LEAVES: Record<string, () => void> = {
  deleted: () => rmSync(path),
  moved: () => renameSync(path, `${path}.away`),
  'replaced by a copy of itself': () => {
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  },
};

test.each(Object.entries(LEAVES))(
  'one that is %s takes no write, at once, and is told once',
  async (_, leave) => {
    await openAccount();
    leave();
    for (let times = 0; times < 2; times += 1)
      await expect(openAccount()).rejects.toMatchObject({ code: 'SQLITE_READONLY_DBMOVED' });
    expect([store.isInPlace(), store.isWritable()]).toEqual([false, false]);
    expect(lines).toEqual([expect.stringContaining('was moved away or deleted')]);
    expect(store.read((tables) => tables.accounts.list(0, 9))).toHaveLength(1);
  },
);

test('is noticed although nobody writes, and goes on by itself when the same file is back', async () => {
  renameSync(path, `${path}.away`);
  await expect.poll(() => store.isInPlace()).toBe(false);
  renameSync(`${path}.away`, path);
  await expect.poll(() => store.isInPlace()).toBe(true);
  await openAccount();
  expect(lines).toHaveLength(2);
});

test('a lock that is removed is taken again, so that nobody starts beside', async () => {
  for (const file of [path, `${path}.lock`]) rmSync(file);
  await expect.poll(() => existsSync(`${path}.lock`)).toBe(true);
  expect(() => takeProcessLock(path)).toThrow('Another process is using');
});

test('whether it is served is asked without writing', async () => {
  const before = statSync(`${path}.lock`).mtimeMs;
  expect(() => assertUnlocked(path)).toThrow('Another process is using');
  await store.close();
  assertUnlocked(path);
  expect(statSync(`${path}.lock`).mtimeMs).toBe(before);
  rmSync(`${path}.lock`);
  assertUnlocked(path);
  expect(existsSync(`${path}.lock`)).toBe(false);
});
