// The message of an order of several codes: how far it is, with Stop; in the end what became of each, and what is left.
import { InlineKeyboard } from 'grammy';

import { grantOf, type Game } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { wayOutKey } from '../errors.ts';
import type { Shown } from '../telegram/progress.ts';
import type { StoredBulkOrder, StoredBulkItem } from '../../store/bot-store.ts';
import { toOutgoing, type View } from '../outgoing.ts';
import { countLeft } from '../receipts/show-receipt.ts';
import { name, type Language } from '../texts.ts';
import { wordItems } from './order.ts';
import { byPlayer, countUp, leftOf } from './bulk-order-steps.ts';

/** The name of the view, and the beginnings of what its buttons carry. */
export const BULK_ORDER = 'bulk-order';
export const STOP = 'bulk-order-stop';
export const REDEEM_REST = 'bulk-order-rest';
export const AGAIN = 'bulk-order-again';
export const LOGINS = 'bulk-order-logins';
export const CUSTOMER = 'bulk-order-customer';

type Deps = Pick<BotDeps, 'core' | 'texts'>;

const MARKS: Readonly<Record<string, string>> = {
  redeemed: '✅',
  failed: '❌',
  in_doubt: '❔',
  pending: '⏳',
};

/** While it goes on. */
export function renderUnderWay({ core, texts }: Deps, order: StoredBulkOrder, language: Language): Shown {
  const { stopRequested } = order;
  const key = stopRequested ? 'bulk-order-stopping' : 'bulk-order-running';
  const html = [
    texts.say(language, key, factsOf(order)),
    ...renderItems({ core, texts }, order, language),
  ].join('\n');
  const keyboard = new InlineKeyboard().text(texts.label(language, 'button-stop'), `${STOP}:${order.id}`);
  return { html, keyboard: stopRequested ? undefined : keyboard };
}

/** How it ended, as a result that is brought to its message. */
export function createBulkOrderView({ core, texts, store }: Deps & Pick<BotDeps, 'store'>): View {
  return ({ of, telegramId, language }) => {
    const order = store.orders.find((of as { id: string }).id);
    const actor = core.members.findActor(telegramId);
    if (!order) return undefined;
    if (actor?.accountId !== order.accountId) return { html: texts.say(language, 'bulk-order-gone') };
    const game = core.games.find(order.gameId);
    const left = leftOf(order);
    const redeemed = order.items.filter(({ state }) => state === 'redeemed');
    const leftInStock = countUp(redeemed).flatMap(({ denomination }) => {
      const count = countLeft(core, actor, { gameId: order.gameId, denomination, state: 'redeemed' });
      return count === undefined ? [] : [{ denomination, count }];
    });
    const say = (key: string, variables: Record<string, string | number> = {}) =>
      texts.say(language, key, variables);
    const html = [
      say(order.state === 'done' ? 'bulk-order-done' : 'bulk-order-stopped', factsOf(order)),
      ...(core.health.isSandbox ? [say('receipt-sandbox')] : []),
      ...renderItems({ core, texts }, order, language),
      ...(leftInStock.length > 0 ? [''] : []),
      ...leftInStock.map(({ count, ...item }) =>
        say('receipt-left', { what: wordItems([{ ...item, count: 1 }], game), count }),
      ),
      ...(order.reason === null ? [] : ['', say(wayOutKey({ actor }, `bulk-order-because-${order.reason}`))]),
      ...(left.length === 0 ? [] : [say('bulk-order-left', { what: wordItems(countUp(left), game) })]),
    ].join('\n');
    const keyboard = new InlineKeyboard();
    if (grantOf(actor, 'redeem') === 'no') return { html };
    const label = (key: string) => texts.label(language, key);
    if (redeemed.length > 0)
      keyboard
        .text(label('button-bulk-order-logins'), `${LOGINS}:${order.id}`)
        .text(label('button-for-customer'), `${CUSTOMER}:${order.id}`)
        .row();
    if (left.length > 0)
      keyboard.text(texts.label(language, 'button-bulk-order-rest'), `${REDEEM_REST}:${order.id}`);
    else {
      const { players, ...facts } = factsOf(order);
      const key = players > 1 ? 'button-again-all' : 'button-again';
      keyboard.text(texts.label(language, key, facts), `${AGAIN}:${order.id}`);
    }
    return toOutgoing(html, keyboard);
  };
}

/** A line a code; of several players those of each under the name. */
function renderItems(
  { core, texts }: Deps,
  { gameId, items }: StoredBulkOrder,
  language: Language,
): string[] {
  const players = byPlayer(items);
  const game = core.games.find(gameId);
  return players.flatMap((own) => [
    ...(players.length > 1 ? ['', texts.say(language, 'bulk-order-player', nameOf(own))] : []),
    ...own.map((item) => renderItem(item, game)),
  ]);
}

function renderItem(item: StoredBulkItem, game: Game | undefined): string {
  const what = wordItems([{ denomination: item.denomination, count: 1 }], game);
  const mark = (item.state !== null && MARKS[item.state]) || '▫️';
  return item.redemptionId === null ? `${mark} ${what}` : `${mark} ${what} · /receipt_${item.redemptionId}`;
}

/** For whom, and how far it is. */
function factsOf({ items }: StoredBulkOrder) {
  const done = items.filter(({ state }) => state === 'redeemed').length;
  return { ...nameOf(items), players: byPlayer(items).length, done, all: items.length };
}

/** Of the first of them. */
export function nameOf([first]: readonly StoredBulkItem[]): { name: string; player: string } {
  return { name: name(first?.playerName ?? ''), player: first?.playerId ?? '' };
}
