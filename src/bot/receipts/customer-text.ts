// A receipt for the customer: sent once more as a message that can be forwarded as it is. It has nothing of the code,
// of credentials, of whoever works here, of stock and usages.
import { InlineKeyboard } from 'grammy';

import { formatAmount, isPlayerId, type Redemption } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { among, perhaps } from '../feature.ts';
import { toOutgoing, type View } from '../outgoing.ts';
import { formatMoment } from '../moments.ts';
import { LANGUAGES, name, type Language, type Texts } from '../texts.ts';
import { describeWanted, type ReceiptView } from './receipt-text.ts';
import { findReceiptView } from './show-receipt.ts';

/** The name of the view. */
export const RECEIPT_FOR_CUSTOMER = 'receipt-for-customer';

/** Looked up when it is sent, with the rights of that moment. */
export function createCustomerView({ core, texts }: Pick<BotDeps, 'core' | 'texts'>): View {
  return ({ of, telegramId, language }) => {
    const { id, language: own = language } = of as { id: number; language?: Language };
    const actor = core.members.findActor(telegramId);
    const view = actor && findReceiptView(core, actor, id);
    if (!view) return { html: texts.say(language, 'receipt-unknown', { id: String(id) }) };
    const html = renderForCustomer(view, { texts, language: own });
    return toOutgoing(html, otherLanguages(texts, own, `receipt:customer:${id}`));
  };
}

/**
 * The customer's may be another than that of whoever forwards it: the same message in that. Telegram forwards no such
 * button.
 */
export function otherLanguages(texts: Texts, shown: Language, data: string): InlineKeyboard {
  const others = LANGUAGES.filter((language) => language !== shown);
  return new InlineKeyboard(
    others.map((each) => [InlineKeyboard.text(texts.label(each, `language-${each}`), `${data}:${each}`)]),
  );
}

/** Behind what a button carries. */
export const inLanguage = perhaps(among(...LANGUAGES));

/** HTML. */
export function renderForCustomer(
  { redemption, game, timeZone, isSandbox }: Omit<ReceiptView, 'facts'>,
  { texts, language }: { texts: Texts; language: Language },
): string {
  const say = (key: string, variables?: Record<string, string>) => texts.say(language, key, variables);
  const { id, gameId, playerId, playerName, state, createdAt } = redemption;
  const player = isPlayerId(playerId) ? playerId : name(playerId);
  const what = describeAmount(redemption, game);
  const lines = [
    say(`customer-title-${state.replace('_', '-')}`),
    ...(isSandbox ? [say('receipt-sandbox')] : []),
    '',
    say('receipt-game', { game: gameId }),
    playerName === null
      ? say('receipt-player-id', { player })
      : say('receipt-player', { player, name: name(playerName) }),
    ...(what === undefined
      ? []
      : [say(state === 'redeemed' ? 'receipt-amount' : 'receipt-wanted', { what })]),
    say('receipt-when', { when: formatMoment(language, createdAt, timeZone) }),
    say('customer-number', { id: String(id) }),
    '',
    say(`customer-next-${findNext(redemption)}`),
  ];
  return lines.join('\n');
}

function describeAmount(redemption: Redemption, game: ReceiptView['game']): string | undefined {
  const { state, amount } = redemption;
  if (state !== 'redeemed' || amount === null) return describeWanted(redemption, game);
  return formatAmount(amount, game);
}

/** What matters to the customer: whether it is there, whether to wait, whether the ID was wrong. */
function findNext({ state, warning, errorCode }: Redemption): string {
  if (state === 'redeemed') return warning ? 'check' : 'done';
  if (state !== 'failed') return 'wait';
  return errorCode === 'CHARACTER_NOT_FOUND' ? 'player' : 'failed';
}
