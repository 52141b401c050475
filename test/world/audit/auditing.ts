// The evening's audit: when nothing is under way any more, a program of one shop reads whatever there is to read, and
// holds it against the books as plain SQL tells them. Whatever differs is noted as amiss.
import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';

import { costs } from './auditing-costs.ts';
import { entries } from './auditing-entries.ts';
import { historyAfter, takenOut } from './auditing-pages.ts';
import { call, noteRead } from '../people/client.ts';
import type { Shop } from '../people/shop.ts';
import { DAILY_QUARTERS, DAY_MS } from '../promises/quota.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

export interface Audit {
  world: World;
  shop: Shop;
  /** What a program is answered: its status and its body. */
  read(
    path: string,
    key?: string,
    method?: string,
  ): Promise<{ status: number; json: unknown; headers: Headers }>;
  /** The books, of this account. */
  rows<T>(sql: string, ...values: unknown[]): T[];
}

const CHECKS: Readonly<Record<string, (audit: Audit) => Promise<string[]>>> = {
  quota,
  stock,
  history,
  receipts,
  statistics,
  extractions,
  keys,
  historyAfter,
  takenOut,
  entries,
  costs,
};

export async function auditOneShop(world: World): Promise<void> {
  const shop = world.shops[world.day % world.shops.length];
  if (!shop) return;
  const audit: Audit = {
    world,
    shop,
    async read(path, apiKey = shop.apiKey, method = 'GET') {
      const answer = await call(
        world,
        { name: `the auditor of shop ${shop.number}`, shop: { ...shop, apiKey } },
        path,
        { method },
      );
      return answer ?? { status: 0, json: undefined, headers: new Headers() };
    },
    rows: (sql, ...values) =>
      look(world.disk.databasePath(), (file: Database.Database) =>
        file.prepare(sql).all(...values),
      ) as never[],
  };
  const { status, json } = await audit.read('/quota');
  if (status !== 200) {
    world.diary.miscounted.push(
      `the program of shop ${shop.number} is answered ${status} ${JSON.stringify(json)}`,
    );
    return;
  }
  for (const [name, check] of Object.entries(CHECKS)) {
    const wrong = await check(audit);
    world.diary.miscounted.push(...wrong.map((what) => `audit of ${name}, shop ${shop.number}: ${what}`));
  }
}

const differs = (told: unknown, kept: unknown): string[] =>
  JSON.stringify(told) === JSON.stringify(kept)
    ? []
    : [`told ${JSON.stringify(told)}, and the books say ${JSON.stringify(kept)}`];

async function quota({ world, shop, read, rows }: Audit): Promise<string[]> {
  const { json } = await read('/quota');
  // As the process counts its day: it may have begun under a wrong calendar.
  const since = world.service.monotonicNow() - DAY_MS;
  const [kept] = rows<{ used: number; purchased: number; until: number }>(
    `select (select coalesce(sum(daily), 0) from usages where account_id = a.id and returned_at is null and at > ?) as used,
       coalesce((select purchased from quotas where account_id = a.id), 0) as purchased, subscription_expires_at as until
     from accounts a where a.id = ?`,
    since,
    shop.accountId,
  );
  if (!kept) return ['there is no account'];
  const { used, purchased, until } = kept;
  return differs(json, {
    daily: { limit: DAILY_QUARTERS / 4, used: used / 4, remaining: (DAILY_QUARTERS - used) / 4 },
    purchased: purchased / 4,
    subscriptionExpiresAt: new Date(until).toISOString(),
  });
}

/** Of what is promised to orders nobody else is told. */
async function stock({ shop, read, rows }: Audit): Promise<string[]> {
  const { json } = await read('/db?gameId=game_id_1');
  const kept = rows<{ denomination: number; count: number }>(
    `select denomination, count(*) - coalesce((select p.count from stock_promises p
       where p.account_id = c.account_id and p.game_id = c.game_id and p.denomination = c.denomination), 0) as count
     from codes c where account_id = ? and game_id = 'game_id_1' and state in ('available', 'unverified') group by denomination`,
    shop.accountId,
  );
  const told = Object.entries(json as Record<string, number>).filter(([, count]) => count > 0);
  return differs(
    told,
    kept.filter(({ count }) => count > 0).map(({ denomination, count }) => [String(denomination), count]),
  );
}

interface Listed {
  id: number;
  error: boolean;
  playerId: string;
  gameId: string;
}

