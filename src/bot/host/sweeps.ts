// The host ends the questions that follow a restore, and sells by verification alone: asked once more.
import { InlineKeyboard } from 'grammy';

import type { SellByVerificationAnswer } from '../../core/index.ts';
import { requiresHost } from '../actor.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { Handlers } from '../handlers.ts';
import { runAction } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import { answerTap, editHtml } from '../replies.ts';

const SELL = 'host-sell-unswept';
const ASK = 'host:sweeps';

/** For /health: a line, and a button, where sweeps are open. */
export function addSweeps(deps: BotDeps, ctx: BotContext, keyboard: InlineKeyboard): string[] {
  const count = countOpen(deps, ctx);
  if (count === 0) return [];
  keyboard.text(ctx.label('host-button-sell-unswept'), ASK).row();
  return [ctx.say('host-sweeps', { count })];
}

const countOpen = (deps: BotDeps, ctx: BotContext) => deps.core.sweeps.list(hostOf(ctx)).length;

export function createSweepsHandlers(deps: BotDeps): Handlers {
  const handlers = new Handlers();
  handlers.callbackQuery(ASK, requiresHost(), async (ctx) => {
    const count = countOpen(deps, ctx);
    if (count === 0) return answerTap(ctx, ctx.label('button-old'), true);
    answerTap(ctx);
    const data = await createConfirmation(deps, ctx, { action: SELL, payload: {} });
    const label = ctx.label('host-button-sell-unswept');
    await editHtml(
      ctx,
      ctx.say('host-ask-sell-unswept', { count }),
      confirmKeyboard(ctx, data, { label, style: 'danger' }),
    );
  });
  handlers.callbackQuery(new RegExp(`^${SELL}:`), requiresHost(), (ctx) => sell(deps, ctx));
  return handlers;
}

function sell(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return runAction(deps, ctx, SELL, async ({ confirmation, isDone, result }) => {
    if (isDone) return;
    const again = new InlineKeyboard().text(ctx.label('host-button-look-again'), commandData('health'));
    const inTransaction = deps.store.inTransaction((answer: SellByVerificationAnswer) => {
      const count = answer.status === 'ended' ? answer.count : 0;
      return {
        confirmation,
        messages: [result(toOutgoing(ctx.say('host-sell-unswept-done', { count }), again))],
      };
    });
    await deps.core.sweeps.sellByVerification(hostOf(ctx), { inTransaction });
  });
}
