// Below grammY: one attempt's timeout, retries with a cap, and pace. It stands here because transformers do not reach calls
// made inside conversations. The token is in every URL: nothing of a URL leaves this file.
import { setTimeout as sleep } from 'node:timers/promises';

export interface BotClientOptions {
  /** Stops waiting and asking. */
  signal: AbortSignal;
  fetch?: typeof fetch;
  /** Telegram allows about 30 in all; a Bot API server of one's own may allow more. */
  messagesPerSecond?: number | undefined;
}

/** A failed call, without the URL that holds the token. */
export class BotCallError extends Error {
  override readonly name = 'BotCallError';
}

const ATTEMPT_TIMEOUT_MS = 20_000;
const TRIES = 4;
const LONGEST_WAIT_MS = 30_000;
const MESSAGES_PER_SECOND = 25;
/** What may go at once after a quiet moment. */
const BURST = 5;
/** Repeating these does nothing twice. */
const REPEATABLE = /^(get|edit|delete|answer|set)/;
const PACED = /^(send|edit|copy|forward)/;

/** A fetch for grammY's client. Floods are waited out; a lost connection repeats only what may be repeated. */
export function createBotFetch({
  signal,
  fetch = globalThis.fetch,
  messagesPerSecond = MESSAGES_PER_SECOND,
}: BotClientOptions): typeof fetch {
  const pace = createPace(messagesPerSecond);

  // Whether it is an Error is asked, never whether it is a Response: the HTTP server puts another class in the global's place.
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const method = url.slice(url.lastIndexOf('/') + 1);
    const body = await toBody(init?.body);
    for (let attempt = 1; ; attempt += 1) {
      if (PACED.test(method)) await pace(signal);
      const response = await tryOnce(
        fetch,
        url,
        { ...init, ...(body !== undefined && { body }) },
        signal,
        init?.signal,
      );
      const waitMs = await findWait(response, method, attempt);
      if (waitMs === undefined) {
        if (!(response instanceof Error)) return response;
        throw new BotCallError(`${method} did not reach Telegram: ${describe(response)}`);
      }
      await sleep(waitMs, undefined, { signal });
    }
  };
}

async function tryOnce(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  own: AbortSignal | null | undefined,
): Promise<Response | Error> {
  const signals = [AbortSignal.timeout(ATTEMPT_TIMEOUT_MS), signal, ...(own ? [toSignal(own)] : [])];
  try {
    return await fetch(url, { ...init, signal: AbortSignal.any(signals), redirect: 'error' });
  } catch (error) {
    if (signal.aborted || own?.aborted) throw new BotCallError('The call was given up.');
    return error instanceof Error ? error : new Error('unknown');
  }
}

/** grammY's own AbortSignal may be a shim: only its event is relied on. */
function toSignal(own: AbortSignal): AbortSignal {
  const controller = new AbortController();
  if (own.aborted) controller.abort();
  else own.addEventListener('abort', () => controller.abort(), { once: true });
  return controller.signal;
}

/** How long to wait before the next try; undefined when this answer stands. */
async function findWait(
  response: Response | Error,
  method: string,
  attempt: number,
): Promise<number | undefined> {
  if (attempt >= TRIES) return undefined;
  const backoffMs = 500 * 2 ** (attempt - 1);
  if (response instanceof Error) {
    return method !== 'getUpdates' && (REPEATABLE.test(method) || wasNeverSent(response))
      ? backoffMs
      : undefined;
  }
  if (response.status === 429) {
    const { parameters } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { parameters?: { retry_after?: unknown } };
    const seconds = Number(parameters?.retry_after ?? 1);
    const waitMs = seconds * 1000 + 100;
    return Number.isFinite(waitMs) && waitMs <= LONGEST_WAIT_MS ? waitMs : undefined;
  }
  return response.status >= 500 && method !== 'getUpdates' && REPEATABLE.test(method) ? backoffMs : undefined;
}

function wasNeverSent(error: Error): boolean {
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'UND_ERR_CONNECT_TIMEOUT',
    'ENETUNREACH',
    'EHOSTUNREACH',
  ].includes(code);
}

function describe(error: Response | Error): string {
  if (!(error instanceof Error)) return `status ${error.status}`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}

/** Uploads come as a stream, which can be sent only once: kept whole, they can be repeated. */
async function toBody(body: unknown): Promise<string | Uint8Array<ArrayBuffer> | undefined> {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string') return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Telegram allows about 30 messages a second in all. */
function createPace(perSecond: number): (signal: AbortSignal) => Promise<void> {
  let tokens = BURST;
  let filledAt = performance.now();
  let queue = Promise.resolve();
  return (signal) => {
    queue = queue.then(async () => {
      const now = performance.now();
      tokens = Math.min(BURST, tokens + ((now - filledAt) / 1000) * perSecond);
      filledAt = now;
      if (tokens < 1)
        await sleep(((1 - tokens) / perSecond) * 1000, undefined, { signal }).catch(() => undefined);
      tokens -= 1;
    });
    return queue;
  };
}
