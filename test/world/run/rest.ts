// The evening: nothing fails any more, and whatever waits comes to its end.
import { statSync } from 'node:fs';

import Database from 'better-sqlite3';

import type { World } from './world.ts';

const LOOKS = 60;
const LOOK_MS = 5_000;
const TIDIED_MS = 11 * 60_000;
const TIDYING_MS = 1_500;
const BETWEEN_MS = 5 * 60_000;

const WAITING = {
  'updates in the inbox': "select count(*) from inbox where state = 'waiting'",
  tasks: 'select count(*) from tasks where run_at is not null and (attempts > 0 or run_at <= queued_at)',
  // What waits for a person waits on.
  'open redemptions': `select count(*) from redemptions
    where state = 'pending' or (state = 'in_doubt' and exists (select 1 from tasks where job_key = 'doubt:' || redemptions.id and run_at is not null))`,
};

const UNSAID = 'select 1 from tasks where run_at is not null and (attempts > 0 or run_at <= queued_at)';
const SAID_LOOKS = 200;
/** A message is on its way for a moment. */
const SAID_MS = 1_500;

/**
 * What was brought about while people looked around, as a notice of the activation that it cost, is said before it is
 * judged.
 */
export async function saysWhatIsLeft({ time, disk, telegram }: World): Promise<void> {
  for (let looks = 0; looks < SAID_LOOKS; looks += 1) {
    await time.passUntil(() => false, SAID_MS);
    const isLeft = look(disk.databasePath(), (file) => file.prepare(UNSAID).get() !== undefined);
    if (!isLeft && telegram.underWay() === 0) return;
  }
}

/** Undefined once nothing waits; else what still does after hours in which everything works. */
export async function becomesQuiet(world: World): Promise<string | undefined> {
  const { time, telegram, platform } = world;
  let waiting: string | undefined;
  for (let look = 0; look < LOOKS; look += 1) {
    await time.passUntil(() => false, LOOK_MS);
    waiting =
      findWaiting(world) ?? (telegram.api.unconfirmed().length > 0 ? 'updates at Telegram' : undefined);
    if (!waiting && telegram.underWay() === 0 && platform.underWay() === 0) {
      // What is tidied every ten minutes is tidied now.
      time.suspend(TIDIED_MS);
      await time.passUntil(() => false, TIDYING_MS);
      return undefined;
    }
    time.skip(BETWEEN_MS);
  }
  return waiting ?? 'calls that are not answered';
}

function findWaiting({ disk }: World): string | undefined {
  return look(disk.databasePath(), (file) => {
    for (const [what, sql] of Object.entries(WAITING)) {
      const count = file.prepare(sql).pluck().get() as number;
      if (count > 0) return `${count} ${what}`;
    }
    return undefined;
  });
}

/**
 * Reads the books, beside the service, by one connection as long as the same file lies there: opening it costs more
 * than most looks.
 */
export function look<T>(path: string, work: (file: Database.Database) => T): T {
  // What is open goes on being read while its name leads nowhere.
  const inode = statSync(path, { throwIfNoEntry: false })?.ino ?? books?.inode;
  if (inode === undefined) throw new Error(`There is no ${path}.`);
  if (books?.file.name !== path || books.inode !== inode) {
    closeBooks();
    books = { file: new Database(path, { readonly: true }), inode };
  }
  return work(books.file);
}

/** Nobody but the service has the file open: the last one to close it puts its log away. */
export function closeBooks(): void {
  books?.file.close();
  books = undefined;
}

let books: { file: Database.Database; inode: number } | undefined;

/** The last number that was given there. */
export const newestOf = (
  { disk }: Pick<World, 'disk'>,
  table: 'redemptions' | 'tasks' | 'batches' | 'extractions',
): number =>
  look(
    disk.databasePath(),
    (file) => file.prepare(`select coalesce(max(id), 0) from ${table}`).pluck().get() as number,
  );

const ACCOUNT = 'select account_id from members where telegram_id = ?';

/** The account that somebody is in now; undefined where they are in none. */
export const findAccountOf = (disk: World['disk'], telegramId: number): unknown =>
  look(disk.databasePath(), (file) => file.prepare(ACCOUNT).pluck().get(telegramId));
