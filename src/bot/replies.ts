// Saying things: HTML, no link previews, never over Telegram's length.
import type { InlineKeyboard } from 'grammy';
import type { Context } from 'grammy';
import type { Message } from 'grammy/types';

export const LONGEST_MESSAGE = 4096;

export const HTML = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } } as const;

/** Replies with HTML. */
export function reply(ctx: Context, html: string, keyboard?: InlineKeyboard): Promise<Message.TextMessage> {
  return ctx.reply(fit(html), { ...HTML, ...(keyboard && { reply_markup: keyboard }) });
}

/** Answers the tap, once, with a short text where there is something to say; a query too old for an answer is no error. */
export async function answerTap(ctx: Context, text?: string, alert = false): Promise<void> {
  if (!ctx.callbackQuery || isTapAnswered(ctx)) return;
  (ctx as AnsweredContext).tapAnswered = true;
  await ctx
    .answerCallbackQuery(text === undefined ? {} : { text: text.slice(0, 200), show_alert: alert })
    .catch(forgiveOldQuery);
}

/** Whether the tap of this update has had its one answer. */
export function isTapAnswered(ctx: Context): boolean {
  return (ctx as AnsweredContext).tapAnswered === true;
}

type AnsweredContext = Context & { tapAnswered?: boolean };

/** Edits the message under the pressed button, or the one named; that nothing changed is no error. */
export async function editHtml(
  ctx: Context,
  html: string,
  keyboard?: InlineKeyboard,
  target?: { chatId: number; messageId: number },
): Promise<void> {
  const options = { ...HTML, ...(keyboard && { reply_markup: keyboard }) };
  const edited = target
    ? ctx.api.editMessageText(target.chatId, target.messageId, fit(html), options)
    : ctx.editMessageText(fit(html), options);
  await edited.catch(forgiveUnchanged);
}

/** A text that is too long loses whole lines at its end; markup never stands open, since each line closes its own. */
export function fit(html: string): string {
  if (html.length <= LONGEST_MESSAGE) return html;
  const lines = html.split('\n');
  while (lines.length > 1 && lines.join('\n').length > LONGEST_MESSAGE - 2) lines.pop();
  return `${lines.join('\n')}\n…`.slice(0, LONGEST_MESSAGE);
}

export function forgiveUnchanged(error: unknown): void {
  if (isRefusal(error, /message is not modified|message to edit not found|message can't be edited/)) return;
  throw error;
}

export function forgiveOldQuery(error: unknown): void {
  if (isRefusal(error, /query is too old|query ID is invalid/)) return;
  throw error;
}

/** Whether Telegram refused with such a description. */
export function isRefusal(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && 'description' in error && pattern.test(String(error.description));
}
