// Copies what an account has, thousands of times, with plain inserts while the indexes are away. Knows of the schema:
// how ids, owners and hashes are called. Every other column is copied as it is, so that most changes of the schema are
// none here; that `check` finds nothing in what comes out is held by bench.test.ts.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Database as Connection } from 'better-sqlite3';

import type { Store } from '../../../src/store/index.ts';
import { hashEnds } from '../../../src/store/tables/code-ends.ts';
import { GAME_ID } from '../terms.ts';
import { STEP_MS } from './template.ts';

type Value = string | number | Buffer | null;
type Row = Record<string, Value>;

/** What grows with the years: copied with new ids, hashes and secrets. The order is that of their references. */
const GROWING = ['batches', 'codes', 'usages', 'redemptions'] as const;
type Growing = (typeof GROWING)[number];

/** Of an account, but not of its past: jobs, messages and links that are over by now. */
const LEFT_OUT = ['jobs', 'idempotency_keys', 'imports', 'extractions', 'invitations', 'batches', 'codes'];

/** Everything that an account has. */
export interface AccountRows {
  accountId: number;
  growing: Record<Growing, Row[]>;
  /** By the old id of their redemption. */
  attempts: Map<number, Row[]>;
  /** By table: what it has once, the account itself included. */
  once: Map<string, Row[]>;
}

export interface Copies {
  rows: AccountRows;
  /** How many. */
  count: number;
  /** Into the account itself, or each into an account of its own. */
  into: 'itself' | 'accounts';
}

export type Sealing = Pick<Store, 'seals' | 'secrets'>;

export function readAccount(connection: Connection, accountId: number): AccountRows {
  const read = (table: string, column: string) =>
    connection.prepare(`select * from ${table} where ${column} = ? order by 1`).all(accountId) as Row[];
  const growing = Object.fromEntries(GROWING.map((table) => [table, read(table, 'account_id')]));
  const once = new Map([['accounts', read('accounts', 'id')]]);
  for (const table of listAccountTables(connection)) once.set(table, read(table, 'account_id'));
  const attempts = connection
    .prepare(
      'select a.* from attempts a join redemptions r on r.id = a.redemption_id where r.account_id = ? order by 1, 2',
    )
    .all(accountId) as Row[];
  return {
    accountId,
    growing: growing as AccountRows['growing'],
    attempts: Map.groupBy(attempts, (row) => Number(row.redemption_id)),
    once,
  };
}

function listAccountTables(connection: Connection): string[] {
  const tables = connection
    .prepare(
      `select t.name from sqlite_schema t join pragma_table_info(t.name) c
       where t.type = 'table' and c.name = 'account_id'`,
    )
    .pluck()
    .all() as string[];
  return tables.filter((table) => ![...LEFT_OUT, ...GROWING].includes(table));
}

/** Takes the indexes of what grows away, and the triggers by which it grows step by step; the answer puts them back. */
export function dropIndexes(connection: Connection): () => void {
  const indexes = connection
    .prepare(
      `select type, name, sql from sqlite_schema where name in ('redemptions_unsent', 'redemptions_new', 'attempts_begun')
         or (type = 'index' and sql is not null and tbl_name in (${GROWING.map((table) => `'${table}'`).join(', ')}, 'attempts'))`,
    )
    .all() as { type: string; name: string; sql: string }[];
  for (const { type, name } of indexes) connection.exec(`drop ${type} ${name}`);
  return () => {
    for (const { sql } of indexes) connection.exec(sql);
  };
}

/** Inserts the copies; each is a little later than the one before. */
export function insertCopies(connection: Connection, sealing: Sealing, copies: Copies): void {
  const context = openCopying(connection, sealing, copies);
  if (copies.into === 'accounts') insertAccounts(context);
  else growCounts(context);
  for (const row of copies.rows.growing.batches) insertAll(context, 'batches', row);
  const waiting = new Map(copies.rows.growing.codes.map((row) => [keyOf(row), row]));
  for (const row of copies.rows.growing.usages) insertAll(context, 'usages', row);
  for (const row of copies.rows.growing.redemptions) {
    const key = keyOf(row);
    const code = waiting.get(key);
    // A code comes with its first redemption, so that both are sealed once.
    const sealed = sealAll(context, row);
    if (code) insertAll(context, 'codes', code, sealed);
    waiting.delete(key);
    insertAll(context, 'redemptions', row, sealed);
    for (const attempt of copies.rows.attempts.get(Number(row.id)) ?? []) insertAttempts(context, attempt);
    if (!isUsedAgain(copies.rows, row)) context.sealed.delete(key);
  }
  for (const [key, row] of waiting) {
    insertAll(context, 'codes', row, sealAll(context, row));
    context.sealed.delete(key);
  }
}

