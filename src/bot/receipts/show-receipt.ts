// Showing a receipt to whoever may see it: for /receipt, for deep links, and for the watcher of redemptions.
import { grantOf, type Core, type MemberActor, type Redemption } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { zoneOf } from '../moments.ts';
import { receiptKeyboard } from './receipt-keyboard.ts';
import { renderReceipt, type ReceiptView } from './receipt-text.ts';
import { show } from '../replies.ts';

/** The receipt with what is told beside it; undefined when there is none that this member may see. */
export function findReceiptView(core: Core, actor: MemberActor, id: number): ReceiptView | undefined {
  const redemption = core.receipts.find(actor, id);
  if (!redemption) return undefined;
  return {
    redemption,
    facts: core.receiptDetails(actor, redemption),
    game: core.games.find(redemption.gameId),
    timeZone: zoneOf({ core }, actor),
    isSandbox: core.health.isSandbox,
    hasNoOrderList: core.health.hasNoOrderList,
  };
}

/** What is in stock of a denomination of which one was redeemed, for whoever may see that. */
export function countLeft(
  { codes, games }: Core,
  actor: MemberActor,
  { gameId, denomination, state }: Pick<Redemption, 'gameId' | 'denomination' | 'state'>,
): number | undefined {
  if (state !== 'redeemed' || denomination === undefined || !games.find(gameId)?.database) return undefined;
  return grantOf(actor, 'seeStock') === 'no'
    ? undefined
    : codes.countAvailable(actor, gameId).get(denomination);
}

/**
 * A receipt, or the one sentence for all that are not there or not this person's to see: as a reply, or in place of the message under
 * the pressed button. `above`: what is said before it.
 */
export type ShowReceipt = (
  ctx: BotContext,
  id: number,
  shown?: { how: 'reply' | 'edit'; above?: string | undefined },
) => Promise<void>;

export function createShowReceipt({ core, texts }: Pick<BotDeps, 'core' | 'texts'>): ShowReceipt {
  return async (ctx, id, { how, above } = { how: 'reply' }) => {
    if (!ctx.actor) return show(ctx, ctx.say('refusal-stranger'), undefined, how);
    const view = findReceiptView(core, ctx.actor, id);
    if (!view) return show(ctx, ctx.say('receipt-unknown', { id: String(id) }), undefined, how);
    const place = {
      texts,
      language: ctx.language,
      mayRedeem: grantOf(ctx.actor, 'redeem') !== 'no',
      group: ctx.isPrivate ? undefined : { botUsername: ctx.me.username },
    };
    const receipt = renderReceipt(view, place);
    const html = above === undefined ? receipt : `${above}\n\n${receipt}`;
    await show(ctx, html, receiptKeyboard(view, place), how);
  };
}
