import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { writeAsOf } from '../../../test/harness/earlier-files.ts';
import { checkConservation } from '../safekeeping/conservation.ts';
import { migrate } from './migrations.ts';
import { turnOver } from './turnover.ts';

let folder: string;
let file: Database.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  file = new Database(join(folder, 'redemption.db'));
  file.pragma('foreign_keys = ON');
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a file of before the jobs', () => {
  const addCode = (code: string, batch: number, state: string, extraction: number | null = null) =>
    file
      .prepare(
        `insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, extraction_id, changed_at)
         values (1, 'game_id_1', 60, ?, ?, x'00', ?, ?, 5)`,
      )
      .run(state, Buffer.from(code.padEnd(32)), batch, extraction);

  beforeEach(() => {
    writeAsOf(file, '0000_initial', '0001_bot', '0002_subscription_ends');
    file.exec(`insert into accounts (id, name, created_at) values (1, 'Shop', 0);
      insert into batches (id, account_id, game_id, actor, at, added)
        values (1, 1, 'game_id_1', 'member:1', 0, 5), (2, 1, 'game_id_1', 'member:1', 0, 1);
      insert into extractions (id, account_id, game_id, denomination, actor, at)
        values (1, 1, 'game_id_1', 60, 'member:1', 7);
      insert into imports (id, account_id, game_id, actor, state, batch_id, at)
        values (1, 1, 'game_id_1', 'member:1', 'committing', 2, 3)`);
  });

  test('keeps codes that one batch had twice, each told apart, and counts the stock', () => {
    addCode('a', 1, 'extracted', 1);
    addCode('a', 1, 'extracted', 1);
    addCode('a', 1, 'available');
    addCode('b', 1, 'available');
    addCode('c', 1, 'used');
    addCode('d', 2, 'available');
    migrate(file);
    turnOver(file, { alone: true });
    const { rows, counts } = checkConservation(file);
    expect(rows).toEqual([]);
    expect(counts).toMatchObject({ added: 6, codes: { available: 3, extracted: 2, used: 1 } });
    expect(file.prepare('select state, count from stock_counts order by state').raw().all()).toEqual([
      ['available', 3],
      ['extracted', 2],
      ['used', 1],
    ]);
    expect(file.prepare('select wanted, ended_at as endedAt from extractions').get()).toEqual({
      wanted: 2,
      endedAt: 7,
    });
  });

  test('makes a job without slices of an import left in the middle: it is not redone from its list', () => {
    addCode('d', 2, 'available');
    file.exec('update batches set added = 0 where id = 1');
    migrate(file);
    turnOver(file, { alone: true });
    expect(file.prepare('select kind, subject_id as batch, state, total from jobs').all()).toEqual([
      { kind: 'add', batch: 2, state: 'running', total: 0 },
    ]);
    expect(checkConservation(file).rows).toEqual([]);
  });

  test('counts what changes its state from then on', () => {
    addCode('d', 2, 'available');
    file.exec('update batches set added = 0 where id = 1');
    migrate(file);
    turnOver(file, { alone: true });
    file.exec("update codes set state = 'used'; update codes set state = 'used', changed_at = 9");
    expect(file.prepare('select state, count from stock_counts order by state').raw().all()).toEqual([
      ['available', 0],
      ['used', 1],
    ]);
  });
});
