// Updates on their way to the bot: kept until they are confirmed, handed out by long polling or pushed to a webhook.
import { ApiRefusal, badRequest, type Update } from './types.ts';
import type { Params } from './params.ts';
import { createWebhook, type Webhook } from './webhook.ts';

/** An update that is not confirmed yet. `again`: repeated on purpose, so handed out once whatever was confirmed. */
export interface Waiting {
  update: Update;
  again: boolean;
}

export interface UpdateQueue {
  /** Queues an update of this kind and tells its id; undefined where the bot did not ask for the kind. */
  push(kind: string, content: unknown): number | undefined;
  /** Queues an update as it is. */
  deliver(update: Update): void;
  redeliver(updateId: number): void;
  /** What is not confirmed yet. */
  waiting(): Update[];
  all(): readonly Update[];
  getUpdates(params: Params, signal: AbortSignal): Promise<Update[]>;
  setWebhook(params: Params): true;
  deleteWebhook(params: Params): true;
  getWebhookInfo(): Record<string, unknown>;
  /** Ends a poll that waits, as for a token that was revoked. */
  interrupt(): void;
  close(): void;
}

export interface UpdateQueueOptions {
  firstNumber: number;
  webhookRetryMs: number;
  /** A webhook may answer with a call of a method; here it goes. */
  onWebhookReply: (method: string, payload: Record<string, unknown>) => void;
  onUpdate: (update: Update) => void;
}

/** A queue that forgets nothing until the bot confirmed it. */
export function createUpdateQueue(options: UpdateQueueOptions): UpdateQueue {
  const history: Update[] = [];
  const backlog: Backlog = { entries: [], allowed: [], poll: createPoll() };
  let nextId = 1000 + options.firstNumber;
  const webhook = createWebhook<Waiting>({
    retryMs: options.webhookRetryMs,
    onReply: options.onWebhookReply,
    onTaken: (entry) => void (backlog.entries = backlog.entries.filter((one) => one !== entry)),
  });

  function enqueue(update: Update, again: boolean): void {
    const entry = { update, again };
    backlog.entries.push(entry);
    options.onUpdate(update);
    if (webhook.active()) webhook.post(entry);
    else backlog.poll.wake();
  }

  function deliver(update: Update): void {
    nextId = Math.max(nextId, update.update_id + 1);
    history.push(update);
    enqueue(update, false);
  }

  return {
    push(kind, content) {
      if (!isWanted(backlog, kind)) return undefined;
      const update = { update_id: nextId, [kind]: content };
      deliver(update);
      return update.update_id;
    },
    deliver,
    redeliver(updateId) {
      const update = history.find((one) => one.update_id === updateId);
      if (!update) throw new Error(`there was no update ${updateId}`);
      enqueue(update, true);
    },
    waiting: () => backlog.entries.map((entry) => entry.update),
    all: () => history,
    async getUpdates(params, signal) {
      if (webhook.active()) throw conflict(whileWebhook);
      return takeUpdates(backlog, params, signal);
    },
    setWebhook: (params) => setWebhook(backlog, webhook, params),
    deleteWebhook(params) {
      if (params.flag('drop_pending_updates')) backlog.entries = [];
      webhook.stop();
      return true;
    },
    getWebhookInfo: () => ({
      ...webhook.info(),
      pending_update_count: backlog.entries.length,
      ...(backlog.allowed.length > 0 ? { allowed_updates: backlog.allowed } : {}),
    }),
    interrupt: () => backlog.poll.end(new ApiRefusal(401, 'Unauthorized')),
    close() {
      backlog.poll.end(undefined);
      webhook.stop();
    },
  };
}

interface Backlog {
  entries: Waiting[];
  /** The kinds asked for; empty: all but those on demand. */
  allowed: string[];
  poll: Poll;
}

async function takeUpdates(backlog: Backlog, params: Params, signal: AbortSignal): Promise<Update[]> {
  backlog.poll.end(conflict(otherPoll));
  backlog.allowed = allowedOf(params) ?? backlog.allowed;
  const offset = params.integer('offset') ?? 0;
  backlog.entries =
    offset < 0
      ? backlog.entries.slice(offset)
      : backlog.entries.filter((entry) => entry.again || entry.update.update_id >= offset);
  const limit = Math.min(Math.max(params.integer('limit') ?? 100, 1), 100);
  const timeoutMs = Math.min(Math.max(params.integer('timeout') ?? 0, 0), 50) * 1000;
  if (backlog.entries.length === 0 && timeoutMs > 0) await backlog.poll.wait(timeoutMs, signal);
  // A client that hung up has got nothing: what it would have been given stays as it was.
  if (signal.aborted) return [];
  const given = backlog.entries.slice(0, limit);
  for (const entry of given) entry.again = false;
  return given.map((entry) => entry.update);
}

function setWebhook(backlog: Backlog, webhook: Webhook<Waiting>, params: Params): true {
  const url = params.text('url') ?? '';
  const secret = params.text('secret_token');
  if (secret !== undefined && !/^[A-Za-z0-9_-]{1,256}$/.test(secret)) {
    throw badRequest('secret token contains unallowed characters');
  }
  if (url !== '' && !(/^https?:\/\//.test(url) && URL.canParse(url))) {
    throw badRequest('bad webhook: invalid webhook URL specified');
  }
  backlog.allowed = allowedOf(params) ?? backlog.allowed;
  if (params.flag('drop_pending_updates')) backlog.entries = [];
  webhook.stop();
  if (url === '') return true;
  backlog.poll.end(conflict(whileWebhook));
  webhook.start({ url, secret, maxConnections: params.integer('max_connections') ?? 40 });
  for (const entry of backlog.entries) webhook.post(entry);
  return true;
}

interface Poll {
  /** Resolves when something came, the time is over or the client hung up. Rejects when it is ended with an error. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  wake(): void;
  end(error: Error | undefined): void;
}

/** The one long poll that may wait. */
function createPoll(): Poll {
  let settle: ((error?: Error) => void) | undefined;
  return {
    wait: (timeoutMs, signal) =>
      new Promise((resolve, reject) => {
        const done = (error?: Error) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          settle = undefined;
          if (error) reject(error);
          else resolve();
        };
        const onAbort = () => done();
        const timer = setTimeout(done, timeoutMs);
        timer.unref();
        signal.addEventListener('abort', onAbort);
        settle = done;
      }),
    wake: () => settle?.(),
    end: (error) => settle?.(error),
  };
}

const otherPoll = 'terminated by other getUpdates request; make sure that only one bot instance is running';
const whileWebhook =
  "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";

/** Kinds that a bot gets only when it asks for them by name. */
const onDemand = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);

function isWanted({ allowed }: Backlog, kind: string): boolean {
  return allowed.length > 0 ? allowed.includes(kind) : !onDemand.has(kind);
}

function conflict(what: string): ApiRefusal {
  return new ApiRefusal(409, `Conflict: ${what}`);
}

function allowedOf(params: Params): string[] | undefined {
  const value = params.json('allowed_updates');
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) {
    throw badRequest('expected an Array of String as allowed updates');
  }
  return value as string[];
}
