// Pre-checkout queries: whether the order still holds, answered at once. Nothing is changed here.
import type { PreCheckoutQuery } from 'grammy/types';

import { grantOf } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import { forgiveOldQuery } from '../replies.ts';
import { findOrder } from './orders.ts';
import { quoteTerms } from './prices.ts';

/** Answers the query within its ten seconds, whatever happens; one that is too old is no error. */
export async function answerCheckout(deps: BotDeps, ctx: BotContext, query: PreCheckoutQuery): Promise<void> {
  const problem = findProblemSafely(deps, ctx, query);
  const answer =
    problem === undefined
      ? ctx.answerPreCheckoutQuery(true)
      : ctx.answerPreCheckoutQuery(false, { error_message: ctx.label(problem) });
  await answer.catch(forgiveOldQuery);
}

function findProblemSafely(deps: BotDeps, ctx: BotContext, query: PreCheckoutQuery): string | undefined {
  try {
    return findProblem(deps, ctx, query);
  } catch (error) {
    deps.log.error({ error: describeError(error) }, 'a payment could not be checked: it was refused');
    return 'checkout-later';
  }
}

/** Why the payment must not be taken, as the key of a sentence. */
function findProblem(
  deps: BotDeps,
  { actor }: BotContext,
  { invoice_payload, currency, total_amount }: PreCheckoutQuery,
): string | undefined {
  const { core, settings } = deps;
  const found = findOrder(deps, invoice_payload);
  if (!found?.isOpen) return 'checkout-old';
  const { order } = found;
  if (actor?.accountId !== order.accountId) return 'checkout-not-yours';
  if (grantOf(actor, 'purchase') === 'no') return 'checkout-role';
  const asked = { currency, amount: total_amount };
  const now = quoteTerms(core, settings, actor, order.goods);
  const holds = [order, asked].every(
    (terms) => terms.currency === now?.currency && terms.amount === now.amount,
  );
  return holds ? undefined : 'checkout-price';
}
