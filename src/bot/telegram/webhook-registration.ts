// Webhook registration: telling Telegram where updates go. An outage is waited out; a webhook that Telegram refuses is
// said once, to the log and to the hosts, with what to do, and tried again at growing distances, since names and
// certificates come right without a restart.
import { createHash } from 'node:crypto';
import type { Api } from 'grammy';

import { backOff, pause, retry } from '../../waiting.ts';
import type { BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import { findRefusal } from './telegram-errors.ts';
import { renderFor } from '../actor.ts';
import { asApiSignal } from './api-signal.ts';

export interface UpdateWebhook {
  url: string;
  secret: string;
}

export interface WebhookRegistration {
  /**
   * Resolves when updates arrive, or when Telegram refused the webhook: then it goes on trying. Rejects as the call
   * does.
   */
  begin(webhook: UpdateWebhook | undefined): Promise<void>;
  stop(): Promise<void>;
}

export interface WebhookRegistrationDeps extends Pick<BotDeps, 'log' | 'store' | 'settings' | 'texts'> {
  api: Pick<Api, 'setWebhook' | 'deleteWebhook'>;
  allowed: readonly (
    'message' | 'edited_message' | 'callback_query' | 'pre_checkout_query' | 'my_chat_member'
  )[];
}

/** So many at once. Telegram's own default, said so that nothing of an earlier setting stays. */
const CONNECTIONS = 40;
const FIRST_PAUSE_MS = 30_000;
const growingPauseMs = backOff(2 * FIRST_PAUSE_MS, 30 * 60 * 1000);

export function createWebhookRegistration(deps: WebhookRegistrationDeps): WebhookRegistration {
  const { api, log, allowed } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let trying = Promise.resolve();

  async function set({ url, secret }: UpdateWebhook): Promise<void> {
    await api.setWebhook(
      url,
      { secret_token: secret, max_connections: CONNECTIONS, allowed_updates: [...allowed] },
      asApiSignal(stopping.signal),
    );
  }

  async function goOn(webhook: UpdateWebhook): Promise<void> {
    await pause(FIRST_PAUSE_MS, signal);
    if (signal.aborted) return;
    const onRetry = (error: unknown) => {
      if (findRefusal(error) === undefined)
        log.warn({ error: describeError(error) }, 'the webhook could not be set, it is tried again');
    };
    await retry(growingPauseMs, () => set(webhook), { signal, onRetry }).then(
      () => log.info({}, 'Telegram has taken the webhook: updates arrive'),
      // Only a stop ends it.
      () => undefined,
    );
  }

  return {
    async begin(webhook) {
      if (!webhook) return void (await api.deleteWebhook({}, asApiSignal(stopping.signal)));
      try {
        await set(webhook);
      } catch (error) {
        const refusal = findRefusal(error);
        if (refusal === undefined) throw error;
        await notifyRefused(deps, webhook, refusal);
        trying = goOn(webhook);
      }
    },
    async stop() {
      stopping.abort();
      await trying;
    },
  };
}

/** The hosts are told once of the same refusal of the same address, however often the service starts. */
async function notifyRefused(
  deps: WebhookRegistrationDeps,
  { url }: UpdateWebhook,
  reason: string,
): Promise<void> {
  const { log, store, settings, texts } = deps;
  const { host } = new URL(url);
  log.error(
    { host, reason },
    'Telegram refuses the webhook of WEBHOOK_URL, so that nobody is answered. Set it to an https address at port 443, 80, 88 or 8443 that Telegram can reach and whose certificate it trusts, or leave WEBHOOK_URL and WEBHOOK_SECRET out, and start again; meanwhile it is tried again at growing distances',
  );
  const digest = createHash('sha256').update(`${url} ${reason}`).digest('hex').slice(0, 16);
  const rows = settings.hostIds.map((id) =>
    renderFor(deps, `webhook-refused:${digest}:${id}`, id, (language) => ({
      html: texts.say(language, 'host-webhook-refused', { address: host, reason }),
    })),
  );
  await store.outbox.save(rows);
}
