// Another encryption key, while the service is stopped: everything of a file is sealed anew, and the hashes by which
// codes are found are made anew, in one pass over a copy, which then takes the file's name. Interrupted anywhere, the
// old or the new file is in place, and both keys are on disk beside it.
import type { Database as Connection } from 'better-sqlite3';

import { openConnection } from '../engine/connection.ts';
import { leaveHome } from '../engine/home.ts';
import { findKey, keepKey, openSecrets, turnTo, writeKeyFile, type KeyRing } from '../engine/keys.ts';
import { takeProcessLock } from '../engine/process-lock.ts';
import { realPathOf } from '../engine/rights.ts';
import { createCodeSeals, createSecrets, type Secrets } from '../engine/secrets.ts';
import { hashEnds } from '../tables/code-ends.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import { copyProven, foldIntoOneFile, removeDatabase, replaceBy } from './snapshot-file.ts';

/** The last row of the page before. */
interface After {
  after: number;
}

/** Rows that are read at once. */
const PAGE = 2_000;

/** Values that did not open and were carried over as they are: no key opens them. */
export interface Unopened {
  table: string;
  column: string;
  values: number;
}

/**
 * Seals a database with `next`. `hasKeyFiles`: the keys lie beside it, and do so before the first value is sealed anew;
 * none is deleted. `older`: the key of before. Throws StoreRefusal, with everything as it was, while another process uses the database, or where it
 * is damaged.
 */
export function rekey(
  named: string,
  { ring, next, hasKeyFiles }: { ring: KeyRing; next: Buffer; hasKeyFiles: boolean },
): { older: Buffer; unopened: Unopened[] } {
  const path = realPathOf(named);
  const lock = takeProcessLock(path);
  const fresh = `${path}.rekeying`;
  try {
    const own = foldAndFindKey(path, ring);
    if (hasKeyFiles) for (const key of [ring.current, own, next]) keepKey(path, key);
    const unopened = copyProven(path, fresh, createSecrets(own), (connection) => {
      // Until it has its name it is nobody's, and its bytes are on disk before that.
      connection.pragma('journal_mode = OFF');
      connection.pragma('synchronous = OFF');
      leaveHome(connection);
      return sealAnew(connection, own, next);
    });
    replaceBy(path, fresh);
    if (hasKeyFiles) writeKeyFile(path, next);
    return { older: own, unopened };
  } finally {
    removeDatabase(fresh);
    lock.release();
  }
}

/** Its key. It leaves no log, which SQLite would replay into whatever file has the name. */
function foldAndFindKey(path: string, ring: KeyRing): Buffer {
  const connection = openConnection(path);
  try {
    const key = findKey(connection, ring) ?? ring.current;
    foldIntoOneFile(connection);
    return key;
  } finally {
    connection.close();
  }
}

/** Nothing where the file is sealed with that key already. For a file that nobody else has open. */
export function sealAnew(connection: Connection, own: Buffer, next: Buffer): Unopened[] {
  if (own.equals(next)) return [];
  const from = openSecrets(connection, { current: own, others: [] });
  return connection.transaction(() => {
    const to = turnTo(connection, own, next);
    const unopened = [sealRedemptions(connection, from, to), sealCodes(connection, from, to)];
    for (const column of SEALED_COLUMNS.filter(isOfRow))
      unopened.push(sealColumn(connection, column, from, to));
    // Where it was in the order of hashes, which is another now; what it took back is not there to be taken again.
    connection.exec(
      "update jobs set cursor = json_set(cursor, '$.after', '') where kind = 'undo' and state = 'running' and cursor is not null",
    );
    return unopened.filter(({ values }) => values > 0);
  })();
}

interface CodeRow {
  at: number;
  gameId: string;
  hash: Buffer;
  secret: Buffer;
}

function sealCodes(connection: Connection, from: Secrets, to: Secrets): Unopened {
  const [old, seals] = [createCodeSeals(from), createCodeSeals(to)];
  const page = connection.prepare<[After], CodeRow>(
    `select id as at, game_id as gameId, code_hash as hash, code_secret as secret from codes
     where id > @after order by id limit ${PAGE}`,
  );
  const update = connection.prepare(
    'update codes set code_hash = @hash, code_secret = @secret where id = @at',
  );
  const values = countUnopened(page, (row) => {
    const code = old.openIfSound(row);
    if (code !== undefined) update.run({ at: row.at, ...seals.seal(row.gameId, code) });
    return code !== undefined;
  });
  return { table: 'codes', column: 'code_secret', values };
}

