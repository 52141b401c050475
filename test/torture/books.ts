// The two books beside each other: what the service believes (its database, opened with its key) and what the platform
// did (the sandbox's own file). Compared in full, and with every answer that clients got.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';

import { createCodeSeals, createSecrets } from '../../src/store/engine/secrets.ts';
import { openReader } from '../../src/store/engine/connection.ts';
import { loadKeyRing } from '../../src/store/engine/keys.ts';
import { checkBooks } from '../harness/host.ts';
import { ask, type Account, type Sent } from './client.ts';
import { becomes } from './process.ts';

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

interface Sealed {
  hash: Buffer | null;
  secret: Buffer | null;
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
export const HELD: readonly unknown[] = ['UNKNOWN', 'INVALID_ACTIVATION_RESPONSE'];

/** Reads both books; the service may be running. */
export function readBooks(folder: string): Books {
  // Theirs first: what they have by then, ours has begun already.
  const orders = readOrders(join(folder, 'sandbox.db'));
  const seals = createCodeSeals(createSecrets(loadKeyRing(join(folder, 'redemption.db'), undefined).current));
  const open = ({ hash, secret }: Sealed) => (hash && secret ? seals.open({ hash, secret }) : null);
  const codes = query(folder, 'select code_hash as hash, code_secret as secret, state from codes');
  const redemptions = query(
    folder,
    `select r.id, r.state, r.mode, r.player_id as playerId, r.error_code as errorCode,
      (select reference from attempts where redemption_id = r.id order by state = 'spent' desc, n desc limit 1) as reference,
      case when r.code_secret is null then d.code_hash else r.code_hash end as hash,
      coalesce(r.code_secret, d.code_secret) as secret, c.id is not null and c.returned_at is null as charged
    from redemptions r left join usages c on c.id = r.usage_id left join codes d on d.id = r.code_id order by r.id`,
  );
  return {
    orders,
    codes: new Map((codes as (Sealed & { state: string })[]).map((row) => [open(row) ?? '', row.state])),
    redemptions: (redemptions as (OurRedemption & Sealed)[]).map(({ hash, secret, ...row }) => ({
      ...row,
      charged: Boolean(row.charged),
      code: open({ hash, secret }),
    })),
  };
}

/** What the platform did, by its own file. */
export function readOrders(sandbox: string): Books['orders'] {
  const theirs = new Database(sandbox, { readonly: true });
  const orders = theirs.prepare('select code, reference, player_id as playerId from redemptions').all();
  theirs.close();
  return orders as Books['orders'];
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

/** How many rows these are. */
export function countRows(folder: string, from: string): number {
  const [{ rows }] = query(folder, `select count(*) as rows from ${from}`) as [{ rows: number }];
  return rows;
}

/** Doubts that many processes have looked at wait long for the next look: they begin anew. */
export function hurryDoubts(folder: string): void {
  const ours = new Database(join(folder, 'redemption.db'));
  ours.exec(`
    update redemptions set looks = 0 where state = 'in_doubt';
    update tasks set run_at = 0 where task = 'doubt' and run_at is not null;`);
  ours.close();
}

/** How many redemptions are open now. */
export const countOpen = (folder: string): { pending: number; inDoubt: number } => ({
  pending: countRows(folder, `redemptions where state = 'pending'`),
  inDoubt: countRows(folder, `redemptions where state = 'in_doubt'`),
});

/** Resolves when nothing is open any more: true, or false when it takes longer than that. */
export const waitUntilSettled = (folder: string, withinMs = SETTLE_WITHIN_MS): Promise<boolean> =>
  becomes(() => countRows(folder, `redemptions where state in ('pending', 'in_doubt')`) === 0, withinMs, 100);

export interface Audit {
  folder: string;
  account: Account;
  /** Of the running service; its answers are compared with what was answered before. */
  url: string;
  sent: readonly Sent[];
  /** The codes whose adding was acknowledged, and those that were handed out. */
  added: readonly string[];
  extracted: readonly string[];
}

/** Waits until every doubt is settled, then holds everything against everything. */
export async function audit({ folder, account, url, sent, added, extracted }: Audit): Promise<string[]> {
  const open = `select id, state, mode, error_message as message, looks,
      (select run_at - ${Date.now()} from tasks where job_key = 'doubt:' || redemptions.id) as nextLookInMs
    from redemptions where state in ('pending', 'in_doubt') limit 5`;
  const isSettled = await waitUntilSettled(folder);
  const books = readBooks(folder);
  return [
    ...(isSettled ? [] : [`not settled: ${JSON.stringify(query(folder, open))}`]),
    ...compareBooks(books),
    ...compareStock(books, added, extracted),
    ...compareSent(books, sent),
    ...(await compareHistory(url, account, sent)),
    ...(await check(folder)),
  ];
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

/** A receipt here is an order there, of the same code and player and under the same reference. */
function compareBooks({ redemptions, orders, codes }: Books): string[] {
  const violations: string[] = [];
  const redeemed = redemptions.filter(({ state }) => state === 'redeemed');
  const byCode = new Map(redeemed.map((row) => [row.code, row]));
  if (byCode.size !== redeemed.length) violations.push('a code has two receipts');
  for (const { code, reference, playerId } of orders) {
    const ours = byCode.get(code);
    if (ours?.reference !== reference || ours.playerId !== playerId)
      violations.push(`${code}: redeemed there for ${playerId}, here ${JSON.stringify(ours)}`);
    const state = codes.get(code) ?? 'redeemed';
    if (state !== 'redeemed') violations.push(`${code}: redeemed there, here ${state}`);
  }
  const spent = new Set(orders.map(({ code }) => code));
  for (const { id, code } of redeemed)
    if (!spent.has(code ?? '')) violations.push(`receipt ${id}: its code is not redeemed there`);
  for (const [code, state] of codes)
    if (state === 'redeemed' && !spent.has(code)) violations.push(`${code}: redeemed here, not there`);
  return violations;
}

const ENDS = ['available', 'redeemed', 'used', 'invalid', 'extracted', 'undone'];

/** Every acknowledged code is there, in a state that has an end; nothing else is. */
function compareStock({ codes }: Books, added: readonly string[], extracted: readonly string[]): string[] {
  const lost = added.filter((code) => !codes.has(code));
  const open = [...codes].filter(([, state]) => !ENDS.includes(state));
  const kept = extracted.filter((code) => codes.get(code) !== 'extracted');
  return [
    ...lost.map((code) => `${code}: its adding was acknowledged, but it is not there`),
    ...open.map(([code, state]) => `${code}: is ${state} at the end`),
    ...kept.map((code) => `${code}: handed out, but ${codes.get(code)}`),
  ];
}

/** A failure that was final at once and touched nothing: its key begins anew, from the wire document. */
const isFree = ({ state, charged, errorCode }: OurRedemption): boolean =>
  state === 'failed' && !charged && !HELD.includes(errorCode);

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
      const wasHeld = status === 503 && HELD.includes(body.errorCode);
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
