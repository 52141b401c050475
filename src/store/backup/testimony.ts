// Another past of the same database, as evidence: what it has closed that this file still has open, found by SQL over
// both. It opens, begins and adds nothing; what money and receipts cost is the core's (core/redemption/testimony.ts).
import type { Database as Connection } from 'better-sqlite3';

import { openReader } from '../engine/connection.ts';
import { readPlatform } from '../engine/identity.ts';
import { realPathOf } from '../engine/rights.ts';
import { StoreRefusal } from '../engine/refusal.ts';
import type { Secrets } from '../engine/secrets.ts';
import type { StockKey } from '../schema/codes.ts';
import { createTables } from '../tables/index.ts';
import { countAhead, noteLostEpochs, readAsOf, readLine, readShared, type Line } from './epochs.ts';
import { assertFinished, copyProven, isSameOrigin, removeDatabase } from './snapshot-file.ts';

/** A past in a proven copy beside the database. */
export interface OpenedPast {
  /** Until when it knows what happened, in ms UTC. */
  asOf: number;
  /**
   * Runs `work` over a database, with that past beside it, in one transaction. Throws StoreRefusal where it has nothing
   * to testify there.
   */
  over<T>(connection: Connection, work: (past: OtherPast) => T): T;
  close(): void;
}

/** Copies and proves it; the file itself is only read. Throws StoreRefusal as a restore of it would. */
export function openPast(
  file: string,
  { databasePath, secrets, now }: { databasePath: string; secrets: Secrets; now: number },
): OpenedPast {
  const copy = `${realPathOf(databasePath)}.testifying`;
  assertFinished(file, databasePath);
  try {
    const known = copyProven(file, copy, secrets, (connection) => ({
      line: readLine(connection),
      platform: readPlatform(connection),
      asOf: readAsOf(connection, now),
    }));
    return {
      asOf: known.asOf,
      over: (connection, work) => testifyOver(connection, { ...known, file, copy, secrets }, work),
      close: () => removeDatabase(copy),
    };
  } catch (error) {
    removeDatabase(copy);
    throw error;
  }
}

interface Known {
  line: Line;
  platform: string | undefined;
  file: string;
  copy: string;
  secrets: Secrets;
}

function testifyOver<T>(connection: Connection, known: Known, work: (past: OtherPast) => T): T {
  const { copy, secrets } = known;
  const own = readLine(connection);
  const reader = openReader(copy);
  connection.prepare('attach database ? as past').run(copy);
  try {
    assertEvidence(connection, known, own);
    const past = createOtherPast(connection, createTables(reader, secrets), readShared(own, known.line));
    const testify = () => {
      noteLostEpochs(connection, known.line);
      return work(past);
    };
    return connection.transaction(testify).immediate();
  } finally {
    connection.exec('detach database past');
    reader.close();
  }
}

function assertEvidence(connection: Connection, { file, line, platform }: Known, own: Line): void {
  const refuse = (why: string) => new StoreRefusal(`${file} ${why}. Nothing was changed.`);
  if (!isSameOrigin(connection, 'past')) throw refuse('is of another database: it knows nothing of this one');
  const used = readPlatform(connection);
  if (used !== undefined && platform !== undefined && used !== platform)
    throw refuse(`was used with the platform ${platform}, and this database with ${used}`);
  if (countAhead(line, own) === undefined)
    throw refuse('is of the own past of this database, which holds all that it knows');
}

export type OtherPast = ReturnType<typeof createOtherPast>;

/** A redemption that only the other past knows as redeemed; its code, where that is somebody's here. */
interface LostRedemption {
  id: number;
  code: (StockKey & { id: number; state: string }) | undefined;
}

const CLOSED = "('redeemed', 'used', 'invalid', 'extracted', 'undone')";
const OPEN = "('available', 'unverified', 'in_question')";

/**
 * Of each code that is somebody's here: how the other past has closed it, spent before handed out. What both know is no
 * news.
 */
