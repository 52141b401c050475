// The keyboard under a last confirmation: one button that is the order, and one that withdraws it.
import { InlineKeyboard } from 'grammy';

import type { BotContext } from '../context.ts';
import type { ButtonStyle } from '../conversation.ts';

export const CANCEL_CONFIRMATION = 'no';

/** Letters that a phone shows of a label beside another. */
const BESIDE = 17;

/** `data` is what createConfirmation gave back; the label names what pressing it does. */
export function confirmKeyboard(
  ctx: Pick<BotContext, 'label'>,
  data: string,
  { label, style }: { label: string; style?: ButtonStyle },
): InlineKeyboard {
  const keyboard = new InlineKeyboard().text(label, data);
  if (style) keyboard.style(style);
  if ([...label].length > BESIDE) keyboard.row();
  return keyboard.text(ctx.label('button-cancel'), `${CANCEL_CONFIRMATION}:${data}`);
}
