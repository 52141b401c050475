// What was overwritten is still in the file in places that nobody reads any more: in the log, and between the rows of a
// page, where SQLite leaves a copy of what it moves. Here such places are found by what stands in them, and written
// over.
import { closeSync, openSync, readSync } from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { pause } from '../../waiting.ts';

/** Longer than a backup reads. */
const LOG_TRIES = 6_000;
const LOG_PAUSE_MS = 100;
/** Nobody may write while it waits. */
const LOG_TIMEOUT_MS = 20;
const ROUNDS = 3;
const PAGES_AT_ONCE = 256;

/** A column of each table that names people, whose text may grow for a moment to cover what lies beside it. */
const GROWING: Record<string, string> = {
  redemptions: 'error_message',
  recovered_redemptions: 'openid',
  orders: 'reference',
};

/**
 * Empties the log and overwrites every unused place of the file in which one of `words` stands; the rows themselves
 * must be rid of them already. False where somebody read the database all the while, or it was not done with all of
 * them.
 */
export async function eraseTraces(
  connection: Connection,
  path: string,
  words: readonly string[],
): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (!(await emptyLog(connection))) return false;
    const traces = findTraces(path, words);
    if (traces.length === 0) return true;
    // Of what is in no table that can grow, or resists: the file as a whole is written anew, which holds up whoever
    // writes.
    if (round === ROUNDS - 2 || !overwrite(connection, traces)) connection.exec('vacuum');
  }
  return (await emptyLog(connection)) && findTraces(path, words).length === 0;
}

/** Copies the log into the database and cuts it off, once nobody reads from it. */
async function emptyLog(connection: Connection): Promise<boolean> {
  connection.pragma(`busy_timeout = ${LOG_TIMEOUT_MS}`);
  for (let tries = 0; tries < LOG_TRIES; tries += 1) {
    const [row] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    if (row?.busy === 0) return true;
    await pause(LOG_PAUSE_MS);
  }
  return false;
}

interface Trace {
  /** Of the page, from 1 on. */
  page: number;
  /** A row of it; undefined of a page of an index. */
  rowid: number | undefined;
}

/** Pages of tables and indexes between whose rows one of the words stands. */
function findTraces(path: string, words: readonly string[]): Trace[] {
  const wanted = words.map((word) => Buffer.from(word));
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(100);
    readSync(file, head, 0, head.length, 0);
    const size = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    const traces: Trace[] = [];
    const pages = Buffer.alloc(size * PAGES_AT_ONCE);
    for (let first = 1; ; first += PAGES_AT_ONCE) {
      const read = readSync(file, pages, 0, pages.length, (first - 1) * size);
      for (let n = 0; n < Math.floor(read / size); n += 1) {
        const page = pages.subarray(n * size, (n + 1) * size);
        const unused = readUnused(page, first + n === 1 ? 100 : 0);
        if (wanted.some((word) => unused.includes(word)))
          traces.push({ page: first + n, rowid: readFirstRowid(page) });
      }
      if (read < pages.length) return traces;
    }
  } finally {
    closeSync(file);
  }
}

/** By the format of SQLite's files: the first byte of a page of a tree. */
const TREES = { interiorIndex: 2, interiorTable: 5, leafIndex: 10, leafTable: 13 };

/** What lies between the places of its cells and the cells themselves. Empty where it is no page of a tree. */
function readUnused(page: Buffer, at: number): Buffer {
  const kind = page[at] ?? 0;
  if (!Object.values(TREES).includes(kind)) return page.subarray(0, 0);
  const head = kind === TREES.interiorIndex || kind === TREES.interiorTable ? 12 : 8;
  return page.subarray(at + head + 2 * page.readUInt16BE(at + 3), page.readUInt16BE(at + 5) || page.length);
}

function readFirstRowid(page: Buffer): number | undefined {
  if (page[0] !== TREES.leafTable || page.readUInt16BE(3) === 0) return undefined;
  // A cell begins with two numbers of seven bits a byte: how long it is, and the id of its row.
  let at = page.readUInt16BE(8);
  while (page[at++]! & 0x80);
  let rowid = 0;
  for (; page[at]! & 0x80; at += 1) rowid = rowid * 128 + (page[at]! & 0x7f);
  return rowid * 128 + page[at]!;
}

/** A row grows over all that is unused on its page, and shrinks again, which leaves zeros; an index is made anew. */
function overwrite(connection: Connection, traces: readonly Trace[]): boolean {
  const known = new Map(
    connection
      .prepare<[string], { pageno: number; name: string; unused: number }>(
        'select pageno, name, unused from dbstat where pageno in (select value from json_each(?))',
      )
      .all(JSON.stringify(traces.map(({ page }) => page)))
      .map((found) => [found.pageno, found]),
  );
  let isWhole = true;
  for (const { page, rowid } of traces) {
    const { name = '', unused = 0 } = known.get(page) ?? {};
    const column = GROWING[name];
    if (column !== undefined && rowid !== undefined)
      growAndShrink(connection, { table: name, column, rowid, unused });
    else if (isIndex(connection, name)) connection.exec(`reindex "${name}"`);
    else isWhole = false;
  }
  return isWhole;
}

const isIndex = (connection: Connection, name: string): boolean =>
  connection
    .prepare("select 1 from sqlite_schema where type = 'index' and sql is not null and name = ?")
    .get(name) !== undefined;

/** What is left beside the row when it has grown. */
const SPARE_BYTES = 8;

function growAndShrink(
  connection: Connection,
  { table, column, rowid, unused }: { table: string; column: string; rowid: number; unused: number },
): void {
  const read = connection.prepare(`select "${column}" from "${table}" where rowid = ?`).pluck();
  const write = connection.prepare(`update "${table}" set "${column}" = ? where rowid = ?`);
  connection
    .transaction(() => {
      const was = read.get(rowid);
      write.run(
        `${typeof was === 'string' ? was : ''}${'0'.repeat(Math.max(0, unused - SPARE_BYTES))}`,
        rowid,
      );
      write.run(was, rowid);
    })
    .immediate();
}
