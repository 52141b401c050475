// How often an address is tried: whoever tries one makes this service call it, so not more often than a person needs. In memory:
// a restart forgets a minute.
import type { Clock } from '../../clock.ts';

/** Trials of one address within a minute, whatever else it is told meanwhile. */
const AT_ONCE = 10;
const WITHIN_MS = 60_000;

export interface WebhookTrials {
  /** Counts one, unless it is one too many: then false. */
  count(webhookId: number): boolean;
}

export function createWebhookTrials({ clock }: { clock: Clock }): WebhookTrials {
  // When each address was tried within the last minute, in elapsed time; the one tried longest ago comes first.
  const tried = new Map<number, number[]>();

  function forgetOver(now: number): void {
    for (const [id, times] of tried) {
      if (now - (times.at(-1) ?? now) < WITHIN_MS) return;
      tried.delete(id);
    }
  }

  return {
    count(webhookId) {
      const now = clock.elapsed();
      forgetOver(now);
      const recent = (tried.get(webhookId) ?? []).filter((at) => now - at < WITHIN_MS);
      if (recent.length >= AT_ONCE) return false;
      tried.delete(webhookId);
      tried.set(webhookId, [...recent, now]);
      return true;
    },
  };
}
