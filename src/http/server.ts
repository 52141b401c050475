// The HTTP interface: the application with its routes, and the server under it. Nothing runs before listen().
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Hono } from 'hono';

import type { Clock } from '../clock.ts';
import { randomIds } from '../ids.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../log.ts';
import { createAuthentication } from './auth.ts';
import type { HttpApp, HttpCore, HttpDeps, HttpEnv } from './context.ts';
import { createEndpoints } from './endpoints.ts';
import { createListener, LIMITS } from './listener.ts';
import type { Listener, ListenerLimits } from './listener.ts';
import { createMetrics, type Measured, type Metrics } from './metrics.ts';
import { createObservers, createStrangersLog } from './request-log.ts';
import { mountCharacter } from './routes/character.ts';
import { mountClaimPage } from './routes/claim-page.ts';
import { mountClaims } from './routes/claims.ts';
import { mountCodes } from './routes/codes.ts';
import { mountDocs } from './routes/docs.ts';
import { mountHistory } from './routes/history.ts';
import { mountOrders } from './routes/orders.ts';
import { mountQuota } from './routes/quota.ts';
import { mountRedeem } from './routes/redeem.ts';
import { mountRedemptionTime } from './routes/redemption-time.ts';
import { mountSystem } from './routes/system.ts';
import { mountWebhook, type WebhookRoute } from './routes/webhook.ts';
import { mountWebhooks } from './routes/webhooks.ts';

export { PathTaken } from './routes/webhook.ts';

export interface HttpServerOptions {
  core: HttpCore;
  clock: Clock;
  log: Logger;
  /** For request ids. */
  ids?: Ids;
  /** The bearer of `/metrics`; without it only loopback may read them. */
  trustedProxies?: readonly string[] | undefined;
  metricsToken?: string | undefined;
  /** The game that a request without `gameId` means; without it the field is required. */
  defaultGameId?: string | undefined;
  /** The origin that claim links begin with; without it there are none. */
  publicUrl?: string | undefined;
  /** Whether there is a bot to send subscribers to; else they are sent to the host. */
  hasBot?: boolean;
  /** Where the bot takes its updates, when it is set to a webhook. */
  webhook?: WebhookRoute | undefined;
  /** Pages under a path of their own: what answers there, before anything here does. */
  pages?: { path: string; app: Hono<never> } | undefined;
  /** What `/metrics` tells beside the core. */
  measured?: Measured;
  telegram?: HttpDeps['telegram'];
  limits?: Partial<ListenerLimits>;
}

export interface HttpServer extends Listener {
  /** The application without a socket: `app.request(path, init)` answers in process. */
  app: HttpApp;
  /** From now on `/readyz` says that it stops; everything is still served. */
  announceStop(): void;
  observeCommit: Metrics['observeCommit'];
}

/** Throws when `defaultGameId` is not in the catalogue, and when the bot's webhook has a path of the interface. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const {
    core,
    clock,
    log,
    ids = randomIds,
    metricsToken,
    trustedProxies,
    defaultGameId,
    telegram,
    limits,
  } = options;
  if (defaultGameId !== undefined && core.games.find(defaultGameId) === undefined) {
    throw new Error(`The default game ${defaultGameId} is not in the catalogue of games.`);
  }
  const stopping = new AbortController();
  const deps: HttpDeps = {
    core,
    clock,
    ids,
    log,
    metricsToken,
    trustedProxies,
    defaultGameId,
    telegram,
    salesChannel: options.hasBot === false ? 'host' : 'bot',
    metrics: createMetrics(core, clock, options.measured),
    isStopping: () => stopping.signal.aborted || core.health.isStopping(),
    stopping: stopping.signal,
  };
  const logStranger = createStrangersLog(log);
  const app = createApp(deps, { ...options, logStranger });
  return {
    app,
    announceStop: () => stopping.abort(),
    observeCommit: (writes, ms) => deps.metrics.observeCommit(writes, ms),
    ...createListener({
      ...{ app, log, logStranger, stopping: stopping.signal },
      limits: { ...LIMITS, ...limits },
    }),
  };
}

function createApp(
  deps: HttpDeps,
  {
    webhook,
    pages,
    publicUrl,
    logStranger,
  }: Pick<HttpServerOptions, 'webhook' | 'pages' | 'publicUrl'> & { logStranger: Logger['info'] },
): HttpApp {
  const app = new OpenAPIHono<HttpEnv>();
  app.use(...createObservers({ ...deps, logStranger }));
  if (pages) app.route(pages.path, pages.app);
  const authentication = createAuthentication(deps);
  const endpoints = createEndpoints(app, authentication, deps);
  mountRedeem(deps, endpoints);
  mountCharacter(deps, endpoints);
  mountRedemptionTime(deps, endpoints);
  mountOrders(deps, endpoints);
  if (publicUrl !== undefined) {
    mountClaims(deps, endpoints, publicUrl);
    mountClaimPage(deps, endpoints, publicUrl);
  }
  mountHistory(deps, endpoints);
  mountCodes(deps, endpoints);
  mountQuota(deps, endpoints);
  mountWebhooks(deps, endpoints, app);
  mountSystem(deps, endpoints, authentication);
  mountDocs(app, endpoints);
  if (webhook) mountWebhook(endpoints, webhook, app);
  endpoints.seal();
  return app;
}