interface SealedCopy {
  hash: Buffer;
  secret: Buffer;
  head: Buffer | null;
  tail: Buffer;
}

interface Copying {
  connection: Connection;
  sealing: Sealing;
  copies: Copies;
  /** Of each table: the new id of a row's first copy, by its old id. The copies of a row are neighbours. */
  ids: Record<Growing, Map<number, number>>;
  /** Of the first copy, where each goes into an account of its own. */
  firstAccountId: number;
  /** By the hash of the original: what is sealed already. */
  sealed: Map<string, SealedCopy[]>;
  /** How many texts of codes were made at most. */
  texts: number;
}

function openCopying(connection: Connection, sealing: Sealing, copies: Copies): Copying {
  const nextId = (table: string) =>
    1 + Number(connection.prepare(`select coalesce(max(id), 0) from ${table}`).pluck().get());
  const ids = Object.fromEntries(
    GROWING.map((table) => {
      const first = nextId(table);
      const rows = copies.rows.growing[table];
      return [table, new Map(rows.map((row, index) => [Number(row.id), first + index * copies.count]))];
    }),
  ) as Copying['ids'];
  const firstAccountId = nextId('accounts');
  // Each text made so far is of a code or of a redemption, so that none comes twice.
  const texts = nextId('codes') + nextId('redemptions');
  return { connection, sealing, copies, ids, firstAccountId, sealed: new Map(), texts };
}

/** What a column of a copy holds: the same for all, or a function of which copy it is. */
type Cell = { same: Value } | { of: (copy: number) => Value };

function insertAll(context: Copying, table: Growing, row: Row, sealed?: readonly SealedCopy[]): void {
  const cells = Object.entries(row).map(([column, value]) =>
    describeCell(context, { table, column, value, row }, sealed),
  );
  insertCells(context, table, Object.keys(row), cells);
}

function insertAttempts(context: Copying, row: Row): void {
  const cells = Object.entries(row).map(([column, value]): Cell => {
    if (column === 'redemption_id') return idOf(context, 'redemptions', value);
    return column === 'reference' ? { of: () => randomUUID() } : shiftTime(context, value);
  });
  insertCells(context, 'attempts', Object.keys(row), cells);
}

function describeCell(
  context: Copying,
  { table, column, value, row }: { table: Growing; column: string; value: Value; row: Row },
  sealed: readonly SealedCopy[] | undefined,
): Cell {
  if (value === null) return { same: null };
  const reference = REFERENCES[column];
  if (column === 'id') return idOf(context, table, value);
  if (column === 'account_id') return accountOf(context);
  if (column === 'credentials_secret') return sealAnew(context, row, value);
  if (reference) return idOf(context, reference, value);
  if (column === 'player_id')
    return { of: (copy) => `${String(value)}${String(copy % 1000).padStart(3, '0')}` };
  if (Buffer.isBuffer(value) && sealed) {
    const part = partOf(column, value, row);
    if (part) return { of: (copy) => sealed[copy]?.[part]?.subarray(0, value.length) ?? null };
  }
  return shiftTime(context, value);
}

/** Credentials open in their own row alone. */
function sealAnew({ ids, sealing: { secrets } }: Copying, row: Row, value: Value): Cell {
  const first = ids.redemptions.get(Number(row.id)) ?? 0;
  const text = secrets.open(`redemption:${String(row.id)}:credentials`, value as Buffer);
  return { of: (copy) => secrets.seal(`redemption:${first + copy}:credentials`, text) };
}

const REFERENCES: Record<string, Growing> = { batch_id: 'batches', code_id: 'codes', usage_id: 'usages' };

function partOf(column: string, value: Buffer, row: Row): keyof SealedCopy | undefined {
  if (column === 'code_secret') return 'secret';
  if (column === 'code_head_hash') return 'head';
  if (column === 'code_tail_hash') return 'tail';
  const hash = row.code_hash;
  return Buffer.isBuffer(hash) && hash.subarray(0, value.length).equals(value) ? 'hash' : undefined;
}

