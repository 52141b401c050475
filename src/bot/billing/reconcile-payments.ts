// Payments found later: Telegram forgets after a day what it could not deliver, but its list of Stars remembers. Gone
// through at start and daily from the place that was kept of it, whole once a week: what an order of ours was paid with
// and is not booked is booked, what went back is booked, and anything else is shown to the hosts, once. Never is
// anything credited by guess.
import type { Api } from 'grammy';
import type { StarTransaction } from 'grammy/types';

import { createTicking } from '../../ticking.ts';
import { takeTurn } from '../../turns.ts';
import type { BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import {
  bookPayment,
  bookRefund,
  findUnbooked,
  isRefundNoted,
  PAYMENT_SYSTEM,
  type PaymentCharge,
} from './book-payment.ts';
import { STARS } from './invoices.ts';
import { readStarTransactions } from './star-transactions.ts';
import { showUnmatchedPayments, type UnmatchedPayment } from './unmatched-payments.ts';

const TICK_MS = 30_000;
const EVERY_MS = 24 * 60 * 60 * 1000;
/** So many are compared in one turn of the event loop: less than 10 ms. */
export const COMPARED_AT_ONCE = 50;
const AGAIN_MS = 10 * 60 * 1000;
const WHOLE_EVERY_MS = 7 * EVERY_MS;

export function createReconciling(deps: BotDeps, api: Api): BotBackground {
  const { clock, log } = deps;
  const stopping = new AbortController();
  let dueAt = -Infinity;

  async function work(): Promise<void> {
    if (clock.elapsed() < dueAt) return;
    dueAt = clock.elapsed() + AGAIN_MS;
    await compare(deps, api, stopping.signal);
    dueAt = clock.elapsed() + EVERY_MS;
  }

  const onError = (error: unknown) => {
    if (stopping.signal.aborted) return;
    log.warn({ error: describeError(error) }, "payments could not be compared with Telegram's list");
  };
  const ticking = createTicking(TICK_MS, work, onError);
  let first = Promise.resolve();
  return {
    start() {
      first = work().catch(onError).then(ticking.start);
    },
    async stop() {
      stopping.abort();
      await first;
      await ticking.stop();
    },
  };
}

/** The place is kept after what stands before it was booked: a backup has no place that is ahead of its books. */
async function compare(deps: BotDeps, api: Api, signal: AbortSignal): Promise<void> {
  const { starPlace } = deps.store;
  const now = deps.clock.now();
  const kept = starPlace.find();
  const isOfTheWeek = kept !== undefined && Math.abs(now - kept.wholeAt) < WHOLE_EVERY_MS;
  const { skipped, transactions } = await readStarTransactions(api, signal, isOfTheWeek ? kept : undefined);
  await reconcile(deps, transactions, signal);
  const last = transactions.at(-1);
  if (signal.aborted || !last) return;
  const wholeAt = skipped > 0 && kept ? kept.wholeAt : now;
  await starPlace.save({ count: skipped + transactions.length, last: last.id, wholeAt });
}

/**
 * Safe to repeat, and beside the same payment told by an update: each is booked once, by its charge. However long the
 * list is, whatever else there is to do has its turn in between.
 */
export async function reconcile(
  deps: BotDeps,
  transactions: readonly StarTransaction[],
  signal: AbortSignal,
  rest: () => Promise<unknown> = takeTurn,
): Promise<void> {
  const unmatched: UnmatchedPayment[] = [];
  for (const [index, transaction] of transactions.entries()) {
    if (index % COMPARED_AT_ONCE === 0) await rest();
    if (signal.aborted) return;
    const paid = readPayment(transaction);
    if (!paid) continue;
    const found = await bookPayment(deps, paid);
    if (found === 'unmatched') unmatched.push(paid);
    if (found === 'booked')
      deps.log.warn(
        { chargeId: paid.chargeId },
        'a payment that Telegram had not told of was found and booked',
      );
  }
  const returned = new Set<string>();
  for (const [index, transaction] of transactions.entries()) {
    if (index % COMPARED_AT_ONCE === 0) await rest();
    if (signal.aborted) return;
    const refund = readRefund(transaction);
    if (!refund) continue;
    returned.add(refund.chargeId);
    await takeRefund(deps, refund);
  }
  await showUnmatchedPayments(
    deps,
    unmatched.filter(({ chargeId }) => !returned.has(chargeId)),
  );
}

/** Whoever paid an invoice of the bot; undefined for any other transaction. */
function readPayment({ id, amount, date, source }: StarTransaction): UnmatchedPayment | undefined {
  if (source?.type !== 'user' || source.transaction_type !== 'invoice_payment') return undefined;
  const { user, invoice_payload: payload = '' } = source;
  const at = date * 1000;
  return { chargeId: id, payload, payerId: user.id, payer: user, currency: STARS, amount, at };
}

/** Of a payment: it has the identifier of what it gives back. */
function readRefund({ id, amount, receiver }: StarTransaction): PaymentCharge | undefined {
  if (receiver?.type !== 'user' || receiver.transaction_type !== 'invoice_payment') return undefined;
  return { chargeId: id, payload: '', payerId: receiver.user.id, currency: STARS, amount };
}

async function takeRefund(deps: BotDeps, refund: PaymentCharge): Promise<void> {
  const { chargeId } = refund;
  const purchase = deps.core.purchases.find(PAYMENT_SYSTEM, chargeId);
  const isOpen = purchase
    ? purchase.refunded === undefined
    : findUnbooked(deps, chargeId) !== undefined && !isRefundNoted(deps, chargeId);
  if (isOpen) await bookRefund(deps, refund);
}
