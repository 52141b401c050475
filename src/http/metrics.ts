// What Prometheus reads, in a registry of its own: two services in one process do not share a counter. Requests and
// commits are observed here as they happen; what is asked when somebody reads is in gauges.ts.
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

import type { Clock } from '../clock.ts';
import type { Core } from '../core/index.ts';
import { registerGauges, type Measured } from './gauges.ts';

export interface Metrics {
  contentType: string;
  /** The text of `/metrics`. */
  render(): Promise<string>;
  observeRequest(request: { method: string; route: string; status: number; ms: number }): void;
  countQuotaRefusal(route: string): void;
  /** How many writes a commit held, and how long the event loop was held for it. */
  observeCommit(writes: number, ms: number): void;
}

/** Labels are route patterns, never paths: a path can hold a receipt id, a query a code. */
export function createMetrics(
  core: Pick<Core, 'health' | 'hostAlerts'>,
  clock: Clock,
  measured: Measured = {},
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  registerGauges({ registry, core, clock, measured });

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to its answer, in seconds',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const refusals = new Counter({
    name: 'quota_refusals_total',
    help: 'Requests refused because the quota was used up',
    labelNames: ['route'] as const,
    registers,
  });
  const commitTimes = new Histogram({
    name: 'store_commit_duration_seconds',
    help: 'How long the event loop was held for a commit: its writes and the sync of the disk',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers,
  });
  const commitSizes = new Histogram({
    name: 'store_commit_writes',
    help: 'How many writes shared a commit',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers,
  });

  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    observeRequest: ({ method, route, status, ms }) => requests.observe({ method, route, status }, ms / 1000),
    countQuotaRefusal: (route) => refusals.inc({ route }),
    observeCommit(writes, ms) {
      commitTimes.observe(ms / 1000);
      commitSizes.observe(writes);
    },
  };
}
