// The message of an order of several codes: how far it is, with Stop; in the end what became of each, and what is left.
import { InlineKeyboard } from 'grammy';

import { grantOf } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { wayOutKey } from '../errors.ts';
import type { Shown } from '../delivery/progress.ts';
import type { KeptOrder, KeptOrderItem } from '../keeping.ts';
import { toOutgoing, type View } from '../outgoing.ts';
import { name, type Language } from '../texts.ts';
import { wordItems } from './order.ts';
import { leftOf } from './several-steps.ts';

/** The name of the view, and the beginnings of what its buttons carry. */
export const SEVERAL = 'several';
export const STOP = 'several-stop';
export const REST = 'several-rest';
export const AGAIN = 'several-again';
export const LOGINS = 'several-logins';
export const CUSTOMER = 'several-customer';

type Deps = Pick<BotDeps, 'core' | 'texts'>;

const MARKS: Readonly<Record<string, string>> = {
  redeemed: '✅',
  failed: '❌',
  in_doubt: '❔',
  pending: '⏳',
};

/** While it goes on. */
export function renderUnderWay({ core, texts }: Deps, order: KeptOrder, language: Language): Shown {
  const { items, stopAsked } = order;
  const key = stopAsked ? 'several-stopping' : 'several-running';
  const html = [
    texts.say(language, key, { name: name(order.playerName), player: order.playerId, ...countOf(order) }),
    ...items.map((item) => renderItem({ core }, order, item)),
  ].join('\n');
  const keyboard = new InlineKeyboard().text(texts.label(language, 'button-stop'), `${STOP}:${order.id}`);
  return { html, keyboard: stopAsked ? undefined : keyboard };
}

/** How it ended, as a result that is brought to its message. */
export function createSeveralView({ core, texts, keeping }: Deps & Pick<BotDeps, 'keeping'>): View {
  return ({ of, telegramId, language }) => {
    const order = keeping.orders.find((of as { id: string }).id);
    const actor = core.members.findActor(telegramId);
    if (!order) return undefined;
    if (actor?.accountId !== order.accountId) return { html: texts.say(language, 'several-gone') };
    const game = core.games.find(order.gameId);
    const left = leftOf(order);
    const say = (key: string, variables: Record<string, string | number> = {}) =>
      texts.say(language, key, variables);
    const player = { name: name(order.playerName), player: order.playerId };
    const html = [
      say(order.state === 'done' ? 'several-done' : 'several-stopped', { ...player, ...countOf(order) }),
      ...(core.health.isSandbox ? [say('receipt-sandbox')] : []),
      ...order.items.map((item) => renderItem({ core }, order, item)),
      ...(order.reason === null ? [] : ['', say(wayOutKey({ actor }, `several-because-${order.reason}`))]),
      ...(left.length === 0 ? [] : [say('several-left', { what: wordItems(left, game) })]),
    ].join('\n');
    const keyboard = new InlineKeyboard();
    if (grantOf(actor, 'redeem') === 'no') return { html };
    const label = (key: string) => texts.label(language, key);
    if (order.items.some(({ state }) => state === 'redeemed'))
      keyboard
        .text(label('button-several-logins'), `${LOGINS}:${order.id}`)
        .text(label('button-for-customer'), `${CUSTOMER}:${order.id}`)
        .row();
    if (left.length > 0) keyboard.text(texts.label(language, 'button-several-rest'), `${REST}:${order.id}`);
    else keyboard.text(texts.label(language, 'button-again', player), `${AGAIN}:${order.id}`);
    return toOutgoing(html, keyboard);
  };
}

function renderItem({ core }: Pick<BotDeps, 'core'>, { gameId }: KeptOrder, item: KeptOrderItem): string {
  const what = wordItems([{ denomination: item.denomination, count: 1 }], core.games.find(gameId));
  const mark = (item.state !== null && MARKS[item.state]) || '▫️';
  return item.redemptionId === null ? `${mark} ${what}` : `${mark} ${what} · /receipt_${item.redemptionId}`;
}

function countOf({ items }: KeptOrder): { done: number; all: number } {
  return { done: items.filter(({ state }) => state === 'redeemed').length, all: items.length };
}
