// One message that waits, brought to its chat: looked up where it is a view, put into the message that it belongs to or
// posted anew in its stead, said more plainly where Telegram refuses its form; what nobody will ever take, and what is
// tried again.
import type { Api } from 'grammy';

import { createSafeNow, type Clock } from '../../clock.ts';
import { backOff, within } from '../../waiting.ts';
import type { TaskEnd, TaskTools } from '../../core/index.ts';
import { describeError, findPassingCause } from '../errors.ts';
import type { Task } from '../../store/bot-store.ts';
import {
  nameChatQueue,
  type OutboxContent,
  type NotYet,
  type Progress,
  type Rest,
  type Sending,
  toPlain,
  type Outgoing,
  type ViewAnswer,
  type View,
  type ViewOrder,
} from '../outgoing.ts';
import {
  isGone,
  cutShort,
  fit,
  HTML,
  isRefusal,
  isUnchanged,
  LONGEST_MESSAGE,
  MESSAGE_GONE,
} from '../replies.ts';
import type { ChatRateLimit } from '../telegram/rate-limits.ts';
import { readTelegramError, isRefused } from '../telegram/telegram-errors.ts';
import { asApiSignal } from '../telegram/api-signal.ts';
import type { Language } from '../texts.ts';

export type MessageSenderDeps = BringingDeps;

/** Rejects where it is to be tried again. */
export type SendWaiting = (
  chatId: number,
  task: Task,
  tools: Pick<TaskTools, 'signal' | 'isReleased'>,
) => Promise<TaskEnd>;

/** So often a mistake of ours may be made before what makes it is dropped. */
const MOST_MISTAKES = 4;
const GIVEN_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1000;
const growingPauseMs = backOff(1_000, 60_000);
/** Between two edits that show how something goes on: more would leave no room for answers. */
const progressGapMs = backOff(1_100, 15_000);
const PROGRESS_WITHIN_MS = 5_000;

export function createMessageSender(deps: MessageSenderDeps): SendWaiting {
  const safeNow = createSafeNow(deps.clock);
  const inTurn = createTurns();
  const progress = createProgressShown(deps);

  function isFinal(task: Task, error: unknown): boolean {
    const trouble = readTelegramError(error);
    // Whoever is gone, or a form that was refused to its plainest. A 404 is no chat's: the token is wrong, and will be
    // right again.
    if (trouble?.kind === 'refused' && trouble.code !== 404) return true;
    if (task.payload === undefined) return true;
    if (!trouble && task.attempts >= MOST_MISTAKES && findPassingCause(error) === undefined) return true;
    return safeNow() - task.queuedAt > GIVEN_UP_AFTER_MS;
  }

  return async (chatId, task, { signal, isReleased }) => {
    try {
      if (task.payload === undefined) throw new Error('A message cannot be read any more.');
      const content = JSON.parse(task.payload) as OutboxContent;
      const shown = 'view' in content ? await renderView(deps, content) : content;
      const standing = shown && 'html' in shown && 'standing' in shown ? shown.standing : undefined;
      const place = { chatId, messageId: standing ? standing.messageId : content.messageId };
      const next = await inTurn(place, async () => {
        if (shown && 'goesOn' in shown) return progress.show({ id: task.id, place }, shown, signal);
        // What was looked at while its end came is said by the look that the end has ordered, and once.
        if ('view' in content && isReleased()) return { of: content.of };
        progress.end(task.id);
        return shown && bring(deps, { ...place, topic: content.topic }, shown, signal);
      });
      if (next) return toNext(deps.clock, content, next);
      return { state: 'done', payload: content.first, ...forgetting(task) };
    } catch (error) {
      if (signal.aborted || !isFinal(task, error)) throw error;
      // Whoever blocked the bot may come back: what they ordered is told them then.
      if (task.task === 'result' && isGone(error)) return { state: 'held', waitsFor: nameChatQueue(chatId) };
      return { state: 'dead', error: JSON.stringify(describeError(error)), ...forgetting(task) };
    }
  };
}

/** Words may hold what is to be kept nowhere; what was ordered can be sent once more. */
const forgetting = ({ task }: Task) => task === 'answer' && { forgets: true };

/** What comes next of a message. */
type Next = Rest & Pick<Progress['goesOn'], 'lookMs'>;

/** Sent once more, it begins where it began. */
const toNext = (clock: Clock, content: OutboxContent, { waitsFor, lookMs, ...order }: Next): TaskEnd => ({
  state: 'next',
  payload: JSON.stringify({ ...content, ...order, first: content.first ?? JSON.stringify(content) }),
  waitsFor,
  until: lookMs === undefined ? undefined : clock.now() + lookMs,
});

/** What is put into one message is put there one after the other: what was begun last stands there. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>({ chatId, messageId }: Place, work: () => Promise<T>): Promise<T> => {
    if (messageId === undefined) return work();
    const key = `${chatId}:${messageId}`;
    const mine = (last.get(key) ?? Promise.resolve()).catch(() => undefined).then(work);
    last.set(key, mine);
    return mine.finally(() => last.get(key) === mine && last.delete(key));
  };
}

/** For how many ms a chat is left alone after so many failures. */
export function pauseAfter(error: unknown, failures: number): number {
  const trouble = readTelegramError(error);
  return Math.max(trouble?.kind === 'flood' ? trouble.retryAfterMs : 0, growingPauseMs(failures));
}

interface BringingDeps {
  api: Api;
  clock: Clock;
  rateLimit: Pick<ChatRateLimit, 'takeProgress'>;
  views: Readonly<Record<string, View>>;
  findLanguage(telegramId: number): Language;
  isNewest(chatId: number, messageId: number): boolean;
}