const FIND_CLOSED = `
  create temp table closed_codes (id integer primary key, ends text not null, extraction_id integer);
  insert or ignore into closed_codes
    select c.id, case p.state when 'redeemed' then 'used' when 'extracted' then iif(c.denomination = p.denomination, 'extracted', 'used')
      else p.state end, iif(p.state = 'extracted' and c.denomination = p.denomination, p.extraction_id, null)
    from past.codes p left join main.codes same on same.id = p.id
      join main.codes c on c.code_hash = p.code_hash and c.game_id = p.game_id and c.owned is not null
    where p.state in ${CLOSED} and coalesce(same.state, '') not in ${CLOSED}
      and (c.account_id = p.account_id or p.state not in ('extracted', 'undone'))
      and (c.state in ${OPEN} or c.claimed_from in ${OPEN} and c.state in ('reserved', 'in_doubt'))
    order by p.state in ('extracted', 'undone'), p.id desc;`;

/**
 * One that is under way goes back to no stock. The extraction is that of the other past, by its number, with who took
 * it out.
 */
const CLOSE = `
  insert into extractions (id, account_id, game_id, denomination, actor, at, requested, ended_at, sent_at, unsent_notified_at)
    select id, account_id, game_id, denomination, actor, at, requested, coalesce(ended_at, at), sent_at, unsent_notified_at
    from past.extractions where id in (select extraction_id from closed_codes) on conflict do nothing;
  insert into audit_log (account_id, actor, door, what, object, before, after, reason, at)
    select account_id, actor, door, what, object, before, after, reason, at from past.audit_log l
    where what = 'codesExtracted' and object in (select 'extraction:' || extraction_id from closed_codes)
      and not exists (select 1 from main.audit_log m where m.what = l.what and m.object = l.object) order by id;
  update codes set claimed_from = 'used' from closed_codes k where codes.id = k.id and state not in ${OPEN};
  update codes set state = k.ends, extraction_id = k.extraction_id, changed_at = @now
    from closed_codes k where codes.id = k.id and state in ${OPEN};
  update extractions set taken = t.taken, requested = max(requested, t.taken)
    from (select extraction_id as id, count(*) as taken from codes where extraction_id is not null
      and extraction_id in (select extraction_id from closed_codes) group by 1) t where extractions.id = t.id;`;

const LOST = `
  select p.id, c.id as codeId, c.state, c.account_id as accountId, c.game_id as gameId, c.denomination
  from past.redemptions p left join main.redemptions m on m.id = p.id and m.created_at = p.created_at
    left join main.codes c on c.code_hash = p.code_hash and c.game_id = p.game_id and c.owned is not null
  where p.state = 'redeemed' and p.account_id in (select id from main.accounts)
    and (m.id is null or m.state <> 'redeemed' or m.next_look_at is not null) order by p.id`;

/**
 * Whoever repeats a request of the lost time has what it began. On the scale of ages, which may lie elsewhere there.
 */
const KEEP_KEYS = `
  insert or ignore into idempotency_keys (account_id, key_hash, request_hash, redemption_id, extraction_id, tries, at)
    select k.account_id, k.key_hash, k.request_hash, r.id, e.id, k.tries, min(k.at, @monotonicNow)
    from past.idempotency_keys k left join past.redemptions p on p.id = k.redemption_id and p.state = 'redeemed'
      left join main.redemptions r on r.code_hash = p.code_hash and r.game_id = p.game_id and r.live is not null
        and r.account_id = k.account_id
      left join main.extractions e on e.id = k.extraction_id and e.account_id = k.account_id
    where r.id is not null or e.id is not null;`;
const MARK_GIVEN = `
  update recovered_redemptions set given_at = coalesce(given_at, @now), is_proven = 1
    where redemption_id in (select redemption_id from idempotency_keys) and is_proven = 0`;

