// A host says what became of a doubt: the reason is asked for, and the whole once more before it is so.
import type { DecideAnswer } from '../../core/index.ts';
import { hostOf, type BotContext, type BotDeps, type InnerContext } from '../context.ts';
import { runAction } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import type { ConversationEntry, Prompts } from '../conversation.ts';
import { askFor, readName } from '../prompts/question.ts';
import { reply } from '../replies.ts';
import { name } from '../texts.ts';
import { moment } from './host-menus.ts';

/** The name of the conversation, and of the order that it ends in. */
export const DECIDE = 'host-decide';
const LONGEST_REASON = 200;

export interface Decided {
  redemptionId: number;
  isRedeemed: boolean;
}

type Order = Decided & { reason: string };

/** Asks for the reason and ends in the question; it decides nothing. */
export function createDecideConversation(deps: BotDeps): ConversationEntry {
  return {
    name: DECIDE,
    async run(prompts: Prompts, ctx: InnerContext, given: Decided) {
      const question = ctx.say('host-decide-reason', { id: String(given.redemptionId) });
      const again = ctx.say('host-decide-reason-again', { most: String(LONGEST_REASON) });
      const reason = await askFor(prompts, ctx, question, (text) => {
        const answer = readName(text, LONGEST_REASON);
        return answer === undefined ? { again } : { answer };
      });
      if (reason !== undefined) await prompts.core((outer) => ask(deps, outer, { ...given, reason }));
    },
  };
}

async function ask(deps: BotDeps, ctx: BotContext, payload: Order): Promise<void> {
  const data = await createConfirmation(deps, ctx, { action: DECIDE, payload });
  const way = payload.isRedeemed ? 'redeemed' : 'returned';
  const label = ctx.label(payload.isRedeemed ? 'host-button-was-redeemed' : 'host-button-was-not');
  const html = ctx.say(`host-ask-decide-${way}`, {
    id: String(payload.redemptionId),
    reason: name(payload.reason, LONGEST_REASON),
  });
  await reply(ctx, html, confirmKeyboard(ctx, data, { label, style: 'danger' }));
}

export function decideByButton(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return runAction<Order>(deps, ctx, DECIDE, async ({ payload, confirmation, isDone, result }) => {
    if (isDone) return;
    const inTransaction = deps.store.inTransaction((answer: DecideAnswer) => ({
      confirmation,
      messages: [result(toOutgoing(formatAnswer(deps, ctx, payload, answer)))],
    }));
    await deps.core.doubts.decide(hostOf(ctx), payload, inTransaction);
  });
}

function formatAnswer(
  deps: BotDeps,
  ctx: BotContext,
  { redemptionId, isRedeemed }: Order,
  answer: DecideAnswer,
): string {
  const id = String(redemptionId);
  switch (answer.status) {
    case 'decided':
      return ctx.say(isRedeemed ? 'host-decided-redeemed' : 'host-decided-returned', { id });
    case 'none':
      return ctx.say('host-doubt-over');
    case 'tooEarly':
      return answer.until === undefined
        ? ctx.say('host-doubt-sending')
        : ctx.say('host-doubt-early', { until: moment(deps, ctx, answer.until) });
  }
}
