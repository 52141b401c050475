// How far a database was proven: every backup carries the mark of the last whole proof, so that an everyday backup
// holds only what is newer against the rules. Open redemptions are newer than any proof until they have ended.
import type { Database as Connection } from 'better-sqlite3';

import { DAY_MS } from '../../clock.ts';
import { openReader, readNumber } from '../engine/connection.ts';
import { readCanary } from '../engine/keys.ts';
import { deleteMeta, readMeta, writeMeta } from '../engine/meta.ts';
import { ALL_ROWS, type CheckedRows } from './checked-rows.ts';
import { isSqliteError } from './snapshot-file.ts';

const KEY = 'proven';
/** After so long everything is proven again: what was sound may have rotted since. */
const GOOD_FOR_MS = 7 * DAY_MS;

/** When everything was proven, of which database, and the highest id of each table that cannot change any more. */
export interface ProofMark {
  at: number;
  /** Made once with the database, and never twice alike. */
  origin: string;
  epochs: string;
  codes: number;
  redemptions: number;
  usages: number;
}

/** Of what is proven now. */
export function measureMark(connection: Connection, at: number): ProofMark {
  return {
    at,
    ...identify(connection),
    codes: readNumber(connection, 'select max(id) from codes'),
    redemptions: readNumber(
      connection,
      `select coalesce((select min(id) - 1 from redemptions where state in ('pending', 'in_doubt')),
        (select max(id) from redemptions))`,
    ),
    usages: readNumber(connection, 'select max(id) from usages'),
  };
}

/**
 * What an earlier backup knows; undefined where that cannot be read, is of another past, or has proven nothing within a
 * week.
 */
export function findMark(
  earlier: string | undefined,
  connection: Connection,
  now: number,
): ProofMark | undefined {
  const mark = earlier === undefined ? undefined : readMark(earlier);
  if (!mark || mark.at > now || now - mark.at >= GOOD_FOR_MS) return undefined;
  const { origin, epochs } = identify(connection);
  return mark.origin === origin && mark.epochs === epochs ? mark : undefined;
}

export function writeMark(connection: Connection, mark: ProofMark): void {
  writeMeta(connection, KEY, JSON.stringify(mark));
}

export function deleteProof(connection: Connection): void {
  deleteMeta(connection, KEY);
}

/** The rows that are newer than a mark; all of them without one. */
export function rowsSince(mark: ProofMark | undefined): CheckedRows {
  if (!mark) return ALL_ROWS;
  const { codes, redemptions, usages, at } = mark;
  return {
    // A code changes as long as it is there, by a calendar that may have been corrected.
    codes: `(select * from codes where id > ${codes} or changed_at > ${at - DAY_MS})`,
    redemptions: `(select * from redemptions where id > ${redemptions})`,
    attempts: `(select * from attempts where redemption_id > ${redemptions})`,
    usages: `(select * from usages where id > ${usages})`,
  };
}

/** By its canary, which a rekey makes anew as it does every value: no mark of before counts then. */
function identify(connection: Connection): Pick<ProofMark, 'origin' | 'epochs'> {
  const origin = readCanary(connection)?.toString('base64') ?? '';
  return { origin, epochs: readMeta(connection, 'epochs') ?? '' };
}

function readMark(file: string): ProofMark | undefined {
  let connection: Connection | undefined;
  try {
    connection = openReader(file);
    const value = readMeta(connection, KEY);
    return value === undefined ? undefined : (JSON.parse(value) as ProofMark);
  } catch (error) {
    if (isSqliteError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  } finally {
    connection?.close();
  }
}
