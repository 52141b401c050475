// The pushing half of the updates: posts each to the bot's address until it answers 200, one chat in order.
import type { Update } from './types.ts';

export interface WebhookTarget {
  url: string;
  secret: string | undefined;
  maxConnections: number;
}

export interface Webhook<Entry> {
  active(): boolean;
  start(target: WebhookTarget): void;
  stop(): void;
  post(entry: Entry): void;
  info(): Record<string, unknown>;
}

export interface WebhookOptions<Entry> {
  retryMs: number;
  onReply: (method: string, payload: Record<string, unknown>) => void;
  onTaken: (entry: Entry) => void;
}

/** Pushes updates, chats side by side. Stopping forgets what was not taken; the queue still has it. */
export function createWebhook<Entry extends { update: Update }>(
  options: WebhookOptions<Entry>,
): Webhook<Entry> {
  let target: WebhookTarget | undefined;
  let ended = new AbortController();
  let lastError: string | undefined;
  let lanes = new Map<string, Promise<void>>();

  async function push(entry: Entry, to: WebhookTarget, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      lastError = await postOnce(entry.update, to, signal, options.onReply);
      if (lastError === undefined) return options.onTaken(entry);
      await pause(options.retryMs, signal);
    }
  }

  return {
    active: () => target !== undefined,
    start(next) {
      ended.abort();
      ended = new AbortController();
      lanes = new Map();
      target = next;
    },
    stop() {
      ended.abort();
      target = undefined;
    },
    post(entry) {
      if (!target) return;
      const [to, signal, chat] = [target, ended.signal, laneOf(entry.update)];
      const before = lanes.get(chat) ?? Promise.resolve();
      lanes.set(
        chat,
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

/** Undefined when the bot took it, else what went wrong. */
async function postOnce(
  update: Update,
  to: WebhookTarget,
  signal: AbortSignal,
  onReply: WebhookOptions<never>['onReply'],
): Promise<string | undefined> {
  const secret = to.secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': to.secret };
  try {
    const answer = await fetch(to.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...secret },
      body: JSON.stringify(update),
      signal: AbortSignal.any([signal, AbortSignal.timeout(60_000)]),
    });
    const body = await answer.text();
    if (!answer.ok) return `Wrong response from the webhook: ${answer.status} ${answer.statusText}`;
    const reply = readReply(body);
    if (typeof reply['method'] === 'string') onReply(reply['method'], reply);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'Connection failed';
  }
}

/** Updates of one chat wait for each other, as with Telegram; the rest go side by side. */
function laneOf(update: Update): string {
  const content = Object.values(update).find((one) => typeof one === 'object' && one !== null) as
    { chat?: { id?: number }; message?: { chat?: { id?: number } }; from?: { id?: number } } | undefined;
  return String(content?.chat?.id ?? content?.message?.chat?.id ?? content?.from?.id ?? 0);
}

function readReply(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
