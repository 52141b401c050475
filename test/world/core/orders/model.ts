// What an order promises, written the plain way: what its redemptions have come to, one after the other, says what it is
// now. It shares no code with src/, so that both being wrong in the same way is unlikely.
const HOUR_MS = 3_600_000;

/** What the platform makes of a code, by how its text begins. */
export const NATURES = {
  GOOD: 'it redeems it',
  USED: 'another player has it',
  NOBODY: 'it says used, and not by whom',
  INVALID: 'it knows none such',
  HIDES: 'it redeems it, and says nothing',
  SWALLOWS: 'it does nothing, and says nothing; the second time it redeems it',
  STOLEN: 'it says nothing, and another player has it since',
  RISK: 'it refuses the player; the second time it redeems it',
} as const;
export type Nature = keyof typeof NATURES;

export interface ModelOrder {
  id: string;
  playerId: string;
  placedAt: number;
  /** null: a code that was given. */
  wanted: (number | null)[];
  onBadCode: 'replace' | 'stop';
  deadline: number | undefined;
  /** What was asked of it, and after which redemption. */
  marks: { what: 'cancel' | 'resume' | 'revoke' | 'allow'; after: number; deadline?: number | undefined }[];
  /** It was open when a backup was made that was restored, or is younger. */
  isOfLostTime: boolean;
  /** For stock or quota, without a break until now. */
  waitedMs: number;
  /** It has ever waited for them: how long the platform is in trouble counts anew then. */
  hasWaited?: boolean;
}

/** One of its redemptions, as the file has it. */
export interface ModelStep {
  id: number;
  state: 'pending' | 'in_doubt' | 'redeemed' | 'failed';
  errorCode: string | null;
  nature: Nature;
  createdAt: number;
  settledAt: number | null;
  isDoubted: boolean;
}

export interface ModelFacts {
  now: number;
  /** Of that denomination something is promised to it, or free. */
  hasStock(denomination: number, n: number): boolean;
  hasQuota: boolean;
  /** An older order wants some, too, and may not be promised them: what is free is left to it for a while. */
  isBehind(denomination: number): boolean;
  /** Its newest redemption is of the process that lives: another one may try at once. */
  isOfThisProcess: boolean;
}

type State = { codes: number; failed: number } & (
  | { state: 'done' | 'cancelled' }
  | { state: 'stopped'; reasons: string[] }
  | { state: 'waiting'; waitsFor: string[] }
);

/** What it must be now; throws where something was begun that must not be. */
export function judgeOrder(order: ModelOrder, steps: readonly ModelStep[], facts: ModelFacts): State {
  const items = order.wanted.map((denomination) => ({ denomination, state: 'waiting', replaced: 0 }));
  const marks = [...order.marks];
  let [reason, isCancelled, isRevoked, isOpen] = ['', false, false, false];
  let { deadline } = order;
  let isResumed = false;
  let [replaced, troubleSince, failures, triedAt] = [0, 0, 0, 0];

  const take = (mark: ModelOrder['marks'][number]) => {
    if (mark.what === 'cancel') isCancelled = true;
    if (mark.what === 'revoke') isRevoked = true;
    if (mark.what === 'allow') isRevoked = false;
    if (mark.what !== 'resume') return;
    [reason, failures, replaced, deadline, isResumed] = ['', 0, 0, mark.deadline, true];
    for (const item of items)
      if (item.state !== 'redeemed') Object.assign(item, { state: 'waiting', replaced: 0 });
  };

  for (const step of steps) {
    while (marks[0] && marks[0].after < step.id) take(marks.shift() as (typeof marks)[number]);
    const item = items.find(({ state }) => state === 'waiting');
    if (!item) throw new Error(`${order.id}: ${step.id} is more than it needs.`);
    if (reason || isCancelled || isRevoked || isOpen)
      throw new Error(`${order.id}: ${step.id} was begun all the same.`);
    if (deadline !== undefined && step.createdAt >= deadline)
      throw new Error(`${order.id}: ${step.id} is late.`);
    const settledAt = step.settledAt ?? facts.now;
    isOpen = step.settledAt === null;
    if (isOpen) continue;
    if (step.state === 'redeemed') [item.state, failures] = ['redeemed', 0];
    else if (['CODE_USED', 'INVALID_CODE'].includes(step.errorCode ?? '')) {
      const isAnothers = step.errorCode === 'INVALID_CODE' || step.nature === 'USED';
      if (step.isDoubted) reason = 'DOUBT';
      else if (item.denomination === null) item.state = 'failed';
      else if (order.onBadCode === 'stop' || item.replaced === 3 || replaced === 10)
        reason = step.errorCode ?? '';
      else if (isAnothers) [item.replaced, replaced] = [item.replaced + 1, replaced + 1];
      else reason = 'DOUBT';
    } else if (step.errorCode === 'RISK_CONTROL') reason = step.errorCode;
    else if (step.errorCode === 'NETWORK_ERROR') {
      if (failures === 0) troubleSince = settledAt;
      [failures, triedAt] = [failures + 1, settledAt];
      if (!order.hasWaited && settledAt >= (deadline ?? troubleSince + HOUR_MS)) reason = step.errorCode;
    } else if (step.isDoubted) {
      const since = isResumed ? step.createdAt : order.placedAt;
      if (settledAt > (deadline ?? since + HOUR_MS)) reason = 'DOUBT';
    }
  }
  for (const mark of marks) take(mark);

  const count = (wanted: string) => items.filter(({ state }) => state === wanted).length;
  const counts = { codes: count('redeemed'), failed: count('failed') };
  const next = items.find(({ state }) => state === 'waiting');
  if (isOpen) return { ...counts, state: 'waiting', waitsFor: ['doubt'] };
  if (!next && counts.failed === 0) return { ...counts, state: 'done' };
  if (isCancelled) return { ...counts, state: 'cancelled' };
  if (!next && !reason) return { ...counts, state: 'stopped', reasons: ['ITEMS_FAILED'] };
  if (reason) return { ...counts, state: 'stopped', reasons: [reason] };
  const pauses = [5_000, 15_000, 60_000, 300_000];
  const isPaused = failures > 0 && facts.now < triedAt + (pauses[failures - 1] ?? 600_000);
  const isThere =
    typeof next?.denomination !== 'number' || facts.hasStock(next.denomination, items.indexOf(next) + 1);
  const mayBegin = [...(isThere ? [] : ['stock']), ...(facts.hasQuota ? [] : ['quota'])];
  const waitsFor = !isPaused ? mayBegin : facts.isOfThisProcess ? ['platform'] : ['platform', ...mayBegin];
  if (deadline !== undefined && facts.now >= deadline)
    return { ...counts, state: 'stopped', reasons: ['DEADLINE', 'NOT_ENOUGH_STOCK', 'QUOTA_EXCEEDED'] };
  if (deadline === undefined && order.waitedMs >= 24 * HOUR_MS)
    return { ...counts, state: 'stopped', reasons: ['NOT_ENOUGH_STOCK', 'QUOTA_EXCEEDED'] };
  if (isRevoked) return { ...counts, state: 'stopped', reasons: ['KEY_REVOKED'] };
  const mayTry = !isPaused || !facts.isOfThisProcess;
  if (mayTry && typeof next?.denomination === 'number' && facts.isBehind(next.denomination))
    waitsFor.push('stock');
  if (waitsFor.length === 0) throw new Error(`${order.id} has nothing to wait for.`);
  return { ...counts, state: 'waiting', waitsFor };
}
