// The two books beside each other: what the service believes (its database, opened with its key) and what the platform
// did (the sandbox's own file). Compared in full, and with every answer that clients got.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';

import { createCodeSeals, createSecrets } from '../../src/store/engine/secrets.ts';
import { openReader } from '../../src/store/engine/connection.ts';
import { loadKey } from '../../src/store/engine/keys.ts';
import { checkBooks } from '../harness/host.ts';
import { ask, type Account, type Sent } from './client.ts';

interface OurRedemption {
  id: number;
  /** Of the attempt that spent the code, or the last one; null where nothing was sent. */
  reference: string | null;
  state: string;
  mode: string;
  playerId: string;
  errorCode: string | null;
  code: string | null;
  charged: boolean;
}

export interface Books {
  redemptions: OurRedemption[];
  /** Of the code database: state by code. */
  codes: Map<string, string>;
  /** The platform's redemptions. */
  orders: { code: string; reference: string; playerId: string }[];
}

const SETTLE_WITHIN_MS = 90_000;
/** What was answered while nobody knew the end: it may turn into a receipt. */
const HELD = ['UNKNOWN', 'INVALID_ACTIVATION_RESPONSE'];

/** Reads both books; the service may be running. */
export function readBooks(folder: string): Books {
  const path = join(folder, 'redemption.db');
  const seals = createCodeSeals(createSecrets(loadKey(path, undefined)));
  const open = ({ hash, secret }: { hash: Buffer | null; secret: Buffer | null }) =>
    hash && secret ? seals.open({ hash, secret }) : null;
  const ours = openReader(path);
  const theirs = new Database(join(folder, 'sandbox.db'), { readonly: true });
  try {
    // Theirs first: what they have by then, ours has begun already.
    const orders = theirs.prepare('select code, reference, player_id as playerId from redemptions').all();
    const codes = ours
      .prepare('select code_hash as hash, code_secret as secret, state, game_id from codes')
      .all();
    const redemptions = ours
      .prepare(
        `select r.id, r.state, r.mode, r.player_id as playerId, r.error_code as errorCode,
          (select reference from attempts where redemption_id = r.id order by state = 'spent' desc, n desc limit 1) as reference,
          case when r.code_secret is null then d.code_hash else r.code_hash end as hash,
          coalesce(r.code_secret, d.code_secret) as secret, c.id is not null and c.returned_at is null as charged
        from redemptions r left join usages c on c.id = r.usage_id left join codes d on d.id = r.code_id order by r.id`,
      )
      .all();
    return {
      orders: orders as Books['orders'],
      codes: new Map(
        (codes as { hash: Buffer; secret: Buffer; state: string }[]).map((row) => [
          open(row) ?? '',
          row.state,
        ]),
      ),
      redemptions: (redemptions as (OurRedemption & { hash: Buffer | null; secret: Buffer | null })[]).map(
        ({ hash, secret, ...row }) => ({
          ...row,
          charged: Boolean(row.charged),
          code: open({ hash, secret }),
        }),
      ),
    };
  } finally {
    ours.close();
    theirs.close();
  }
}

/** Rows of the service's database; it may be running. */
export function query(folder: string, sql: string): unknown[] {
  const ours = openReader(join(folder, 'redemption.db'));
  try {
    return ours.prepare(sql).all();
  } finally {
    ours.close();
  }
}

/** Doubts that many processes have looked at wait long for the next look: they begin anew. */
export function hurryDoubts(folder: string): void {
  const ours = new Database(join(folder, 'redemption.db'));
  ours.exec(`update redemptions set looks = 0, next_look_at = 0 where state = 'in_doubt'`);
  ours.close();
}

/** How many redemptions are open now. */
export function countOpen(folder: string): { pending: number; inDoubt: number } {
  const ours = openReader(join(folder, 'redemption.db'));
  try {
    return countStates(ours);
  } finally {
    ours.close();
  }
}

function countStates(ours: Database.Database): { pending: number; inDoubt: number } {
  const count = (state: string) =>
    ours.prepare(`select count(*) from redemptions where state = '${state}'`).pluck().get() as number;
  return { pending: count('pending'), inDoubt: count('in_doubt') };
}

/** What is still open, for people. */
function describeOpen(folder: string): string {
  const ours = openReader(join(folder, 'redemption.db'));
  try {
    const rows = ours
      .prepare(
        `select id, state, mode, error_message as message, looks, (next_look_at - ?) / 1000 as nextLookInSeconds
        from redemptions where state in ('pending', 'in_doubt') limit 5`,
      )
      .all(Date.now());
    return JSON.stringify(rows);
  } finally {
    ours.close();
  }
}

