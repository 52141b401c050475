// The judge: what the ledger says of a seed, held against the truth. It knows nothing of how the service decides.
import type { Batch } from './batch.ts';
import type { LivedSeed, PlacedOrder } from './life.ts';
import { GAME } from './services.ts';
import type { Spend } from './truth.ts';

interface AttemptRow {
  redemption_id: number;
  n: number;
  upstream: string;
  kind: string;
  reference: string;
  state: 'open' | 'spent' | 'not_spent' | 'unknown';
  proof: string | null;
}

interface Judged {
  id: number;
  accountId: number;
  state: string;
  playerId: string;
  code: string;
  createdAt: number;
  isOfStock: boolean;
  isHeld: boolean;
  attempts: AttemptRow[];
}

export interface Verdict {
  violations: string[];
  counts: Record<string, number>;
}

/** What two calendars may differ by, as the service allows it, and the coarse times of some wires. */
const SLACK_MS = 5 * 60_000 + 1_000;
const IN_TIME_MS = 60_000;
/** Of seeds whose every failure is provable: how many orders, and how many were redeemed in time. */
export const PROVABLE = 'provable orders';
export const IN_TIME = 'of them redeemed in time';

export function judge(batch: Batch, lived: LivedSeed): Verdict {
  const redemptions = readRedemptions(batch, lived);
  const violations = [
    ...lived.problems,
    ...batch.takeErrors().map((error) => `logged: ${error}`),
    ...redemptions.flatMap((one) => judgeOne(lived, one, redemptions)),
    ...judgeStock(batch, lived),
    ...judgeOrders(lived, redemptions),
  ];
  const provable = lived.plan.isProvable ? lived.orders : [];
  const attempts = redemptions.flatMap((one) => one.attempts);
  const told = [...new Set(violations)].map((violation) => `seed ${lived.plan.seed}: ${violation}`);
  return {
    violations: told,
    counts: {
      [PROVABLE]: provable.length,
      [IN_TIME]: provable.filter(isRedeemedInTime).length,
      orders: lived.orders.length,
      redemptions: redemptions.length,
      attempts: attempts.length,
      'second orders': attempts.filter(({ n, kind }) => n > 1 && kind === 'order').length,
      resends: attempts.filter(({ kind }) => kind === 'resend').length,
      'doubts of a person': redemptions.filter(({ isHeld }) => isHeld).length,
      ...countProofs(attempts),
    },
  };
}

function countProofs(attempts: readonly AttemptRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { proof, state } of attempts)
    if (proof !== null) counts[`${state} by ${proof}`] = (counts[`${state} by ${proof}`] ?? 0) + 1;
  return counts;
}

const isRedeemedInTime = ({ answered, tookMs }: PlacedOrder) =>
  answered?.state === 'redeemed' && tookMs <= IN_TIME_MS;

function readRedemptions(batch: Batch, { accountIds }: LivedSeed): Judged[] {
  const reader = batch.reader();
  const accounts = accountIds.join(',');
  const ids = reader
    .prepare<[], { id: number; next_look_at: number | null }>(
      `select id, next_look_at from redemptions where account_id in (${accounts}) order by id`,
    )
    .all();
  const listAttempts = reader.prepare<[number], AttemptRow>(
    'select redemption_id, n, upstream, kind, reference, state, proof from attempts where redemption_id = ? order by n',
  );
  return batch.store().read((tables) =>
    ids.map(({ id, next_look_at }) => {
      const { accountId, state, playerId, code, createdAt, mode } = tables.redemptions.get(id);
      return {
        ...{ id, accountId, state, playerId, createdAt, code: code ?? '', isOfStock: mode === 'database' },
        isHeld: state === 'in_doubt' && next_look_at !== null && next_look_at > HELD_FROM,
        attempts: listAttempts.all(id),
      };
    }),
  );
}

/** No doubt is looked at so late but one that waits for a person. */
const HELD_FROM = Date.UTC(2100, 0, 1);