function idOf({ ids }: Copying, table: Growing, value: Value): Cell {
  const first = ids[table].get(Number(value));
  if (first === undefined) throw new Error(`A row refers to ${table} ${String(value)}, which is not copied.`);
  return { of: (copy) => first + copy };
}

function accountOf({ copies, firstAccountId }: Copying): Cell {
  return copies.into === 'itself' ? { same: copies.rows.accountId } : { of: (copy) => firstAccountId + copy };
}

/** Whole numbers past September 2001 are moments. */
function shiftTime({ copies }: Copying, value: Value): Cell {
  if (typeof value !== 'number' || value < 1e12) return { same: value };
  return { of: (copy) => value + Math.floor((copy * STEP_MS) / copies.count) };
}

function insertCells(
  { connection, copies }: Copying,
  table: string,
  columns: readonly string[],
  cells: readonly Cell[],
): void {
  // What all copies share stands in the statement: binding it ten thousand times would take longer.
  const values = cells.map((cell) => ('same' in cell ? quote(cell.same) : '?'));
  const names = columns.map((column) => `"${column}"`).join(', ');
  const insert = connection.prepare(`insert into ${table} (${names}) values (${values.join(', ')})`);
  const varying = cells.flatMap((cell) => ('of' in cell ? [cell.of] : []));
  const bound: Value[] = Array.from({ length: varying.length });
  for (let copy = 0; copy < copies.count; copy += 1) {
    for (const [index, of] of varying.entries()) bound[index] = of(copy);
    insert.run(bound);
  }
}

function quote(value: Value): string {
  if (value === null) return 'null';
  if (Buffer.isBuffer(value)) return `x'${value.toString('hex')}'`;
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

/** A code of its own for every copy, sealed as the real one is. */
function sealAll(context: Copying, row: Row): SealedCopy[] | undefined {
  const key = keyOf(row);
  if (key === '') return undefined;
  const known = context.sealed.get(key);
  if (known) return known;
  const { seals, secrets } = context.sealing;
  const sealed = Array.from({ length: context.copies.count }, () => {
    const text = makeText((context.texts += 1));
    return { ...seals.seal(GAME_ID, text), ...hashEnds(secrets, text) };
  });
  context.sealed.set(key, sealed);
  return sealed;
}

/** Which code a row is of; empty where it is of none. */
function keyOf({ code_hash: hash }: Row): string {
  return Buffer.isBuffer(hash) ? hash.toString('base64') : '';
}

function isUsedAgain({ growing: { redemptions } }: AccountRows, row: Row): boolean {
  return redemptions.some((other) => Number(other.id) > Number(row.id) && keyOf(other) === keyOf(row));
}

/** A different code for every number below 2^32, and no other generator's: these have no upper case but the S. */
function makeText(number: number): string {
  return `60S${scramble(number)}${scramble(number ^ 0x5bd1e995)}`;
}

function scramble(number: number): string {
  let mixed = number >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0).toString(16).padStart(8, '0');
}

function insertAccounts(context: Copying): void {
  const { copies, firstAccountId } = context;
  const describe = (table: string, column: string, value: Value): Cell => {
    if (value === null) return { same: null };
    if (column === 'id')
      return table === 'accounts' ? { of: (copy) => firstAccountId + copy } : { same: null };
    if (column === 'account_id') return accountOf(context);
    if (column === 'telegram_id') return { of: (copy) => Number(value) + 1 + copy };
    if (column === 'digest') return { of: () => randomBytes((value as Buffer).length) };
    if (column === 'charge_id' || column === 'username') return { of: (copy) => `${String(value)}_${copy}` };
    return shiftTime(context, value);
  };
  for (const [table, rows] of copies.rows.once) {
    for (const row of rows) {
      const cells = Object.entries(row).map(([column, value]) => describe(table, column, value));
      insertCells(context, table, Object.keys(row), cells);
    }
  }
}

/** The counts of an account that gets the same again and again. */
function growCounts({ connection, copies }: Copying): void {
  const counts = copies.rows.once.get('stock_counts');
  if (!counts) return;
  const grow = connection.prepare(
    `update stock_counts set count = count + ? where account_id = ? and game_id = ? and denomination = ? and state = ?`,
  );
  for (const row of counts) {
    const { count, account_id, game_id, denomination, state } = row;
    grow.run(Number(count) * copies.count, account_id, game_id, denomination, state);
  }
}
