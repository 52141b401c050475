// A host says what became of a doubt: the reason is asked for, and the whole once more before it is so.
import type { DecideAnswer } from '../../core/index.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { confirming } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import type { Feature } from '../feature.ts';
import { askInWords, readName } from '../prompts/ask.ts';
import { name } from '../texts.ts';
import { moment } from './host-menus.ts';

/** The name of the question, and of the order that it ends in. */
const DECIDE = 'host-decide';
const LONGEST_REASON = 200;

interface Decided {
  redemptionId: number;
  isRedeemed: boolean;
}

type Order = Decided & { reason: string };

/** The question for the reason, and the last confirmation, which decides. */
export function createDecision(deps: BotDeps): Pick<Feature, 'buttons' | 'questions'> {
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
  return {
    buttons: deciding.button,
    questions: {
      [DECIDE]: {
        needs: 'hosts',
        takesWords: true,
        async hear(ctx, of, text) {
          const reason = readName(text, LONGEST_REASON);
          if (reason === undefined)
            return ctx.say('host-decide-reason-again', { most: String(LONGEST_REASON) });
          await deciding.ask(ctx, { ...(JSON.parse(of) as Decided), reason });
          return true;
        },
      },
    },
  };
}

export const askForReason = (ctx: BotContext, decided: Decided): Promise<void> =>
  askInWords(
    ctx,
    ctx.say('host-decide-reason', { id: String(decided.redemptionId) }),
    DECIDE,
    JSON.stringify(decided),
  );

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
