// Pressing the button of a last confirmation. One that is too old is asked once more in its own message, instead of a dead button.
import type { BotContext, BotDeps } from '../context.ts';
import { runAction, type Action } from '../outbox/actions.ts';
import { showLines } from './card.ts';
import { askToRedeem, toAsked } from './confirm-order.ts';
import type { RedeemOrder, BulkOrder } from './order.ts';

export async function pressOrder<P extends RedeemOrder | BulkOrder>(
  deps: BotDeps,
  ctx: BotContext,
  action: string,
  work: (deed: Action<P>) => Promise<void>,
): Promise<void> {
  const words = { 'confirmation-expired': 'redeem-expired-tap' };
  const refused = await runAction<P>(deps, ctx, action, work, words);
  if (refused !== 'confirmation-expired') return;
  const confirmation = deps.keeping.confirmations.find(
    (ctx.callbackQuery?.data ?? '').slice(action.length + 1),
  );
  if (!confirmation) return;
  const asked = toAsked(JSON.parse(confirmation.payload) as P);
  const place = { messageId: ctx.callbackQuery?.message?.message_id };
  if ('code' in asked) await askToRedeem(deps, ctx, asked, place);
  else await showLines(deps, ctx, asked, place);
}
