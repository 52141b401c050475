// Several codes as one order, for one player or several: the button that is the order, Stop, and what may follow.
// bulk-order-runner.ts carries it out.
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import type { StoredBulkOrder } from '../../store/bot-store.ts';
import { IN_LANGUAGE } from '../receipts/customer-text.ts';
import { answerTap, editHtml } from '../replies.ts';
import { findConfirmation, wordLasting } from '../prompts/confirmations.ts';
import { enqueueAnswer } from '../outbox/actions.ts';
import { showCard, showLines } from './card.ts';
import { ONE_BY_ONE, REDEEM_BULK, type BulkOrder } from './order.ts';
import { pressOrder } from './redeem.ts';
import type { BulkOrderRunner } from './bulk-order-runner.ts';
import { createBulkCustomerView, createBulkLoginsView } from './bulk-order-receipts.ts';
import {
  AGAIN,
  createBulkOrderView,
  CUSTOMER,
  LOGINS,
  REDEEM_REST,
  BULK_ORDER,
  STOP,
} from './bulk-order-text.ts';
import { byPlayer, leftOf, toLines } from './bulk-order-steps.ts';

const ID = '([\\w-]{8,40})';

export function createBulkOrder(deps: BotDeps, runner: BulkOrderRunner): Feature {
  const handlers = new Handlers();
  const mayRedeem = requires('redeem');
  handlers.callbackQuery(new RegExp(`^${REDEEM_BULK}:`), mayRedeem, (ctx) => begin(deps, runner, ctx));
  handlers.callbackQuery(new RegExp(`^${ONE_BY_ONE}:${REDEEM_BULK}:${ID}$`), mayRedeem, (ctx) =>
    askOneByOne(deps, ctx, ctx.match[1] ?? ''),
  );
  handlers.callbackQuery(new RegExp(`^${STOP}:${ID}$`), (ctx) => stop(deps, runner, ctx, ctx.match[1] ?? ''));
  handlers.callbackQuery(new RegExp(`^(?:${REDEEM_REST}|${AGAIN}):${ID}$`), mayRedeem, (ctx) =>
    goOn(deps, ctx, ctx.match[1] ?? ''),
  );
  const mayRead = requires('readReceipts');
  handlers.callbackQuery(new RegExp(`^${LOGINS}:${ID}$`), mayRead, async (ctx) => {
    const order = ctx.isPrivate && findOwn(deps, ctx, ctx.match[1] ?? '');
    if (!order) return;
    answerTap(ctx);
    await enqueueAnswer(deps, ctx, { view: LOGINS, of: { id: order.id } });
  });
  const shape = new RegExp(`^${CUSTOMER}:${ID}(?::([0-9]{5,20}))?${IN_LANGUAGE}$`);
  handlers.callbackQuery(shape, mayRead, (ctx) => showCustomers(deps, ctx));
  const views = {
    [BULK_ORDER]: createBulkOrderView(deps),
    [LOGINS]: createBulkLoginsView(deps),
    [CUSTOMER]: createBulkCustomerView(deps),
  };
  return { commands: [], handlers, background: [runner], views };
}

/** The rows of the order are written with its taken confirmation; what follows goes by them. */
function begin(deps: BotDeps, runner: BulkOrderRunner, ctx: BotContext): Promise<void> {
  return pressOrder<BulkOrder>(
    deps,
    ctx,
    REDEEM_BULK,
    async ({ id, payload, target, confirmation, isDone }) => {
      const { accountId, telegramId } = actorOf(ctx);
      const { gameId, lines, warnedOf } = payload;
      if (!isDone) {
        const items = lines.flatMap(({ player: { playerId, name: playerName }, items: wanted }) =>
          wanted.flatMap(({ denomination, count }) =>
            Array.from({ length: count }, () => ({ playerId, playerName, denomination })),
          ),
        );
        const what = { gameId, warnedOf, items };
        await deps.store.keepWithAction({
          confirmation,
          order: { id, accountId, telegramId, language: ctx.language, ...target, ...what },
        });
      }
      runner.begin(id);
    },
  );
}

/** Each customer has a message of their own, to be forwarded; in another language it takes that message's place. */
async function showCustomers(deps: BotDeps, ctx: BotContext): Promise<void> {
  const [, id = '', only, language] = (ctx.match ?? []) as string[];
  const order = ctx.isPrivate && findOwn(deps, ctx, id);
  if (!order) return;
  answerTap(ctx);
  const redeemed = byPlayer(order.items.filter(({ state }) => state === 'redeemed')).flatMap(
    ([first]) => first?.playerId ?? [],
  );
  const messageId = language === undefined ? undefined : ctx.callbackQuery?.message?.message_id;
  const players = only === undefined ? redeemed : [only];
  const each = players.map((playerId) => ({ view: CUSTOMER, of: { id, playerId, language }, messageId }));
  await enqueueAnswer(deps, ctx, ...each);
}

/** The order, where it is this person's; they are told why not otherwise. */
function findOwn(deps: BotDeps, ctx: BotContext, id: string): StoredBulkOrder | undefined {
  const order = deps.store.orders.find(id);
  const isOwn = order?.telegramId === ctx.from?.id && order?.accountId === ctx.actor?.accountId;
  if (order && isOwn) return order;
  answerTap(ctx, ctx.label(order ? 'confirmation-not-yours' : 'confirmation-unknown'), true);
  return undefined;
}

async function stop(deps: BotDeps, runner: BulkOrderRunner, ctx: BotContext, id: string): Promise<void> {
  if (!findOwn(deps, ctx, id)) return;
  const isAsked = await deps.store.orders.stop(id);
  answerTap(ctx, ctx.label(isAsked ? 'bulk-order-stop-tap' : 'bulk-order-over-tap'));
  runner.begin(id);
}

/** A new confirmation for what is left, or for all of it once more. */
async function goOn(deps: BotDeps, ctx: BotContext, id: string): Promise<void> {
  const order = findOwn(deps, ctx, id);
  if (!order) return;
  answerTap(ctx);
  const isRest = ctx.callbackQuery?.data?.startsWith(`${REDEEM_REST}:`) === true;
  const items = isRest ? leftOf(order) : order.items;
  await showLines(deps, ctx, { gameId: order.gameId, lines: toLines(items) });
}

/** A card for each player in place of one for all, which is used up by that. */
async function askOneByOne(deps: BotDeps, ctx: BotContext, id: string): Promise<void> {
  const found = findConfirmation<BulkOrder>(deps, ctx, REDEEM_BULK, id);
  const isTaken = found.status === 'found' && (await deps.store.confirmations.take(id, ctx.update.update_id));
  if (found.status === 'refused' || !isTaken) {
    const key = found.status === 'refused' ? wordLasting(found.key) : 'confirmation-taken';
    return answerTap(ctx, ctx.label(key), true);
  }
  answerTap(ctx);
  const { gameId, lines } = found.payload;
  await editHtml(ctx, ctx.say('redeem-one-by-one'));
  for (const { player, items } of lines) await showCard(deps, ctx, { gameId, player, items: [...items] });
}
