// Damaged rows of a file that SQLite can read: those that do not open, and those that contradict each other. Neither
// keeps a backup from being made or restored; both are reported.
import type { Database as Connection } from 'better-sqlite3';

import {
  checkConservation,
  countConserved,
  type CheckOptions,
  type Conservation,
  type Drift,
} from './conservation.ts';
import type { Secrets } from '../engine/secrets.ts';

export interface DamagedRows {
  /** How many sealed values do not open. */
  unreadable: number;
  /** How many rows contradict others; `check` names them. */
  drift: number;
  /** The first hundred of each kind. */
  rows: Drift[];
  counts: Conservation['counts'];
}

/** Opens every sealed value and holds every row against the rules of conservation. */
export function findDamagedRows(
  connection: Connection,
  secrets: Secrets,
  options: Pick<CheckOptions, 'onUnreadable'> = {},
): DamagedRows {
  const { drift, unreadable, rows, counts } = checkConservation(connection, { ...options, secrets });
  return { unreadable, drift: drift - unreadable, rows, counts };
}

/** The same, and puts codes aside that do not open and could be taken: they can never be redeemed. */
export function putUnreadableAside(connection: Connection, secrets: Secrets, now: number): DamagedRows {
  const lost: (string | number)[] = [];
  const onUnreadable = (table: string, row: string | number) => {
    if (table === 'codes') lost.push(row);
  };
  const damagedRows = findDamagedRows(connection, secrets, { onUnreadable });
  const putAside = connection.prepare(
    "update codes set state = 'invalid', changed_at = @now where id = @id and state in ('available', 'unverified', 'in_question')",
  );
  for (const id of lost) putAside.run({ id, now });
  return lost.length === 0
    ? damagedRows
    : { ...damagedRows, counts: { ...damagedRows.counts, ...countConserved(connection) } };
}
