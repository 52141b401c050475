// The service's database as the page shows it: a connection that cannot write, and what the account has now.
import { DAY_MS } from '../src/clock.ts';
import { openReader, readNumber } from '../src/store/engine/connection.ts';
import type { MemberRole, ServiceView } from './protocol.ts';

export type DatabaseView = ReturnType<typeof openDatabaseView>;

const STOCK = `
  select denomination, sum(state in ('available', 'unverified')) as available, sum(state = 'reserved') as reserved,
    sum(state = 'in_doubt') as inDoubt
  from codes where account_id = ? group by denomination order by denomination`;

const USED = `
  select coalesce(sum(daily), 0) / 4.0 from usages where account_id = ? and at > ? and returned_at is null`;
const PURCHASED = `select purchased / 4.0 from quotas where account_id = ?`;

/** Opens the database for reading. The database must exist. */
export function openDatabaseView(databasePath: string) {
  const connection = openReader(databasePath);
  const stock = connection.prepare<[number], ServiceView['stock'][number]>(STOCK);
  const member = connection.prepare<unknown[], { role: MemberRole; isOurs: 0 | 1 }>(
    'select role, account_id = ? as isOurs from members where telegram_id = ?',
  );
  return {
    stock: (accountId: number) => stock.all(accountId),
    /** Activations used of the last 24 hours before `now`, and purchased ones left. */
    quota: (accountId: number, now: number) => ({
      used: readNumber(connection, USED, accountId, now - DAY_MS),
      purchased: readNumber(connection, PURCHASED, accountId),
    }),
    /** What a person is now, in the shop or in an account of their own; undefined for whoever is in none. */
    member: (accountId: number, telegramId: number) => member.get(accountId, telegramId),
    close: () => void connection.close(),
  };
}
