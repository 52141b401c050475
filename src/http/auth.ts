// Who is asking: `Authorization: Bearer <key>`. The key is checked before any limit, so that strangers behind the same
// proxy cannot lock a subscriber out.
import { createHash, timingSafeEqual } from 'node:crypto';

import type { AccountActor } from '../core/index.ts';
import { createRateLimit } from '../rate-limit.ts';
import { createAddressList } from '../addresses.ts';
import { findAddress, findOrigin } from './context.ts';
import type { HttpContext, HttpDeps } from './context.ts';
import { HttpProblem, WHERE } from './errors.ts';

interface Caller {
  actor: AccountActor;
  subscriptionActive: boolean;
}

export interface Authentication {
  /** Whose key it is. Throws HttpProblem 401, or 429 after too many failures. Says nothing of the subscription. */
  identify(c: HttpContext): Caller;
  /** Throws unless the request may read the metrics. */
  requireMetricsReader(c: HttpContext): void;
}

export const FAILURES_PER_MINUTE = { address: 30, key: 10 } as const;

export function createAuthentication({
  core,
  clock,
  metricsToken,
  salesChannel,
  trustedProxies = [],
}: Pick<HttpDeps, 'core' | 'clock' | 'metricsToken' | 'salesChannel' | 'trustedProxies'>): Authentication {
  const trusts = createAddressList(trustedProxies);
  const byAddress = createRateLimit({ clock, perMinute: FAILURES_PER_MINUTE.address });
  const byKey = createRateLimit({ clock, perMinute: FAILURES_PER_MINUTE.key });

  function refuse(c: HttpContext, key: string | undefined, sentence: string): HttpProblem {
    const waits = [byAddress.count(findOrigin(c, trusts) ?? 'in process')];
    if (key !== undefined) waits.push(byKey.count(digest(key).toString('base64')));
    const seconds = Math.ceil(Math.max(...waits) / 1000);
    if (seconds === 0) return new HttpProblem(401, sentence, { 'www-authenticate': 'Bearer' });
    const error = `Too many requests without a valid API key. Check the key and try again in ${seconds} s.`;
    return new HttpProblem(429, error, { 'retry-after': String(seconds) });
  }

  return {
    identify(c) {
      const header = c.req.header('authorization');
      const key = findBearer(header, API_KEY);
      const caller = key === undefined ? undefined : core.apiKeys.authenticate(key, findOrigin(c, trusts));
      if (caller?.refused === 'address')
        throw new HttpProblem(403, {
          error: 'This API key is not taken from this address. Its owner sets the addresses in the console.',
          errorCode: 'ADDRESS_NOT_ALLOWED',
        });
      if (caller?.refused === 'expired')
        throw refuse(c, key, `This API key has expired. Get a new one ${WHERE[salesChannel]}.`);
      if (caller !== undefined) return caller;
      if (key !== undefined)
        throw refuse(c, key, `This API key is not valid. Get a new one ${WHERE[salesChannel]}.`);
      throw refuse(c, undefined, `${explainHeader(header)} Send it as Authorization: Bearer <api key>.`);
    },

    requireMetricsReader(c) {
      if (metricsToken !== undefined) {
        const bearer = findBearer(c.req.header('authorization'), METRICS_TOKEN);
        if (bearer !== undefined && timingSafeEqual(digest(bearer), digest(metricsToken))) return;
        throw refuse(
          c,
          bearer,
          'The metrics token is needed. Send it as Authorization: Bearer <metrics token>.',
        );
      }
      if (isLoopback(findAddress(c)) && !FORWARDING_HEADERS.some((name) => c.req.header(name) !== undefined))
        return;
      throw new HttpProblem(
        403,
        'Metrics are served to this machine alone. Set METRICS_TOKEN to read them from elsewhere.',
      );
    },
  };
}

// Any of them means that a proxy on this machine asks for somebody else.
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

const API_KEY = /^[\w.~+/=-]{1,512}$/;
/** Any visible characters, as the setting takes them. */
const METRICS_TOKEN = /^[\x21-\x7e]+$/;

/** What follows the scheme, where it has this form. */
export function findBearer(header: string | undefined, form = API_KEY): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  return bearer !== undefined && form.test(bearer) ? bearer : undefined;
}

function explainHeader(header: string | undefined): string {
  if (header === undefined) return 'An API key is needed.';
  // A field for the key alone, as that of /docs, puts its own word before what was copied with one.
  if (/^Bearer +Bearer\b/i.test(header)) return 'The word Bearer is there twice.';
  return 'The Authorization header cannot be read.';
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(address);
}
