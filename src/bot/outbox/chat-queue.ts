// Chat queues: what waits to be said in a chat leaves in order, one after another, until Telegram takes it; no chat
// holds up another. Tasks first, so that a restart loses nothing; what Telegram took is noted after it, so that
// everything is said at least once.
import type { Clock } from '../../clock.ts';
import type { Core, TaskEnd, TaskHandler, TaskTools } from '../../core/index.ts';
import type { BotStore, OutgoingRow, Task } from '../../store/bot-store.ts';
import type { BotLog } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import { chatOfTask, nameChatQueue, type Outgoing, toOutgoingRow } from '../outgoing.ts';
import { LONGEST_MESSAGE } from '../replies.ts';
import { type ChatRateLimit, runAsked, runUnasked } from '../telegram/rate-limits.ts';
import type { Texts } from '../texts.ts';
import { createMessageSender, type MessageSenderDeps, pauseAfter, type SendWaiting } from './send-message.ts';

export interface ChatQueues extends BotBackground {
  /** This chat has proved to be open: what waits for it is said, before whatever comes, and tried again at once. */
  open(chatId: number): Promise<void>;
}

interface ChatQueuesDeps extends MessageSenderDeps {
  core: Pick<Core, 'workOn'>;
  store: Pick<BotStore, 'outbox' | 'inTransaction'>;
  clock: Clock;
  log: BotLog;
  texts: Texts;
  rateLimit: ChatRateLimit;
  /** Of other tasks of the bot. */
  handlers: Readonly<Record<string, TaskHandler>>;
}

const ANSWERS_AT_ONCE = 64;
const AT_ONCE = 8;
/** For so long a chat shows that the bot types. */
const TYPING_MS = 5_000;

export function createChatQueues(deps: ChatQueuesDeps): ChatQueues {
  const { core, store, rateLimit, log } = deps;
  const typing = createTyping(deps);
  const send = createMessageSender(deps);
  const handler: TaskHandler = {
    atOnce: AT_ONCE,
    async run(task, tools) {
      const isJustAsked = task.task === 'answer' && task.attempts === 0;
      const end = await (isJustAsked ? runAsked : runUnasked)(() => sendTask(send, task, tools));
      typing.end(chatOfTask(task));
      return end;
    },
    retryMs: (failures, error) => pauseAfter(error, failures),
    // Room is left for whoever asks meanwhile.
    heldMs: (task) => rateLimit.waitMs(chatOfTask(task), task.priority === 0 ? 'answer' : 'notice'),
    onHeld: (task) => void (task.priority === 0 && typing.show(chatOfTask(task))),
    bury(task) {
      const messages = formatLost(deps, task);
      return store.inTransaction(() => ({ messages }));
    },
  };
  const messages = { answer: { ...handler, atOnce: ANSWERS_AT_ONCE }, result: handler, notice: handler };
  const worker = core.workOn({ ...deps.handlers, ...messages }, { log, describe: describeError });

  return {
    start: worker.start,
    stop: worker.stop,
    async open(chatId) {
      await store.outbox.open(chatId);
      if (rateLimit.allows(chatId, 'answer')) worker.hurry(nameChatQueue(chatId));
    },
  };
}

/** Of notices all that are one message with it. */
async function sendTask(send: SendWaiting, task: Task, tools: TaskTools): Promise<TaskEnd> {
  if (task.task !== 'notice') return send(chatOfTask(task), task, tools);
  const { task: gathered, also } = gather(task, tools.listLike(MOST_GATHERED));
  const end = await send(chatOfTask(task), gathered, tools);
  return end.state === 'done' || end.state === 'dead' ? { ...end, also } : end;
}

/**
 * What was ordered, and cannot be shown. That words or notices are lost is not told: they would be told of in words.
 */
function formatLost({ texts, findLanguage }: ChatQueuesDeps, task: Task): OutgoingRow[] {
  if (task.task !== 'result') return [];
  const html = texts.say(findLanguage(chatOfTask(task)), 'result-lost');
  return [{ ...toOutgoingRow(`lost:${task.id}`, chatOfTask(task), { html }), kind: 'answer' }];
}

/**
 * Where an answer is held by Telegram's limits the bot is seen typing. What they do not know of, an outage, is shown to
 * nobody.
 */
function createTyping({ api, clock }: Pick<ChatQueuesDeps, 'api' | 'clock'>) {
  const typedAt = new Map<number, number>();
  return {
    end: (chatId: number) => void typedAt.delete(chatId),
    show(chatId: number): void {
      if (clock.elapsed() - (typedAt.get(chatId) ?? -Infinity) < TYPING_MS) return;
      typedAt.set(chatId, clock.elapsed());
      void runUnasked(() => api.sendChatAction(chatId, 'typing')).catch(() => undefined);
    },
  };
}

// Notices of one kind that wait for the same person, as one message: however many there are, an answer is not far
// behind them.

/** How many are looked at for one message. */
const MOST_GATHERED = 100;

const BETWEEN = '\n\n';

/** What their keys begin with; their kind is in it. */
export const noticeKey = (kind: string, noticeId: number, telegramId: number) =>
  `notice:${kind}:${noticeId}:${telegramId}`;

const kindOf = ({ key }: Task) => key?.split(':')[1];

/**
 * The first with those of its kind that fit; `also`: the others that the message says. Other kinds are left where they
 * are.
 */
function gather(first: Task, waiting: readonly Task[]): { task: Task; also: number[] } {
  const also: number[] = [];
  const words = wordsOf(first);
  if (words === undefined) return { task: first, also };
  let html = words;
  for (const each of waiting) {
    const more = wordsOf(each);
    if (each.id === first.id || kindOf(each) !== kindOf(first) || more === undefined) continue;
    // What follows in the same order: one that does not fit ends it.
    if (html.length + BETWEEN.length + more.length > LONGEST_MESSAGE) break;
    if (!html.split(BETWEEN).includes(more)) html += BETWEEN + more;
    also.push(each.id);
  }
  return { task: { ...first, payload: JSON.stringify({ html } satisfies Outgoing) }, also };
}

/** undefined: it is said alone, since it has buttons, or cannot be read any more. */
function wordsOf({ payload }: Task): string | undefined {
  if (payload === undefined) return undefined;
  const { html, keyboard } = JSON.parse(payload) as Partial<Outgoing>;
  return keyboard ? undefined : html;
}