/** Resolves when nothing is open any more: true, or false when it takes longer than that. */
export async function waitUntilSettled(folder: string, withinMs = SETTLE_WITHIN_MS): Promise<boolean> {
  const until = performance.now() + withinMs;
  const ours = openReader(join(folder, 'redemption.db'));
  try {
    for (;;) {
      const { pending, inDoubt } = countStates(ours);
      if (pending + inDoubt === 0) return true;
      if (performance.now() > until) return false;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    ours.close();
  }
}

export interface Audit {
  folder: string;
  account: Account;
  /** Of the running service; its answers are compared with what was answered before. */
  url: string;
  sent: readonly Sent[];
  /** The codes whose adding was acknowledged, and those that were handed out. */
  added: readonly string[];
  extracted?: readonly string[];
}

/** Waits until every doubt is settled, then holds everything against everything. */
export async function audit({ folder, account, url, sent, added, extracted = [] }: Audit): Promise<string[]> {
  const violations: string[] = [];
  if (!(await waitUntilSettled(folder))) violations.push(`not settled: ${describeOpen(folder)}`);
  const books = readBooks(folder);
  violations.push(
    ...compareBooks(books),
    ...compareStock(books, added, extracted),
    ...compareSent(books, sent),
  );
  violations.push(...(await compareHistory(url, account, sent)), ...(await check(folder)));
  return violations;
}

/** What `check` proves, over the folder: no drift. */
export async function check(folder: string): Promise<string[]> {
  try {
    const { drift, rows } = await checkBooks(folder);
    return drift === 0 ? [] : [`check: drift ${drift} ${JSON.stringify(rows.slice(0, 5))}`];
  } catch (error) {
    return [`check: ${String(error)}`];
  }
}

function compareBooks({ redemptions, orders, codes }: Books): string[] {
  const violations: string[] = [];
  const redeemed = redemptions.filter(({ state }) => state === 'redeemed');
  const byCode = new Map(redeemed.map((row) => [row.code, row]));
  if (byCode.size !== redeemed.length) violations.push('a code has two receipts');
  for (const order of orders) {
    const ours = byCode.get(order.code);
    if (ours?.reference !== order.reference || ours.playerId !== order.playerId) {
      violations.push(`${order.code}: redeemed there for ${order.playerId}, here ${JSON.stringify(ours)}`);
    }
    const state = codes.get(order.code);
    if (state !== undefined && state !== 'redeemed')
      violations.push(`${order.code}: redeemed there, here ${state}`);
  }
  const spent = new Set(orders.map(({ code }) => code));
  for (const row of redeemed) {
    if (!spent.has(row.code ?? '')) violations.push(`receipt ${row.id}: its code is not redeemed there`);
  }
  for (const [code, state] of codes) {
    if (state === 'redeemed' && !spent.has(code)) violations.push(`${code}: redeemed here, not there`);
  }
  return violations;
}

/** Every acknowledged code is there, in a state that has an end; nothing else is. */
function compareStock({ codes }: Books, added: readonly string[], extracted: readonly string[]): string[] {
  const violations: string[] = [];
  const ends = ['available', 'redeemed', 'used', 'invalid', 'extracted', 'undone'];
  for (const code of added) {
    const state = codes.get(code);
    if (state === undefined) violations.push(`${code}: its adding was acknowledged, but it is not there`);
  }
  for (const [code, state] of codes)
    if (!ends.includes(state)) violations.push(`${code}: is ${state} at the end`);
  for (const code of extracted) {
    if (codes.get(code) !== 'extracted') violations.push(`${code}: handed out, but ${codes.get(code)}`);
  }
  return violations;
}

/** A failure that was final at once and touched nothing: its key begins anew, from the wire document. */
function isFree({ state, charged, errorCode }: OurRedemption): boolean {
  return (
    state === 'failed' && !charged && errorCode !== 'UNKNOWN' && errorCode !== 'INVALID_ACTIVATION_RESPONSE'
  );
}

/** Each request has a player of its own: whatever happened to it, at most one order stands behind it. */
function compareSent({ redemptions, orders }: Books, sent: readonly Sent[]): string[] {
  const violations: string[] = [];
  const ordersOf = Map.groupBy(orders, ({ playerId }) => playerId);
  const redemptionsOf = Map.groupBy(redemptions, ({ playerId }) => playerId);
  for (const request of sent) {
    const { playerId, key, answers } = request;
    const bought = ordersOf.get(playerId)?.length ?? 0;
    const all = redemptionsOf.get(playerId) ?? [];
    const freed = new Set(key === undefined ? [] : all.filter(isFree).map(({ id }) => id));
    const rows = all.filter(({ id }) => !freed.has(id));
    const told = `${playerId}${key === undefined ? '' : ' (with a key)'}`;
    const attempts = key === undefined ? answers.length + request.interruptions : 1;
    if (bought > (key === undefined ? attempts : 1)) violations.push(`${told}: ${bought} orders`);
    if (rows.length > attempts)
      violations.push(`${told}: ${rows.length} redemptions for ${attempts} request(s)`);
    const ids = new Set(answers.map(({ id }) => id).filter((id) => id !== undefined && !freed.has(id)));
    if (key !== undefined && ids.size > 1) violations.push(`${told}: answered as ${[...ids].join(' and ')}`);
    if (answers.some(({ status }) => status === 200) && bought === 0)
      violations.push(`${told}: 200 without an order`);
    const alone = key === undefined && !request.proxied && request.interruptions === 0;
    if (alone && rows.some((row) => row.charged || row.code !== null)) {
      const retryable = answers.find(({ status }) => isRetried(status));
      if (retryable) violations.push(`${told}: answered ${retryable.status} after a code was taken`);
    }
  }
  return violations;
}

/** What the published client repeats by itself. */
export function isRetried(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 503);
}

/** What was answered is what is kept; only what was not known may have become known. */
async function compareHistory(url: string, account: Account, sent: readonly Sent[]): Promise<string[]> {
  const violations: string[] = [];
  for (const { playerId, answers } of sent) {
    for (const { id, body, status } of answers) {
      if (id === undefined) continue;
      const kept = await ask(url, account, 'GET', `/history/${id}`);
      const wasHeld = status === 503 && HELD.includes(String(body.errorCode));
      const same = wasHeld
        ? kept.body.id === id && kept.body.playerId === playerId && kept.body.code === body.code
        : isDeepStrictEqual(kept.body, body);
      if (kept.status !== 200 || !same) {
        violations.push(`receipt ${id}: answered ${JSON.stringify(body)}, kept ${JSON.stringify(kept.body)}`);
      }
    }
  }
  return violations;
}
