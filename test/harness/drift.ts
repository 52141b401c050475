// What breaks a rule of conservation in the file that a test leaves. All files of a process are laid, one after the
// other, where one connection looks: to prepare the rules anew for each costs more than most tests.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { checkConservation } from '../../src/store/backup/conservation.ts';

// Of the header of a file of SQLite's: both versions, by which it is in WAL, and the counter by whose change another
// connection knows that what it remembers is not true any more.
const VERSIONS_AT = 18;
const COUNTER_AT = 24;

let looksAt: { path: string; connection: Database.Database; looked: number } | undefined;

/** The file is closed, unless something beside the store still has it open. */
export function findDrift(path: string): unknown[] {
  if (existsSync(`${path}-wal`)) return findDriftBeside(path);
  const bytes = readFileSync(path);
  looksAt ??= openLook(bytes);
  looksAt.looked += 1;
  bytes.fill(1, VERSIONS_AT, VERSIONS_AT + 2);
  bytes.writeUInt32BE(looksAt.looked, COUNTER_AT);
  writeFileSync(looksAt.path, bytes);
  return checkConservation(looksAt.connection).rows;
}

function openLook(bytes: Buffer): NonNullable<typeof looksAt> {
  const folder = mkdtempSync(join(tmpdir(), 'redemption-drift-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'left.db');
  writeFileSync(path, bytes);
  const connection = new Database(path, { readonly: true });
  const [prepare, prepared] = [connection.prepare.bind(connection), new Map<string, Database.Statement>()];
  connection.prepare = ((sql: string) => {
    const statement = prepared.get(sql) ?? prepare(sql);
    prepared.set(sql, statement);
    return statement;
  }) as typeof connection.prepare;
  return { path, connection, looked: 0 };
}

function findDriftBeside(path: string): unknown[] {
  const file = new Database(path, { readonly: true });
  try {
    return checkConservation(file).rows;
  } finally {
    file.close();
  }
}
