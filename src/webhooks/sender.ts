// The sender of webhooks: delivers what is pending. Addresses are served side by side: each has a few places of its
// own, those that fail share a part of all places, so that neither a slow one nor a crowd of dead ones holds up any
// other.
import type { Attempt, Core, DueDelivery, DueWebhook } from '../core/index.ts';
import { createTicking, type Ticking } from '../ticking.ts';
import { takeTurn } from '../turns.ts';
import { retry } from '../waiting.ts';
import type { AttemptDeps } from './attempt.ts';

export interface SenderDeps extends AttemptDeps {
  core: { webhookDeliveries: Core['webhookDeliveries'] };
  log: { error(fields: object, message: string): void };
  /** Between two looks at what is due; 500 ms without. */
  tickMs?: number;
}

const TICK_MS = 500;
const WRITTEN_AGAIN_MS = 1_000;
/** Addresses that wait for something, in one turn of the event loop. */
const LOOKED_AT_ONCE = 100;
type Page = ReturnType<Core['webhookDeliveries']['listDueWebhooks']>;
/** Deliveries under way at once. */
const PLACES = { each: 4, healthy: 192, failing: 64 };

/** Nothing is sent before `start`. `stop` gives up what is under way: it is delivered again after the next start. */
export function createWebhookSender(deps: SenderDeps): Ticking {
  const { core, log, tickMs = TICK_MS } = deps;
  const giveUp = new AbortController();
  const underWay = new Map<number, Set<number>>();
  const taken = { healthy: 0, failing: 0 };
  const running = new Set<Promise<void>>();
  /** The first that found no place: the next look begins with it. */
  let passedOver: number | undefined;

  function pump(webhook: DueWebhook): void {
    if (giveUp.signal.aborted) return;
    const kind = webhook.isFailing ? 'failing' : 'healthy';
    const own = underWay.get(webhook.id) ?? new Set();
    const free = Math.min(PLACES.each - own.size, PLACES[kind] - taken[kind]);
    if (free <= 0) {
      if (own.size === 0) passedOver ??= webhook.id;
      return;
    }
    for (const delivery of core.webhookDeliveries.listDue(webhook.id, free, own)) {
      underWay.set(webhook.id, own.add(delivery.id));
      taken[kind] += 1;
      const run = deliver(deps, webhook, delivery, giveUp.signal).then((isFailing) => {
        own.delete(delivery.id);
        if (own.size === 0) underWay.delete(webhook.id);
        taken[kind] -= 1;
        running.delete(run);
        // Whoever fails goes behind those who wait for a place, and what a fault of ours left as it was: the next tick
        // sees to it.
        if (isFailing === false) pumpGuarded({ ...webhook, isFailing });
      });
      running.add(run);
    }
  }

  function pumpGuarded(webhook: DueWebhook): void {
    try {
      pump(webhook);
    } catch (error) {
      log.error({ err: error, webhookId: webhook.id }, 'webhooks could not be read, it is tried again');
    }
  }

  const ticking = createTicking(
    tickMs,
    async (isStopping) => {
      const first = passedOver ?? 0;
      passedOver = undefined;
      const seen = { listDueWebhooks: core.webhookDeliveries.listDueWebhooks, isStopping, see: pumpGuarded };
      await goThrough(seen, first - 1, Infinity);
      await goThrough(seen, 0, first);
    },
    (error) => log.error({ err: error }, 'webhooks could not be read, it is tried again'),
  );

  return {
    start: () => ticking.start(),
    async stop() {
      giveUp.abort();
      await ticking.stop();
      await Promise.all(running);
    },
  };
}

interface Round {
  listDueWebhooks: Core['webhookDeliveries']['listDueWebhooks'];
  isStopping: () => boolean;
  see: (webhook: DueWebhook) => void;
}

/** All that something is due to, after one number and before another. */
async function goThrough(
  { listDueWebhooks, isStopping, see }: Round,
  from: number,
  until: number,
): Promise<void> {
  for (let after: number | undefined = from; after !== undefined && after < until && !isStopping();) {
    await takeTurn();
    const { due, next }: Page = listDueWebhooks(after, LOOKED_AT_ONCE);
    for (const webhook of due) if (webhook.id < until) see(webhook);
    after = next;
  }
}

/** Whether it failed; undefined where nothing is known of it. Never rejects. */
async function deliver(
  deps: SenderDeps,
  webhook: DueWebhook,
  delivery: DueDelivery,
  stopping: AbortSignal,
): Promise<boolean | undefined> {
  try {
    // Loaded with the first delivery: a service without webhooks does not pay for it at its start.
    const { attemptDelivery } = await import('./attempt.ts');
    const attempt = await attemptDelivery(deps, webhook, delivery, stopping);
    if (attempt) await writeDown(deps, delivery, attempt, stopping);
    return attempt && attempt.problem !== undefined;
  } catch (error) {
    deps.log.error({ err: error, webhookId: webhook.id }, 'a delivery failed by a fault of ours');
    return undefined;
  }
}

/** Until it is written: an address would be told the same again and again while a disk is full. */
async function writeDown(
  { core, log }: SenderDeps,
  delivery: DueDelivery,
  attempt: Attempt,
  stopping: AbortSignal,
): Promise<void> {
  const onRetry = (err: unknown, failures: number) => {
    const fields = { err, webhookId: delivery.webhookId };
    if (failures === 1) log.error(fields, 'how a delivery went could not be written down, it is tried again');
  };
  const report = () => core.webhookDeliveries.report(delivery, attempt);
  await retry(() => WRITTEN_AGAIN_MS, report, { signal: stopping, lastTry: true, onRetry }).catch(
    () => undefined,
  );
}
