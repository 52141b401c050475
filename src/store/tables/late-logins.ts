// Redemptions that were settled without their login and are still asked about: by the columns that a doubt is looked at
// by.
import { bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import type { Secrets } from '../engine/secrets.ts';
import { redemptions } from '../schema/index.ts';
import { credentialsIdentity, type StoredReceipt } from './redemptions.ts';

/** What the index of them holds. */
const AWAITED = sql.raw("state = 'redeemed' and next_look_at is not null");

export function createLateLoginsTable(orm: Orm, secrets: Secrets) {
  const ofId = sql`id = ${ph('id')}+0 and ${AWAITED}`;
  const wait = orm
    .update(redemptions)
    .set({ looks: 0, nextLookAt: bound('nextLookAt') })
    .where(sql`id = ${ph('id')}+0 and state = 'redeemed'`)
    .prepare();
  const listDue = orm
    .select({ id: redemptions.id, looks: redemptions.looks })
    .from(redemptions)
    .where(
      sql`${AWAITED} and (next_look_at <= ${ph('now')}+0 or next_look_at > ${ph('now')} + ${ph('longestPauseMs')})`,
    )
    .orderBy(redemptions.nextLookAt)
    .limit(ph('limit'))
    .prepare();
  const postpone = orm
    .update(redemptions)
    .set({ looks: sql`looks + 1`, nextLookAt: bound('nextLookAt') })
    .where(ofId)
    .prepare();
  const giveUp = orm
    .update(redemptions)
    .set({ nextLookAt: sql`null` })
    .where(ofId)
    .prepare();
  const complete = orm
    .update(redemptions)
    .set({
      playerName: bound('playerName'),
      region: sql`coalesce(${ph('region')}, region)`,
      productName: sql`coalesce(${ph('productName')}, product_name)`,
      amount: sql`coalesce(${ph('amount')}, amount)`,
      warning: bound('warning'),
      credentialsSecret: bound('credentialsSecret'),
      nextLookAt: sql`null`,
    })
    .where(sql`${ofId} and credentials_secret is null`)
    .prepare();

  return {
    wait: (id: number, nextLookAt: number) => void wait.run({ id, nextLookAt }),
    /** Whose next look is due, or further away than any pause is (the clock went back). */
    listDue: (now: number, longestPauseMs: number, limit: number) =>
      listDue.all({ now, longestPauseMs, limit }),
    postpone: (id: number, nextLookAt: number) => void postpone.run({ id, nextLookAt }),
    giveUp: (id: number) => void giveUp.run({ id }),
    /** Puts in what the platform tells after all; false where it is not waited for any more. */
    complete(id: number, receipt: StoredReceipt): boolean {
      const { credentials, playerName, region, productName, amount, warning } = receipt;
      const credentialsSecret =
        credentials && secrets.seal(credentialsIdentity(id), JSON.stringify(credentials));
      const told = { playerName, region, productName, amount, warning: warning ? 1 : 0, credentialsSecret };
      return complete.run({ id, ...told }).changes === 1;
    },
  };
}
