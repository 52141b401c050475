// A message with buttons that are about what is kept with it.
import { createHash } from 'node:crypto';
import { InlineKeyboard } from 'grammy';

import type { BotContext, BotDeps } from '../context.ts';
import { answerTap, showIn } from '../replies.ts';
import {
  type ButtonStyle,
  CANCEL_CONFIRMATION,
  type ConfirmedOrder,
  createConfirmation,
  findConfirmation,
  keyOfLasting,
} from './confirmations.ts';

/** A button of a question. */
export interface Choice {
  label: string;
  value: string;
  style?: ButtonStyle;
}

/** Choosing spends nothing, so that it may be done for longer than confirming. */
export const CHOICE_MS = 24 * 60 * 60 * 1000;

/** Under one question, beside a few of its own: Telegram takes 100 buttons. */
export const MOST_CHOICES = 90;
const LONGEST_ID = 24;

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
  const data = createConfirmation(deps, ctx, kept);
  const toButton = ({ label, value, ...style }: Choice) => ({
    ...InlineKeyboard.text(label, value === CANCEL ? `${CANCEL_CONFIRMATION}:${data}` : `${data}:${value}`),
    ...style,
  });
  await showIn(ctx, html, new InlineKeyboard(rows.map((row) => row.map(toButton))), messageId);
  return data.slice(kept.action.length + 1);
}

/** Uses up what is kept with a message, and gives it; undefined where it is over, which a tap is told. */
export function takeChoice<P>(
  deps: Pick<BotDeps, 'store' | 'clock'>,
  ctx: BotContext,
  action: string,
  id: string,
): P | undefined {
  const found = findConfirmation<P>(deps, ctx, action, id);
  if (found.status === 'refused') {
    answerTap(ctx, ctx.label(keyOfLasting(found.key)), true);
    return undefined;
  }
  ctx.turn.uses(id);
  return found.payload;
}

/** What a button carries for something with this id: the id itself, or a digest where it is too long for a button. */
export function buttonId(id: string): string {
  if (Buffer.byteLength(id) <= LONGEST_ID) return id;
  return createHash('sha256').update(id).digest('base64url').slice(0, LONGEST_ID);
}

/** So many beside each other. */
export const inRows = <T>(each: readonly T[], wide: number): T[][] =>
  each.flatMap((_one, at) => (at % wide === 0 ? [each.slice(at, at + wide)] : []));

// Games as people name them.

/** Whether a game was typed, by its name or its id. */
export function isGame(ctx: Pick<BotContext, 'label'>, id: string, typed = ''): boolean {
  const said = typed.trim().toLowerCase();
  return said === id.toLowerCase() || said === ctx.label('game-name', { game: id }).toLowerCase();
}
