// Whether writes go through: told by the last one, and while that failed by a small write of our own every second, so
// that a disk that has room again is noticed without anybody having to be refused first.
import type { Database } from 'better-sqlite3';

export interface WriteHealth {
  /** Watches a write; what it resolves or rejects with is not changed. */
  watch<T>(write: Promise<T>): Promise<T>;
  /** False from a write that the disk refused until one has gone through. */
  isWritable(): boolean;
  close(): void;
}

const TRIED_EVERY_MS = 1_000;
const KEY = 'tried-to-write';
/** What the disk or the file is at fault for; a broken constraint, or what a work itself throws, is not among it. */
const DISK = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL|NOMEM)/;

/** `write` is the writer's own, beside which nothing writes. */
export function createWriteHealth(
  connection: Database,
  write: (work: () => unknown) => Promise<unknown>,
  { triedEveryMs = TRIED_EVERY_MS }: { triedEveryMs?: number } = {},
): WriteHealth {
  const put = connection.prepare(
    'insert into meta (key, value) values (?, zeroblob(1)) on conflict do update set value = excluded.value',
  );
  const remove = connection.prepare('delete from meta where key = ?');
  let isWritable = true;
  let timer: NodeJS.Timeout | undefined;

  async function watch<T>(promise: Promise<T>): Promise<T> {
    try {
      const result = await promise;
      isWritable = true;
      return result;
    } catch (error) {
      if (isDiskTrouble(error)) {
        isWritable = false;
        schedule();
      }
      throw error;
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (!isWritable) watch(write(tryToWrite)).catch(() => undefined);
    }, triedEveryMs).unref();
  }

  /** A page is changed and changed back: nothing is kept. */
  function tryToWrite(): void {
    put.run(KEY);
    remove.run(KEY);
  }

  return { watch, isWritable: () => isWritable, close: () => clearTimeout(timer) };
}

function isDiskTrouble(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK.test(String(error.code));
}
