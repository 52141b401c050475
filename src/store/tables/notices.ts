// What people are to be told, written with the fact it tells of. Delivered at least once by a surface.
import { asc, ph, sql, type Orm } from '../engine/drizzle.ts';
import { notices } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

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
  const forget = orm
    .delete(notices)
    .where(sql`id in (select id from notices order by id limit ${ph('limit')}) and at <= ${ph('until')}`)
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
        payload: parse(secrets.openIfSound(identity(kind, at), payloadSecret)),
      })),
    markDelivered: (id: number, now: number) => markDelivered.run({ id, now }).changes === 1,
    /** Forgets those of the oldest `limit` that were written until then, told or not; returns how many. */
    forget: (until: number, limit: number) => forget.run({ until, limit }).changes,
  };
}

function parse(payload: string | undefined): unknown {
  return payload === undefined ? undefined : JSON.parse(payload);
}
