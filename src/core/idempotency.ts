// Idempotency keys: the same key with the same request is the same action while what it began goes on and for a while
// after: 30 days after a redemption or an order, 24 hours after codes were added or handed out. It costs nothing again.
import type { Tables, Store } from '../store/index.ts';
import { CoreError } from './errors.ts';
import { policyOf, type ErrorCode } from './error-policy.ts';
import { type Moment, DAY_MS } from '../clock.ts';

/** Every answer to a redemption comes within this, since clients give up at 60 s and would repeat. */
export const ANSWER_WITHIN_MS = 55_000;
const KEPT_MS = 30 * DAY_MS;
/** Of codes that were added or handed out. */
const WORK_KEPT_MS = DAY_MS;

/** A key that makes a repeated request the same request. `scope` keeps the surfaces apart. */
export interface IdempotencyKey {
  scope: 'http' | 'chat' | 'order' | 'page';
  key: string;
}

/** A key, looked up in the transaction that would begin the action. */
export interface KeyUse {
  /** What an earlier request under this key began; undefined when none did. */
  earlier: Began | undefined;
  /** Which time the key begins something: more than the first where an end has freed it. */
  tries: number;
  /** Remembers what this request began. */
  remember(began: Partial<Began>): void;
}

type Began = Record<'redemptionId' | 'extractionId' | 'batchId' | 'orderId', number | null>;

const NO_KEY: KeyUse = { earlier: undefined, tries: 1, remember: () => undefined };

/**
 * Looks a key up. `request` is the canonical text of what is asked, naming the action.
 * Throws CoreError IDEMPOTENCY_KEY_REUSED when the key stood for another request.
 */
export function useKey(
  tables: Tables,
  accountId: number,
  key: IdempotencyKey | undefined,
  request: string,
  moment: Moment,
): KeyUse {
  if (!key) return NO_KEY;
  const keys = tables.idempotencyKeys;
  const keyHash = keys.hashKey(`${key.scope}:${key.key}`);
  const requestHash = keys.hashRequest(request);
  const found = keys.find(accountId, keyHash);
  const isSpent =
    found && (isOver(tables, found, moment) || (key.scope === 'http' && isFreed(tables, found)));
  const earlier = isSpent ? undefined : found;
  // A key that is over is a new one; one that was freed begins once more.
  const tries = found && !earlier && !isOver(tables, found, moment) ? found.tries + 1 : 1;
  if (earlier && !earlier.requestHash.equals(requestHash)) {
    throw new CoreError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request. Send a new key with a new request.',
    );
  }
  return {
    earlier,
    tries,
    remember({ redemptionId = null, extractionId = null, batchId = null, orderId = null }: Partial<Began>) {
      if (found && !earlier) keys.remove(accountId, keyHash);
      keys.remember({
        accountId,
        keyHash,
        requestHash,
        redemptionId,
        extractionId,
        batchId,
        orderId,
        tries,
        now: moment.monotonicNow,
      });
    },
  };
}

/** A key is over some time after what it began came to its end, never while that is open. */
function isOver(tables: Tables, entry: Began & { at: number }, moment: Moment): boolean {
  const isOfWork = entry.redemptionId === null && entry.orderId === null;
  const keptMs = isOfWork ? WORK_KEPT_MS : KEPT_MS;
  if (entry.at > moment.monotonicNow - keptMs) return false;
  const ends = findEnds(tables, entry);
  // Ended by the calendar, so over when both scales say so.
  return ends.every((end) => end !== null && end <= moment.safeNow - keptMs);
}

/**
 * Whether the first answer under the key was final and cost nothing: then nothing was touched, and an order number can
 * be the key for as long as the order is open. What was answered as in doubt frees no key, whatever it is settled as.
 */
function isFreed(tables: Tables, { redemptionId, extractionId }: Began): boolean {
  if (extractionId !== null) {
    const extraction = tables.extractions.find(extractionId);
    return extraction?.taken === 0 && extraction.endedAt !== null;
  }
  const began = redemptionId === null ? undefined : tables.redemptions.find(redemptionId);
  if (began?.state !== 'failed') return false;
  if (policyOf((began.errorCode ?? 'UNKNOWN') as ErrorCode, true).code === 'held') return false;
  if (began.doubtedAt !== null || began.tookMs >= ANSWER_WITHIN_MS) return false;
  if (began.usageId !== null) return tables.quota.isReturned(began.usageId);
  return began.firstId === null;
}

/** When what a key began came to its end, null while it goes on; nothing for what is not kept any more. */
function findEnds(tables: Tables, began: Began): (number | null)[] {
  const { redemptionId, extractionId, batchId, orderId } = began;
  const redemption = redemptionId === null ? undefined : tables.redemptions.find(redemptionId);
  const extracting = extractionId === null ? undefined : tables.jobs.findOfSubject('extract', extractionId);
  const adding = batchId === null ? undefined : tables.jobs.findOfSubject('add', batchId);
  const order = orderId === null ? undefined : tables.orders.find(orderId);
  return [redemption?.settledAt, extracting?.endedAt, adding?.endedAt, order?.endedAt].filter(
    (end) => end !== undefined,
  );
}

/** Prunes keys that are over, a few of each kind at a time; returns of how many of one. */
export function pruneKeys(tables: Tables, moment: Moment, limit: number): number {
  const until = (keptMs: number) => ({
    began: moment.monotonicNow - keptMs,
    settled: moment.safeNow - keptMs,
  });
  const { prune, pruneOfWork } = tables.idempotencyKeys;
  return Math.max(prune(until(KEPT_MS), limit), pruneOfWork(until(WORK_KEPT_MS), limit));
}

interface KeyedOrder {
  /**
   * What tells orders apart that have one key in different pasts: the epoch of one that takes a code of the stock; of a
   * code that was given, the code and its player, so that in every past it is the same order.
   */
  of: string;
  accountId: number;
  key: IdempotencyKey;
  /** Of the beginning, by the calendar: a key that is over is a new one. */
  at: number;
  /** Which time the key begins something. */
  tries: number;
}

/** A UUID, version 8 (RFC 9562): 122 bits of a keyed hash. */
export function deriveReference(
  secrets: Pick<Store['secrets'], 'hash'>,
  { of, accountId, key, at, tries }: KeyedOrder,
): string {
  return toUuid(secrets, [of, accountId, key.scope, key.key, Math.floor(at / DAY_MS), tries]);
}

/** Orders of one redemption, each to another upstream. */
export const ORDERS_AT_MOST = 3;

/** Of the attempt of this number at a redemption whose first one had this reference. */
export const deriveReferenceOf = (
  secrets: Pick<Store['secrets'], 'hash'>,
  first: string,
  n: number,
): string => (n === 1 ? first : toUuid(secrets, [first, n]));

function toUuid(secrets: Pick<Store['secrets'], 'hash'>, name: readonly unknown[]): string {
  const bytes = secrets.hash('reference', JSON.stringify(name)).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
