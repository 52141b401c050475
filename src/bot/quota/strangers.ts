// Payments of Telegram's list that belong to no order of ours: shown to the hosts, once, each with a button that gives it back.
import { InlineKeyboard } from 'grammy';
import type { User } from 'grammy/types';

import type { BotDeps } from '../context.ts';
import { findLanguageOf, toPerson } from '../delivery/people.ts';
import type { Draft, OutgoingRow } from '../keeping.ts';
import { formatMoment } from '../moments.ts';
import { toOutgoing, toOutgoingRow } from '../outgoing.ts';
import { makeDraftId } from '../talk/drafts.ts';
import { escapeHtml, name } from '../texts.ts';
import { NOTE_MS, toUnbookedNote, type Charge } from './booking.ts';
import { formatPrice } from './prices.ts';

/** A charge as the list tells of it. */
export interface Stranger extends Charge {
  payer: User;
  /** When it was paid; milliseconds. */
  at: number;
}

/** The action of the button that asks whether to give a payment back. */
export const ASK_REFUND = 'host-refund-ask';
/** In one message: with their charges that fits, and so do the buttons. */
const IN_ONE = 10;

/** Kept for /refund and told in one transaction: a crash shows none of them twice, and forgets none. */
export async function showStrangers(deps: BotDeps, strangers: readonly Stranger[]): Promise<void> {
  for (let from = 0; from < strangers.length; from += IN_ONE) {
    const some = strangers.slice(from, from + IN_ONE);
    for (const { chargeId, payerId } of some)
      deps.log.warn({ chargeId, payerId }, "a payment of Telegram's list belongs to no order");
    const shown = deps.settings.hostIds.map((hostId) => showTo(deps, hostId, some));
    await deps.keeping.keepDeed({
      messages: shown.map(({ row }) => row),
      offers: [...some.map((each) => toUnbookedNote(deps, each)), ...shown.flatMap(({ offers }) => offers)],
    });
  }
}

function showTo(
  deps: BotDeps,
  hostId: number,
  strangers: readonly Stranger[],
): { row: OutgoingRow; offers: Draft[] } {
  const { texts, clock } = deps;
  const language = findLanguageOf(deps, hostId);
  const keyboard = new InlineKeyboard();
  const offers: Draft[] = [];
  const lines = strangers.map((each, index) => {
    const facts = { number: String(index + 1), price: formatPrice(each) };
    const offer = {
      id: makeDraftId(deps),
      chatId: hostId,
      userId: hostId,
      action: ASK_REFUND,
      payload: JSON.stringify({ chargeId: each.chargeId }),
      expiresAt: clock.now() + NOTE_MS,
    };
    offers.push(offer);
    keyboard.text(texts.label(language, 'host-stranger-refund', facts), `${ASK_REFUND}:${offer.id}`).row();
    const line = texts.say(language, 'host-stranger', {
      ...facts,
      payer: name(toPerson(each.payer).name),
      id: String(each.payerId),
      when: formatMoment(language, each.at),
    });
    return `${line}\n<code>${escapeHtml(each.chargeId)}</code>`;
  });
  const html = [texts.say(language, 'host-strangers', { count: strangers.length }), ...lines].join('\n\n');
  const key = `strangers:${strangers[0]?.chargeId ?? ''}:${hostId}`;
  return { row: toOutgoingRow(key, hostId, toOutgoing(html, keyboard)), offers };
}
