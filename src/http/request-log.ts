// Around every request: its id, the headers every answer carries, one line of the access log, one observation.
import type { MiddlewareHandler } from 'hono';
import { requestId } from 'hono/request-id';

import type { Logger } from '../log.ts';
import type { HttpDeps, HttpEnv } from './context.ts';

const STRANGERS_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** For lines that anybody can cause: the first of a minute, then how many more there were. A flood fills no disk. */
export function createStrangersLog(log: Pick<Logger, 'info' | 'warn'>): Logger['info'] {
  let lines = 0;
  return (fields, message) => {
    if (lines === 0)
      setTimeout(() => {
        const requests = lines - STRANGERS_A_MINUTE;
        lines = 0;
        if (requests > 0)
          log.warn({ requests }, 'more requests without an account were not logged one by one');
      }, MINUTE_MS).unref();
    lines += 1;
    if (lines <= STRANGERS_A_MINUTE) log.info(fields, message);
  };
}

/** The middlewares in the order they are used. */
export function createObservers({
  core,
  clock,
  ids,
  log,
  logStranger,
  metrics,
}: Pick<HttpDeps, 'core' | 'clock' | 'ids' | 'log' | 'metrics'> & {
  logStranger: Logger['info'];
}): MiddlewareHandler<HttpEnv>[] {
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
        const say = actor || request.status >= 500 ? log.info.bind(log) : logStranger;
        say({ ...request, accountId: actor?.accountId, redemptionId, requestId: id }, 'request');
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
