// Forgetting a player: what names them goes from all that has ended, and the rest of it stays as it was. The player's
// ID gives way to another name, which the triggers of the migration allow in what has ended, and nothing else
// (redemptions_sent).
import type { Secrets } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';
import { keyIdentity } from './redemptions.ts';

type OfPlayer = { playerId: string };
type OfRedemption = { id: number };

export function createForgettingTable(sql: Sql, secrets: Secrets) {
  const open = openOf(sql);
  const { list, forgetRedemption, forgetAttempts, forgetOrders } = forgettingOf(sql);

  function namesPlayer(id: number, playerId: string, sealed: Buffer | null): boolean {
    return sealed !== null && (secrets.openIfSound(keyIdentity(id), sealed)?.includes(playerId) ?? false);
  }

  return {
    /** A redemption of the player that has not ended. */
    findOpen: (playerId: string): number | undefined =>
      [open.pending, open.inDoubt, open.duplicate].map((find) => find({ playerId })?.id).find(Boolean),
    hasRunningOrder: (playerId: string): boolean => open.order({ playerId }) !== undefined,
    /**
     * Gives up to `limit` redemptions of the player another name, with all that hangs on them, and at last their
     * orders: how many of each.
     */
    forget(playerId: string, as: string, limit: number): { redemptions: number; orders: number } {
      const rows = list({ playerId, limit });
      for (const { id, keySecret } of rows) {
        forgetAttempts({ id, playerId });
        forgetRedemption({ id, playerId, as, dropsKey: namesPlayer(id, playerId, keySecret) });
      }
      const isLast = rows.length < limit;
      const ended = isLast ? forgetOrders({ playerId, as }) : 0;
      return { redemptions: rows.length, orders: ended };
    },
  };
}

const openOf = (sql: Sql) => ({
  pending: sql.one<OfPlayer, OfRedemption>(
    "select id from redemptions where state = 'pending' and +player_id = @playerId limit 1",
  ),
  inDoubt: sql.one<OfPlayer, OfRedemption>(
    "select id from redemptions where state = 'in_doubt' and +player_id = @playerId limit 1",
  ),
  duplicate: sql.one<OfPlayer, OfRedemption>(`
    select id from redemptions
    where first_id is not null and error_code = 'UNKNOWN' and +player_id = @playerId limit 1`),
  order: sql.one<OfPlayer, OfRedemption>(
    'select id from orders where player_id = @playerId and ended_at is null limit 1',
  ),
});

/** Words of an upstream that name the player: by ID, openid or name. */
const names = (words: string, row = '') => `
  (instr(${words}, @playerId) > 0 or coalesce(
    (${row}openid <> '' and instr(${words}, ${row}openid) > 0)
    or (${row}player_name <> '' and instr(${words}, ${row}player_name) > 0), 0))`;

const forgettingOf = (sql: Sql) => ({
  // A cross join is done in its order: by the index of both, account by account.
  list: sql.all<OfPlayer & { limit: number }, OfRedemption & { keySecret: Buffer | null }>(`
    select redemptions.id, idempotency_key_secret as key_secret
    from accounts cross join redemptions
    where redemptions.account_id = accounts.id and player_id = @playerId
    limit @limit`),
  // What is told of it later is not of its openid any more.
  forgetRedemption: sql.run<OfPlayer & OfRedemption & { as: string; dropsKey: boolean }>(`
    update redemptions
    set player_id = @as, player_name = null, openid = null, region = null, credentials_secret = null,
      error_message = case when ${names('error_message')} then null else error_message end,
      idempotency_key_secret = case when @dropsKey = 1 then null else idempotency_key_secret end
    where id = @id`),
  forgetAttempts: sql.run<OfPlayer & OfRedemption>(`
    update attempts
    set raw_secret = null,
      message = case when exists (
        select 1 from redemptions r where r.id = @id and ${names('attempts.message', 'r.')})
        then null else message end
    where redemption_id = @id`),
  // What a program calls it may name the player.
  forgetOrders: sql.run<OfPlayer & { as: string }>(`
    update orders set player_id = @as, player_name = null, reference = null, key_secret = null
    where player_id = @playerId and ended_at is not null`),
});