/**
 * What is still to come of it, once Telegram took this. Rejects with what it answered to the plainest form, or with its
 * trouble.
 */
async function bring(
  deps: BringingDeps,
  { chatId, messageId, topic }: Place,
  shown: Outgoing | Sending | NotYet,
  signal: AbortSignal,
): Promise<Rest | undefined> {
  if (!('html' in shown || 'send' in shown)) return shown.rest;
  if (!('send' in shown)) {
    const { rings, standing, rest } = shown;
    const isBuried = rings && messageId !== undefined && !deps.isNewest(chatId, messageId);
    const now = await say(
      deps.api,
      { chatId, messageId: isBuried ? undefined : messageId, topic },
      shown,
      signal,
    );
    const isKept = (await standing?.move(now)) ?? true;
    const before = [standing?.before, isBuried ? messageId : undefined, isKept ? undefined : now];
    for (const each of new Set(before))
      if (each !== undefined && (each !== now || !isKept))
        await takeAway(deps.api, { chatId, messageId: each }, signal, standing ? 'asItIs' : shown);
    return rest;
  }
  for (const send of [shown.send, shown.sendBare]) {
    if (!send) continue;
    try {
      await send(deps.api, chatId, signal);
      if (shown.isInstead && messageId !== undefined) await takeAway(deps.api, { chatId, messageId }, signal);
      return undefined;
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

async function renderView({ views, findLanguage }: BringingDeps, order: ViewOrder): Promise<ViewAnswer> {
  const { view, of, telegramId } = order;
  const show = views[view];
  // A later version may have dropped it, or an earlier one not have it yet.
  if (!show) return undefined;
  return show({ of, telegramId, language: order.language ?? findLanguage(telegramId) });
}

/**
 * Shows how something goes on where it is new, soon after the last of it and seldom later, and where the chat has room.
 * What does not get through is left out, and a restart forgets what was shown.
 */
function createProgressShown({ api, clock, rateLimit }: BringingDeps) {
  /** By task; `notBefore` in elapsed time. */
  const shown = new Map<number, { words: string; edits: number; notBefore: number }>();
  return {
    async show(
      { id, place }: { id: number; place: Place },
      { goesOn, ...content }: Progress,
      signal: AbortSignal,
    ): Promise<Next> {
      const { words: before, edits = 0, notBefore = 0 } = shown.get(id) ?? {};
      const words = JSON.stringify(content);
      if (words === before) return goesOn;
      const leftMs = notBefore - clock.elapsed();
      if (leftMs > 0) return { ...goesOn, lookMs: leftMs };
      const gapMs = progressGapMs(edits + 1);
      if (!rateLimit.takeProgress(place.chatId)) return { ...goesOn, lookMs: gapMs };
      const [form = {}] = formsOf(content);
      await within((by) => put(api, place, form, by), PROGRESS_WITHIN_MS, { signal, late: () => undefined });
      if (signal.aborted) throw new Error('The process stops.');
      shown.set(id, { words, edits: edits + 1, notBefore: clock.elapsed() + gapMs });
      return goesOn;
    },
    end: (id: number) => void shown.delete(id),
  };
}

/** The topic that it was to be said in is there no more: it is said without. */
const TOPIC_GONE = /message thread not found|TOPIC_(?:DELETED|CLOSED|ID_INVALID)/;

interface Place {
  chatId: number;
  messageId: number | undefined;
  topic?: number | undefined;
}

/** The message in which it stands. */
async function say(api: Api, place: Place, words: Outgoing, signal: AbortSignal): Promise<number> {
  const forms = formsOf(words);
  let { messageId, topic } = place;
  for (let form = 0; ;) {
    try {
      return await put(api, { ...place, messageId, topic }, forms[form] ?? {}, signal);
    } catch (error) {
      if (isUnchanged(error) && messageId !== undefined) return messageId;
      if (isGone(error)) throw error;
      const isLost = messageId !== undefined && isRefusal(error, MESSAGE_GONE);
      if (isLost && words.isThereAlone) return 0;
      if (isLost) messageId = undefined;
      else if (topic !== undefined && isRefusal(error, TOPIC_GONE)) topic = undefined;
      else if (isRefused(error) && form < forms.length - 1) form += 1;
      else throw error;
    }
  }
}

/**
 * A message that has its answer below it goes; where it is too old to be deleted it says the same, stays as it is, or has
 * no button any more. What is below stays whatever comes of it: never rejects.
 */
async function takeAway(
  api: Api,
  place: Place & { messageId: number },
  signal: AbortSignal,
  words?: Outgoing | 'asItIs',
): Promise<void> {
  const { chatId, messageId } = place;
  try {
    await api.deleteMessage(chatId, messageId, asApiSignal(signal));
  } catch (error) {
    const isGoneAlready = isRefusal(error, /message to delete not found/);
    if (!isRefused(error) || isGoneAlready || words === 'asItIs') return;
    const [form] = words ? formsOf(words) : [];
    const kept = form
      ? put(api, place, form, signal)
      : api.editMessageReplyMarkup(chatId, messageId, {}, asApiSignal(signal));
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
): Promise<number> {
  const placed = topic === undefined ? options : { ...options, message_thread_id: topic };
  if (messageId === undefined)
    return (await api.sendMessage(chatId, text, placed, asApiSignal(signal))).message_id;
  await api.editMessageText(chatId, messageId, text, options, asApiSignal(signal));
  return messageId;
}
