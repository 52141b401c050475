// Several codes for one player as one order: the button that is the order, Stop, and what may follow. several-runner.ts carries it
// out.
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import type { KeptOrder } from '../keeping.ts';
import { answerTap } from '../replies.ts';
import { sayLater } from '../delivery/deeds.ts';
import { showCard } from './card.ts';
import { REDEEM_SEVERAL, type SeveralOrder } from './order.ts';
import { pressOrder } from './pressing.ts';
import type { SeveralRunner } from './several-runner.ts';
import { createSeveralCustomerView, createSeveralLoginsView } from './several-receipts.ts';
import { AGAIN, createSeveralView, CUSTOMER, LOGINS, REST, SEVERAL, STOP } from './several-text.ts';
import { countUp, leftOf } from './several-steps.ts';

const ID = '([\\w-]{8,40})';

export function createSeveral(deps: BotDeps, runner: SeveralRunner): Feature {
  const handlers = new Handlers();
  const mayRedeem = requires('redeem');
  handlers.callbackQuery(new RegExp(`^${REDEEM_SEVERAL}:`), mayRedeem, (ctx) => begin(deps, runner, ctx));
  handlers.callbackQuery(new RegExp(`^${STOP}:${ID}$`), (ctx) => stop(deps, runner, ctx, ctx.match[1] ?? ''));
  handlers.callbackQuery(new RegExp(`^(?:${REST}|${AGAIN}):${ID}$`), mayRedeem, (ctx) =>
    goOn(deps, ctx, ctx.match[1] ?? ''),
  );
  handlers.callbackQuery(
    new RegExp(`^(${LOGINS}|${CUSTOMER}):${ID}$`),
    requires('readReceipts'),
    async (ctx) => {
      const [, view = '', id = ''] = ctx.match;
      if (!ctx.isPrivate || !findOwn(deps, ctx, id)) return;
      answerTap(ctx);
      await sayLater(deps, ctx, { view, of: { id } });
    },
  );
  const views = {
    [SEVERAL]: createSeveralView(deps),
    [LOGINS]: createSeveralLoginsView(deps),
    [CUSTOMER]: createSeveralCustomerView(deps),
  };
  return { commands: [], handlers, background: [runner], views };
}

/** The rows of the order are written with its taken draft; what follows goes by them. */
function begin(deps: BotDeps, runner: SeveralRunner, ctx: BotContext): Promise<void> {
  return pressOrder<SeveralOrder>(
    deps,
    ctx,
    REDEEM_SEVERAL,
    async ({ id, payload, target, draft, isDone }) => {
      const { accountId, telegramId } = actorOf(ctx);
      const { gameId, player, items, warnedOf } = payload;
      if (!isDone) {
        const denominations = items.flatMap(({ denomination, count }) =>
          Array.from({ length: count }, () => denomination),
        );
        const { playerId, name: playerName } = player;
        const what = { gameId, playerId, playerName, warnedOf, denominations };
        await deps.keeping.keepDeed({
          draft,
          order: { id, accountId, telegramId, language: ctx.language, ...target, ...what },
        });
      }
      runner.begin(id);
    },
  );
}

/** The order, where it is this person's; they are told why not otherwise. */
function findOwn(deps: BotDeps, ctx: BotContext, id: string): KeptOrder | undefined {
  const order = deps.keeping.orders.find(id);
  const isOwn = order?.telegramId === ctx.from?.id && order?.accountId === ctx.actor?.accountId;
  if (order && isOwn) return order;
  answerTap(ctx, ctx.label(order ? 'draft-not-yours' : 'draft-unknown'), true);
  return undefined;
}

async function stop(deps: BotDeps, runner: SeveralRunner, ctx: BotContext, id: string): Promise<void> {
  if (!findOwn(deps, ctx, id)) return;
  const isAsked = await deps.keeping.orders.stop(id);
  answerTap(ctx, ctx.label(isAsked ? 'several-stop-tap' : 'several-over-tap'));
  runner.begin(id);
}

/** A new confirmation for what is left, or for all of it once more. */
async function goOn(deps: BotDeps, ctx: BotContext, id: string): Promise<void> {
  const order = findOwn(deps, ctx, id);
  if (!order) return;
  answerTap(ctx);
  const { gameId, playerId, playerName } = order;
  const isRest = ctx.callbackQuery?.data?.startsWith(`${REST}:`) === true;
  const items = isRest ? leftOf(order) : countUp(order.items);
  await showCard(deps, ctx, { gameId, player: { playerId, name: playerName }, items });
}
