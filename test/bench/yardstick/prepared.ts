// The naive peer: drizzle with prepared queries, a transaction and a commit for each half of a redemption. The same
// rows as ours and the same questions before them; the bytes are ready-made. Frozen.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';

import { rate } from '../rounds.ts';
import { DENOMINATION, GAME_ID, RECEIPT } from '../terms.ts';
import { openYardstick, PLAYER_ID, READY, WINDOW_MS, type Contestant } from './database.ts';
import { accounts, charges, codes, quotas, redemptions, stockAlerts, type Orm } from './tables.ts';

const ph = sql.placeholder;
const bound = (name: string) => sql`${ph(name)}`;

export function openPrepared(folder: string, stock: number): Contestant {
  const { connection, accountIds } = openYardstick(`${folder}/prepared.db`, stock);
  const orm = drizzle(connection);
  const queries = { ...prepareBegin(orm), ...prepareSettle(orm) };
  let next = 0;

  return {
    redeem(count) {
      const startedAt = performance.now();
      for (let done = 0; done < count; done += 1) {
        const accountId = accountIds[(next += 1) % accountIds.length] ?? 0;
        const begun = orm.transaction(() => begin(queries, accountId), { behavior: 'immediate' });
        orm.transaction(() => settle(queries, begun), { behavior: 'immediate' });
      }
      return rate(count, startedAt);
    },
    close: () => void connection.close(),
  };
}

type Queries = ReturnType<typeof prepareBegin> & ReturnType<typeof prepareSettle>;

function prepareBegin(orm: Orm) {
  const ofAccount = sql`account_id = ${ph('accountId')}+0`;
  return {
    account: orm
      .select()
      .from(accounts)
      .where(sql`id = ${ph('accountId')}+0`)
      .prepare(),
    quota: orm.select().from(quotas).where(ofAccount).prepare(),
    sum: orm
      .select({ sum: sql<number>`coalesce(sum(daily), 0)` })
      .from(charges)
      .where(sql`${ofAccount} and returned_at is null and at > ${ph('after')}+0 and at <= ${ph('until')}+0`)
      .prepare(),
    pay: orm
      .update(quotas)
      .set({ purchased: sql`purchased - 4`, windowStart: bound('start') })
      .where(ofAccount)
      .prepare(),
    charge: orm
      .insert(charges)
      .values({ accountId: ph('accountId'), at: ph('now'), daily: 0, purchased: 4, kind: 'redeem' })
      .prepare(),
    take: orm
      .update(codes)
      .set({ state: sql`'reserved'`, claimedFrom: sql`state`, changedAt: bound('now') })
      .where(
        sql`id = (select id from codes where ${ofAccount} and game_id = +${ph('gameId')}
          and denomination = ${ph('denomination')}+0 and state in ('available', 'unverified') order by id limit 1)`,
      )
      .returning({ id: codes.id, hash: codes.codeHash, secret: codes.codeSecret })
      .prepare(),
    alert: orm
      .select()
      .from(stockAlerts)
      .where(sql`${ofAccount} and game_id = ${ph('gameId')}`)
      .prepare(),
    insert: orm
      .insert(redemptions)
      .values({
        reference: ph('reference'),
        accountId: ph('accountId'),
        actor: 'apiKey:1',
        gameId: ph('gameId'),
        playerId: ph('playerId'),
        mode: 'database',
        denomination: ph('denomination'),
        codeId: ph('codeId'),
        codeHash: ph('hash'),
        codeSecret: ph('secret'),
        codeTailHash: ph('tail'),
        state: 'pending',
        chargeId: ph('chargeId'),
        createdAt: ph('now'),
      })
      .prepare(),
  };
}

function prepareSettle(orm: Orm) {
  return {
    settle: orm
      .update(redemptions)
      .set({
        state: sql`'redeemed'`,
        errorCode: sql`null`,
        errorMessage: sql`null`,
        openid: bound('openid'),
        playerName: bound('name'),
        region: bound('region'),
        productName: bound('productName'),
        amount: bound('amount'),
        warning: sql`0`,
        credentialsSecret: bound('credentials'),
        settledAt: bound('now'),
        tookMs: sql`max(0, ${ph('now')} - created_at)`,
        nextLookAt: sql`null`,
      })
      .where(sql`id = ${ph('id')}+0 and state in ('pending', 'in_doubt')`)
      .prepare(),
    spend: orm
      .update(codes)
      .set({ state: sql`'redeemed'`, changedAt: bound('now') })
      .where(sql`id = ${ph('codeId')}+0 and state in ('reserved', 'in_doubt')`)
      .prepare(),
    find: orm
      .select()
      .from(redemptions)
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
  };
}

function begin(queries: Queries, accountId: number): { id: number; codeId: number } {
  const now = Date.now();
  const start = now - WINDOW_MS;
  const stockKey = { accountId, gameId: GAME_ID, denomination: DENOMINATION, now };
  if ((queries.account.get({ accountId })?.subscriptionExpiresAt ?? 0) <= now)
    throw new Error('The account cannot redeem.');
  const quota = queries.quota.get({ accountId });
  if (!quota || quota.purchased < 4) throw new Error('The account cannot pay.');
  queries.sum.get({ accountId, after: quota.windowStart, until: start });
  queries.pay.run({ accountId, start });
  const chargeId = Number(queries.charge.run({ accountId, now }).lastInsertRowid);
  const taken = queries.take.get(stockKey);
  if (!taken) throw new Error('There are no codes left to take.');
  queries.alert.get(stockKey);
  const row = { ...stockKey, reference: randomUUID(), playerId: PLAYER_ID, codeId: taken.id, chargeId };
  const sealed = { hash: taken.hash, secret: taken.secret, tail: READY.tailHash() };
  return { id: Number(queries.insert.run({ ...row, ...sealed }).lastInsertRowid), codeId: taken.id };
}

function settle(queries: Queries, { id, codeId }: { id: number; codeId: number }): void {
  const now = Date.now();
  const { openid, name, region = null, productName = null, amount = null } = RECEIPT;
  const { credentials } = READY;
  queries.settle.run({ id, openid, name, region, productName, amount, credentials, now });
  queries.spend.run({ codeId, now });
  queries.find.get({ id });
}
