// What another past had closed is available nowhere once it has testified.
import { look } from '../rest.ts';
import type { World } from '../world.ts';
import { triedAgain } from './pauses.ts';

/** A past that has testified. */
export interface HeardDisk {
  at: number;
  /** Codes that it had closed and had in no stock, by their hashes and accounts. */
  closed: ReadonlySet<string>;
  /** Whatever is added later is another row. */
  newestCode: number;
}

const CLOSED = `
  select hex(code_hash) || ' ' || account_id from codes c where state in ('redeemed', 'used', 'invalid', 'extracted', 'undone')
    and not exists (select 1 from codes o where o.code_hash = c.code_hash and o.owned is not null and o.id <> c.id)`;
const OPEN = `
  select id, hex(code_hash) || ' ' || account_id as name, account_id as accountId, state from codes
  where state in ('available', 'unverified', 'in_question') and id <= ?`;

/** Of its file, and of the database that has heard it. */
export function hearDisk(file: string, path: string, at: number): HeardDisk {
  const closed = look(file, (books) => new Set(books.prepare(CLOSED).pluck().all() as string[]));
  const newestCode = look(
    path,
    (books) => books.prepare('select max(id) from codes').pluck().get() as number,
  );
  return { at, closed, newestCode };
}

export function nothingIsAvailableThatAnotherPastHadClosed(world: World): string[] {
  const { diary, disk } = world;
  const again = triedAgain(world);
  return diary.testimonies
    .filter(({ at }) => at >= diary.restoredAt)
    .flatMap(({ closed, newestCode }) => {
      const open = look(
        disk.databasePath(),
        (books) =>
          books.prepare(OPEN).all(newestCode) as {
            id: number;
            name: string;
            accountId: number;
            state: string;
          }[],
      );
      return open
        .filter(({ name, accountId }) => closed.has(name) && !again.has(accountId))
        .map(({ id, state }) => `code ${id} is ${state}, and the past that testified had closed it`);
    });
}
