// One attempt at one delivery: the address looked at, the body signed, the request made, and what came of it in a
// sentence for the owner of the address. Nothing of the secret, the body or the address is ever logged.
import type { LookupFunction } from 'node:net';

import { Webhook } from 'standardwebhooks';

import type { Clock } from '../clock.ts';
import {
  formatHookProblem,
  type Attempt,
  type DueDelivery,
  type DueWebhook,
  type WebhookProblem,
} from '../core/index.ts';
import { send } from '../outgoing.ts';
import { within } from '../waiting.ts';
import type { Addresses } from './addresses.ts';
import { renderWebhookBody } from './bodies.ts';
import type { HostAddress } from './look-up.ts';

export interface AttemptDeps {
  addresses: Pick<Addresses, 'resolve'>;
  clock: Clock;
  /** Looking up the name included; 10 s without. */
  timeoutMs?: number;
}

/** From the wire document. */
const TIMEOUT_MS = 10_000;
/** What is read of an answer: nobody looks at it. */
const READ_BYTES = 16 * 1024;

/** undefined: it was given up since `stopping` was aborted, and nothing is known. Never rejects. */
export async function attemptDelivery(
  deps: AttemptDeps,
  webhook: Pick<DueWebhook, 'url' | 'secret'>,
  delivery: DueDelivery,
  stopping: AbortSignal,
): Promise<Attempt | undefined> {
  const startedAt = deps.clock.now();
  const { timeoutMs = TIMEOUT_MS } = deps;
  const fail = (problem: string) => (stopping.aborted ? undefined : { startedAt, problem });
  return within(
    async (signal): Promise<Attempt | undefined> => ({
      startedAt,
      ...(await deliver(deps, webhook, delivery, signal)),
    }),
    timeoutMs,
    {
      signal: stopping,
      late: (cause) =>
        fail(
          cause === undefined ? formatHookProblem('late', Math.ceil(timeoutMs / 1000)) : formatFailure(cause),
        ),
    },
  );
}

async function deliver(
  { addresses, clock }: AttemptDeps,
  { url, secret }: Pick<DueWebhook, 'url' | 'secret'>,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<Omit<Attempt, 'startedAt'>> {
  const resolved = await addresses.resolve(url);
  signal.throwIfAborted();
  if ('flaw' in resolved) return { problem: formatHookProblem(resolved.flaw) };
  const body = renderWebhookBody(delivery);
  const now = new Date(clock.now());
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Code-Redemption-Service',
    'webhook-id': delivery.messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(delivery.messageId, now, body),
  };
  const sent = await send(
    { method: 'POST', url: resolved.url, headers, body },
    { signal, mostBytes: READ_BYTES, lookup: pin(resolved.addresses) },
  );
  if (sent.kind !== 'answered') throw sent.error;
  // Whatever became of its body.
  const { status } = sent;
  return status >= 200 && status < 300 ? { status } : { status, problem: formatStatus(status) };
}

/** The request goes to one of these, whatever the name says by now. */
const pin =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(null, [...addresses]);

function formatStatus(status: number): string {
  return formatHookProblem(status >= 300 && status < 400 ? 'redirected' : 'answered', status);
}

const FAILURES: Readonly<Record<string, WebhookProblem>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'brokenOff',
  EPIPE: 'brokenOff',
  EHOSTUNREACH: 'noWay',
  ENETUNREACH: 'noWay',
  ETIMEDOUT: 'notTaken',
};

function formatFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/CERT|TLS|SSL/.test(code)) return formatHookProblem('certificate', code);
  const known = FAILURES[code];
  if (known) return formatHookProblem(known);
  return code === '' ? formatHookProblem('failed') : formatHookProblem('failedWith', code);
}
