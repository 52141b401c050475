// Proof of conservation: no code, usage or purchase was lost, made up or counted twice. Reads only, one snapshot, and
// aggregates inside SQLite, so that its memory does not grow with the file. Works beside the running service.
import type { Database as Connection } from 'better-sqlite3';

import { RULES, type Rule } from './conservation-queries.ts';
import { readNumber } from '../engine/connection.ts';
import { CODE_STATES, REDEMPTION_STATES } from '../schema/states.ts';
import { openAll, SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import type { Secrets } from '../engine/secrets.ts';

/** One row that breaks a rule. Holds ids, counts, states and times: nothing secret. */
export interface Drift {
  check: string;
  [column: string]: string | number | null;
}

export interface Conservation {
  /** How many rows break a rule, those that do not open included. */
  drift: number;
  /** How many sealed values do not open; 0 without `secrets`. */
  unreadable: number;
  /** The first hundred of each rule. */
  rows: Drift[];
  counts: ConservationCounts;
}

interface ConservationCounts {
  accounts: number;
  /** What was ever accepted; equals the sum of the states. */
  added: number;
  /** Codes by state. */
  codes: Record<string, number>;
  redemptions: Record<string, number>;
  usages: number;
  purchases: number;
  /** Sealed values that were opened; 0 without `secrets`. */
  sealed: number;
}

export interface CheckOptions {
  secrets?: Secrets;
  /** Told of every value that does not open, with the row it is in. */
  onUnreadable?: (table: string, row: string | number) => void;
}

const ROWS_PER_CHECK = 100;

/** Checks every rule; with `secrets` also opens every sealed value, which takes a few microseconds each. */
export function checkConservation(
  connection: Connection,
  { secrets, onUnreadable }: CheckOptions = {},
): Conservation {
  const snapshot = connection.transaction((): Conservation => {
    const found = RULES.map((rule) => follow(connection, rule));
    const opened = secrets
      ? SEALED_COLUMNS.map((column) => openColumn(connection, column, { secrets, onUnreadable }))
      : [];
    const counts = {
      ...countConserved(connection),
      sealed: opened.reduce((sum, { values }) => sum + values, 0),
    };
    const all = [...found, ...opened];
    const total = (parts: { drift: number }[]) => parts.reduce((sum, { drift }) => sum + drift, 0);
    return {
      drift: total(all),
      unreadable: total(opened),
      rows: all.flatMap(({ rows }) => rows),
      counts,
    };
  });
  return snapshot.deferred();
}

function follow(connection: Connection, { check, sql }: Rule): { drift: number; rows: Drift[] } {
  const rows: Drift[] = [];
  let drift = 0;
  for (const row of connection.prepare<[], Omit<Drift, 'check'>>(sql).iterate()) {
    drift += 1;
    if (rows.length < ROWS_PER_CHECK) rows.push({ check, ...row });
  }
  return { drift, rows };
}

interface OpenOptions {
  secrets: Secrets;
  onUnreadable: CheckOptions['onUnreadable'];
}

function openColumn(connection: Connection, sealed: SealedColumn, { secrets, onUnreadable }: OpenOptions) {
  const { table, column } = sealed;
  const rows: Drift[] = [];
  let drift = 0;
  const report = (row: string | number) => {
    drift += 1;
    onUnreadable?.(table, row);
    if (rows.length < ROWS_PER_CHECK) rows.push({ check: 'sealed', table, column, row });
  };
  const values = openAll(connection, sealed, secrets, { report });
  return { drift, rows, values };
}

/** What there is, by state. */
export function countConserved(connection: Connection): Omit<ConservationCounts, 'sealed'> {
  return {
    accounts: readNumber(connection, 'select count(*) from accounts'),
    added: readNumber(connection, 'select sum(added) from batches'),
    codes: countStates(connection, 'codes', CODE_STATES),
    redemptions: countStates(connection, 'redemptions', REDEMPTION_STATES),
    usages: readNumber(connection, 'select count(*) from usages'),
    purchases: readNumber(connection, 'select count(*) from purchases'),
  };
}

function countStates(
  connection: Connection,
  table: string,
  states: readonly string[],
): Record<string, number> {
  const select = connection.prepare<[], [string, number]>(
    `select state, count(*) from ${table} group by state`,
  );
  const counted = new Map(select.raw().all());
  return Object.fromEntries(states.map((state) => [state, counted.get(state) ?? 0]));
}