interface RedemptionRow {
  at: number;
  gameId: string;
  hash: Buffer;
  secret: Buffer | null;
  codeHash: Buffer | null;
  codeSecret: Buffer | null;
}

/** Before the codes: what a redemption took out of the stock is sealed there alone. */
function sealRedemptions(connection: Connection, from: Secrets, to: Secrets): Unopened {
  const [old, seals] = [createCodeSeals(from), createCodeSeals(to)];
  const page = connection.prepare<[After], RedemptionRow>(
    `select r.id as at, r.game_id as gameId, r.code_hash as hash, r.code_secret as secret,
       c.code_hash as codeHash, c.code_secret as codeSecret
     from redemptions r left join codes c on c.id = r.code_id
     where r.id > @after and r.code_hash is not null and coalesce(r.code_secret, c.code_secret) is not null
     order by r.id limit ${PAGE}`,
  );
  const update = connection.prepare(
    `update redemptions set code_hash = @hash, code_head_hash = @head, code_tail_hash = @tail, code_secret = @secret
     where id = @at`,
  );
  const values = countUnopened(page, ({ at, gameId, secret, ...row }) => {
    const sealed = secret ? { hash: row.hash, secret } : sealedOf(row);
    const code = sealed && old.openIfSound(sealed);
    if (code === undefined) return false;
    const anew = seals.seal(gameId, code);
    update.run({ at, hash: anew.hash, ...hashEnds(to, code), secret: secret && anew.secret });
    return true;
  });
  return { table: 'redemptions', column: 'code_secret', values };
}

const sealedOf = ({ codeHash, codeSecret }: Pick<RedemptionRow, 'codeHash' | 'codeSecret'>) =>
  codeHash && codeSecret ? { hash: codeHash, secret: codeSecret } : undefined;

type RowColumn = SealedColumn & { identity: string };

const isOfRow = (column: SealedColumn): column is RowColumn => column.identity !== undefined;

/** A column of values that are sealed under the identity of their row. */
function sealColumn(
  connection: Connection,
  { table, column, identity }: RowColumn,
  from: Secrets,
  to: Secrets,
): Unopened {
  // The one table without row ids is named by redemption and place, of which it has a few.
  const { at, after, order, of } = table === 'attempts' ? OF_ATTEMPT : OF_ROW;
  const page = connection.prepare<[After], { at: number; identity: string; sealed: Buffer }>(
    `select ${at} as at, ${identity} as identity, ${column} as sealed from ${table}
     where ${after} and ${column} is not null order by ${order} limit ${PAGE}`,
  );
  const update = connection.prepare(`update ${table} set ${column} = @sealed where ${of}`);
  const values = countUnopened(page, (row) => {
    const opened = from.openIfSound(row.identity, row.sealed);
    if (opened !== undefined) update.run({ after: row.at, sealed: to.seal(row.identity, opened) });
    return opened !== undefined;
  });
  return { table, column, values };
}

const PLACES = 1_000;
const AT = 'cast(@after as integer)';
const OF_ROW = { at: 'rowid', after: `rowid > ${AT}`, order: 'rowid', of: `rowid = ${AT}` };
const OF_ATTEMPT = {
  at: `redemption_id * ${PLACES} + n`,
  after: `redemption_id >= ${AT} / ${PLACES} and redemption_id * ${PLACES} + n > ${AT}`,
  order: 'redemption_id, n',
  of: `redemption_id = ${AT} / ${PLACES} and n = ${AT} % ${PLACES}`,
};

/** Goes through pages of rows, each after the last one's `at`; of how many `seal` was false. */
function countUnopened<Row extends { at: number }>(
  page: { all: (last: After) => Row[] },
  seal: (row: Row) => boolean,
): number {
  let unopened = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: Row[] = page.all({ after });
    unopened += rows.filter((row) => !seal(row)).length;
    after = rows.at(-1)?.at;
  }
  return unopened;
}
