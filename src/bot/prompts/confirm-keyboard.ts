// The keyboard under a last confirmation: the buttons that are the order, and one that withdraws it.
import { InlineKeyboard } from 'grammy';

import type { BotContext } from '../context.ts';

/** What Telegram paints a button in: red what cannot be taken back, green what is wanted. */
export type ButtonStyle = 'danger' | 'success';

export const CANCEL_CONFIRMATION = 'no';

/** Letters that a phone shows of a label beside another. */
const BESIDE = 17;

/** A button that is the order; `choice` tells it from the others. */
export interface OrderButton {
  label: string;
  choice?: string;
  style?: ButtonStyle | undefined;
}

/** `data` is what createConfirmation gave back; the labels name what pressing does. */
export function confirmKeyboard(
  ctx: Pick<BotContext, 'label'>,
  data: string,
  { choices = [], ...first }: OrderButton & { choices?: readonly OrderButton[] | undefined },
): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  for (const { label, choice, style } of [first, ...choices]) {
    keyboard.text(label, choice === undefined ? data : `${data}:${choice}`);
    if (style) keyboard.style(style);
    if ([...label].length > BESIDE || (choice === undefined && choices.length > 0)) keyboard.row();
  }
  return keyboard.text(ctx.label('button-cancel'), `${CANCEL_CONFIRMATION}:${data}`);
}
