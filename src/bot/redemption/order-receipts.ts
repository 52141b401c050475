// What an order of several codes has beside its message: the logins of all of them in one, and one receipt for each
// customer, with nothing of codes, credentials and staff. Looked up when they are sent, with the rights of that moment.
import { grantOf, type OrderOfPress } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { formatMoment } from '../moments.ts';
import { toOutgoing, type View } from '../outgoing.ts';
import { otherLanguages } from '../receipts/customer-text.ts';
import { describeCredentials, describeWanted, type ReceiptView } from '../receipts/receipt-text.ts';
import { findReceiptView } from '../receipts/show-receipt.ts';
import { escapeHtml, name, type Language } from '../texts.ts';
import { formatItems } from './draft.ts';
import { countUp, CUSTOMER, nameOf } from './order-words.ts';

type Deps = Pick<BotDeps, 'core' | 'texts'>;

/** Telegram takes 4,096: what does not fit is opened by its number. */
const MOST_SHOWN = 3_600;

export function createOrderLoginsView({ core, texts }: Deps): View {
  return ({ of, telegramId, language }) => {
    const { orders, views } = findRedeemed(core, of, telegramId);
    if (orders.length === 0) return { html: texts.say(language, 'order-gone') };
    const say = (key: string, variables?: Record<string, string | number>) =>
      texts.say(language, key, variables);
    const players = orders.length;
    let html = say('order-logins', { ...nameOf(orders[0]?.order), players });
    for (const view of views) {
      const { id, playerId, playerName } = view.redemption;
      const whose = players > 1 ? `${escapeHtml(name(playerName ?? playerId))} · ` : '';
      const title = `\n\n${whose}${describeWanted(view.redemption, view.game) ?? ''} · /receipt_${id}`;
      const logins = describeCredentials(view, say).filter((line) => line !== '');
      const whole = [title, ...(logins.length > 0 ? logins : [say('order-no-login')])].join('\n');
      html += html.length + whole.length > MOST_SHOWN ? title : whole;
    }
    return { html };
  };
}

/** Of one order: of one customer. */
export function createOrderCustomerView({ core, texts }: Deps): View {
  return ({ of, telegramId, language }) => {
    const { id, language: own = language } = of as { id: string; language?: Language };
    const { orders, views } = findRedeemed(core, of, telegramId, id);
    const [first] = views;
    if (orders.length === 0 || !first) return { html: texts.say(language, 'order-gone') };
    const { playerId, playerName, gameId, createdAt } = first.redemption;
    const say = (key: string, variables?: Record<string, string>) => texts.say(own, key, variables);
    const items = countUp(
      views.map(({ redemption }) => ({ denomination: redemption.amount ?? redemption.denomination ?? 0 })),
    );
    const isSure = views.every(({ redemption }) => redemption.warning !== true);
    const lines = [
      say('customer-title-redeemed'),
      ...(first.isSandbox ? [say('receipt-sandbox')] : []),
      '',
      say('receipt-game', { game: gameId }),
      say('receipt-player', { player: playerId, name: name(playerName ?? playerId) }),
      say('receipt-amount', { what: formatItems(items, first.game) }),
      say('receipt-when', { when: formatMoment(own, createdAt, first.timeZone) }),
      say('customer-number', { id: views.map(({ redemption }) => redemption.id).join(', ') }),
      '',
      say(isSure ? 'customer-next-done' : 'customer-next-check'),
    ];
    return toOutgoing(lines.join('\n'), otherLanguages(texts, own, `${CUSTOMER}:${id}`));
  };
}

/** The orders of the press with what of them is redeemed, where they are this person's to see still; or one of them. */
function findRedeemed(
  core: BotDeps['core'],
  of: unknown,
  telegramId: number,
  only?: string,
): { orders: OrderOfPress[]; views: ReceiptView[] } {
  const actor = core.members.findActor(telegramId);
  if (!actor || grantOf(actor, 'readReceipts') === 'no') return { orders: [], views: [] };
  const press = core.presses.listOfPress(actor, (of as { id: string }).id);
  const orders = press.filter(({ order }) => only === undefined || order.id === only);
  const views = orders.flatMap(({ order }) =>
    order.items.flatMap(({ redemptionId, state }) => {
      if (redemptionId === undefined || state !== 'redeemed') return [];
      return findReceiptView(core, actor, redemptionId) ?? [];
    }),
  );
  return { orders, views };
}