/** The newest page, and the one behind it. */
async function history({ shop, read, rows }: Audit): Promise<string[]> {
  const first = (await read('/history')).json as (Listed & { createdAt: string })[];
  const last = first.at(-1);
  const second = last ? ((await read(`/history?before=${last.createdAt}`)).json as Listed[]) : [];
  const told = [...first, ...second].map(({ id, error, playerId, gameId }) => [id, error, playerId, gameId]);
  const kept = rows<{ id: number; state: string; playerId: string; gameId: string }>(
    `select id, state, player_id as playerId, game_id as gameId from redemptions where account_id = ?
     order by created_at desc, id desc limit ?`,
    shop.accountId,
    told.length,
  );
  const count = rows<{ count: number }>(
    'select count(*) as count from redemptions where account_id = ?',
    shop.accountId,
  );
  if (told.length < Math.min(100, count[0]?.count ?? 0))
    return [`only ${told.length} of ${count[0]?.count} are listed`];
  return differs(
    told,
    kept.map(({ id, state, playerId, gameId }) => [id, state !== 'redeemed', playerId, gameId]),
  );
}

/** One of theirs, one of somebody else's. */
async function receipts({ world, shop, read, rows }: Audit): Promise<string[]> {
  const ids = (whose: string) =>
    rows<{ id: number }>(
      `select id from redemptions where ${whose} order by id desc limit 40`,
      shop.accountId,
    ).map(({ id }) => id);
  const [own, foreign] = [
    world.random.pick(ids('account_id = ?')),
    world.random.pick(ids('account_id <> ?')),
  ];
  const wrong: string[] = [];
  if (own !== undefined) {
    const { status, json } = await read(`/history/${own}`);
    noteRead(world, `the auditor of shop ${shop.number}`, json);
    if (status !== 200 || (json as { id?: number }).id !== own)
      wrong.push(`receipt ${own} is answered ${status}`);
  }
  if (foreign !== undefined) {
    const { status } = await read(`/history/${foreign}`);
    if (status !== 404) wrong.push(`receipt ${foreign} of another account is answered ${status}`);
  }
  return wrong;
}

/** What is open counts as an error. */
async function statistics({ world, shop, read, rows }: Audit): Promise<string[]> {
  const today = new Date(world.time.clock.now()).toISOString().slice(0, 10);
  const { json } = await read(`/stats?gameId=game_id_1&date=${today}`);
  const { activations, errors } = json as Record<string, Record<string, number>>;
  const from = Date.parse(today);
  const kept = rows<{ isRedeemed: number; amount: number; count: number }>(
    `select state = 'redeemed' as isRedeemed,
       case when state = 'redeemed' then coalesce(denomination, amount, 0) else coalesce(denomination, 0) end as amount, count(*) as count
     from redemptions where account_id = ? and game_id = 'game_id_1' and created_at >= ? and created_at < ?
     group by 1, 2`,
    shop.accountId,
    from,
    from + DAY_MS,
  );
  const listed = (counts: Record<string, number> = {}) =>
    Object.entries(counts).filter(([, count]) => count > 0);
  const booked = (isRedeemed: number) =>
    kept.filter((row) => row.isRedeemed === isRedeemed).map(({ amount, count }) => [String(amount), count]);
  return differs(
    { activations: listed(activations), errors: listed(errors) },
    { activations: booked(1), errors: booked(0) },
  );
}

async function extractions({ shop, read, rows }: Audit): Promise<string[]> {
  const { json } = await read('/db/extractions?gameId=game_id_1');
  const told = (json as { id: number; denomination: number; count: number }[]).map(({ id }) => id);
  const kept = rows<{ id: number }>(
    "select id from extractions where account_id = ? and game_id = 'game_id_1' order by at desc, id desc limit 100",
    shop.accountId,
  ).map(({ id }) => id);
  return differs(told, kept);
}

/** No key, one that was made up, and those that were revoked open nothing. */
async function keys({ shop, read, rows }: Audit): Promise<string[]> {
  const revoked = shop.keys.filter((key) => rows(REVOKED, digestOf(key)).length > 0);
  const wrong: string[] = [];
  for (const key of ['crs_made_up', ...revoked.slice(-3)]) {
    const { status } = await read('/quota', key);
    if (status !== 401) wrong.push(`the key ${key} is answered ${status}`);
  }
  return wrong;
}

const REVOKED = 'select 1 from api_keys where digest = ? and revoked_at is not null';

export const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();
