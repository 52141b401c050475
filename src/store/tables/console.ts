// What lets a browser into the console: links, each used once, and sessions. Both are found by the hash of a secret.
import type { consoleLinks, consoleSessions } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type ConsoleLinkRow = typeof consoleLinks.$inferSelect;
export type ConsoleSessionRow = typeof consoleSessions.$inferSelect;

interface NewSession {
  tokenHash: Buffer;
  telegramId: number;
  browser: string;
  now: number;
}

export function createConsoleLinksTable(sql: Sql) {
  const insert = sql.run<Omit<NewSession, 'browser'>>(
    'insert into console_links (token_hash, telegram_id, made_at) values (@tokenHash, @telegramId, @now)',
  );
  const find = sql.one<{ tokenHash: Buffer }, ConsoleLinkRow>(
    'select * from console_links where token_hash = @tokenHash',
  );
  const use = sql.run<{ tokenHash: Buffer; browser: string; now: number; notBefore: number }>(`
    update console_links set used_at = @now, browser = @browser
    where token_hash = @tokenHash and used_at is null and made_at > @notBefore`);
  const prune = sql.run<{ until: number; limit: number }>(`
    delete from console_links where token_hash in (
      select token_hash from console_links where made_at <= @until limit @limit)`);
  return {
    insert: (link: Omit<NewSession, 'browser'>) => void insert(link),
    find: (tokenHash: Buffer) => find({ tokenHash }),
    /** Uses a link up; false where it was used before, or is not younger than `notBefore`. */
    use: (link: { tokenHash: Buffer; browser: string; now: number; notBefore: number }) => use(link) === 1,
    prune: (until: number, limit: number) => prune({ until, limit }),
  };
}

export function createConsoleSessionsTable(sql: Sql) {
  const insert = sql.insert<NewSession>(`
    insert into console_sessions (token_hash, telegram_id, browser, entered_at, seen_at)
    values (@tokenHash, @telegramId, @browser, @now, @now)`);
  const find = sql.one<{ tokenHash: Buffer }, ConsoleSessionRow>(
    'select * from console_sessions where token_hash = @tokenHash',
  );
  const list = sql.all<{ telegramId: number }, ConsoleSessionRow>(
    'select * from console_sessions where telegram_id = @telegramId order by id',
  );
  const touch = sql.run<{ id: number; now: number }>(
    'update console_sessions set seen_at = @now where id = @id',
  );
  const end = sql.run<{ telegramId: number; id: number }>(
    'delete from console_sessions where id = @id and telegram_id = @telegramId',
  );
  const prune = sql.run<{ until: number; limit: number }>(`
    delete from console_sessions where id in (
      select id from console_sessions where entered_at <= @until limit @limit)`);
  return {
    /** Its number. */
    insert: (session: NewSession): number => insert(session),
    find: (tokenHash: Buffer) => find({ tokenHash }),
    /** Of one person, the oldest first. */
    list: (telegramId: number) => list({ telegramId }),
    touch: (id: number, now: number) => void touch({ id, now }),
    /** Ends a session of this person; false where there is none of this number. */
    end: (telegramId: number, id: number) => end({ telegramId, id }) === 1,
    prune: (until: number, limit: number) => prune({ until, limit }),
  };
}
