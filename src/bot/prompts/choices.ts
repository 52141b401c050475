// A message with buttons that are about what is kept with it.
import { InlineKeyboard } from 'grammy';

import type { BotContext, BotDeps } from '../context.ts';
import type { Choice } from '../conversation.ts';
import { showIn } from '../replies.ts';
import { CANCEL_CONFIRMATION } from './confirm-keyboard.ts';
import { createConfirmation, type ConfirmedOrder } from './confirmations.ts';

/** Choosing spends nothing, so that it may be done for longer than confirming. */
export const CHOICE_MS = 24 * 60 * 60 * 1000;

const CANCEL = 'cancel';
export const cancel = (ctx: BotContext): Choice => ({ label: ctx.label('button-cancel'), value: CANCEL });

/** In place of the message named, or as a new one; the id of what is kept. */
export async function showChoices<P>(
  deps: Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>,
  ctx: BotContext,
  kept: ConfirmedOrder<P>,
  { html, rows }: { html: string; rows: readonly (readonly Choice[])[] },
  messageId?: number,
): Promise<string> {
  const data = await createConfirmation(deps, ctx, kept);
  const toButton = ({ label, value, ...style }: Choice) => ({
    ...InlineKeyboard.text(label, value === CANCEL ? `${CANCEL_CONFIRMATION}:${data}` : `${data}:${value}`),
    ...style,
  });
  await showIn(ctx, html, new InlineKeyboard(rows.map((row) => row.map(toButton))), messageId);
  return data.slice(kept.action.length + 1);
}

/** So many beside each other. */
export const inRows = <T>(each: readonly T[], wide: number): T[][] =>
  each.flatMap((_one, at) => (at % wide === 0 ? [each.slice(at, at + wide)] : []));
