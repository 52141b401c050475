// What the account has now: codes, activations, and who is in it, read from the service's database by a connection that
// cannot write, so that it shows while the process is away.
import { DAY_MS, systemClock } from '../src/clock.ts';
import { DAILY_LIMIT } from '../src/core/index.ts';
import { openReader, readNumber } from '../src/store/engine/connection.ts';

export interface AccountNow {
  stock: { denomination: number; available: number; reserved: number; inDoubt: number }[];
  quota: { left: number; limit: number; purchased: number };
}

export type MemberRole = 'owner' | 'admin' | 'operator' | 'support';

const STOCK = `
  select denomination, sum(state in ('available', 'unverified')) as available, sum(state = 'reserved') as reserved,
    sum(state = 'in_doubt') as inDoubt
  from codes where account_id = ? group by denomination order by denomination`;

const USED = `
  select coalesce(sum(daily), 0) / 4.0 from usages where account_id = ? and at > ? and returned_at is null`;
const PURCHASED = `select purchased / 4.0 from quotas where account_id = ?`;

/** Opens the database, which must exist, for looking at one account. */
export function openAccount(databasePath: string, accountId: number) {
  const connection = openReader(databasePath);
  const stock = connection.prepare<[number], AccountNow['stock'][number]>(STOCK);
  const member = connection.prepare<unknown[], { role: MemberRole; isOurs: 0 | 1 }>(
    'select role, account_id = ? as isOurs from members where telegram_id = ?',
  );
  return {
    now(): AccountNow {
      const used = readNumber(connection, USED, accountId, systemClock.now() - DAY_MS);
      const purchased = readNumber(connection, PURCHASED, accountId);
      return {
        stock: stock.all(accountId),
        quota: { left: DAILY_LIMIT - used, limit: DAILY_LIMIT, purchased },
      };
    },
    /** What a person is now, in the shop or in an account of their own; undefined for whoever is in none. */
    member: (telegramId: number) => member.get(accountId, telegramId),
    close: () => void connection.close(),
  };
}
