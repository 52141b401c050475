// What an order of several codes has beside its message: the logins of all of them in one, and one receipt for each
// customer, with nothing of codes, credentials and staff. Looked up when they are sent, with the rights of that moment.
import type { Core, MemberActor } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import type { StoredBulkOrder } from '../../store/bot-store.ts';
import { formatMoment } from '../moments.ts';
import { toOutgoing, type View } from '../outgoing.ts';
import { otherLanguages } from '../receipts/customer-text.ts';
import { describeCredentials, describeWanted, type ReceiptView } from '../receipts/receipt-text.ts';
import { findReceiptView } from '../receipts/show-receipt.ts';
import { escapeHtml, name, type Language } from '../texts.ts';
import { wordItems } from './order.ts';
import { byPlayer, countUp } from './bulk-order-steps.ts';
import { CUSTOMER, nameOf } from './bulk-order-text.ts';

type Deps = Pick<BotDeps, 'core' | 'texts' | 'store'>;

/** Telegram takes 4,096: what does not fit is opened by its number. */
const MOST_SHOWN = 3_600;

export function createBulkLoginsView({ core, texts, store }: Deps): View {
  return ({ of, telegramId, language }) => {
    const found = findOwn({ core, store }, of, telegramId);
    if (!found) return { html: texts.say(language, 'bulk-order-gone') };
    const { order, views } = found;
    const say = (key: string, variables?: Record<string, string | number>) =>
      texts.say(language, key, variables);
    const players = byPlayer(order.items).length;
    let html = say('bulk-order-logins', { ...nameOf(order.items), players });
    for (const view of views) {
      const { id, playerId, playerName } = view.redemption;
      const whose = players > 1 ? `${escapeHtml(name(playerName ?? playerId))} · ` : '';
      const title = `\n\n${whose}${describeWanted(view.redemption, view.game) ?? ''} · /receipt_${id}`;
      const whole = [title, ...describeCredentials(view, say).filter((line) => line !== '')].join('\n');
      html += html.length + whole.length > MOST_SHOWN ? title : whole;
    }
    return { html };
  };
}

export function createBulkCustomerView({ core, texts, store }: Deps): View {
  return ({ of, telegramId, language }) => {
    const found = findOwn({ core, store }, of, telegramId);
    const [first] = found?.views ?? [];
    if (!found || !first) return { html: texts.say(language, 'bulk-order-gone') };
    const { order, views } = found;
    const { playerId, playerName = playerId } = first.redemption;
    const { language: own = language } = of as { language?: Language };
    const say = (key: string, variables?: Record<string, string>) => texts.say(own, key, variables);
    const items = countUp(
      views.map(({ redemption }) => ({ denomination: redemption.amount ?? redemption.denomination ?? 0 })),
    );
    const isSure = views.every(({ redemption }) => redemption.warning !== true);
    const lines = [
      say('customer-title-redeemed'),
      ...(first.isSandbox ? [say('receipt-sandbox')] : []),
      '',
      say('receipt-game', { game: order.gameId }),
      say('receipt-player', { player: playerId, name: name(playerName) }),
      say('receipt-amount', { what: wordItems(items, first.game) }),
      say('receipt-when', { when: formatMoment(own, first.redemption.createdAt, first.timeZone) }),
      say('customer-number', { id: views.map(({ redemption }) => redemption.id).join(', ') }),
      '',
      say(isSure ? 'customer-next-done' : 'customer-next-check'),
    ];
    const again = otherLanguages(texts, own, `${CUSTOMER}:${order.id}:${playerId}`);
    return toOutgoing(lines.join('\n'), again);
  };
}

/** The order with what of it is redeemed, where it is this person's still. */
function findOwn(
  { core, store }: { core: Core; store: Deps['store'] },
  of: unknown,
  telegramId: number,
): { order: StoredBulkOrder; views: ReceiptView[] } | undefined {
  const { id, playerId: only } = of as { id: string; playerId?: string };
  const order = store.orders.find(id);
  const actor: MemberActor | undefined = core.members.findActor(telegramId);
  if (!order || actor?.accountId !== order.accountId) return undefined;
  const views = order.items.flatMap(({ playerId, redemptionId, state }) => {
    if (redemptionId === null || state !== 'redeemed' || (only ?? playerId) !== playerId) return [];
    return findReceiptView(core, actor, redemptionId) ?? [];
  });
  return { order, views };
}
