// What one writes first: drizzle, every query built where it is used, a transaction and a commit for each half of a
// redemption. The same rows as ours and the same questions before them; the bytes are ready-made.
import { randomUUID } from 'node:crypto';

import { openConnection } from '../../src/store/engine/connection.ts';
import { and, asc, eq, openOrm, sql, type Orm } from '../../src/store/engine/drizzle.ts';
import { accounts, charges, codes, quotas, redemptions, stockAlerts } from '../../src/store/schema/index.ts';
import { DENOMINATION, GAME_ID, openBenchCore } from './bench-core.ts';
import { rate } from './figures.ts';
import { RECEIPT } from './instant-platform.ts';
import { READY, type Contestant } from './raw-writes.ts';

type Tx = Parameters<Parameters<Orm['transaction']>[0]>[0];

const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Opens a database made by the migrations and filled by the core, as the others have it. */
export async function openUnpreparedWrites(folder: string, stock: number): Promise<Contestant> {
  const bench = await openBenchCore(`${folder}/unprepared.db`);
  await bench.fill(stock);
  const accountIds = bench.accounts.map(({ actor }) => actor.accountId);
  await bench.close();
  const connection = openConnection(bench.path);
  const orm = openOrm(connection);
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
  const lot = and(eq(stockAlerts.accountId, accountId), eq(stockAlerts.gameId, GAME_ID));
  tx.select().from(stockAlerts).where(lot).get();
  const { id } = tx
    .insert(redemptions)
    .values({
      reference: randomUUID(),
      accountId,
      actor: 'apiKey:1',
      gameId: GAME_ID,
      playerId: '5124780131',
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
