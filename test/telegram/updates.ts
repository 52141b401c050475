// Updates on their way to the bot: kept until they are confirmed, handed out by long polling or pushed to a webhook.
import type { Clock } from '../../src/clock.ts';
import { createBacklog, type Backlog, type Waiting } from './backlog.ts';
import type { Params } from './params.ts';
import type { Pause } from './pause.ts';
import { createPolls } from './polls.ts';
import { ApiRefusal, badRequest, type Update } from './types.ts';
import { createUpdatePusher, type UpdatePusher } from './webhook.ts';

export interface UpdateQueue {
  /** Queues an update of this kind and tells its id; undefined where the bot did not ask for the kind. */
  push(kind: string, content: unknown): number | undefined;
  /** Queues an update as it is. */
  deliver(update: Update): void;
  redeliver(updateId: number): void;
  /** As if a week had passed without updates: the next one has this number, by chance where none is given. */
  countFrom(next?: number): void;
  /** What is not confirmed yet and has not expired. */
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
  clock: Clock;
  firstNumber: number;
  pause: Pause;
  /**
   * Whether this plays api.telegram.org, which delivers to https on a few ports alone; a server of one's own to any
   * address.
   */
  official: boolean;
  /** A webhook may answer with a call of a method; here it goes. */
  onWebhookReply: (method: string, payload: Record<string, unknown>) => void;
  onUpdate: (update: Update) => void;
}

const WHILE_WEBHOOK =
  "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
const BY_WEBHOOK = 'terminated by setWebhook request';

/** A queue that forgets nothing before its time until the bot confirmed it. */
export function createUpdateQueue(options: UpdateQueueOptions): UpdateQueue {
  const { clock } = options;
  const history: Update[] = [];
  const backlog = createBacklog(clock, 1000 + options.firstNumber);
  const polls = createPolls(backlog, clock, options.pause);
  const webhook = createUpdatePusher<Waiting>({
    clock,
    pause: options.pause,
    onReply: options.onWebhookReply,
    onTaken: backlog.remove,
    isExpired: backlog.isExpired,
  });

  function enqueue(update: Update, again: boolean): void {
    const entry = backlog.add(update, again);
    options.onUpdate(update);
    if (webhook.active()) webhook.post(entry);
    else polls.wake();
  }

  function deliver(update: Update): void {
    history.push(update);
    enqueue(update, false);
  }

  return {
    push(kind, content) {
      if (!backlog.isWanted(kind)) return undefined;
      const update = { update_id: backlog.takeId(), [kind]: content };
      deliver(update);
      return update.update_id;
    },
    deliver,
    redeliver(updateId) {
      const update = history.findLast((one) => one.update_id === updateId);
      if (!update) throw new Error(`there was no update ${updateId}`);
      enqueue(update, true);
    },
    countFrom: backlog.countFrom,
    waiting: () => backlog.entries().map((entry) => entry.update),
    all: () => history,
    async getUpdates(params, signal) {
      return webhook.active() ? polls.refuse(WHILE_WEBHOOK) : polls.getUpdates(params, signal);
    },
    setWebhook(params) {
      setWebhook(backlog, webhook, params, options.official);
      if (webhook.active()) polls.end(new ApiRefusal(409, `Conflict: ${BY_WEBHOOK}`));
      return true;
    },
    deleteWebhook(params) {
      if (params.flag('drop_pending_updates')) backlog.clear();
      webhook.stop();
      return true;
    },
    getWebhookInfo: () => ({ ...webhook.info(), ...infoOf(backlog) }),
    interrupt: () => polls.end(new ApiRefusal(401, 'Unauthorized')),
    close() {
      polls.end(undefined);
      webhook.stop();
    },
  };
}

function infoOf(backlog: Backlog): Record<string, unknown> {
  const allowed = backlog.allowed();
  return {
    pending_update_count: backlog.entries().length,
    ...(allowed.length > 0 ? { allowed_updates: allowed } : {}),
  };
}

function setWebhook(
  backlog: Backlog,
  webhook: UpdatePusher<Waiting>,
  params: Params,
  official: boolean,
): void {
  const url = params.text('url') ?? '';
  const secret = params.text('secret_token');
  if (secret !== undefined && !/^[A-Za-z0-9_-]{1,256}$/.test(secret)) {
    throw badRequest('secret token contains unallowed characters');
  }
  if (url !== '') checkAddress(url, official);
  backlog.allow(params);
  if (params.flag('drop_pending_updates')) backlog.clear();
  webhook.stop();
  if (url === '') return;
  const most = official ? 100 : 100_000;
  const maxConnections = Math.min(Math.max(params.integer('max_connections') ?? 40, 1), most);
  webhook.start({ url, secret, maxConnections });
  for (const entry of backlog.entries()) webhook.post(entry);
}

const PORTS = ['443', '80', '88', '8443'];

function checkAddress(text: string, official: boolean): void {
  const bad = (what: string) => badRequest(`bad webhook: ${what}`);
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw bad('invalid webhook URL specified');
  if (!official) return;
  const { protocol, port, hostname } = new URL(text);
  if (protocol !== 'https:') throw bad('An HTTPS URL must be provided for webhook');
  if (!PORTS.includes(port || '443')) throw bad('Webhook can be set up only on ports 80, 88, 443 or 8443');
  if (/^(127\.|10\.|192\.168\.|localhost$)/.test(hostname)) throw bad(`IP address ${hostname} is reserved`);
}
