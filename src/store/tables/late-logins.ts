// Redemptions that were settled without their login and are still asked about: by the columns that a doubt is looked at
// by.
import type { Secrets } from '../engine/secrets.ts';
import type { redemptions } from '../schema/index.ts';
import type { Sql } from '../sql.ts';
import { credentialsIdentity, type StoredReceipt } from './redemptions.ts';

type RedemptionRow = typeof redemptions.$inferSelect;
type OfId = Pick<RedemptionRow, 'id'>;
type Told = Omit<StoredReceipt, 'openid' | 'credentials'> & Pick<RedemptionRow, 'credentialsSecret'>;

/** What the index of them holds. */
const AWAITED = "state = 'redeemed' and next_look_at is not null";

export function createLateLoginsTable(sql: Sql, secrets: Secrets) {
  const logins = loginsOf(sql);
  return {
    wait: (id: number, nextLookAt: number) => void logins.wait({ id, nextLookAt }),
    /** Whose next look is due, or further away than any pause is (the clock went back). */
    listDue: (now: number, longestPauseMs: number, limit: number) =>
      logins.listDue({ now, longestPauseMs, limit }),
    postpone: (id: number, nextLookAt: number) => void logins.postpone({ id, nextLookAt }),
    giveUp: (id: number) => void logins.giveUp({ id }),
    /** Puts in what the platform tells after all; false where it is not waited for any more. */
    complete(id: number, { credentials, ...receipt }: StoredReceipt): boolean {
      const credentialsSecret =
        credentials && secrets.seal(credentialsIdentity(id), JSON.stringify(credentials));
      return logins.complete({ id, ...receipt, credentialsSecret }) === 1;
    },
  };
}

const loginsOf = (sql: Sql) => {
  const change = <Args = object>(set: string, also = 'true') =>
    sql.run<OfId & Args>(`update redemptions set ${set} where id = @id + 0 and ${AWAITED} and ${also}`);
  return {
    wait: sql.run<OfId & { nextLookAt: number }>(`
      update redemptions set looks = 0, next_look_at = @nextLookAt where id = @id + 0 and state = 'redeemed'`),
    listDue: sql.all<
      { now: number; longestPauseMs: number; limit: number },
      Pick<RedemptionRow, 'id' | 'looks'>
    >(`
      select id, looks from redemptions
      where ${AWAITED} and (next_look_at <= @now + 0 or next_look_at > @now + @longestPauseMs)
      order by next_look_at limit @limit + 0`),
    postpone: change<{ nextLookAt: number }>('looks = looks + 1, next_look_at = @nextLookAt'),
    giveUp: change('next_look_at = null'),
    complete: change<Told>(
      `player_name = @playerName, region = coalesce(@region, region),
        product_name = coalesce(@productName, product_name), amount = coalesce(@amount, amount),
        warning = @warning, credentials_secret = @credentialsSecret, next_look_at = null`,
      'credentials_secret is null',
    ),
  };
};
