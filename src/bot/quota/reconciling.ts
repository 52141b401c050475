// Payments found later: Telegram forgets after a day what it could not deliver, but its list of Stars remembers. Gone through at
// start and daily: what an order of ours was paid with and is not booked is booked, what went back is booked, and anything else is
// shown to the hosts, once. Never is anything credited by guess.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { StarTransaction } from 'grammy/types';

import { createTicking } from '../../ticking.ts';
import type { HostActor } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { describeError, readRetryAfterMs } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import { bookPayment, bookRefund, findUnbooked, isRefundNoted, type Charge } from './booking.ts';
import { STARS } from './orders.ts';
import { showStrangers, type Payment } from './strangers.ts';

const HOST: HostActor = { kind: 'host' };
const TICK_MS = 30_000;
const EVERY_MS = 24 * 60 * 60 * 1000;
const AGAIN_MS = 10 * 60 * 1000;
/** The most that Telegram gives at once. */
const PAGE = 100;
const TRIES = 5;
const PAUSE_MS = 2_000;

export function createReconciling(deps: BotDeps, api: Api): BotBackground {
  const { clock, log } = deps;
  const stopping = new AbortController();
  let dueAt = -Infinity;

  async function work(): Promise<void> {
    if (clock.elapsed() < dueAt) return;
    dueAt = clock.elapsed() + AGAIN_MS;
    const listed = await readList(api, stopping.signal);
    await reconcile(deps, listed, stopping.signal);
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

/** The whole list: it names no order that could be relied on, nor a place to go on from. */
async function readList(api: Api, signal: AbortSignal): Promise<StarTransaction[]> {
  const all: StarTransaction[] = [];
  for (;;) {
    const page = await readPage(api, all.length, signal);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

async function readPage(api: Api, offset: number, signal: AbortSignal): Promise<StarTransaction[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // grammY's signal type is a shim of its own.
      return (await api.getStarTransactions({ offset, limit: PAGE }, signal as never)).transactions;
    } catch (error) {
      if (attempt === TRIES || signal.aborted) throw error;
      await sleep(Math.max(PAUSE_MS * attempt, readRetryAfterMs(error)), undefined, { signal });
    }
  }
}

/** Safe to repeat, and beside the same payment told by an update: each is booked once, by its charge. */
export async function reconcile(
  deps: BotDeps,
  transactions: readonly StarTransaction[],
  signal: AbortSignal,
): Promise<void> {
  const strangers: Payment[] = [];
  for (const transaction of transactions) {
    if (signal.aborted) return;
    const paid = readPayment(transaction);
    if (!paid) continue;
    const found = await bookPayment(deps, paid);
    if (found === 'stranger') strangers.push(paid);
    if (found === 'booked')
      deps.log.warn(
        { chargeId: paid.chargeId },
        'a payment that Telegram had not told of was found and booked',
      );
  }
  const returned = new Set<string>();
  for (const transaction of transactions) {
    if (signal.aborted) return;
    const refund = readRefund(transaction);
    if (!refund) continue;
    returned.add(refund.chargeId);
    await takeRefund(deps, refund);
  }
  await showStrangers(
    deps,
    strangers.filter(({ chargeId }) => !returned.has(chargeId)),
  );
}

/** Whoever paid an invoice of the bot; undefined for any other transaction. */
function readPayment({ id, amount, date, source }: StarTransaction): Payment | undefined {
  if (source?.type !== 'user' || source.transaction_type !== 'invoice_payment') return undefined;
  const { user, invoice_payload: payload = '' } = source;
  const at = date * 1000;
  return { chargeId: id, payload, payerId: user.id, payer: user, currency: STARS, amount, at };
}

/** Of a payment: it has the identifier of what it gives back. */
function readRefund({ id, amount, receiver }: StarTransaction): Charge | undefined {
  if (receiver?.type !== 'user' || receiver.transaction_type !== 'invoice_payment') return undefined;
  return { chargeId: id, payload: '', payerId: receiver.user.id, currency: STARS, amount };
}

async function takeRefund(deps: BotDeps, refund: Charge): Promise<void> {
  const { chargeId } = refund;
  const purchase = deps.core.purchases.find(HOST, chargeId);
  const isOpen = purchase
    ? purchase.refunded === undefined
    : findUnbooked(deps, chargeId) !== undefined && !isRefundNoted(deps, chargeId);
  if (isOpen) await bookRefund(deps, refund);
}
