// Around every request: its id, the headers every answer carries, one line of the access log, one observation.
import type { MiddlewareHandler } from 'hono';
import { requestId } from 'hono/request-id';

import type { HttpDeps, HttpEnv } from './context.ts';

/** The middlewares in the order they are used. */
export function createObservers({
  core,
  clock,
  ids,
  log,
  metrics,
}: Pick<HttpDeps, 'core' | 'clock' | 'ids' | 'log' | 'metrics'>): MiddlewareHandler<HttpEnv>[] {
  return [
    // A client's own id is taken if it is short and plain; anything else is replaced.
    requestId({ limitLength: 64, generator: () => ids.uuid() }),
    async (c, next) => {
      const startedAt = clock.now();
      // Receipts hold credentials: no cache may keep an answer.
      c.header('cache-control', 'no-store');
      c.header('x-content-type-options', 'nosniff');
      // A receipt of the sandbox is fiction, and its fields are those of any receipt: the mark stands beside them.
      if (core.health.isSandbox) c.header('x-platform', 'sandbox');
      await next();
      try {
        const request = {
          method: METHODS.has(c.req.method) ? c.req.method : 'OTHER',
          route: c.get('route') ?? 'unmatched',
          status: c.res.status,
          ms: Math.max(0, clock.now() - startedAt),
        };
        metrics.observeRequest(request);
        if (c.res.ok && PROBES.has(request.route)) return;
        const { actor, redemptionId, requestId: id } = c.var;
        log.info({ ...request, accountId: actor?.accountId, redemptionId, requestId: id }, 'request');
      } catch {
        // A full disk under the log must not turn a receipt into a 500.
      }
    },
  ];
}

/** Asked every few seconds: a line of the log is worth only what is not well. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

// Other methods would each make a series of their own.
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
