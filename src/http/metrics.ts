// What Prometheus reads, in a registry of its own: two services in one process do not share a counter.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { Core } from '../core/index.ts';

export interface Metrics {
  contentType: string;
  /** The text of `/metrics`. */
  render(): Promise<string>;
  observeRequest(request: { method: string; route: string; status: number; ms: number }): void;
  /** `outcome` is `redeemed` or the errorCode; a replayed answer is not counted again. */
  countRedemption(outcome: string): void;
  countQuotaRefusal(route: string): void;
}

/** undefined: there is none yet. */
export type LastBackupAt = () => number | undefined;

/** Labels are route patterns, never paths: a path can hold a receipt id, a query a code. */
export function createMetrics(
  core: { health: Pick<Core['health'], 'countOpen'> },
  lastBackupAt?: LastBackupAt,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to its answer, in seconds',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const redemptions = new Counter({
    name: 'redemptions_total',
    help: 'Redemptions answered over HTTP, by outcome: redeemed, or the errorCode',
    labelNames: ['outcome'] as const,
    registers,
  });
  const refusals = new Counter({
    name: 'quota_refusals_total',
    help: 'Requests refused because the quota was used up',
    labelNames: ['route'] as const,
    registers,
  });
  new Gauge({
    name: 'redemptions_open',
    help: 'Redemptions that are under way (pending) or whose outcome is not known yet (in_doubt)',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { pending, inDoubt } = core.health.countOpen();
      this.set({ state: 'pending' }, pending);
      this.set({ state: 'in_doubt' }, inDoubt);
    },
  });

  if (lastBackupAt) {
    new Gauge({
      name: 'backup_last_timestamp_seconds',
      help: 'When the last backup by the service was made, in seconds since 1970; 0 where there is none yet',
      registers,
      collect() {
        this.set((lastBackupAt() ?? 0) / 1000);
      },
    });
  }

  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    observeRequest: ({ method, route, status, ms }) => requests.observe({ method, route, status }, ms / 1000),
    countRedemption: (outcome) => redemptions.inc({ outcome }),
    countQuotaRefusal: (route) => refusals.inc({ route }),
  };
}
