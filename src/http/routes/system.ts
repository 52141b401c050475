// For those who run the service: alive, ready, measured. Outside authentication by API key.
import { createRoute, z } from '@hono/zod-openapi';

import type { Clock } from '../../clock.ts';
import type { Authentication } from '../auth.ts';
import type { HttpCore, HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { WireHealth, Readiness } from '../../wire/health.ts';
import type { Readiness as ReadinessBody } from '../../wire/health.ts';
import { answers, Problem, TooManyRequests } from '../../wire/problem.ts';

const healthz = createRoute({
  method: 'get',
  path: '/healthz',
  operationId: 'isAlive',
  tags: ['Service'],
  summary: 'Whether the process lives',
  responses: { 200: answers(WireHealth, 'Alive') },
});

const readyz = createRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'isReady',
  tags: ['Service'],
  summary: 'Whether requests can be served',
  responses: {
    200: answers(Readiness, 'Ready, also when the platform is out of reach'),
    503: answers(Readiness, 'Stopping, or the database does not answer or takes no write'),
  },
});

const metricsRoute = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  tags: ['Service'],
  summary: 'Metrics for Prometheus',
  description: 'With METRICS_TOKEN as bearer; without that setting from loopback only.',
  responses: {
    200: { description: 'Metrics', content: { 'text/plain': { schema: z.string() } } },
    401: answers(Problem, 'Not the metrics token'),
    403: answers(Problem, 'Not from this machine'),
    429: answers(TooManyRequests, 'Too many requests without the metrics token'),
  },
});

export function mountSystem(
  { core, clock, log, metrics, isStopping, telegram }: HttpDeps,
  endpoints: Endpoints,
  auth: Authentication,
): void {
  const isPlatformReachable = rememberShortly(clock, () => core.health.platformReachable());

  endpoints.open(healthz, (c) => c.json({ status: 'ok' }));

  endpoints.open(readyz, async (c) => {
    const database = describeDatabase(core);
    const platform = await isPlatformReachable().catch((error: unknown) => {
      log.warn({ err: error }, 'the platform could not be asked');
      return false;
    });
    const readiness: ReadinessBody = {
      status: isStopping() ? 'stopping' : database === 'open' ? 'ready' : 'unavailable',
      database,
      migrations: 'done',
      platform: platform ? 'reachable' : 'unreachable',
      platformKind: core.health.isSandbox ? 'sandbox' : 'real',
      ...countUpstreams(core),
      ...(core.health.isContested() && { contested: true as const }),
      ...(telegram && { telegram: telegram() }),
    };
    return c.json(readiness, readiness.status === 'ready' ? 200 : 503);
  });

  endpoints.open(metricsRoute, async (c) => {
    auth.requireMetricsReader(c);
    return c.body(await metrics.render(), 200, { 'content-type': metrics.contentType });
  });
}

function countUpstreams({ health }: HttpCore): Pick<ReadinessBody, 'upstreams' | 'usable'> {
  const states = health.upstreamStates().filter((state) => state !== 'notChosen');
  return { upstreams: states.length, usable: states.filter((state) => state === 'usable').length };
}

function describeDatabase(core: HttpCore): ReadinessBody['database'] {
  try {
    core.health.countOpen();
    if (!core.health.isInPlace()) return 'moved';
    return core.health.isWritable() ? 'open' : 'unwritable';
  } catch {
    return 'unavailable';
  }
}

const REMEMBERED_MS = 1000;

/** Anybody may ask `/readyz`; the platform hears of it once a second. */
function rememberShortly(clock: Clock, ask: () => Promise<boolean>): () => Promise<boolean> {
  let last: { at: number; answer: Promise<boolean> } | undefined;
  return () => {
    const now = clock.now();
    if (last === undefined || now >= last.at + REMEMBERED_MS || now < last.at)
      last = { at: now, answer: ask() };
    return last.answer;
  };
}
