// The backup of an earlier version, restored by this one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { writeAsOf } from '../../../test/harness/earlier-files.ts';
import { writeCanary } from '../engine/keys.ts';
import { createSecrets } from '../engine/secrets.ts';
import { restore } from './restore.ts';

const KEY = Buffer.alloc(32, 3);

test('it comes back with the indexes of today, before anybody opens it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'restore-earlier-'));
  try {
    const file = join(folder, 'backup.db');
    const earlier = new Database(file);
    writeAsOf(earlier, '0000_initial', '0001_bot', '0002_subscription_ends', '0003_jobs_and_counts');
    writeCanary(earlier, createSecrets(KEY));
    earlier.exec("insert into accounts (id, name, created_at) values (1, 'Shop', 0)");
    earlier.close();
    const databasePath = join(folder, 'redemption.db');
    restore({ file, databasePath, key: KEY, now: 1 });
    const restored = new Database(databasePath, { readonly: true });
    const names = "'codes_owned', 'codes_by_hash', 'redemptions_live', 'redemptions_by_hash'";
    expect(
      restored.prepare(`select name from sqlite_schema where name in (${names}) order by name`).pluck().all(),
    ).toEqual(['codes_by_hash', 'redemptions_by_hash']);
    expect(restored.prepare('select name from accounts').pluck().all()).toEqual(['Shop']);
    restored.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
