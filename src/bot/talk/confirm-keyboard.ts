// The keyboard under a last confirmation: one button that is the order, and one that withdraws it.
import { InlineKeyboard } from 'grammy';

import type { BotContext } from '../context.ts';

export const CANCEL_DRAFT = 'no';

/** `data` is what keepDraft gave back. */
export function confirmKeyboard(ctx: Pick<BotContext, 'label'>, data: string): InlineKeyboard {
  return new InlineKeyboard()
    .text(ctx.label('button-confirm'), data)
    .text(ctx.label('button-cancel'), `${CANCEL_DRAFT}:${data}`);
}
