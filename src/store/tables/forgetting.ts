// Forgetting a player: what names them goes from all that has ended, and the rest of it stays as it was. The player's
// ID gives way to another name, which the triggers of the migration allow in what has ended, and nothing else
// (redemptions_sent).
import { bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import type { Secrets } from '../engine/secrets.ts';
import { accounts, attempts, orders, recoveredRedemptions, redemptions } from '../schema/index.ts';
import { keyIdentity } from './redemptions.ts';

export function createForgettingTable(orm: Orm, secrets: Secrets) {
  const open = prepareOpen(orm);
  const { list, forgetRedemption, forgetRecovered, forgetAttempts, forgetOrders } = prepareForgetting(orm);

  function namesPlayer(id: number, playerId: string, sealed: Buffer | null): boolean {
    return sealed !== null && (secrets.openIfSound(keyIdentity(id), sealed)?.includes(playerId) ?? false);
  }

  return {
    /** A redemption of the player that has not ended. */
    findOpen: (playerId: string): number | undefined =>
      [open.pending, open.inDoubt, open.duplicate].map((query) => query.get({ playerId })?.id).find(Boolean),
    hasRunningOrder: (playerId: string): boolean => open.order.get({ playerId }) !== undefined,
    /**
     * Gives up to `limit` redemptions of the player another name, with all that hangs on them, and at last their
     * orders: how many of each.
     */
    forget(playerId: string, as: string, limit: number): { redemptions: number; orders: number } {
      const rows = list.all({ playerId, limit });
      for (const { id, keySecret } of rows) {
        const dropsKey = namesPlayer(id, playerId, keySecret) ? 1 : 0;
        forgetAttempts.run({ id, playerId });
        forgetRedemption.run({ id, playerId, as, dropsKey });
        forgetRecovered.run({ id, as });
      }
      const isLast = rows.length < limit;
      const ended = isLast ? forgetOrders.run({ playerId, as }).changes : 0;
      return { redemptions: rows.length, orders: ended };
    },
  };
}

function prepareOpen(orm: Orm) {
  const ofPlayer = sql`+player_id = ${ph('playerId')}`;
  const inState = (state: string) =>
    orm
      .select({ id: redemptions.id })
      .from(redemptions)
      .where(sql`state = ${sql.raw(`'${state}'`)} and ${ofPlayer}`)
      .limit(1)
      .prepare();
  return {
    pending: inState('pending'),
    inDoubt: inState('in_doubt'),
    duplicate: orm
      .select({ id: redemptions.id })
      .from(redemptions)
      .where(sql`first_id is not null and error_code = 'UNKNOWN' and ${ofPlayer}`)
      .limit(1)
      .prepare(),
    order: orm
      .select({ id: orders.id })
      .from(orders)
      .where(sql`player_id = ${ph('playerId')} and ended_at is null`)
      .limit(1)
      .prepare(),
  };
}

/** Words of an upstream that name the player: by ID, openid or name. */
const NAMES_PLAYER = (words: string, row = '') =>
  sql.raw(
    ['openid', 'player_name']
      .map((column) => `(${row}${column} <> '' and instr(${words}, ${row}${column}) > 0)`)
      .join(' or '),
  );

function prepareForgetting(orm: Orm) {
  const names = (words: string, row?: string) =>
    sql`(instr(${sql.raw(words)}, ${ph('playerId')}) > 0 or coalesce(${NAMES_PLAYER(words, row)}, 0))`;
  return {
    list: orm
      .select({ id: redemptions.id, keySecret: redemptions.idempotencyKeySecret })
      .from(accounts)
      // A cross join is done in its order: by the index of both, account by account.
      .crossJoin(redemptions)
      .where(sql`redemptions.account_id = accounts.id and redemptions.player_id = ${ph('playerId')}`)
      .limit(ph('limit'))
      .prepare(),
    forgetRedemption: orm
      .update(redemptions)
      .set({
        playerId: bound('as'),
        playerName: sql`null`,
        openid: sql`null`,
        region: sql`null`,
        credentialsSecret: sql`null`,
        // Its login is not asked for any more: it would come with the name.
        nextLookAt: sql`null`,
        errorMessage: sql`case when ${names('error_message')} then null else error_message end`,
        idempotencyKeySecret: sql`case when ${ph('dropsKey')}+0 = 1 then null else idempotency_key_secret end`,
      })
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
    forgetRecovered: orm
      .update(recoveredRedemptions)
      .set({ playerId: sql`case when player_id is not null then ${ph('as')} end`, openid: sql`''` })
      .where(sql`redemption_id = ${ph('id')}+0`)
      .prepare(),
    forgetAttempts: orm
      .update(attempts)
      .set({
        message: sql`case when exists (select 1 from redemptions r where r.id = ${ph('id')}+0
          and ${names('attempts.message', 'r.')}) then null else message end`,
        rawSecret: sql`null`,
      })
      .where(sql`redemption_id = ${ph('id')}+0`)
      .prepare(),
    // What a program calls it may name the player.
    forgetOrders: orm
      .update(orders)
      .set({ playerId: bound('as'), playerName: sql`null`, reference: sql`null`, keySecret: sql`null` })
      .where(sql`player_id = ${ph('playerId')} and ended_at is not null`)
      .prepare(),
  };
}
