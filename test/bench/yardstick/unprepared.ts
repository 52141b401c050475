// What one writes first: drizzle, every query built where it is used, a transaction and a commit for each half of a
// redemption. The same rows as ours and the same questions before them; the bytes are ready-made. Frozen.
import { randomUUID } from 'node:crypto';
import { and, asc, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';

import { rate } from '../rounds.ts';
import { DENOMINATION, GAME_ID, RECEIPT } from '../terms.ts';
import { openYardstick, PLAYER_ID, READY, WINDOW_MS, type Contestant } from './database.ts';
import { accounts, charges, codes, quotas, redemptions, stockAlerts, type Orm } from './tables.ts';

type Tx = Parameters<Parameters<Orm['transaction']>[0]>[0];

export function openUnprepared(folder: string, stock: number): Contestant {
  const { connection, accountIds } = openYardstick(`${folder}/unprepared.db`, stock);
  const orm = drizzle(connection);
  let next = 0;

  return {
    redeem(count) {
      const startedAt = performance.now();
      for (let done = 0; done < count; done += 1) {
        const accountId = accountIds[(next += 1) % accountIds.length] ?? 0;
        const begun = orm.transaction((tx) => begin(tx, accountId), { behavior: 'immediate' });
        orm.transaction((tx) => settle(tx, begun), { behavior: 'immediate' });
      }
      return rate(count, startedAt);
    },
    close: () => void connection.close(),
  };
}

function begin(tx: Tx, accountId: number): { id: number; codeId: number } {
  const now = Date.now();
  const account = tx.select().from(accounts).where(eq(accounts.id, accountId)).get();
  if ((account?.subscriptionExpiresAt ?? 0) <= now) throw new Error('The account cannot redeem.');
  const chargeId = charge(tx, accountId, now);
  const taken = take(tx, accountId, now);
  const stockKey = and(eq(stockAlerts.accountId, accountId), eq(stockAlerts.gameId, GAME_ID));
  tx.select().from(stockAlerts).where(stockKey).get();
  const { id } = tx
    .insert(redemptions)
    .values({
      reference: randomUUID(),
      accountId,
      actor: 'apiKey:1',
      gameId: GAME_ID,
      playerId: PLAYER_ID,
      mode: 'database',
      denomination: DENOMINATION,
      codeId: taken.id,
      codeHash: taken.hash,
      codeSecret: taken.secret,
      codeTailHash: READY.tailHash(),
      state: 'pending',
      chargeId,
      createdAt: now,
    })
    .returning({ id: redemptions.id })
    .get();
  return { id, codeId: taken.id };
}

function charge(tx: Tx, accountId: number, now: number): number {
  const start = now - WINDOW_MS;
  const quota = tx.select().from(quotas).where(eq(quotas.accountId, accountId)).get();
  if (!quota || quota.purchased < 4) throw new Error('The account cannot pay.');
  tx.select({ sum: sql<number>`coalesce(sum(daily), 0)` })
    .from(charges)
    .where(
      sql`account_id = ${accountId} and returned_at is null and at > ${quota.windowStart} and at <= ${start}`,
    )
    .get();
  tx.update(quotas)
    .set({ purchased: sql`purchased - 4`, windowStart: start })
    .where(eq(quotas.accountId, accountId))
    .run();
  const row = { accountId, at: now, daily: 0, purchased: 4, kind: 'redeem' };
  return tx.insert(charges).values(row).returning({ id: charges.id }).get().id;
}

function take(tx: Tx, accountId: number, now: number) {
  const oldest = tx
    .select({ id: codes.id })
    .from(codes)
    .where(
      and(
        eq(codes.accountId, accountId),
        eq(codes.gameId, GAME_ID),
        eq(codes.denomination, DENOMINATION),
        sql`state in ('available', 'unverified')`,
      ),
    )
    .orderBy(asc(codes.id))
    .limit(1);
  const taken = tx
    .update(codes)
    .set({ state: 'reserved', claimedFrom: sql`state`, changedAt: now })
    .where(sql`id = (${oldest})`)
    .returning({ id: codes.id, hash: codes.codeHash, secret: codes.codeSecret })
    .get();
  if (!taken) throw new Error('There are no codes left to take.');
  return taken;
}

function settle(tx: Tx, { id, codeId }: { id: number; codeId: number }): void {
  const now = Date.now();
  tx.update(redemptions)
    .set({
      state: 'redeemed',
      errorCode: null,
      errorMessage: null,
      openid: RECEIPT.openid,
      playerName: RECEIPT.name,
      region: RECEIPT.region ?? null,
      productName: RECEIPT.productName ?? null,
      amount: RECEIPT.amount ?? null,
      warning: 0,
      credentialsSecret: READY.credentials,
      settledAt: now,
      tookMs: sql`max(0, ${now} - created_at)`,
      nextLookAt: null,
    })
    .where(and(eq(redemptions.id, id), sql`state in ('pending', 'in_doubt')`))
    .run();
  tx.update(codes)
    .set({ state: 'redeemed', changedAt: now })
    .where(and(eq(codes.id, codeId), sql`state in ('reserved', 'in_doubt')`))
    .run();
  tx.select().from(redemptions).where(eq(redemptions.id, id)).get();
}
