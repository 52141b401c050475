// What a new folder begins with.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { loadConfig } from '../src/config.ts';
import { seed } from './seeding.ts';
import { createEnvironment } from './settings.ts';

test('a past in which all has ended but one doubt, and nobody waits to be told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seeding-'));
  try {
    const settings = loadConfig(createEnvironment(folder, 'http://127.0.0.1:1'));
    const { accountId } = await seed(settings, 'en');
    const connection = new Database(settings.databasePath, { readonly: true });
    const list = (sql: string) => connection.prepare(sql).pluck().all();
    expect(list('select id from accounts')).toEqual([accountId]);
    expect(list("select player_id from redemptions where state in ('pending', 'in_doubt')")).toEqual([
      '5170925552',
    ]);
    expect(list("select count(*) from redemptions where state = 'redeemed'")).toEqual([11]);
    expect(list("select count(*) from tasks where run_at is not null and task <> 'doubt'")).toEqual([0]);
    connection.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
