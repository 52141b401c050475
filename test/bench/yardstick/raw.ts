// The yardstick of figure 1: the writes of a redemption with better-sqlite3 alone, prepared, 64 redemptions a commit.
// It reads nothing but what an update returns, decides nothing, and inserts bytes that somebody else has encrypted.
// Frozen.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Database as Connection } from 'better-sqlite3';

import { rate } from '../rounds.ts';
import { DENOMINATION, GAME_ID, RECEIPT } from '../terms.ts';
import { HASH_BYTES, openYardstick } from './database.ts';

const REDEMPTIONS_PER_COMMIT = 64;
const WINDOW_MS = 24 * 60 * 60 * 1000;
const PLAYER_ID = '5124780131';
/** The credentials of a receipt as JSON, sealed under a head of 32 bytes: nothing here spends time on that. */
const CREDENTIALS = randomBytes(
  32 + JSON.stringify({ uid: '771', email: 'account@mail.example', password: 'a password' }).length,
);

interface Raw {
  /** Carries out so many redemptions; how many a second. */
  redeem(count: number): number;
  close(): void;
}

export function openRaw(folder: string, codes: number): Raw {
  const { connection, accountIds } = openYardstick(`${folder}/raw.db`, codes);
  const statements = prepare(connection);
  let next = 0;

  return {
    redeem(count) {
      const startedAt = performance.now();
      for (let done = 0; done < count; done += REDEMPTIONS_PER_COMMIT) {
        const begun = inTransaction(connection, () =>
          Array.from({ length: Math.min(REDEMPTIONS_PER_COMMIT, count - done) }, () =>
            begin(statements, accountIds[(next += 1) % accountIds.length] ?? 0),
          ),
        );
        inTransaction(connection, () => begun.forEach((each) => settle(statements, each)));
      }
      return rate(count, startedAt);
    },
    close: () => void connection.close(),
  };
}

function inTransaction<T>(connection: Connection, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  const result = work();
  connection.exec('COMMIT');
  return result;
}

type Statements = ReturnType<typeof prepare>;

function prepare(connection: Connection) {
  return {
    take: connection.prepare(`
      update codes set state = 'reserved', claimed_from = state, changed_at = ?
      where id = (select id from codes where account_id = ?+0 and game_id = +? and denomination = ?+0
        and state in ('available', 'unverified') order by id limit 1)
      returning id, code_hash as hash, code_secret as secret`),
    charge: connection.prepare(`
      update quotas set used = used + ?, purchased = purchased - ?, window_start = ? where account_id = ?+0`),
    insertCharge: connection.prepare(`
      insert into charges (account_id, at, daily, purchased, kind) values (?, ?, ?, ?, 'redeem')`),
    insert: connection.prepare(`
      insert into redemptions (reference, account_id, actor, game_id, player_id, mode, denomination, code_id, code_hash,
        code_secret, code_tail_hash, state, charge_id, created_at)
      values (?, ?, ?, ?, ?, 'database', ?, ?, ?, ?, ?, 'pending', ?, ?)`),
    settle: connection.prepare(`
      update redemptions set state = 'redeemed', error_code = null, error_message = null, openid = ?, player_name = ?,
        region = ?, product_name = ?, amount = ?, warning = 0, credentials_secret = ?, settled_at = ?,
        took_ms = max(0, ? - created_at), next_look_at = null
      where id = ?+0 and state in ('pending', 'in_doubt')`),
    spend: connection.prepare(`
      update codes set state = 'redeemed', changed_at = ? where id = ?+0 and state in ('reserved', 'in_doubt')`),
  };
}

interface Begun {
  id: number | bigint;
  codeId: number;
}

function begin(statements: Statements, accountId: number): Begun {
  const now = Date.now();
  const taken = statements.take.get(now, accountId, GAME_ID, DENOMINATION) as
    { id: number; hash: Buffer; secret: Buffer } | undefined;
  if (!taken) throw new Error('The yardstick ran out of codes.');
  statements.charge.run(0, 4, now - WINDOW_MS, accountId);
  const chargeId = statements.insertCharge.run(accountId, now, 0, 4).lastInsertRowid;
  const { lastInsertRowid } = statements.insert.run(
    randomUUID(),
    accountId,
    'apiKey:1',
    GAME_ID,
    PLAYER_ID,
    DENOMINATION,
    taken.id,
    taken.hash,
    taken.secret,
    randomBytes(HASH_BYTES),
    chargeId,
    now,
  );
  return { id: lastInsertRowid, codeId: taken.id };
}

function settle(statements: Statements, { id, codeId }: Begun): void {
  const { openid, name, region, productName, amount } = RECEIPT;
  const now = Date.now();
  statements.settle.run(openid, name, region, productName, amount, CREDENTIALS, now, now, id);
  statements.spend.run(now, codeId);
}
