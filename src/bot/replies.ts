// Replies: HTML, never over Telegram's length. They are said when the turn of the update is written, in their order;
// the answer to a tap alone goes at once.
import { GrammyError, type Context, type InlineKeyboard } from 'grammy';

import { toOutgoing, type Turn } from './outgoing.ts';
import { escapeHtml } from './texts.ts';

export const LONGEST_MESSAGE = 4096;
/** Of the answer to a tap. */
const LONGEST_ANSWER = 200;

export const HTML = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } } as const;

/** The message that is edited is not there any more, or too old. */
export const MESSAGE_GONE = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/;

export interface Target {
  chatId: number;
  messageId: number;
}

/** The message whose button was pressed. */
export function targetOf({ callbackQuery }: Pick<Context, 'callbackQuery'>): Target {
  const message = callbackQuery?.message;
  if (!message) throw new Error('A button of an inline message was pressed, and there are none.');
  return { chatId: message.chat.id, messageId: message.message_id };
}

type Speaking = Context & { turn?: Turn };

/** Replies with HTML, by which a tap is answered, too. */
export function reply(ctx: Speaking, html: string, keyboard?: InlineKeyboard): Promise<void> {
  answerTap(ctx);
  if (ctx.chat) ctx.turn?.say(ctx.chat.id, { ...toOutgoing(fit(html), keyboard), topic: topicOf(ctx) });
  return Promise.resolve();
}

/** Where in a forum it was asked, and is answered. */
export const topicOf = ({ msg }: Pick<Context, 'msg'>): number | undefined =>
  msg?.is_topic_message ? msg.message_thread_id : undefined;

/**
 * Answers the tap, once, with a short text where there is something to say. Never rejects and waits for nothing: no
 * action may depend on it. An alert that Telegram does not take is said in the chat, after a restart too.
 */
export function answerTap(ctx: Speaking, text?: string, alert = false): void {
  if (!ctx.callbackQuery || isTapAnswered(ctx)) return;
  (ctx as AnsweredContext).tapAnswered = true;
  const answer = text === undefined ? {} : { text: cutShort(text, LONGEST_ANSWER), show_alert: alert };
  const { turn, chat } = ctx;
  const isOwed = text !== undefined && alert && chat?.type === 'private';
  const answered = ctx.answerCallbackQuery(answer).then(
    () => undefined,
    (error: unknown) => {
      turn?.forgive(error);
      if (isOwed) turn?.say(chat.id, { html: escapeHtml(text) });
    },
  );
  if (isOwed) turn?.follow(answered);
}

/** Whether the tap of this update has had its one answer. */
export function isTapAnswered(ctx: Context): boolean {
  return (ctx as AnsweredContext).tapAnswered === true;
}

type AnsweredContext = Context & { tapAnswered?: boolean };

/** Edits the message under the pressed button, or the one named; where it is gone the words come as a new one. */
export function editHtml(
  ctx: Speaking,
  html: string,
  keyboard?: InlineKeyboard,
  target?: Target,
): Promise<void> {
  answerTap(ctx);
  const { chatId, messageId } = target ?? targetOf(ctx);
  ctx.turn?.say(chatId, { ...toOutgoing(fit(html), keyboard), messageId });
  return Promise.resolve();
}

/** New words, or in place of the message under the pressed button. */
export async function show(
  ctx: Speaking,
  html: string,
  keyboard: InlineKeyboard | undefined,
  how: 'reply' | 'edit',
): Promise<void> {
  if (how === 'edit') await editHtml(ctx, html, keyboard);
  else await reply(ctx, html, keyboard);
}

/** In place of the message of this chat that is named, or as a new one. */
export async function showIn(
  ctx: Speaking,
  html: string,
  keyboard: InlineKeyboard | undefined,
  messageId: number | undefined,
): Promise<void> {
  if (messageId === undefined || !ctx.chat) await reply(ctx, html, keyboard);
  else await editHtml(ctx, html, keyboard, { chatId: ctx.chat.id, messageId });
}

/** Whether nobody is there to be told. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof GrammyError)) return false;
  return error.error_code === 403 || (error.error_code === 400 && PERSON_GONE.test(error.description));
}

const PERSON_GONE =
  /chat not found|PEER_ID_INVALID|deactivated|can't initiate|kicked|not enough rights|upgraded to a supergroup/i;

export function isUnchanged(error: unknown): boolean {
  return isRefusal(error, /message is not modified/);
}

/** A text that is too long loses whole lines at its end; markup never stands open, since each line closes its own. */
export function fit(html: string, most = LONGEST_MESSAGE): string {
  if (html.length <= most) return html;
  const lines = html.split('\n');
  while (lines.length > 1 && lines.join('\n').length > most - 2) lines.pop();
  return cutShort(`${lines.join('\n')}\n…`, most);
}

/** At most so many characters as UTF-16 counts them, with no pair cut in half: Telegram refuses a half. */
export function cutShort(text: string, most: number): string {
  if (text.length <= most) return text;
  const isPair = (text.codePointAt(most - 1) ?? 0) > 0xffff;
  return text.slice(0, isPair ? most - 1 : most);
}

export function forgiveOldQuery(error: unknown): void {
  if (isRefusal(error, /query is too old|query ID is invalid/)) return;
  throw error;
}

/** Whether Telegram refused with such a description. */
export function isRefusal(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && 'description' in error && pattern.test(String(error.description));
}
