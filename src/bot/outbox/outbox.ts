// One message that waits, brought to its chat: looked up where it is a view, put into the message that it belongs to or posted
// anew in its stead, and said more plainly where Telegram refuses its form.
import type { Api } from 'grammy';

import {
  toPlain,
  type Content,
  type Outgoing,
  type Rest,
  type Sending,
  type View,
  type ViewOrder,
} from '../outgoing.ts';
import {
  cutShort,
  fit,
  HTML,
  isGone,
  isRefusal,
  isUnchanged,
  LONGEST_MESSAGE,
  MESSAGE_GONE,
} from '../replies.ts';
import type { Language } from '../texts.ts';
import { isRefused } from '../telegram/telegram-errors.ts';

export { toOutgoingRow } from '../outgoing.ts';

export interface BringingDeps {
  api: Api;
  views: Readonly<Record<string, View>>;
  findLanguage(telegramId: number): Language;
  isNewest(chatId: number, messageId: number): boolean;
}

/** What is still to come of it, once Telegram took this. Rejects with what it answered to the plainest form, or with its trouble. */
export async function bring(
  deps: BringingDeps,
  chatId: number,
  content: Content,
  signal: AbortSignal,
): Promise<Rest | undefined> {
  const shown = 'view' in content ? await look(deps, content) : content;
  if (!shown) return undefined;
  const { messageId, topic } = content;
  if (!('send' in shown)) {
    const isBuried = content.rings && messageId !== undefined && !deps.isNewest(chatId, messageId);
    await say(deps.api, { chatId, messageId: isBuried ? undefined : messageId, topic }, shown, signal);
    if (isBuried) await takeAway(deps.api, { chatId, messageId }, signal, shown);
    return undefined;
  }
  for (const send of [shown.send, shown.sendBare]) {
    if (!send) continue;
    try {
      await send(deps.api, chatId, signal);
      if (shown.isInstead && messageId !== undefined) await takeAway(deps.api, { chatId, messageId }, signal);
      return shown.rest;
    } catch (error) {
      if (isGone(error) || !isRefused(error)) throw error;
    }
  }
  await say(
    deps.api,
    { chatId, messageId: shown.isInstead ? messageId : undefined },
    shown.otherwise,
    signal,
  );
  return undefined;
}

async function look(
  { views, findLanguage }: BringingDeps,
  order: ViewOrder,
): Promise<Outgoing | Sending | undefined> {
  const { view, of, telegramId } = order;
  const show = views[view];
  // A later version may have dropped it, or an earlier one not have it yet.
  if (!show) return undefined;
  return show({ of, telegramId, language: order.language ?? findLanguage(telegramId) });
}

interface Place {
  chatId: number;
  messageId: number | undefined;
  topic?: number | undefined;
}

async function say(api: Api, place: Place, words: Outgoing, signal: AbortSignal): Promise<void> {
  const forms = formsOf(words);
  let { messageId } = place;
  for (let form = 0; ;) {
    try {
      return await put(api, { ...place, messageId }, forms[form] ?? {}, signal);
    } catch (error) {
      if (isUnchanged(error)) return;
      if (isGone(error)) throw error;
      if (messageId !== undefined && isRefusal(error, MESSAGE_GONE)) messageId = undefined;
      else if (isRefused(error) && form < forms.length - 1) form += 1;
      else throw error;
    }
  }
}

/**
 * A message that has its answer below it goes; where it is too old to be deleted it says the same, or has no button any more. What is
 * below stays whatever comes of it: never rejects.
 */
async function takeAway(
  api: Api,
  place: Place & { messageId: number },
  signal: AbortSignal,
  words?: Outgoing,
): Promise<void> {
  const { chatId, messageId } = place;
  try {
    await api.deleteMessage(chatId, messageId, signal as never);
  } catch (error) {
    if (!isRefused(error) || isRefusal(error, /message to delete not found/)) return;
    const [form] = words ? formsOf(words) : [];
    const kept = form
      ? put(api, place, form, signal)
      : api.editMessageReplyMarkup(chatId, messageId, {}, signal as never);
    await kept.catch(() => undefined);
  }
}

interface Form {
  text?: string;
  options?: object;
}

/** As it is, without its buttons, plain. */
function formsOf({ html, keyboard, plain }: Outgoing): Form[] {
  const text = fit(html);
  return [
    ...(keyboard ? [{ text, options: { ...HTML, reply_markup: keyboard } }] : []),
    { text, options: HTML },
    { text: cutShort(plain ?? toPlain(html), LONGEST_MESSAGE), options: {} },
  ];
}

async function put(
  api: Api,
  { chatId, messageId, topic }: Place,
  { text = '', options = {} }: Form,
  signal: AbortSignal,
): Promise<void> {
  const placed = topic === undefined ? options : { ...options, message_thread_id: topic };
  // grammY's signal type is a shim of its own.
  if (messageId === undefined) await api.sendMessage(chatId, text, placed, signal as never);
  else await api.editMessageText(chatId, messageId, text, options, signal as never);
}
