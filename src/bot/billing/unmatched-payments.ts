// Payments that belong to no order of ours, told by an update or by Telegram's list: shown to the hosts, once, each
// with a button that gives it back.
import { InlineKeyboard } from 'grammy';
import type { User } from 'grammy/types';

import type { BotDeps } from '../context.ts';
import { findLanguageOf, toPerson, renderFor } from '../actor.ts';
import type { Confirmation, OutgoingRow } from '../../store/bot-store.ts';
import { formatMoment, zoneOf } from '../moments.ts';
import { toOutgoing, toOutgoingRow } from '../outgoing.ts';
import { makeConfirmationId } from '../prompts/confirmations.ts';
import { escapeHtml, name, type Language } from '../texts.ts';
import {
  bookPayment,
  bookRefund,
  findUnbooked,
  isRefundNoted,
  toNote,
  type PaymentCharge,
} from './book-payment.ts';
import { formatPrice } from './invoices.ts';

/** A payment, as an update or the list tells of it. */
export interface UnmatchedPayment extends PaymentCharge {
  payer: User;
  /** When it was paid; milliseconds. */
  at: number;
}

/** The action of the button that asks whether to give a payment back. */
export const ASK_REFUND = 'host-refund-ask';
/** In one message: with their charges that fits, and so do the buttons. */
const IN_ONE = 10;
/** How long the button can be pressed: until somebody asks, about ten years. */
const ASKED_WITHIN_MS = 10 * 365 * 24 * 60 * 60 * 1000;
/** Whoever paid is told only of what they still remember: the list may be older than this database. */
const TOLD_MS = 3 * 24 * 60 * 60 * 1000;

/** Takes a payment that an update tells of. Safe to repeat. */
export async function takePayment(deps: BotDeps, paid: UnmatchedPayment): Promise<void> {
  if ((await bookPayment(deps, paid)) !== 'unmatched') return;
  if (!isRefundNoted(deps, paid.chargeId)) return showUnmatchedPayments(deps, [paid]);
  // It went back before it was told of: nothing is left to be decided.
  await deps.store.saveAction({ chargeNotes: [toNote(deps, 'unbooked', paid)] });
  await bookRefund(deps, paid);
}

/** Kept for /refund and told in one transaction: a crash shows none of them twice, and forgets none. */
export async function showUnmatchedPayments(
  deps: BotDeps,
  payments: readonly UnmatchedPayment[],
): Promise<void> {
  // Meanwhile the other way may have told of one.
  const unmatched = payments.filter(({ chargeId }) => !findUnbooked(deps, chargeId));
  for (let from = 0; from < unmatched.length; from += IN_ONE) {
    const some = unmatched.slice(from, from + IN_ONE);
    for (const { chargeId, payerId } of some)
      deps.log.error({ chargeId, payerId }, 'a payment belongs to no order: the hosts are told');
    const shown = deps.settings.hostIds.map((hostId) => showTo(deps, hostId, some));
    await deps.store.saveAction({
      messages: [...shown.map(({ row }) => row), ...some.flatMap((each) => toPayerMessage(deps, each))],
      offers: shown.flatMap(({ offers }) => offers),
      chargeNotes: some.map((each) => toNote(deps, 'unbooked', each)),
    });
  }
}

function toPayerMessage(deps: BotDeps, paid: UnmatchedPayment): OutgoingRow[] {
  const { texts, clock, settings } = deps;
  const { chargeId: reference, payerId, at, language: known } = paid;
  if (at < clock.now() - TOLD_MS) return [];
  const key = settings.hostIds.length > 0 ? 'paid-unbooked' : 'paid-unbooked-alone';
  const facts = { price: formatPrice(paid), reference };
  const say = (language: Language) => ({ html: texts.say(language, key, facts) });
  return [renderFor(deps, `paid:${reference}`, payerId, say, known)];
}

function showTo(
  deps: BotDeps,
  hostId: number,
  unmatched: readonly UnmatchedPayment[],
): { row: OutgoingRow; offers: Confirmation[] } {
  const { texts, clock } = deps;
  const language = findLanguageOf(deps, hostId);
  const timeZone = zoneOf(deps, deps.core.members.findActor(hostId));
  const keyboard = new InlineKeyboard();
  const offers: Confirmation[] = [];
  const lines = unmatched.map((each, index) => {
    const facts = { number: String(index + 1), price: formatPrice(each) };
    const offer = {
      id: makeConfirmationId(deps),
      chatId: hostId,
      userId: hostId,
      action: ASK_REFUND,
      payload: JSON.stringify({ chargeId: each.chargeId }),
      expiresAt: clock.now() + ASKED_WITHIN_MS,
    };
    offers.push(offer);
    keyboard
      .text(texts.label(language, 'host-unmatched-payment-refund', facts), `${ASK_REFUND}:${offer.id}`)
      .row();
    const line = texts.say(language, 'host-unmatched-payment', {
      ...facts,
      payer: name(toPerson(each.payer).name),
      id: String(each.payerId),
      when: formatMoment(language, each.at, timeZone),
    });
    return `${line}\n<code>${escapeHtml(each.chargeId)}</code>`;
  });
  const html = [texts.say(language, 'host-unmatched-payments', { count: unmatched.length }), ...lines].join(
    '\n\n',
  );
  const key = `unmatched:${unmatched[0]?.chargeId ?? ''}:${hostId}`;
  return { row: toOutgoingRow(key, hostId, toOutgoing(html, keyboard)), offers };
}