function judgeOne(lived: LivedSeed, one: Judged, all: readonly Judged[]): string[] {
  const { truth } = lived;
  const { id, state, attempts, code, isHeld } = one;
  const spend = truth.find(code);
  const who = `redemption ${id} (${state}, ${attempts.map((each) => `${each.upstream} ${each.state}`).join(', ')})`;
  const found: string[] = [];
  const tell = (what: string) => found.push(`${who}: ${what}`);
  if (state === 'pending') tell('is pending for ever');
  if (state === 'in_doubt' && !isHeld) tell('its doubt did not end');
  if (attempts.some((each) => each.state === 'open')) tell('an attempt is open for ever');
  const ours = attempts.find(
    (each) => spend?.by?.reference === each.reference && spend.by.service === each.upstream,
  );
  if (state === 'failed' && ours && !truth.wasLiedAbout(code))
    tell('its code is spent by it, for its player');
  if (state === 'redeemed')
    found.push(...judgeReceipt(lived, one, spend, { all, ours }).map((what) => `${who}: ${what}`));
  if (
    all.some(
      (each) => each.id > id && each.code === code && each.state === 'redeemed' && state === 'redeemed',
    )
  )
    tell('two receipts of one code');
  return found;
}

function judgeReceipt(
  { isRestored }: LivedSeed,
  one: Judged,
  spend: Spend | undefined,
  { all, ours }: { all: readonly Judged[]; ours: AttemptRow | undefined },
): string[] {
  const { playerId, createdAt, accountId, isOfStock, attempts } = one;
  if (!spend) return ['a receipt of a code that nobody spent'];
  if (spend.playerId !== playerId) return ['a receipt of a code that another player has'];
  if (!attempts.some((each) => each.state === 'spent')) return ['redeemed without a spent attempt'];
  if (ours) return [];
  // Without us, or by an order that is not known any more: the player's own age decides.
  const byOther = all.find((each) =>
    each.attempts.some(
      ({ reference, upstream }) => spend.by?.reference === reference && spend.by.service === upstream,
    ),
  );
  if (byOther)
    return byOther.accountId === accountId ? [] : ['a receipt of what another account has redeemed'];
  if (isRestored || isOfStock || spend.at >= createdAt - SLACK_MS) return [];
  return ['a receipt of what the player had redeemed before'];
}

/** What lies in stock as unspent is, and what was put aside as used is not. */
function judgeStock(batch: Batch, { truth, stock, accountIds }: LivedSeed): string[] {
  const states = new Map<string, string>();
  const rows = batch
    .reader()
    .prepare<[], { state: string; hash: Buffer }>(
      `select state, code_hash as hash from codes where account_id in (${accountIds.join(',')})`,
    )
    .all();
  for (const { state, hash } of rows) states.set(hash.toString('hex'), state);
  return [...stock].flatMap((code) => {
    const state = states.get(batch.store().seals.hash(GAME, code).toString('hex'));
    const isSpent = truth.find(code) !== undefined;
    if (state === 'available' && isSpent && !truth.wasLiedAbout(code)) return ['a spent code is on sale'];
    if (state === 'used' && !isSpent) return ['an unspent code was put aside as used'];
    if (state === 'redeemed' && !isSpent) return ['an unspent code is redeemed'];
    return [];
  });
}

/** An order under a key has one code at most, however often it was repeated; what was answered as redeemed stays so. */
function judgeOrders({ orders, truth, stock, isRestored }: LivedSeed, all: readonly Judged[]): string[] {
  return orders.flatMap((order) => {
    const { answered, accountId, playerId } = order;
    if (!answered || isRestored) return [];
    const row = all.find(({ id }) => id === answered.id);
    if (!row) return ['an answered redemption is gone'];
    const found: string[] = [];
    if (row.accountId !== accountId || row.playerId !== playerId) found.push('an answer about another order');
    if (answered.state === 'redeemed' && row.state !== 'redeemed') found.push('a receipt was taken back');
    if (row.isOfStock && !stock.has(row.code)) found.push('a code of nobody');
    if (answered.state === 'redeemed' && truth.find(row.code)?.playerId !== playerId)
      found.push('a receipt was answered of a code that the player has not');
    return found;
  });
}
