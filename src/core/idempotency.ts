// Idempotency keys: the same key with the same request is the same action while what it began goes on and for a while
// after: 30 days after a redemption or an order, 24 hours after codes were added or handed out. It costs nothing again.
import type { Tables, Store } from '../store/index.ts';
import { CoreError } from './errors.ts';
import { policyOf } from './error-policy.ts';
import { type Moment, DAY_MS } from '../clock.ts';

/** Every answer to a redemption comes within this, since clients give up at 60 s and would repeat. */
export const ANSWER_WITHIN_MS = 55_000;
export const KEY_LIVES_MS = 30 * DAY_MS;
/** Of codes that were added or handed out. */
const WORK_KEPT_MS = DAY_MS;

/** A key that makes a repeated request the same request. `scope` keeps the surfaces apart. */
export interface IdempotencyKey {
  scope: 'http' | 'chat' | 'order' | 'page' | 'claim';
  key: string;
}

/** A key, looked up in the transaction that would begin the action. */
export interface KeyUse {
  /** What an earlier request under this key began; undefined when none did. */
  earlier: Began | undefined;
  /** Which time something under the key is sent: more than the first where an end has freed it, or it is over. */
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
  // Of what never left this machine nobody knows.
  const tries = found && !earlier ? found.tries + (wasSent(tables, found) ? 1 : 0) : 1;
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
  const keptMs = isOfWork ? WORK_KEPT_MS : KEY_LIVES_MS;
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
  if (policyOf(began.errorCode ?? 'UNKNOWN', true).code === 'held') return false;
  if (began.doubtedAt !== null || began.tookMs >= ANSWER_WITHIN_MS) return false;
  if (began.usageId !== null) return tables.quota.isReturned(began.usageId);
  return began.firstId === null;
}

const wasSent = (tables: Tables, { redemptionId }: Began): boolean =>
  redemptionId !== null && tables.attempts.list(redemptionId).some(({ proof }) => proof !== 'never_sent');

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
  return Math.max(prune(until(KEY_LIVES_MS), limit), pruneOfWork(until(WORK_KEPT_MS), limit));
}

/** What tells an order from all others, in every past. */
export interface KeyedOrder {
  key: IdempotencyKey;
  /** Which time something of it is sent; what never left this machine is no time. */
  tries: number;
}

/** `place`: as one of an order is told apart. */
export const keyedAs = (
  key: IdempotencyKey | undefined,
  tries: number,
  place: KeyedOrder | undefined,
): KeyedOrder | null => place ?? (key ? { key, tries } : null);

/** With its code. */
interface KeyedCode extends KeyedOrder {
  accountId: number;
  gameId: string;
  code: string;
}

/**
 * What an upstream knows an order by: a UUID, version 8 (RFC 9562), of 122 bits of a keyed hash. A restore changes
 * nothing in it: the same order with the same code gets the answer that it got in the lost time.
 */
export function deriveReference(
  secrets: Pick<Store['secrets'], 'hash'>,
  { accountId, key, gameId, code, tries }: KeyedCode,
): string {
  const name = JSON.stringify([accountId, key.scope, key.key, gameId, code, tries]);
  const bytes = secrets.hash('reference', name).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
