// The host ends the questions that follow a restore, and sells by verification alone: asked once more.
import { InlineKeyboard } from 'grammy';

import type { SellByVerificationAnswer } from '../../core/index.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { button, type Feature } from '../feature.ts';
import { confirming } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { answerTap } from '../replies.ts';

const ASK = 'host:sweeps';

/** For /health: a line, and a button, where sweeps are open. */
export function addSweeps(deps: BotDeps, ctx: BotContext, keyboard: InlineKeyboard): string[] {
  const count = countOpen(deps, ctx);
  if (count === 0) return [];
  keyboard.text(ctx.label('host-button-sell-unswept'), ASK).row();
  return [ctx.say('host-sweeps', { count })];
}

const countOpen = (deps: BotDeps, ctx: BotContext) => deps.core.sweeps.list(hostOf(ctx)).length;

export function sweepButtons(deps: BotDeps): Feature['buttons'] {
  const selling = confirming<object>(deps, 'host-sell-unswept', {
    needs: 'hosts',
    asks: (ctx) => ({
      html: ctx.say('host-ask-sell-unswept', { count: countOpen(deps, ctx) }),
      label: ctx.label('host-button-sell-unswept'),
      style: 'danger',
    }),
    async does(ctx, { ends, result }) {
      const again = new InlineKeyboard().text(ctx.label('host-button-look-again'), commandData('health'));
      const inTransaction = ends((answer: SellByVerificationAnswer) => {
        const count = answer.status === 'ended' ? answer.count : 0;
        return [result(toOutgoing(ctx.say('host-sell-unswept-done', { count }), again))];
      });
      await deps.core.sweeps.sellByVerification(hostOf(ctx), { inTransaction });
    },
  });
  const ask = (ctx: BotContext): unknown =>
    countOpen(deps, ctx) === 0 ? answerTap(ctx, ctx.label('button-old'), true) : selling.ask(ctx, {}, 'edit');
  return { [ASK]: button('hosts', [], ask), ...selling.button };
}
