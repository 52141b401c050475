// Every column that holds a sealed value, and the identity each value is sealed under: for proving that all of them
// open. The identities repeat those of the repositories; a test holds that no `…_secret` column of the schema is
// missing here.
import type { Database as Connection } from 'better-sqlite3';

import { createCodeSeals, type CodeSeals, type Secrets } from '../engine/secrets.ts';

export interface SealedColumn {
  table: string;
  column: string;
  /** What names a row, as SQL. */
  row: string;
  /** As SQL; undefined of codes, which are sealed under their hash. */
  identity?: string;
}

const ATTEMPT = "redemption_id || '/' || n";
const PIECE = "import_id || ':' || piece_key";

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'codes', column: 'code_secret', row: 'id' },
  { table: 'redemptions', column: 'code_secret', row: 'id' },
  sealed('order_items', 'code_secret', "'order:' || order_id || '/' || n || ':code'", 'rowid'),
  sealed('orders', 'key_secret', "'order:' || name || ':key'"),
  sealed('redemptions', 'credentials_secret', "'redemption:' || id || ':credentials'"),
  sealed('redemptions', 'idempotency_key_secret', "'redemption:' || id || ':key'"),
  sealed('attempts', 'raw_secret', `'attempt:' || ${ATTEMPT} || ':raw'`, ATTEMPT),
  sealed('webhooks', 'url_secret', "'webhook:' || reference || ':url'"),
  sealed('webhooks', 'signing_secret', "'webhook:' || reference || ':signing'"),
  sealed('import_pieces', 'text_secret', `'import:' || ${PIECE}`, 'rowid'),
  sealed('import_pieces', 'lines_secret', `'import-lines:' || ${PIECE}`, 'rowid'),
  sealed('job_slices', 'content_secret', "'job:' || job_id || ':' || position", 'rowid'),
  sealed('inbox', 'update_secret', "'inbox:' || update_id", 'update_id'),
  sealed('tasks', 'payload_secret', "'task:' || task || ':' || coalesce(job_key, created_at)"),
  sealed('conversations', 'state_secret', "'conversation:' || chat_id || ':' || user_id", 'rowid'),
  sealed('confirmations', 'payload_secret', "'confirmation:' || id"),
];

function sealed(table: string, column: string, identity: string, row = 'id') {
  return { table, column, row, identity };
}

interface SealedRow {
  row: string | number;
  sealed: Buffer;
  identity: string;
}

interface SealedCode {
  row: number;
  sealed: Buffer;
  gameId: string;
  hash: Buffer;
}

/**
 * Opens every value of a column, and tells the rows whose value does not open or does not belong to its row; how many
 * values there are.
 */
export function openAll(
  connection: Connection,
  { table, column, row, identity }: SealedColumn,
  secrets: Secrets,
  { report }: { report: (row: string | number) => void },
): number {
  const seals = createCodeSeals(secrets);
  const parts = identity === undefined ? 'game_id as gameId, code_hash as hash' : `${identity} as identity`;
  const select = connection.prepare<[], SealedRow | SealedCode>(
    `select ${row} as row, ${parts}, ${column} as sealed from ${table} where ${column} is not null`,
  );
  let values = 0;
  for (const found of select.iterate()) {
    values += 1;
    try {
      if ('identity' in found) secrets.open(found.identity, found.sealed);
      else openCode(found, seals);
    } catch {
      report(found.row);
    }
  }
  return values;
}

// The look-up hash is proven too: a code that cannot be found by it could be added, and spent, a second time.
function openCode({ hash, sealed, gameId }: SealedCode, seals: CodeSeals): void {
  const code = seals.open({ hash, secret: sealed });
  const own = seals.hash(gameId, code);
  if (!own.equals(hash)) throw new Error('The code and its look-up hash differ.');
}
