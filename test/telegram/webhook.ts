// The pushing half of the updates: posts each to the bot's address until it is taken. Messages of one chat wait for
// each other; taps, checkouts and the bot's comings and goings wait for their like of the same person, so a tap may
// overtake a message.
import type { Clock } from '../../src/clock.ts';
import type { Pause } from './pause.ts';
import type { Update } from './types.ts';

interface WebhookTarget {
  url: string;
  secret: string | undefined;
  maxConnections: number;
}

export interface UpdatePusher<Entry> {
  active(): boolean;
  start(target: WebhookTarget): void;
  stop(): void;
  post(entry: Entry): void;
  info(): Record<string, unknown>;
}

export interface UpdatePusherOptions<Entry> {
  clock: Clock;
  pause: Pause;
  onReply: (method: string, payload: Record<string, unknown>) => void;
  onTaken: (entry: Entry) => void;
  isExpired: (entry: Entry) => boolean;
}

/** How a delivery went: taken, or what went wrong and how long the bot asks to be left alone. */
type Delivered =
  { ok: true } | { ok: false; error: string; status: number; retryAfterMs: number | undefined };

const RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** A bot that has said for as long that it is gone is believed. */
const GONE_MS = 23 * 3_600_000;

/** Pushes updates, queues side by side. Stopping forgets what was not taken; the backlog still has it. */
export function createUpdatePusher<Entry extends { update: Update }>(
  options: UpdatePusherOptions<Entry>,
): UpdatePusher<Entry> {
  let target: WebhookTarget | undefined;
  let ended = new AbortController();
  let lastError: string | undefined;
  let lanes = new Map<string, Promise<void>>();
  let places = createPlaces(1);
  let takenAt = 0;

  function stop(): void {
    ended.abort();
    target = undefined;
  }

  async function push(entry: Entry, to: WebhookTarget, signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted && !options.isExpired(entry); failures += 1) {
      const delivered = await places(() => postOnce(entry.update, to, signal, options.onReply));
      if (signal.aborted && !delivered.ok) return;
      if (delivered.ok) {
        lastError = undefined;
        takenAt = options.clock.now();
        return options.onTaken(entry);
      }
      lastError = delivered.error;
      if (delivered.status === 410 && options.clock.now() - takenAt > GONE_MS) return stop();
      await options.pause(delivered.retryAfterMs ?? findPause(failures), signal);
    }
  }

  return {
    active: () => target !== undefined,
    start(next) {
      ended.abort();
      ended = new AbortController();
      lanes = new Map();
      places = createPlaces(next.maxConnections);
      takenAt = options.clock.now();
      target = next;
    },
    stop,
    post(entry) {
      if (!target) return;
      const [to, signal, lane] = [target, ended.signal, laneOf(entry.update)];
      const before = lanes.get(lane) ?? Promise.resolve();
      lanes.set(
        lane,
        before.then(() => push(entry, to, signal)),
      );
    },
    info: () => ({
      url: target?.url ?? '',
      has_custom_certificate: false,
      ...(target ? { max_connections: target.maxConnections } : {}),
      ...(target && lastError !== undefined ? { last_error_message: lastError } : {}),
    }),
  };
}

/**
 * The first repeat follows at once, the next after 2 s, later ones after twice as long each, up to one or two minutes.
 */
function findPause(failures: number): number {
  if (failures === 1) return 0;
  const ms = RETRY_MS * 2 ** (failures - 2);
  return ms < LONGEST_RETRY_MS ? ms : LONGEST_RETRY_MS * (1 + Math.random());
}

async function postOnce(
  update: Update,
  to: WebhookTarget,
  signal: AbortSignal,
  onReply: UpdatePusherOptions<never>['onReply'],
): Promise<Delivered> {
  const secret = to.secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': to.secret };
  try {
    const answer = await fetch(to.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...secret },
      body: JSON.stringify(update),
      signal: AbortSignal.any([signal, AbortSignal.timeout(60_000)]),
    });
    const body = await answer.text();
    const { status, statusText } = answer;
    if (!answer.ok) {
      const seconds = Number(answer.headers.get('retry-after') ?? NaN);
      const retryAfterMs = seconds > 0 ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS) : undefined;
      return {
        ok: false,
        error: `Wrong response from the webhook: ${status} ${statusText}`,
        status,
        retryAfterMs,
      };
    }
    const reply = readReply(body);
    if (typeof reply['method'] === 'string') onReply(reply['method'], reply);
    return { ok: true };
  } catch (error) {
    const words = error instanceof Error ? error.message : 'Connection failed';
    return { ok: false, error: words, status: 0, retryAfterMs: undefined };
  }
}

/** Kinds that are queued by whom they come from; everything else by its chat. */
const BY_PERSON = [
  'callback_query',
  'pre_checkout_query',
  'shipping_query',
  'inline_query',
  'my_chat_member',
];

function laneOf(update: Update): string {
  const [kind = '', content] = Object.entries(update).find(([key]) => key !== 'update_id') ?? [];
  const { chat, from } = (content ?? {}) as { chat?: { id?: number }; from?: { id?: number } };
  return BY_PERSON.includes(kind) ? `${kind} ${from?.id}` : String(chat?.id);
}

/** Runs as many at once as there are places; the others wait in order. */
function createPlaces(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

function readReply(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
