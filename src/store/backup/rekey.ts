// Sealing anew what the older key has sealed, a slice at a time, while everybody goes on: the codes, with the
// redemption that has each, then the other redemptions, then every sealed column. Where it is stands in the file. It is
// over when one pass from the beginning has found nothing.
import type { Database as Connection } from 'better-sqlite3';

import { endRekey, isRekeying } from '../engine/key-ring.ts';
import { deleteMeta, readMeta, writeMeta } from '../engine/meta.ts';
import { createCodeSeals, type CodeSeals, type Secrets } from '../engine/secrets.ts';
import { hashEnds } from '../tables/code-ends.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** `waits`: an undo goes through its codes in the order of their hashes, and must not be overtaken. */
export type RekeyStep = 'more' | 'waits' | 'done';

/**
 * `part`: what is gone through; `after`: the last row; `sealed`: how many this pass has sealed anew; `left`: how many
 * did not open.
 */
interface Place {
  pass: number;
  part: number;
  after: number;
  sealed: number;
  left: number;
}

const KEY = 'rekey';
const BEGINNING: Place = { pass: 1, part: 0, after: 0, sealed: 0, left: 0 };
/** Rows looked at, and sealed anew, in one transaction. */
const LOOKED_AT = 2_000;
const AT_ONCE = 50;

export interface Rekey {
  isRunning(): boolean;
  /** Whether it is among the codes, whose hashes change. */
  isAmongCodes(): boolean;
  /**
   * The next slice, in a transaction of the writer. `done`: nothing is sealed with the older key; `left`: but for so
   * many that open no more.
   */
  step(): { step: RekeyStep; left: number };
}

export function createRekey(connection: Connection, secrets: Secrets): Rekey {
  if (secrets.olderKeyId === undefined) return NONE;
  const parts = [codesPart, redemptionsPart, ...SEALED_COLUMNS.filter(isOfRow).map(columnPart)].map((part) =>
    part(connection, secrets),
  );
  const undo = connection.prepare("select 1 from jobs where state = 'running' and kind = 'undo'");

  function step(): { step: RekeyStep; left: number } {
    const place = readPlace(connection);
    const part = parts[place.part];
    if (part === undefined) return endPass(connection, place);
    if (place.part === 0 && undo.get() !== undefined) return { step: 'waits', left: place.left };
    const { last, sealed, left } = part(place.after);
    const next = last === undefined ? { part: place.part + 1, after: 0 } : { after: last };
    writePlace(connection, { ...place, ...next, sealed: place.sealed + sealed, left: place.left + left });
    return { step: 'more', left: place.left + left };
  }

  return {
    isRunning: () => secrets.olderKeyId !== undefined,
    isAmongCodes: () => readPlace(connection).part === 0,
    step,
  };
}

const NONE: Rekey = {
  isRunning: () => false,
  isAmongCodes: () => false,
  step: () => ({ step: 'done', left: 0 }),
};

/** How far it is; undefined where none is under way. */
export function readRekey(connection: Connection): { pass: number; part: number; parts: number } | undefined {
  if (!isRekeying(connection)) return undefined;
  const { pass, part } = readPlace(connection);
  return { pass, part: part + 1, parts: SEALED_COLUMNS.length };
}

function readPlace(connection: Connection): Place {
  const text = readMeta(connection, KEY);
  return text === undefined ? BEGINNING : (JSON.parse(text) as Place);
}

const writePlace = (connection: Connection, place: Place): void =>
  writeMeta(connection, KEY, JSON.stringify(place));

function endPass(connection: Connection, { pass, sealed, left }: Place): { step: RekeyStep; left: number } {
  if (sealed > 0) {
    writePlace(connection, { ...BEGINNING, pass: pass + 1 });
    return { step: 'more', left };
  }
  endRekey(connection);
  deleteMeta(connection, KEY);
  return { step: 'done', left };
}

/** Goes on after a row: the last one looked at, undefined where that was all. */
type Part = (after: number) => { last: number | undefined; sealed: number; left: number };

/**
 * Looks at the next rows of a table, and has those that the older key has sealed sealed anew; false of one that does
 * not open.
 */
function createPart<Row extends { at: number }>(
  connection: Connection,
  { table, at, select, isOlder }: { table: string; at: string; select: string; isOlder: string },
  values: Record<string, Buffer>,
  sealAnew: (row: Row) => boolean,
): Part {
  const findEnd = connection
    .prepare<[number], number>(
      `select ${at} from ${table} where ${at} > ? order by ${at} limit 1 offset ${LOOKED_AT - 1}`,
    )
    .pluck();
  const list = connection.prepare<[Record<string, unknown>], Row>(
    `select ${at} as at, ${select} from ${table} where ${at} > @after and ${at} <= @end and ${isOlder} order by ${at} limit ${AT_ONCE}`,
  );
  return (after) => {
    const end = findEnd.get(after);
    const rows = list.all({ ...values, after, end: end ?? Number.MAX_SAFE_INTEGER });
    const sealed = rows.filter(sealAnew).length;
    const last = rows.length === AT_ONCE ? rows.at(-1)?.at : end;
    return { last, sealed, left: rows.length - sealed };
  };
}

