// Replies: HTML, no link previews, never over Telegram's length. What cannot be said now is kept, and said when
// Telegram takes it: nothing here rejects because of Telegram.
import { GrammyError, HttpError, type Context, type InlineKeyboard } from 'grammy';
import type { Message } from 'grammy/types';

import { toOutgoing, type ReplyChannel } from './outgoing.ts';
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

type Speaking = Context & { replyChannel?: ReplyChannel };

/** Replies with HTML, by which a tap is answered, too. undefined: it is said later. */
export async function reply(
  ctx: Speaking,
  html: string,
  keyboard?: InlineKeyboard,
): Promise<Message.TextMessage | undefined> {
  answerTap(ctx);
  const topic = ctx.msg?.is_topic_message ? ctx.msg.message_thread_id : undefined;
  const content = { ...toOutgoing(fit(html), keyboard), topic };
  const options = { ...HTML, reply_markup: keyboard };
  return say(ctx, ctx.chat?.id, content, () => ctx.reply(content.html, options));
}

/**
 * Answers the tap, once, with a short text where there is something to say. Never rejects and waits for nothing: no
 * action may depend on it. An alert that Telegram does not take is said in the chat, after a restart too.
 */
export function answerTap(ctx: Speaking, text?: string, alert = false): void {
  if (!ctx.callbackQuery || isTapAnswered(ctx)) return;
  (ctx as AnsweredContext).tapAnswered = true;
  const answer = text === undefined ? {} : { text: cutShort(text, LONGEST_ANSWER), show_alert: alert };
  const { replyChannel, chat } = ctx;
  const answered = ctx.answerCallbackQuery(answer);
  if (!replyChannel || text === undefined || !alert || chat?.type !== 'private') {
    answered.catch((error: unknown) => replyChannel?.forgive(error));
    return;
  }
  const sayInstead = () => replyChannel.save(chat.id, { html: escapeHtml(text) });
  const told = answered.then(
    () => undefined,
    (error: unknown) => {
      replyChannel.forgive(error);
      return sayInstead();
    },
  );
  told.catch(replyChannel.forgive);
  replyChannel.following = () => told.catch(sayInstead);
}

/** Whether the tap of this update has had its one answer. */
export function isTapAnswered(ctx: Context): boolean {
  return (ctx as AnsweredContext).tapAnswered === true;
}

type AnsweredContext = Context & { tapAnswered?: boolean };

/** Edits the message under the pressed button, or the one named; where it is gone the words come as a new one. */
export async function editHtml(
  ctx: Speaking,
  html: string,
  keyboard?: InlineKeyboard,
  target?: Target,
): Promise<void> {
  answerTap(ctx);
  const options = { ...HTML, reply_markup: keyboard };
  const pressed = ctx.callbackQuery?.message;
  const chatId = target?.chatId ?? pressed?.chat.id ?? ctx.chat?.id;
  const messageId = target?.messageId ?? pressed?.message_id;
  const content = { ...toOutgoing(fit(html), keyboard), messageId };
  await say(ctx, chatId, content, () =>
    target
      ? ctx.api.editMessageText(target.chatId, target.messageId, content.html, options)
      : ctx.editMessageText(content.html, options),
  );
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

async function say<T>(
  { replyChannel }: Speaking,
  chatId: number | undefined,
  content: Parameters<ReplyChannel['save']>[1],
  call: () => Promise<T>,
): Promise<T | undefined> {
  if (!replyChannel || chatId === undefined) return call();
  if (replyChannel.mustWait(chatId)) {
    await replyChannel.save(chatId, content);
    return undefined;
  }
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof GrammyError || error instanceof HttpError)) throw error;
    if (isUnchanged(error)) return undefined;
    if (isGone(error)) replyChannel.giveUp(error);
    else {
      replyChannel.forgive(error);
      await replyChannel.save(chatId, content);
    }
    return undefined;
  }
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
