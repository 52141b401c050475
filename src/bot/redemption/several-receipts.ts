// What an order of several codes has beside its message: the logins of all of them in one, and one receipt for the customer, with
// nothing of codes, credentials and staff. Looked up when they are sent, with the rights of that moment.
import type { Core, MemberActor } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import type { KeptOrder } from '../keeping.ts';
import { formatMoment } from '../moments.ts';
import type { View } from '../outgoing.ts';
import { describeCredentials, describeWanted, type ReceiptView } from '../receipts/receipt-text.ts';
import { findReceiptView } from '../receipts/showing.ts';
import { name } from '../texts.ts';
import { wordItems } from './order.ts';
import { countUp } from './several-steps.ts';

type Deps = Pick<BotDeps, 'core' | 'texts' | 'keeping'>;

/** Telegram takes 4,096: what does not fit is opened by its number. */
const MOST_SHOWN = 3_600;

export function createSeveralLoginsView({ core, texts, keeping }: Deps): View {
  return ({ of, telegramId, language }) => {
    const found = findOwn({ core, keeping }, of, telegramId);
    if (!found) return { html: texts.say(language, 'several-gone') };
    const { order, views } = found;
    const say = (key: string, variables?: Record<string, string | number>) =>
      texts.say(language, key, variables);
    let html = say('several-logins', { name: name(order.playerName), player: order.playerId });
    for (const view of views) {
      const title = `\n\n${describeWanted(view.redemption, view.game) ?? ''} · /receipt_${view.redemption.id}`;
      const whole = [title, ...describeCredentials(view, say).filter((line) => line !== '')].join('\n');
      html += html.length + whole.length > MOST_SHOWN ? title : whole;
    }
    return { html };
  };
}

export function createSeveralCustomerView({ core, texts, keeping }: Deps): View {
  return ({ of, telegramId, language }) => {
    const found = findOwn({ core, keeping }, of, telegramId);
    const [first] = found?.views ?? [];
    if (!found || !first) return { html: texts.say(language, 'several-gone') };
    const { order, views } = found;
    const say = (key: string, variables?: Record<string, string>) => texts.say(language, key, variables);
    const items = countUp(
      views.map(({ redemption }) => ({ denomination: redemption.amount ?? redemption.denomination ?? 0 })),
    );
    const isSure = views.every(({ redemption }) => redemption.warning !== true);
    const lines = [
      say('customer-title-redeemed'),
      ...(first.isSandbox ? [say('receipt-sandbox')] : []),
      '',
      say('receipt-game', { game: order.gameId }),
      say('receipt-player', { player: order.playerId, name: name(order.playerName) }),
      say('receipt-amount', { what: wordItems(items, first.game) }),
      say('receipt-when', { when: formatMoment(language, first.redemption.createdAt, first.timeZone) }),
      say('customer-number', { id: views.map(({ redemption }) => redemption.id).join(', ') }),
      '',
      say(isSure ? 'customer-next-done' : 'customer-next-check'),
    ];
    return { html: lines.join('\n') };
  };
}

/** The order with what of it is redeemed, where it is this person's still. */
function findOwn(
  { core, keeping }: { core: Core; keeping: Deps['keeping'] },
  of: unknown,
  telegramId: number,
): { order: KeptOrder; views: ReceiptView[] } | undefined {
  const order = keeping.orders.find((of as { id: string }).id);
  const actor: MemberActor | undefined = core.members.findActor(telegramId);
  if (!order || actor?.accountId !== order.accountId) return undefined;
  const views = order.items.flatMap(({ redemptionId, state }) => {
    const view =
      redemptionId === null || state !== 'redeemed' ? undefined : findReceiptView(core, actor, redemptionId);
    return view ? [view] : [];
  });
  return { order, views };
}