const KEYS = `
  select k.id, k.account_id as accountId, k.prefix from main.api_keys k join past.api_keys p on p.id = k.id and p.digest = k.digest
  where k.revoked_at is null and p.revoked_at is not null`;
/** Nobody keeps who was a member: the log says who went, and whoever was let in again since stays. */
const MEMBERS = `
  select distinct m.telegram_id as telegramId, m.account_id as accountId, m.role from past.audit_log l
    join main.members m on l.object = 'member:' || m.telegram_id and l.account_id = m.account_id and m.joined_at <= l.at
  where l.what in ('memberRemoved', 'memberLeft') and l.id > @audit_log and not exists (
    select 1 from past.members p where p.telegram_id = m.telegram_id and p.account_id = m.account_id)`;
/** One that was removed is gone once nothing is pending for it. */
const WEBHOOKS = `
  select w.id, w.account_id as accountId from main.webhooks w left join past.webhooks p on p.reference = w.reference
  where w.removed_at is null and (p.removed_at is not null or (p.id is null and w.id <= @webhooks))`;
/** Of accounts that are here. One that went back meanwhile is booked nowhere. */
const PAYMENTS = `
  select p.charge_id as chargeId, o.id as orderId, m.id is not null as isBooked, p.refunded_at is not null as isRefunded
  from past.purchases p left join main.purchases m on m.charge_id = p.charge_id
    left join past.purchase_orders po on po.charge_id = p.charge_id left join main.purchase_orders o on o.id = po.id
  where p.currency <> 'HOST' and p.account_id in (select id from main.accounts)
    and iif(m.id is null, not exists (select 1 from main.charge_notes n where n.charge_id = p.charge_id and n.kind = 'refunded'),
      m.refunded_at is null and p.refunded_at is not null) order by p.id`;

function createOtherPast(
  connection: Connection,
  tables: ReturnType<typeof createTables>,
  shared: Readonly<Record<string, number>>,
) {
  const list = <Row>(sql: string, values = {}) => connection.prepare<[object], Row>(sql).all(values);
  return {
    /** What it knows; only read. */
    tables,
    listLostRedemptions: (): LostRedemption[] =>
      list<{ id: number; codeId: number | null; state: string } & StockKey>(LOST).map(
        ({ id, codeId, ...code }) => ({ id, code: codeId === null ? undefined : { ...code, id: codeId } }),
      ),
    /** Takes out of the stock what was closed there; how many by how, and of which stock keys. */
    closeCodes(now: number) {
      connection.exec(FIND_CLOSED);
      const counts = list<{ ends: string; count: number }>(
        'select ends, count(*) as count from closed_codes group by ends',
      );
      const stockKeys = list<StockKey>(
        `select distinct account_id as accountId, game_id as gameId, denomination from codes
         where id in (select id from closed_codes)`,
      );
      for (const statement of CLOSE.split(';\n')) connection.prepare(statement).run({ now });
      connection.exec('drop table closed_codes');
      return { counts: new Map(counts.map(({ ends, count }) => [ends, count])), stockKeys };
    },
    insertIdempotencyKeys(now: number, monotonicNow: number): void {
      connection.prepare(KEEP_KEYS).run({ monotonicNow });
      connection.prepare(MARK_GIVEN).run({ now });
    },
    listEndedKeys: () => list<{ id: number; accountId: number; prefix: string }>(KEYS),
    listEndedMembers: () =>
      list<{ telegramId: number; accountId: number; role: string }>(MEMBERS, {
        audit_log: shared['audit_log'] ?? 0,
      }),
    listEndedWebhooks: () =>
      list<{ id: number; accountId: number }>(WEBHOOKS, { webhooks: shared['webhooks'] ?? 0 }),
    /** Payments that are not booked here, and those of which the refund is not. */
    listPayments: () =>
      list<{ chargeId: string; orderId: string | null; isBooked: 0 | 1; isRefunded: 0 | 1 }>(PAYMENTS),
  };
}
