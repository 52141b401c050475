// Updates of Telegram that arrived, and where they stand. What an update says is sealed.
import { asc, ph, sql, type Orm } from '../engine/drizzle.ts';
import { inbox } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

export function createInboxTable(orm: Orm, secrets: Secrets) {
  const queries = prepareInbox(orm);
  const identity = (updateId: number) => `inbox:${updateId}`;
  return {
    /** Keeps an update; false when it is there already. */
    save: (updateId: number, update: string, now: number) =>
      queries.save.run({ updateId, updateSecret: secrets.seal(identity(updateId), update), now }).changes ===
      1,
    /** Waiting updates after this one, in order; `update` is undefined where one does not open any more. */
    listWaiting: (afterId: number, limit: number) =>
      queries.listWaiting.all({ afterId, limit }).map(({ updateId, updateSecret, attempts, receivedAt }) => ({
        updateId,
        attempts,
        receivedAt,
        update: secrets.openIfSound(identity(updateId), updateSecret),
      })),
    countWaiting: (): number => queries.countWaiting.get()?.count ?? 0,
    /** Since when the first that waits has waited; undefined where none does. */
    waitsSince: (): number | undefined => queries.waitsSince.get()?.at,
    countSetAside: (): number => queries.countSetAside.get()?.count ?? 0,
    /** The oldest first. */
    listSetAside: (limit: number) => queries.listSetAside.all({ limit }),
    lastId: (): number | undefined => queries.lastId.get()?.updateId ?? undefined,
    /** Counts one more beginning; how many there were with it. */
    begin: (updateId: number): number => queries.begin.get({ updateId })?.attempts ?? 0,
    /** Takes a counted beginning back: nothing of it was begun after all. */
    takeBack: (updateId: number) => queries.takeBack.run({ updateId }).changes === 1,
    finish: (updateId: number, state: 'done' | 'failed' | 'set_aside') =>
      queries.finish[state].run({ updateId }).changes === 1,
    /** Prunes up to `limit` updates that are over and were received until then; returns how many. */
    prune: (until: number, limit: number) => queries.prune.run({ until, limit }).changes,
  };
}

function prepareInbox(orm: Orm) {
  const finish = (state: string) =>
    orm
      .update(inbox)
      .set({ state: sql.raw(`'${state}'`) })
      .where(sql`update_id = ${ph('updateId')}+0 and state = 'waiting'`)
      .prepare();
  return {
    save: orm
      .insert(inbox)
      .values({
        updateId: ph('updateId'),
        updateSecret: ph('updateSecret'),
        state: sql`'waiting'`,
        receivedAt: ph('now'),
      })
      .onConflictDoNothing()
      .prepare(),
    ...prepareWaiting(orm),
    countSetAside: orm
      .select({ count: sql<number>`count(*)` })
      .from(inbox)
      .where(sql`state = 'set_aside'`)
      .prepare(),
    listSetAside: orm
      .select({ updateId: inbox.updateId, receivedAt: inbox.receivedAt })
      .from(inbox)
      .where(sql`state = 'set_aside'`)
      .orderBy(asc(inbox.updateId))
      .limit(ph('limit'))
      .prepare(),
    lastId: orm
      .select({ updateId: sql<number | null>`max(update_id)` })
      .from(inbox)
      .prepare(),
    begin: orm
      .update(inbox)
      .set({ attempts: sql`attempts + 1` })
      .where(sql`update_id = ${ph('updateId')}+0 and state = 'waiting'`)
      .returning({ attempts: inbox.attempts })
      .prepare(),
    takeBack: orm
      .update(inbox)
      .set({ attempts: sql`attempts - 1` })
      .where(sql`update_id = ${ph('updateId')}+0 and state = 'waiting' and attempts > 0`)
      .prepare(),
    finish: { done: finish('done'), failed: finish('failed'), set_aside: finish('set_aside') },
    prune: orm
      .delete(inbox)
      .where(
        sql`update_id in (select update_id from inbox where received_at <= ${ph('until')} and state <> 'waiting'
            limit ${ph('limit')})`,
      )
      .prepare(),
  };
}

function prepareWaiting(orm: Orm) {
  return {
    listWaiting: orm
      .select()
      .from(inbox)
      .where(sql`state = 'waiting' and update_id > ${ph('afterId')}+0`)
      .orderBy(asc(inbox.updateId))
      .limit(ph('limit'))
      .prepare(),
    countWaiting: orm
      .select({ count: sql<number>`count(*)` })
      .from(inbox)
      .where(sql`state = 'waiting'`)
      .prepare(),
    waitsSince: orm
      .select({ at: inbox.receivedAt })
      .from(inbox)
      .where(sql`state = 'waiting'`)
      .orderBy(asc(inbox.updateId))
      .limit(1)
      .prepare(),
  };
}