const olderMarks = ({ olderKeyId }: Secrets) => {
  const id = olderKeyId ?? Buffer.alloc(0);
  return { id, mark: id.subarray(0, 1) };
};

interface CodeRow {
  at: number;
  gameId: string;
  hash: Buffer;
  secret: Buffer;
}

function codesPart(connection: Connection, secrets: Secrets): Part {
  const seals = createCodeSeals(secrets);
  const update = connection.prepare(
    'update codes set code_hash = @hash, code_secret = @secret where id = @at',
  );
  const findLive = connection.prepare<[Buffer], RedemptionRow>(
    `select ${OF_REDEMPTION} from redemptions where code_hash = +? and live is not null`,
  );
  const moveRedemption = prepareRedemption(connection, secrets, seals);
  const of = {
    ...{ table: 'codes', at: 'id', isOlder: 'substr(code_secret, 1, 1) = @mark' },
    select: 'game_id as gameId, code_hash as hash, code_secret as secret',
  };
  const { mark } = olderMarks(secrets);
  return createPart<CodeRow>(connection, of, { mark }, ({ at, gameId, hash, secret }) => {
    const code = seals.openIfSound({ hash, secret });
    if (code === undefined) return false;
    const live = findLive.get(hash);
    update.run({ at, ...seals.seal(gameId, code) });
    if (live) moveRedemption(live, code);
    return true;
  });
}

interface RedemptionRow {
  at: number;
  gameId: string;
  hash: Buffer;
  secret: Buffer | null;
  codeSecret: Buffer | null;
  codeHash: Buffer | null;
}

const CODE = (column: string) => `(select c.${column} from codes c where c.id = code_id)`;
const OF_REDEMPTION = `id as at, game_id as gameId, code_hash as hash, code_secret as secret,
  ${CODE('code_secret')} as codeSecret, ${CODE('code_hash')} as codeHash`;

/** Those that no code of the stock has brought along: of codes that came with a request, and those that failed. */
function redemptionsPart(connection: Connection, secrets: Secrets): Part {
  const seals = createCodeSeals(secrets);
  const moveRedemption = prepareRedemption(connection, secrets, seals);
  const { mark } = olderMarks(secrets);
  const isOlder = `code_hash is not null and case when code_secret is not null then substr(code_secret, 1, 1) = @mark
    else code_id is not null and code_hash <> ${CODE('code_hash')} end`;
  return createPart<RedemptionRow>(
    connection,
    { table: 'redemptions', at: 'id', select: OF_REDEMPTION.replace('id as at, ', ''), isOlder },
    { mark },
    (row) => {
      const own = row.secret ? { hash: row.hash, secret: row.secret } : undefined;
      const kept =
        row.codeHash && row.codeSecret ? { hash: row.codeHash, secret: row.codeSecret } : undefined;
      const sealed = own ?? kept;
      const code = sealed && seals.openIfSound(sealed);
      if (code === undefined) return false;
      moveRedemption(row, code);
      return true;
    },
  );
}

/** Gives a redemption all hashes of its code, and its own seal of it where it has one. */
function prepareRedemption(connection: Connection, secrets: Secrets, seals: CodeSeals) {
  const update = connection.prepare(
    `update redemptions set code_hash = @hash, code_head_hash = @head, code_tail_hash = @tail, code_secret = @secret
     where id = @at`,
  );
  return ({ at, gameId, secret }: RedemptionRow, code: string): void => {
    const sealed = seals.seal(gameId, code);
    update.run({ at, hash: sealed.hash, ...hashEnds(secrets, code), secret: secret && sealed.secret });
  };
}

type RowColumn = SealedColumn & { identity: string };

const isOfRow = (column: SealedColumn): column is RowColumn => column.identity !== undefined;

/** A column of values that are sealed under the identity of their row. */
const columnPart =
  ({ table, column, identity }: RowColumn) =>
  (connection: Connection, secrets: Secrets): Part => {
    // The one table without row ids is gone through by redemption, of which a few rows have one.
    const isByRowid = table !== 'attempts';
    const [at, n] = isByRowid ? ['rowid', 'null'] : ['redemption_id', 'n'];
    const update = connection.prepare(
      `update ${table} set ${column} = @sealed where ${isByRowid ? 'rowid = @at' : 'redemption_id = @at and n = @n'}`,
    );
    const { id } = olderMarks(secrets);
    const of = {
      ...{ table, at, select: `${n} as n, ${identity} as identity, ${column} as sealed` },
      isOlder: `substr(${column}, 1, 4) = @id`,
    };
    return createPart<{ at: number; n: number | null; identity: string; sealed: Buffer }>(
      connection,
      of,
      { id },
      ({ at: row, n: nth, identity: as, sealed }) => {
        const opened = secrets.openIfSound(as, sealed);
        if (opened === undefined) return false;
        update.run({ at: row, ...(isByRowid ? {} : { n: nth }), sealed: secrets.seal(as, opened) });
        return true;
      },
    );
  };
