// One request: sent again only where that cannot spend or hand out twice, and every answer a value.
import type { components } from './api.ts';

/** `limit`: the quota is used up. */
export type Problem = components['schemas']['Problem'] & { limit?: number };

/** Nothing was begun; or nobody answered, and the same request under the same key asks what became of it. */
export type NotAnswered =
  | { status: 'refused'; httpStatus: number; problem: Problem; retryAfterSeconds?: number }
  | { status: 'unreachable'; cause: unknown };

export type Answer<T> = { status: 'ok'; value: T; replayed: boolean } | NotAnswered;

export interface ClientOptions {
  /** Where the service is: `https://shop.example.org`. */
  url: string;
  apiKey: string;
  /** For how long what may be sent again is sent again, in milliseconds; 2 minutes when not told. */
  retryForMs?: number;
  /** Stands in for the network: a mock, a proxy. */
  fetch?: (request: Request) => Promise<Response>;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  key?: string;
  /** It costs nothing and changes nothing that a second one would change again. */
  isFree?: boolean;
}

/** Longer than the service takes for anything. */
const ANSWERED_WITHIN_MS = 65_000;
const PAUSES_MS = [250, 1_000, 3_000, 8_000];

export type Send = <T>(call: Call) => Promise<Answer<T>>;

export function createSend(options: ClientOptions): Send {
  const { retryForMs = 120_000 } = options;
  return async <T>(call: Call) => {
    const mayRepeat = call.key !== undefined || call.isFree === true;
    const endsAt = Date.now() + retryForMs;
    for (let tries = 0; ; tries += 1) {
      const { answer, pauseMs } = await sendOnce<T>(options, call);
      const waitMs = pauseMs && Math.max(pauseMs, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0);
      if (waitMs === undefined || !mayRepeat || Date.now() + waitMs > endsAt) return answer;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };
}

/** `pauseMs`: it is worth asking again after so long. */
async function sendOnce<T>(
  options: ClientOptions,
  call: Call,
): Promise<{ answer: Answer<T>; pauseMs?: number }> {
  try {
    const { fetch: send = (request) => fetch(request) } = options;
    const response = await send(toRequest(options, call));
    const { status, headers } = response;
    const text = await response.text();
    const json: unknown = await new Response(text).json().catch(() => undefined);
    const body = json as (Partial<Problem> & { type?: string }) | undefined;
    // A record is an answer by whatever status: what became of the code.
    if (response.ok ? body !== undefined : body?.type === 'ActivationError') {
      const replayed = headers.get('idempotency-replayed') === 'true';
      return { answer: { status: 'ok', value: body as T, replayed } };
    }
    const problem = { error: text.slice(0, 200), ...body };
    const retryAfterSeconds = Number(headers.get('retry-after') ?? NaN);
    const known = Number.isFinite(retryAfterSeconds) && { retryAfterSeconds };
    // A used-up quota comes back in hours: that is for the caller to wait for.
    const isPassing = status >= 500 || (status === 429 && problem.limit === undefined);
    return {
      answer: { status: 'refused', httpStatus: status, problem, ...known },
      ...(isPassing && { pauseMs: known ? retryAfterSeconds * 1_000 : 1 }),
    };
  } catch (cause) {
    return { answer: { status: 'unreachable', cause }, pauseMs: 1 };
  }
}

function toRequest({ url, apiKey }: ClientOptions, { method, path, query = {}, body, key }: Call): Request {
  const to = new URL(`${url.replace(/\/$/, '')}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) to.searchParams.set(name, String(value));
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
  return new Request(to, { method, headers, signal, body: body === undefined ? null : JSON.stringify(body) });
}
