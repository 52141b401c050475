// What lets a browser into the console: links, each used once, and sessions. Both are found by the hash of a secret.
import { asc, bound, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { consoleLinks, consoleSessions } from '../schema/index.ts';

export type ConsoleSessionRow = typeof consoleSessions.$inferSelect;

export function createConsoleLinksTable(orm: Orm) {
  const insert = orm
    .insert(consoleLinks)
    .values({ tokenHash: ph('tokenHash'), telegramId: ph('telegramId'), madeAt: ph('now') })
    .prepare();
  const find = orm
    .select()
    .from(consoleLinks)
    .where(eq(consoleLinks.tokenHash, ph('tokenHash')))
    .prepare();
  const use = orm
    .update(consoleLinks)
    .set({ usedAt: bound('now'), browser: bound('browser') })
    .where(sql`token_hash = ${ph('tokenHash')} and used_at is null and made_at > ${ph('notBefore')}`)
    .prepare();
  const prune = orm
    .delete(consoleLinks)
    .where(
      sql`token_hash in (select token_hash from console_links where made_at <= ${ph('until')} limit ${ph('limit')})`,
    )
    .prepare();
  return {
    insert: (link: { tokenHash: Buffer; telegramId: number; now: number }) => void insert.run(link),
    find: (tokenHash: Buffer) => find.get({ tokenHash }),
    /** Uses a link up; false where it was used before, or is not younger than `notBefore`. */
    use: (link: { tokenHash: Buffer; browser: string; now: number; notBefore: number }) =>
      use.run(link).changes === 1,
    prune: (until: number, limit: number) => prune.run({ until, limit }).changes,
  };
}

export function createConsoleSessionsTable(orm: Orm) {
  const insert = orm
    .insert(consoleSessions)
    .values({
      tokenHash: ph('tokenHash'),
      telegramId: ph('telegramId'),
      browser: ph('browser'),
      enteredAt: ph('now'),
      seenAt: ph('now'),
    })
    .returning({ id: consoleSessions.id })
    .prepare();
  const find = orm
    .select()
    .from(consoleSessions)
    .where(eq(consoleSessions.tokenHash, ph('tokenHash')))
    .prepare();
  const list = orm
    .select()
    .from(consoleSessions)
    .where(eq(consoleSessions.telegramId, ph('telegramId')))
    .orderBy(asc(consoleSessions.id))
    .prepare();
  const touch = orm
    .update(consoleSessions)
    .set({ seenAt: bound('now') })
    .where(eq(consoleSessions.id, ph('id')))
    .prepare();
  const end = orm
    .delete(consoleSessions)
    .where(sql`id = ${ph('id')} and telegram_id = ${ph('telegramId')}`)
    .prepare();
  const prune = orm
    .delete(consoleSessions)
    .where(
      sql`id in (select id from console_sessions where entered_at <= ${ph('until')} limit ${ph('limit')})`,
    )
    .prepare();
  return {
    /** Its number. */
    insert: (session: { tokenHash: Buffer; telegramId: number; browser: string; now: number }): number =>
      insert.get(session).id,
    find: (tokenHash: Buffer) => find.get({ tokenHash }),
    /** Of one person, the oldest first. */
    list: (telegramId: number) => list.all({ telegramId }),
    touch: (id: number, now: number) => void touch.run({ id, now }),
    /** Ends a session of this person; false where there is none of this number. */
    end: (telegramId: number, id: number) => end.run({ telegramId, id }).changes === 1,
    prune: (until: number, limit: number) => prune.run({ until, limit }).changes,
  };
}
