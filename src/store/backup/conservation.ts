// Proof of conservation: no code, charge or purchase was lost, made up or counted twice. Reads only, one snapshot, and
// aggregates inside SQLite, so that its memory does not grow with the file. Works beside the running service.
import type { Database as Connection } from 'better-sqlite3';

import { RULES, type Rule } from './conservation-queries.ts';
import { CODE_STATES, REDEMPTION_STATES } from '../schema/index.ts';
import { keepNewer, type ProofMark } from './proof-mark.ts';
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
  charges: number;
  purchases: number;
  /** Sealed values that were opened; 0 without `secrets`. */
  sealed: number;
}

export interface CheckOptions {
  secrets?: Secrets;
  /** Told of every value that does not open, with the row it is in. */
  onUnreadable?: (table: string, row: string | number) => void;
  /** Only what is newer than this proof is held against the rules; what compares counts of everything is left out. */
  since?: ProofMark | undefined;
}

const ROWS_PER_CHECK = 100;

/** Checks every rule; with `secrets` also opens every sealed value, which takes a few microseconds each. */
export function checkConservation(
  connection: Connection,
  { secrets, onUnreadable, since }: CheckOptions = {},
): Conservation {
  const snapshot = connection.transaction((): Conservation => {
    const rules = since ? RULES.filter(({ whole }) => !whole) : RULES;
    const newer = <T extends { sql: string }>(each: T) => ({ ...each, sql: keepNewer(each.sql, since) });
    const found = rules.map((rule) => follow(connection, newer(rule)));
    const opened = secrets
      ? SEALED_COLUMNS.map((column) => openColumn(connection, newer(column), secrets, onUnreadable))
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
  for (const row of connection.prepare(sql).iterate() as Iterable<Omit<Drift, 'check'>>) {
    drift += 1;
    if (rows.length < ROWS_PER_CHECK) rows.push({ check, ...row });
  }
  return { drift, rows };
}

function openColumn(
  connection: Connection,
  sealed: SealedColumn,
  secrets: Secrets,
  tell: CheckOptions['onUnreadable'],
) {
  const { table, column } = sealed;
  const rows: Drift[] = [];
  let drift = 0;
  const values = openAll(connection, sealed, secrets, (row) => {
    drift += 1;
    tell?.(table, row);
    if (rows.length < ROWS_PER_CHECK) rows.push({ check: 'sealed', table, column, row });
  });
  return { drift, rows, values };
}

/** What there is, by state. */
export function countConserved(connection: Connection): Omit<ConservationCounts, 'sealed'> {
  const one = (sql: string) => connection.prepare(sql).pluck().get() as number;
  return {
    accounts: one('select count(*) from accounts'),
    added: one('select coalesce(sum(added), 0) from batches'),
    codes: countStates(connection, 'codes', CODE_STATES),
    redemptions: countStates(connection, 'redemptions', REDEMPTION_STATES),
    charges: one('select count(*) from charges'),
    purchases: one('select count(*) from purchases'),
  };
}

function countStates(
  connection: Connection,
  table: string,
  states: readonly string[],
): Record<string, number> {
  const rows = connection.prepare(`select state, count(*) from ${table} group by state`).raw().all() as [
    string,
    number,
  ][];
  const counted = new Map(rows);
  return Object.fromEntries(states.map((state) => [state, counted.get(state) ?? 0]));
}
