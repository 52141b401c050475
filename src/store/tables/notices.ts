// What people are to be told, written with the fact it tells of. Delivered at least once by a surface.
import { asc, sql, type Orm } from '../engine/drizzle.ts';
import { notices } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

const ph = sql.placeholder;

export interface StoredNotice {
  id: number;
  /** null: for the host. */
  accountId: number | null;
  kind: string;
  /** Sealed, since it may name a code; undefined where it does not open any more. */
  payload: unknown;
  at: number;
}

export function createNoticesTable(orm: Orm, secrets: Secrets) {
  const insert = orm
    .insert(notices)
    .values({
      accountId: ph('accountId'),
      kind: ph('kind'),
      payloadSecret: ph('payloadSecret'),
      at: ph('now'),
    })
    .prepare();
  const waiting = orm
    .select()
    .from(notices)
    .where(sql`delivered_at is null`)
    .orderBy(asc(notices.id))
    .limit(ph('limit'))
    .prepare();
  const markDelivered = orm
    .update(notices)
    .set({ deliveredAt: sql`${ph('now')}` })
    .where(sql`id = ${ph('id')} and delivered_at is null`)
    .prepare();
  const identity = (kind: string, at: number) => `notice:${kind}:${at}`;

  return {
    insert(notice: { accountId: number | null; kind: string; payload: unknown; now: number }) {
      const payloadSecret = secrets.seal(identity(notice.kind, notice.now), JSON.stringify(notice.payload));
      insert.run({ accountId: notice.accountId, kind: notice.kind, payloadSecret, now: notice.now });
    },
    /** Notices nobody was told yet, oldest first. */
    listWaiting: (limit: number): StoredNotice[] =>
      waiting.all({ limit }).map(({ id, accountId, kind, payloadSecret, at }) => ({
        id,
        accountId,
        kind,
        at,
        payload: openOr(secrets, identity(kind, at), payloadSecret),
      })),
    markDelivered: (id: number, now: number) => markDelivered.run({ id, now }).changes === 1,
  };
}

/** What does not open costs itself, and holds up none of the others. */
function openOr(secrets: Secrets, identity: string, sealed: Buffer): unknown {
  try {
    return JSON.parse(secrets.open(identity, sealed));
  } catch {
    return undefined;
  }
}
