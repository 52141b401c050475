// Every column that holds a sealed value, and the identity each value is sealed under: for proving that all of them open.
// The identities repeat those of the repositories; a test holds that no `…_secret` column of the schema is missing here.
import type { Database as Connection } from 'better-sqlite3';

import { createCodeSeals, type CodeSeals, type Secrets } from '../engine/secrets.ts';

export interface SealedColumn {
  table: string;
  column: string;
  /** Selects `sealed`, a `row` to name it by, and whatever the identity is made of; brackets as in conservation-queries.ts. */
  sql: string;
  /** Throws when the value does not open, or does not belong to its row. */
  verify: (row: SealedRow, secrets: Secrets, seals: CodeSeals) => void;
}

interface SealedRow {
  row: string | number;
  sealed: Buffer;
  [part: string]: unknown;
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'codes', column: 'code_secret', sql: selectCodes('codes'), verify: verifyCode },
  { table: 'redemptions', column: 'code_secret', sql: selectCodes('redemptions'), verify: verifyCode },
  {
    table: 'redemptions',
    column: 'credentials_secret',
    sql: `select id as row, reference, credentials_secret as sealed from [redemptions] where credentials_secret is not null`,
    verify: (row, secrets) => secrets.open(`redemption:${String(row.reference)}:credentials`, row.sealed),
  },
  {
    table: 'redemptions',
    column: 'idempotency_key_secret',
    sql: `select id as row, reference, idempotency_key_secret as sealed from [redemptions] where idempotency_key_secret is not null`,
    verify: (row, secrets) => secrets.open(`redemption:${String(row.reference)}:key`, row.sealed),
  },
  {
    table: 'webhooks',
    column: 'url_secret',
    sql: `select id as row, reference, url_secret as sealed from webhooks`,
    verify: (row, secrets) => secrets.open(`webhook:${String(row.reference)}:url`, row.sealed),
  },
  {
    table: 'webhooks',
    column: 'signing_secret',
    sql: `select id as row, reference, signing_secret as sealed from webhooks`,
    verify: (row, secrets) => secrets.open(`webhook:${String(row.reference)}:signing`, row.sealed),
  },
  {
    table: 'notices',
    column: 'payload_secret',
    sql: `select id as row, kind, at, payload_secret as sealed from notices`,
    verify: (row, secrets) => secrets.open(`notice:${String(row.kind)}:${String(row.at)}`, row.sealed),
  },
  {
    table: 'import_pieces',
    column: 'text_secret',
    sql: `select rowid as row, import_id as importId, piece_key as pieceKey, text_secret as sealed from import_pieces`,
    verify: (row, secrets) =>
      secrets.open(`import:${String(row.importId)}:${String(row.pieceKey)}`, row.sealed),
  },
  {
    table: 'import_pieces',
    column: 'lines_secret',
    sql: `select rowid as row, import_id as importId, piece_key as pieceKey, lines_secret as sealed from import_pieces where lines_secret is not null`,
    verify: (row, secrets) =>
      secrets.open(`import-lines:${String(row.importId)}:${String(row.pieceKey)}`, row.sealed),
  },
  {
    table: 'job_slices',
    column: 'content_secret',
    sql: `select rowid as row, job_id as jobId, position, content_secret as sealed from job_slices`,
    verify: (row, secrets) => secrets.open(`job:${String(row.jobId)}:${String(row.position)}`, row.sealed),
  },
  {
    table: 'inbox',
    column: 'update_secret',
    sql: `select update_id as row, update_secret as sealed from inbox`,
    verify: (row, secrets) => secrets.open(`inbox:${row.row}`, row.sealed),
  },
  {
    table: 'outbox',
    column: 'message_secret',
    sql: `select id as row, message_key as messageKey, message_secret as sealed from outbox`,
    verify: (row, secrets) => secrets.open(`outbox:${String(row.messageKey)}`, row.sealed),
  },
  {
    table: 'conversations',
    column: 'state_secret',
    sql: `select rowid as row, chat_id as chatId, user_id as userId, state_secret as sealed from conversations`,
    verify: (row, secrets) =>
      secrets.open(`conversation:${String(row.chatId)}:${String(row.userId)}`, row.sealed),
  },
  {
    table: 'confirmations',
    column: 'payload_secret',
    sql: `select id as row, payload_secret as sealed from confirmations`,
    verify: (row, secrets) => secrets.open(`confirmation:${row.row}`, row.sealed),
  },
];

/** Opens every value of a column and names the rows whose value does not open; how many values there are. */
export function openAll(
  connection: Connection,
  { sql, verify }: Pick<SealedColumn, 'sql' | 'verify'>,
  secrets: Secrets,
  tell: (row: string | number) => void,
): number {
  const seals = createCodeSeals(secrets);
  let values = 0;
  for (const row of connection.prepare(sql).iterate() as Iterable<SealedRow>) {
    values += 1;
    try {
      verify(row, secrets, seals);
    } catch {
      tell(row.row);
    }
  }
  return values;
}

function selectCodes(table: 'codes' | 'redemptions'): string {
  return `select id as row, game_id as gameId, code_hash as hash, code_secret as sealed from [${table}] where code_secret is not null`;
}

// The look-up hash is proven too: a code that cannot be found by it could be added, and spent, a second time.
function verifyCode(row: SealedRow, _: Secrets, seals: CodeSeals): void {
  const hash = row.hash as Buffer;
  const code = seals.open({ hash, secret: row.sealed });
  if (!seals.hash(String(row.gameId), code).equals(hash))
    throw new Error('The code and its look-up hash differ.');
}
