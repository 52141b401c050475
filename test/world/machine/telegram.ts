// Telegram as the world has it: the strict stand-in, reached by a `fetch` in this process, each call after the time
// that a network takes; and what of it was heard by the service.
import { createBotApi, type BotApi, type BotApiOptions } from '../../telegram/telegram.ts';
import type { WorldEvent } from '../../telegram/types.ts';
import type { Seeded } from '../../harness/seeded.ts';
import { createClosedChats, type ClosedChats } from './closed-chats.ts';
import type { Life, Time } from './time.ts';

export const TOKEN = '123456:token-of-the-simulated-world';
export const API_ROOT = 'https://telegram.invalid';

export interface Telegram {
  api: BotApi;
  /** What a process of the service reaches it by. */
  fetchOf(life: Life): typeof fetch;
  /** Whether the service has taken this update: it asked for what comes after it. */
  isHeard(updateId: number): boolean;
  /** Whether the service waits for updates: after an outage it pauses before it asks again. */
  isPolled(): boolean;
  /** Calls that are not answered yet, but for the poll. */
  underWay(): number;
  /** Asked before each call but polls, and once it is carried out: where a kill may strike. */
  onCall: (moment: 'before' | 'after', method: string) => void;
  /** Whether the bot tried to answer this tap. */
  isTapAnswered(queryId: string): boolean;
  /** What was to be read as the answer to a tap, by its query, and whether Telegram took it. */
  alerts: Map<string, { text: string; isTaken: boolean; at: number }>;
  /** Told of whatever changes in a chat. */
  watchChat(chatId: number, look: (event: WorldEvent) => void): () => void;
  /** Longer than the network takes, for a while. */
  slownessMs: number;
  closedChats: ClosedChats;
}

/** After which somebody who waits looks again. */
const CHANGES = new Set(['message', 'edited']);
const NETWORK_MS = [15, 90] as const;

export interface TelegramOptions extends Partial<BotApiOptions> {
  /** How long a call takes, at least and at most. */
  networkMs?: readonly [least: number, most: number];
}

export function createTelegram(
  time: Time,
  random: Seeded,
  { networkMs: [least, most] = NETWORK_MS, ...options }: TelegramOptions = {},
): Telegram {
  const { clock } = time;
  const flood = random.pick(['strict', 'faq'] as const);
  const api = createBotApi({
    token: TOKEN,
    clock,
    floodClock: clock,
    flood,
    queryLifetimeMs: 15_000,
    ...options,
  });
  const heard = createHearing();
  const watchers = new Map<number, Set<(event: WorldEvent) => void>>();
  api.watch((event) => {
    if (event.chatId !== undefined && CHANGES.has(event.kind))
      for (const look of [...(watchers.get(event.chatId) ?? [])]) look(event);
  });
  let underWay = 0;
  let polls = 0;

  async function carry(url: URL, init: RequestInit, life: Life, hungUp: AbortSignal) {
    const method = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
    const isPoll = method === 'getUpdates';
    await time.sleep(least + random.below(most - least) + telegram.slownessMs);
    if (life.isOver() || hungUp.aborted) return undefined;
    if (!isPoll) telegram.onCall('before', method);
    if (life.isOver()) return undefined;
    const { body } = init;
    const bytes = Buffer.from(typeof body === 'string' ? body : ((body as Uint8Array | undefined) ?? ''));
    if (isPoll) heard.poll(bytes);
    if (isPoll) polls += 1;
    if (method === 'answerCallbackQuery') heard.answer(bytes);
    const onClosed = telegram.closedChats.ask(life, method, bytes);
    const answered = await api.answer({
      url,
      contentType: new Headers(init.headers).get('content-type') ?? '',
      readBody: () => Promise.resolve(bytes),
      signal: hungUp,
    });
    if (isPoll) polls -= 1;
    if (!isPoll) telegram.onCall('after', method);
    if (method === 'answerCallbackQuery')
      noteAlert(bytes, typeof answered === 'object' ? answered.status : 0);
    if (isPoll && typeof answered === 'object') heard.give(answered.body);
    if (typeof answered === 'object' && answered.status === 429) onClosed(answered.body.toString());
    return answered;
  }

  function noteAlert(body: Buffer, status: number): void {
    const {
      callback_query_id: id = '',
      text,
      show_alert,
    } = JSON.parse(body.toString()) as Record<string, string>;
    if (text === undefined || !show_alert) return;
    const isTaken = status === 200 || telegram.alerts.get(id)?.isTaken === true;
    telegram.alerts.set(id, { text, isTaken, at: clock.now() });
  }

  const telegram: Telegram = {
    api,
    fetchOf:
      (life) =>
      (input, init = {}) =>
        new Promise((resolve, reject) => {
          const url = new URL(input instanceof Request ? input.url : String(input));
          const counts = !url.pathname.endsWith('/getUpdates');
          const hungUp = AbortSignal.any([life.gone, ...(init.signal ? [init.signal] : [])]);
          const giveUp = () => {
            if (!life.isOver()) reject(init.signal?.reason as Error);
          };
          // As fetch: whoever hung up before is told at once, and nothing is sent.
          if (init.signal?.aborted) return giveUp();
          init.signal?.addEventListener('abort', giveUp, { once: true });
          if (counts) underWay += 1;
          time.outside(() => {
            carry(url, init, life, hungUp)
              .then((answered) => {
                if (life.isOver() || answered === 'silence' || answered === undefined) return;
                if (answered === 'cut') return reject(broken());
                const { status, type, body, headers } = answered;
                resolve(
                  new Response(new Uint8Array(body), {
                    status,
                    headers: { 'content-type': type, ...headers },
                  }),
                );
              }, reject)
              .finally(() => void (counts && (underWay -= 1)));
          });
        }),
    isHeard: heard.isHeard,
    isTapAnswered: heard.isTapAnswered,
    alerts: new Map(),
    isPolled: () => polls > 0,
    underWay: () => underWay,
    onCall: () => undefined,
    watchChat(chatId, look) {
      const looks = watchers.get(chatId) ?? new Set();
      watchers.set(chatId, looks.add(look));
      return () => void looks.delete(look);
    },
    slownessMs: 0,
    closedChats: createClosedChats(clock.elapsed),
  };
  return telegram;
}

/** A connection that broke after the call was sent: nobody knows what became of it. */
function broken(): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });
}

/** What the service has taken, and which taps it tried to answer. */
function createHearing() {
  const heard = new Set<number>();
  const answered = new Set<string>();
  let given: number[] = [];
  return {
    poll(body: Buffer): void {
      const { offset } = JSON.parse(body.toString() || '{}') as { offset?: number };
      if (offset !== undefined) for (const id of given) if (id < offset) heard.add(id);
      given = [];
    },
    give(body: Buffer): void {
      const { result } = JSON.parse(body.toString()) as { result?: { update_id: number }[] };
      if (Array.isArray(result)) given = result.map((update) => update.update_id);
    },
    /** An attempt to answer a tap, whatever becomes of it. */
    answer(body: Buffer): void {
      const { callback_query_id: id } = JSON.parse(body.toString()) as { callback_query_id?: string };
      if (id !== undefined) answered.add(id);
    },
    isHeard: (updateId: number) => heard.has(updateId),
    isTapAnswered: (queryId: string) => answered.has(queryId),
  };
}
