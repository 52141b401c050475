import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createWriteHealth, type WriteHealth } from './write-health.ts';

let connection: Database.Database;
let health: WriteHealth;
let trouble: string | undefined;
let tried: number;

const write = (work: () => unknown): Promise<unknown> => {
  tried += 1;
  if (trouble === undefined) return Promise.resolve(work());
  return Promise.reject(Object.assign(new Error('not written'), { code: trouble }));
};
const ask = () => health.watch(write(() => undefined)).catch(() => undefined);

beforeEach(() => {
  connection = new Database(':memory:');
  connection.exec('create table meta (key text primary key, value blob not null) strict');
  trouble = undefined;
  tried = 0;
  health = createWriteHealth(connection, write, { triedEveryMs: 1 });
});
afterEach(() => {
  health.close();
  connection.close();
});

test.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_READONLY'])(
  'after %s nothing is writable until a write of its own went through, which leaves nothing behind',
  async (code) => {
    trouble = code;
    await ask();
    expect(health.isWritable()).toBe(false);
    await expect.poll(() => tried).toBeGreaterThan(3);
    expect(health.isWritable()).toBe(false);
    trouble = undefined;
    await expect.poll(() => health.isWritable()).toBe(true);
    expect(connection.prepare('select count(*) from meta').pluck().get()).toBe(0);
  },
);

test('a write of somebody else that goes through is as good', async () => {
  trouble = 'SQLITE_FULL';
  await ask();
  trouble = undefined;
  await ask();
  expect(health.isWritable()).toBe(true);
});

test.each(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_BUSY', 'CONFLICT'])(
  '%s is no trouble of the disk',
  async (code) => {
    trouble = code;
    await ask();
    expect([health.isWritable(), tried]).toEqual([true, 1]);
  },
);

test('what a write resolves or rejects with is told on', async () => {
  expect(await health.watch(Promise.resolve(7))).toBe(7);
  await expect(health.watch(Promise.reject(new Error('its own')))).rejects.toThrow('its own');
});
