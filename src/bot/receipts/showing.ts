// Showing a receipt to whoever may see it: for /receipt, for deep links, and for the watcher of redemptions.
import { grantOf, type Core, type MemberActor } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { zoneOf } from '../moments.ts';
import { receiptKeyboard } from './receipt-keyboard.ts';
import { renderReceipt, type ReceiptView } from './receipt-text.ts';
import { reply } from '../replies.ts';

/** The receipt with what is told beside it; undefined when there is none that this member may see. */
export function findReceiptView(core: Core, actor: MemberActor, id: number): ReceiptView | undefined {
  const redemption = core.receipts.find(actor, id);
  if (!redemption) return undefined;
  return {
    redemption,
    facts: core.receiptFacts(actor, redemption),
    game: core.games.find(redemption.gameId),
    timeZone: zoneOf({ core }, actor),
    isSandbox: core.health.isSandbox,
  };
}

/** Replies with a receipt, or with the one sentence for all that are not there or not this person's to see. */
export type ShowReceipt = (ctx: BotContext, id: number) => Promise<void>;

export function createShowReceipt({ core, texts }: Pick<BotDeps, 'core' | 'texts'>): ShowReceipt {
  return async (ctx, id) => {
    if (!ctx.actor) {
      await reply(ctx, ctx.say('refusal-stranger'));
      return;
    }
    const view = findReceiptView(core, ctx.actor, id);
    if (!view) {
      await reply(ctx, ctx.say('receipt-unknown', { id: String(id) }));
      return;
    }
    const place = {
      texts,
      language: ctx.language,
      mayRedeem: grantOf(ctx.actor, 'redeem') !== 'no',
      group: ctx.isPrivate ? undefined : { botUsername: ctx.me.username },
    };
    await reply(ctx, renderReceipt(view, place), receiptKeyboard(view, place));
  };
}
