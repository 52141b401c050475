// A host says what became of a doubt: the reason is asked for, and the whole once more before it is so.
import type { DecideAnswer } from '../../core/index.ts';
import { hostOf, type BotContext, type BotDeps, type InnerContext } from '../context.ts';
import { confirming } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import type { ConversationEntry, Prompts } from '../conversation.ts';
import type { Button } from '../feature.ts';
import { askFor, readName } from '../prompts/question.ts';
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

/** Asks for the reason and ends in the question, which decides; `buttons`: of that. */
export function createDecision(deps: BotDeps): {
  conversation: ConversationEntry;
  buttons: Record<string, Button>;
} {
  const deciding = confirming<Order>(deps, DECIDE, {
    needs: 'hosts',
    asks: (ctx, { redemptionId, isRedeemed, reason }) => ({
      html: ctx.say(`host-ask-decide-${isRedeemed ? 'redeemed' : 'returned'}`, {
        id: String(redemptionId),
        reason: name(reason, LONGEST_REASON),
      }),
      label: ctx.label(isRedeemed ? 'host-button-was-redeemed' : 'host-button-was-not'),
      style: 'danger',
    }),
    async does(ctx, { payload, ends, result }) {
      const inTransaction = ends((answer: DecideAnswer) => [
        result(toOutgoing(formatAnswer(deps, ctx, payload, answer))),
      ]);
      await deps.core.doubts.decide(hostOf(ctx), payload, inTransaction);
    },
  });
  const conversation: ConversationEntry = {
    name: DECIDE,
    takesWords: true,
    async run(prompts: Prompts, ctx: InnerContext, given: Decided) {
      const question = ctx.say('host-decide-reason', { id: String(given.redemptionId) });
      const again = ctx.say('host-decide-reason-again', { most: String(LONGEST_REASON) });
      const reason = await askFor(prompts, ctx, question, (text) => {
        const answer = readName(text, LONGEST_REASON);
        return answer === undefined ? { again } : { answer };
      });
      if (reason !== undefined) await prompts.core((outer) => deciding.ask(outer, { ...given, reason }));
    },
  };
  return { conversation, buttons: deciding.button };
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
