// One attempt at one delivery: the address looked at, the body signed, the request made, and what came of it in a sentence for the
// owner of the address. Nothing of the secret, the body or the address is ever logged.
import { Webhook } from 'standardwebhooks';

import type { Clock } from '../clock.ts';
import type { AddressFlaw, Attempt, DueDelivery, OwingWebhook } from '../core/index.ts';
import type { Addresses } from './addresses.ts';
import { wordBody } from './bodies.ts';
import { post } from './post.ts';

export interface AttemptDeps {
  addresses: Pick<Addresses, 'resolve'>;
  clock: Clock;
  /** Looking up the name included; 10 s without. */
  timeoutMs?: number;
  /** Certificates to trust beside those that everybody trusts. */
  ca?: string | undefined;
}

/** From the wire document. */
const TIMEOUT_MS = 10_000;

/** undefined: it was given up since `stopping` was aborted, and nothing is known. Never rejects. */
export async function attemptDelivery(
  deps: AttemptDeps,
  webhook: Pick<OwingWebhook, 'url' | 'secret'>,
  delivery: DueDelivery,
  stopping: AbortSignal,
): Promise<Attempt | undefined> {
  const startedAt = deps.clock.now();
  const { timeoutMs = TIMEOUT_MS } = deps;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const signal = AbortSignal.any([late.signal, stopping]);
  try {
    return { startedAt, ...(await deliver(deps, webhook, delivery, signal)) };
  } catch (error) {
    if (stopping.aborted) return undefined;
    const problem = late.signal.aborted
      ? `It did not answer within ${Math.ceil(timeoutMs / 1000)} s.`
      : wordFailure(error);
    return { startedAt, problem };
  } finally {
    clearTimeout(timer);
  }
}

async function deliver(
  { addresses, clock, ca }: AttemptDeps,
  { url, secret }: Pick<OwingWebhook, 'url' | 'secret'>,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<Omit<Attempt, 'startedAt'>> {
  const resolved = await orAborted(addresses.resolve(url), signal);
  if ('flaw' in resolved) return { problem: FLAWS[resolved.flaw] };
  const body = wordBody(delivery);
  const now = new Date(clock.now());
  const status = await post({
    ...resolved,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Code-Redemption-Service',
      'webhook-id': delivery.messageId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(delivery.messageId, now, body),
    },
    signal,
    ca,
  });
  return status >= 200 && status < 300 ? { status } : { status, problem: wordStatus(status) };
}

/** A look-up has no end of its own that could be brought about. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(new Error('aborted'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

function wordStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `It answered ${status}, and redirects are not followed.` : `It answered ${status}.`;
}

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'It refused the connection.',
  ECONNRESET: 'It broke the connection off.',
  EPIPE: 'It broke the connection off.',
  EHOSTUNREACH: 'There is no way to it.',
  ENETUNREACH: 'There is no way to it.',
  ETIMEDOUT: 'It did not take the connection in time.',
};

function wordFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/CERT|TLS|SSL/.test(code)) return `Its certificate or encryption does not hold (${code}).`;
  return FAILURES[code] ?? `The connection failed${code === '' ? '' : ` (${code})`}.`;
}

const FLAWS: Record<AddressFlaw, string> = {
  notAnAddress: 'This is not an address.',
  notHttps: 'Only https is delivered to.',
  withPassword: 'An address with a password is not delivered to.',
  tooLong: 'The address is too long.',
  unknownHost: 'There is no such host.',
  notPublic: 'The host has an address that is not public.',
  unresolved: 'The name of the host could not be looked up.',
};
