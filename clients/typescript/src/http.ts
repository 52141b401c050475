// One request: sent again only where that cannot spend or hand out twice, and every answer a value.
import type { components } from './api.ts';

/** `limit`: the quota is used up. */
export type Problem = components['schemas']['Problem'] & { limit?: number };

/**
 * `refused`: the service itself has answered each try, and nothing was begun. `notKnown`: something may have been
 * begun; the same call under the same key asks what became of it.
 */
export type NotAnswered =
  ({ status: 'refused' } & Heard) | ({ status: 'notKnown'; cause?: unknown } & Partial<Heard>);

/** What the last try was answered; of a proxy, `problem.error` is how its page begins. */
interface Heard {
  httpStatus: number;
  problem: Problem;
  retryAfterSeconds?: number;
}

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
  method: 'GET' | 'POST' | 'DELETE';
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
    let isCertain = true;
    for (let tries = 0; ; tries += 1) {
      const { answer, pauseMs } = await sendOnce<T>(options, call);
      // A later refusal tells nothing of an earlier try that the service has not answered: that may have begun it.
      isCertain &&= answer.status !== 'notKnown';
      const waitMs = pauseMs && Math.max(pauseMs, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0);
      if (waitMs === undefined || !mayRepeat || Date.now() + waitMs > endsAt)
        return isCertain ? answer : doubted(answer);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };
}

/** The same, where a refusal is no proof that nothing was begun. */
export const doubted = <A extends { status: string }>(answer: A): A =>
  answer.status === 'refused' ? { ...answer, status: 'notKnown' } : answer;

/** `pauseMs`: it is worth asking again after so long. */
async function sendOnce<T>(
  options: ClientOptions,
  call: Call,
): Promise<{ answer: Answer<T>; pauseMs?: number }> {
  try {
    const { fetch: send = (request) => fetch(request) } = options;
    const response = await send(toRequest(options, call));
    const { status: httpStatus, headers } = response;
    const text = await response.text();
    const json: unknown = await new Response(text).json().catch(() => undefined);
    const body = json as (Partial<Problem> & { type?: string }) | undefined;
    if (httpStatus === 204) return { answer: { status: 'ok', value: undefined as T, replayed: false } };
    // A record is an answer by whatever status: what became of the code.
    if (response.ok ? body !== undefined : body?.type === 'ActivationError') {
      const replayed = headers.get('idempotency-replayed') === 'true';
      return { answer: { status: 'ok', value: body as T, replayed } };
    }
    // What a proxy says for itself, by whatever status, may stand in the place of an answer that was lost.
    const isOwn = typeof body?.error === 'string' && headers.has('x-request-id');
    const isRefusal = isOwn && httpStatus >= 400 && httpStatus < 500;
    const problem = isOwn ? (body as Problem) : { error: text.slice(0, 200) };
    const retryAfterSeconds = Number(headers.get('retry-after') ?? NaN);
    const known = Number.isFinite(retryAfterSeconds) && { retryAfterSeconds };
    // A used-up quota comes back in hours: that is for the caller to wait for.
    const isPassing = !isRefusal || httpStatus === 408 || (httpStatus === 429 && problem.limit === undefined);
    return {
      answer: { status: isRefusal ? 'refused' : 'notKnown', httpStatus, problem, ...known },
      ...(isPassing && { pauseMs: known ? retryAfterSeconds * 1_000 : 1 }),
    };
  } catch (cause) {
    return { answer: { status: 'notKnown', cause }, pauseMs: 1 };
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
