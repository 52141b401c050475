// The sandbox's truth: which code was redeemed for whom, in a SQLite file of its own, so that it outlives a crash of
// the service and can be compared with what the service believes. Its rows are never changed or removed.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/** One redemption. `redeemedAt` may lie ahead: it takes effect then. */
export interface LedgerRow {
  gameId: string;
  code: string;
  reference: string;
  playerId: string;
  openid: string;
  playerName: string;
  amount: number | null;
  hasOrder: 0 | 1;
  redeemedAt: number;
}

const BUSY_TIMEOUT_MS = 250;

const TABLE = `
  create table if not exists redemptions (
    game_id text not null,
    code text not null,
    reference text not null,
    player_id text not null,
    openid text not null,
    player_name text not null,
    amount integer,
    has_order integer not null check (has_order in (0, 1)),
    redeemed_at integer not null,
    primary key (game_id, code)
  ) strict`;

const INSERT = `
  insert into redemptions
    (game_id, code, reference, player_id, openid, player_name, amount, has_order, redeemed_at)
  values
    (@gameId, @code, @reference, @playerId, @openid, @playerName, @amount, @hasOrder, @redeemedAt)
  on conflict (game_id, code) do nothing`;

const FIND = `
  select game_id as gameId, code, reference, player_id as playerId, openid, player_name as playerName, amount,
    has_order as hasOrder, redeemed_at as redeemedAt
  from redemptions where game_id = ? and code = ?`;

export type Ledger = ReturnType<typeof openLedger>;

/** Opens the file, making it and its folder when missing. What `insert` returned true for is on disk. */
export function openLedger(path: string) {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const connection = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.exec(TABLE);
  const insert = connection.prepare(INSERT);
  const find = connection.prepare<[string, string], LedgerRow>(FIND);
  return {
    /** False when this code was redeemed already, by whomever. */
    insert: (row: LedgerRow): boolean => insert.run(row).changes === 1,
    find: (gameId: string, code: string) => find.get(gameId, code),
    close: () => void connection.close(),
  };
}
