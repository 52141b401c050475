// /orders: those that have no end yet, then the latest; each with its codes, what it waits for or why it stopped, and
// Cancel or Resume. Orders of the account's programs are among them.
import { InlineKeyboard } from 'grammy';

import { isPlayerId, type OrderOfPress, type OrderRecord } from '../../core/index.ts';
import { labelActor } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, wholeNumber, word, type Feature } from '../feature.ts';
import { formatMoment, zoneOf } from '../moments.ts';
import { addBack, addPages, cutListPage } from '../prompts/paging-keyboard.ts';
import { answerTap, show } from '../replies.ts';
import { warnOfReplaced } from './screens.ts';
import { continueOrders } from './several.ts';
import {
  variablesOf,
  isOver,
  leftOf,
  nameOf,
  renderItems,
  stateKey,
  stopKey,
  formatAllItems,
  formatStopReasons,
} from './order-words.ts';

const PAGE = 8;
/** Those with no end come first, however old they are; of the others nobody turns further back here. */
const MOST_LISTED = 200;

export const createOrdersFeature = (deps: BotDeps): Feature => ({
  commands: { orders: { needs: 'redeem', run: (ctx) => showList(deps, ctx, 0, 'reply') } },
  buttons: {
    'orders:list': button('redeem', [wholeNumber(3)], (ctx, page) => showList(deps, ctx, page, 'edit')),
    'orders:one': button('redeem', [word], (ctx, id) => {
      const order = findOrder(deps, ctx, id);
      return order && showOrder(deps, ctx, order);
    }),
    'orders:cancel': button('redeem', [word], (ctx, id) => cancel(deps, ctx, id)),
    'orders:resume': button('redeem', [word], (ctx, id) => {
      const order = findOrder(deps, ctx, id);
      if (order && !mayResume(order)) return answerTap(ctx, ctx.label('order-over-tap'), true);
      return order && continueOrders(deps, ctx, [order.order]);
    }),
  },
});

/** What a forgotten player wanted is not ordered once more. */
const mayResume = ({ order }: OrderOfPress): boolean =>
  order.state === 'stopped' && isPlayerId(order.playerId);

function listAll({ core }: BotDeps, ctx: BotContext): OrderRecord[] {
  const actor = actorOf(ctx);
  const open = (['running', 'waiting'] as const).flatMap((state) => core.orders.list(actor, { state }));
  const latest = core.orders.list(actor, {}).filter(({ endedAt }) => endedAt !== undefined);
  const newestFirst = (orders: OrderRecord[]) => orders.sort((a, b) => b.createdAt - a.createdAt);
  return [...newestFirst(open), ...newestFirst(latest)].slice(0, MOST_LISTED);
}

async function showList(deps: BotDeps, ctx: BotContext, page: number, how: 'reply' | 'edit'): Promise<void> {
  const orders = listAll(deps, ctx);
  if (orders.length === 0) return show(ctx, ctx.say('orders-none'), undefined, how);
  const dataOf = (other: number) => `orders:list:${other}`;
  const { shown, beside } = cutListPage(orders, { page, size: PAGE, dataOf });
  const keyboard = new InlineKeyboard();
  for (const { id, playerId, redeemed, wanted } of shown)
    keyboard
      .text(
        ctx.label('orders-button', { player: playerId, done: redeemed.codes, all: wanted.codes }),
        `orders:one:${id}`,
      )
      .row();
  addPages(keyboard, ctx, beside);
  const lines = shown.map((order) => {
    const facts = { ...nameOf(order), done: order.redeemed.codes, all: order.wanted.codes };
    return ctx.say('orders-line', { ...facts, state: ctx.label(stateKey(order)) });
  });
  await show(ctx, [ctx.say('orders-title'), '', ...lines].join('\n'), keyboard, how);
}

/** undefined where it is not there, or not this person's to see: they are told so. */
function findOrder(deps: BotDeps, ctx: BotContext, id: string): OrderOfPress | undefined {
  const found = deps.core.presses.listOfPress(actorOf(ctx), id).find(({ order }) => order.id === id);
  if (!found) answerTap(ctx, ctx.label('orders-gone'), true);
  return found;
}

async function cancel(deps: BotDeps, ctx: BotContext, id: string): Promise<void> {
  const found = findOrder(deps, ctx, id);
  if (!found) return;
  if (!isOver(found)) await deps.core.orders.cancel(actorOf(ctx), found.order.id);
  answerTap(ctx, ctx.label(stopKey(isOver(found) ? [] : [found])));
  const after = deps.core.presses.listOfPress(actorOf(ctx), found.order.id);
  const now = after.find(({ order }) => order.id === found.order.id);
  if (now) await showOrder(deps, ctx, now);
}

async function showOrder(deps: BotDeps, ctx: BotContext, found: OrderOfPress): Promise<void> {
  const { core } = deps;
  const { order, isStopping, actorLabel } = found;
  const { say } = ctx;
  const timeZone = zoneOf({ core }, ctx.actor);
  const moment = (at: number) => formatMoment(ctx.language, at, timeZone);
  const left = formatAllItems({ say }, [leftOf(order)], core.games.find(order.gameId));
  const html = [
    say('orders-one', { ...variablesOf([found]), game: order.gameId }),
    say(isStopping ? 'orders-is-stopping' : 'orders-is', { state: ctx.label(stateKey(order)) }),
    say('orders-by', { who: labelActor(ctx.label, actorLabel), when: moment(order.createdAt) }),
    ...(order.reference === undefined ? [] : [say('orders-reference', { reference: order.reference })]),
    ...(order.deadline === undefined ? [] : [say('orders-deadline', { when: moment(order.deadline) })]),
    '',
    ...renderItems({ core, say }, [found]),
    ...(order.waitsFor === undefined ? [] : ['', say(`order-waits-${order.waitsFor}`)]),
    ...formatStopReasons({ actor: actorOf(ctx), say }, [order]),
    ...(left === '' ? [] : [say('order-left', { what: left })]),
    ...warnOfReplaced(deps, ctx, order),
  ].join('\n');
  const keyboard = new InlineKeyboard();
  if (!isOver(found) && !isStopping) keyboard.text(ctx.label('orders-cancel'), `orders:cancel:${order.id}`);
  if (mayResume(found)) keyboard.text(ctx.label('orders-resume'), `orders:resume:${order.id}`);
  await show(ctx, html, addBack(keyboard, ctx, 'orders:list:0'), 'edit');
}
