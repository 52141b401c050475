// One attempt at the platform: the call, and the check for the full receipt. No transaction is open meanwhile.

import type {
  StoredAnswer,
  OrderOptions,
  PlatformOrder,
  Platform,
  PlatformReceipt,
  RedeemOutcome,
} from '../../platform/port.ts';
import type { Clock } from '../../clock.ts';
import { within, pause } from '../../waiting.ts';
import type { Game } from '../games.ts';

/** An outcome with its check done: `warning` when no full receipt was found. */
export type CheckedOutcome =
  | { status: 'redeemed'; receipt: PlatformReceipt; warning: boolean; answer?: StoredAnswer }
  | Exclude<RedeemOutcome, { status: 'redeemed' }>;

export interface AttemptLimits {
  /** How long the call itself may take. */
  platformTimeoutMs: number;
  /** When the answer must be there, in `clock.elapsed()`. */
  deadline: number;
  signal: AbortSignal;
}

/** The same of an order, whose id over there is kept. */
export type OrderLimits = AttemptLimits & Required<Pick<OrderOptions, 'saveJobId'>>;

/** With less than this left nothing is sent: nobody would wait for its end. */
export const LEAST_MS = 1_000;
const CHECK_TRIES = 3;
const CHECK_PAUSE_MS = 500;

/** Calls the platform and checks. Never throws: what is not certain is `unknown`. Without time left nothing is sent. */
export async function attemptRedemption(
  platform: Platform,
  clock: Clock,
  order: PlatformOrder,
  game: Game,
  limits: OrderLimits,
): Promise<CheckedOutcome> {
  const leftMs = limits.deadline - clock.elapsed();
  if (leftMs < LEAST_MS || limits.signal.aborted) {
    const message = 'No time was left to ask the platform: nothing was sent.';
    return { status: 'refused', errorCode: 'NETWORK_ERROR', message, asked: false, neverSent: true };
  }
  const timeoutMs = Math.min(limits.platformTimeoutMs, leftMs);
  const { signal: parent, saveJobId } = limits;
  const outcome = await within((signal) => platform.redeem(order, { signal, saveJobId }), timeoutMs, {
    signal: parent,
    late: (cause): RedeemOutcome => ({
      status: 'unknown',
      errorCode: 'UNKNOWN',
      message: describeLateness(cause),
    }),
  });
  if (outcome.status !== 'redeemed') return outcome;
  if (game.receipts === 'session') return { ...outcome, warning: false };
  if (outcome.fullReceipt !== undefined) return { ...outcome, warning: !outcome.fullReceipt };
  const { answer } = outcome;
  const found = await findFullReceipt(platform, clock, order, outcome.receipt, limits);
  return answer ? { ...found, answer } : found;
}

function describeLateness(cause: unknown): string {
  if (cause === undefined) return 'The platform did not answer in time.';
  return `The platform could not be asked: ${cause instanceof Error ? cause.name : 'unknown error'}.`;
}

/** Looks for the item in the order list, a few times within what is left of the deadline; without it, a warning. */
async function findFullReceipt(
  platform: Platform,
  clock: Clock,
  order: PlatformOrder,
  receipt: PlatformReceipt,
  limits: AttemptLimits,
): Promise<CheckedOutcome> {
  for (let attempt = 1; attempt <= CHECK_TRIES; attempt += 1) {
    const found = await within(
      (signal) => platform.findOrder(order, { signal }),
      limits.deadline - clock.elapsed(),
      { signal: limits.signal, late: () => ({ status: 'unreachable' as const, message: 'late' }) },
    );
    if (found.status === 'found') {
      const { productName, amount } = found;
      const extra = {
        productName,
        amount,
      };
      return { status: 'redeemed', receipt: { ...extra, ...receipt }, warning: false };
    }
    if (
      attempt === CHECK_TRIES ||
      limits.deadline - clock.elapsed() < CHECK_PAUSE_MS ||
      limits.signal.aborted
    )
      break;
    await pause(CHECK_PAUSE_MS, limits.signal);
  }
  return { status: 'redeemed', receipt, warning: true };
}
