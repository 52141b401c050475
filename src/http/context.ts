// What every part of the HTTP interface is given: the core, and the little it needs besides.
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';

import type { Clock } from '../clock.ts';
import type { AccountActor, Core } from '../core/index.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from '../wire/health.ts';

/** The verbs of the core that HTTP offers. */
export type HttpCore = Pick<
  Core,
  | 'games'
  | 'redeem'
  | 'beginRedemption'
  | 'findCharacter'
  | 'findRedemptionTime'
  | 'receipts'
  | 'findProof'
  | 'findOwnKey'
  | 'dayStatistics'
  | 'quota'
  | 'badRequestLimit'
  | 'health'
  | 'hostAlerts'
  | 'claims'
  | 'orders'
  | 'changes'
  | 'visits'
> & {
  codes: Pick<Core['codes'], 'countAvailable' | 'add' | 'extract'>;
  extractionHistory: Pick<Core['extractionHistory'], 'listExtractions' | 'findExtraction'>;
  apiKeys: Pick<Core['apiKeys'], 'authenticate'>;
  webhooks: Omit<Core['webhooks'], 'check'>;
};

/** Where a subscriber gets keys, days and activations. */
export type SalesChannel = 'bot' | 'host';

/** As `/readyz` tells it. */
type TelegramReadiness = NonNullable<Readiness['telegram']>;

/** What the routes stand on. */
export interface HttpDeps {
  core: HttpCore;
  clock: Clock;
  ids: Ids;
  log: Logger;
  metrics: Metrics;
  /** Whether the end was announced: it still serves, and says so to balancers. */
  isStopping: () => boolean;
  /** Fires when the end was announced: who waits for news is answered. */
  stopping: AbortSignal;
  /** How the bot stands with Telegram; undefined where there is no bot. */
  telegram?: (() => TelegramReadiness) | undefined;
  /** CIDRs of the proxies whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[] | undefined;
  /** The bearer of `/metrics`; without it only loopback may read them. */
  metricsToken?: string | undefined;
  /** Where a subscriber is sent for keys, days and activations: to the bot, where there is one. */
  salesChannel: SalesChannel;
  /** The game that a request without `gameId` means; without it the field is required. */
  defaultGameId?: string | undefined;
}

/**
 * Of one request: its id, the pattern of its route, who asks once that is known, and the redemption that was answered.
 */
export interface HttpEnv {
  /** Absent when the application is called in process, without a socket. */
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string; route?: string; actor?: AccountActor; redemptionId?: number };
}

export type HttpContext = Context<HttpEnv>;
export type HttpApp = OpenAPIHono<HttpEnv>;

/** The address of the peer's socket; no forwarding header is believed. Undefined in process. */
export function findAddress(c: HttpContext): string | undefined {
  // Hono leaves `env` undefined when the application is called in process.
  const bindings = c.env as HttpEnv['Bindings'] | undefined;
  return bindings?.incoming?.socket.remoteAddress;
}

/**
 * Where a request comes from: the peer, or behind a proxy that is trusted whoever it says, from the right, up to the
 * first that is not trusted.
 */
export function findOrigin(c: HttpContext, trusts: (address: string) => boolean): string | undefined {
  const peer = findAddress(c);
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').flatMap((hop) => hop.trim() || []);
  let origin = peer;
  while (origin !== undefined && trusts(origin) && hops.length > 0) origin = hops.pop();
  return origin;
}
