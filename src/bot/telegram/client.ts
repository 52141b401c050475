// HTTP below grammY: an attempt and its timeout, and the rate limit of all. What is said is repeated by the chat's queue;
// a few other calls are here, for a moment. The token is in every URL: nothing of a URL leaves this file. What fails
// comes up at once: who has more patience reads telegram-errors.ts and waits.
// `undici` itself, since `fetch` over it costs five times the processor time of a call (250 against 55 microseconds),
// half of all that an update took.
import { STATUS_CODES } from 'node:http';
import { request } from 'undici';

import { runTime, type Clock } from '../../clock.ts';
import { backOff, pause } from '../../waiting.ts';
import { createOverallRateLimit } from './rate-limits.ts';
import { BotCallError, type LostReason } from './telegram-errors.ts';

export interface BotClientOptions {
  /** Stops waiting and asking. */
  signal: AbortSignal;
  /** What Telegram is reached by, where that is not the network. */
  fetch?: typeof fetch | undefined;
  /** Telegram allows about 30 in all; a Bot API server of one's own may allow more. */
  messagesPerSecond?: number | undefined;
  /** What Telegram counts them by, where that is not the machine's time. */
  floodClock?: Pick<Clock, 'elapsed'> | undefined;
  wait?: typeof pause;
  /** Told of every attempt, not of those that our own end gave up. */
  onOutcome?: (outcome: 'answered' | 'lost' | 'unauthorized') => void;
  /** Told what Telegram answered to a call that was granted: of what sends, the message. */
  onGranted?: (result: unknown) => void;
}

const MESSAGES_PER_SECOND = 25;
const TRIES = 4;
const backOffMs = backOff(500, 4_000);
/** Longer floods are for whoever called. */
const LONGEST_FLOOD_MS = 4_000;
const ATTEMPT_TIMEOUT_MS = 20_000;
/** Methods that must be answered soon or not at all: a checkout is open for ten seconds, a tap for about as long. */
const HURRIED_TIMEOUT_MS: Readonly<Record<string, number>> = {
  answerPreCheckoutQuery: 3_000,
  answerCallbackQuery: 5_000,
  sendChatAction: 5_000,
};
/** Repeating these does nothing twice. Whoever polls has pauses of their own. */
const REPEATED = /^(get(?!Updates)|delete|answer|set)/;
const PACED = /^(send(?!ChatAction)|edit|copy|forward)/;

/** A fetch for grammY's client. */
export function createBotFetch({
  signal,
  fetch,
  messagesPerSecond = MESSAGES_PER_SECOND,
  floodClock = { elapsed: runTime },
  wait = pause,
  onOutcome,
  onGranted,
}: BotClientOptions): typeof fetch {
  const pace = createOverallRateLimit(messagesPerSecond, floodClock);
  const ask = fetch ? askBy(fetch) : askTelegram;

  // Whether it is an Error is asked, never whether it is a Response: the HTTP server puts another class in the global's
  // place.
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const method = url.slice(url.lastIndexOf('/') + 1);
    const request = {
      headers: init?.headers as Record<string, string>,
      body: await toBody(init?.body),
      own: init?.signal ? toSignal(init.signal) : undefined,
    };
    for (let attempt = 1; ; attempt += 1) {
      if (PACED.test(method)) await pace(signal);
      const answer = await tryOnce(ask, url, method, request, signal);
      onOutcome?.(findOutcome(answer, method));
      const waitMs = findWait(answer, method, attempt);
      if (waitMs === undefined) {
        if (answer instanceof BotCallError) throw answer;
        if (answer.ok) onGranted?.(answer.result);
        return toResponse(answer);
      }
      const ends = AbortSignal.any([signal, ...(request.own ? [request.own] : [])]);
      await wait(waitMs, ends);
      if (ends.aborted) throw givenUp();
    }
  };
}

/** All of a Response that grammY reads; a real one costs a stream, and reading it again. */
const toResponse = (answer: ApiResponse) => ({ json: () => Promise.resolve(answer) }) as Response;

async function tryOnce(
  ask: Ask,
  url: string,
  method: string,
  { own, ...request }: Omit<BotRequest, 'signal'> & { own: AbortSignal | undefined },
  stopping: AbortSignal,
): Promise<ApiResponse | BotCallError> {
  const timeout = AbortSignal.timeout(HURRIED_TIMEOUT_MS[method] ?? ATTEMPT_TIMEOUT_MS);
  const signal = AbortSignal.any([timeout, stopping, ...(own ? [own] : [])]);
  try {
    const { status, retryAfter, text } = await ask(url, { ...request, signal });
    const answer = readAnswer(status, retryAfter, text);
    return answer ?? new BotCallError(`${method} was answered with what is no answer.`, 'unreadable');
  } catch (error) {
    if (stopping.aborted || own?.aborted) throw givenUp();
    const code = describe(error);
    return new BotCallError(`${method} did not get through: ${code}`, findReason(error), code);
  }
}

const givenUp = () => new BotCallError('The call was given up.', 'stopped');

/** grammY's own AbortSignal may be a shim: only its event is relied on. */
function toSignal(own: AbortSignal): AbortSignal {
  const controller = new AbortController();
  if (own.aborted) controller.abort();
  else own.addEventListener('abort', () => controller.abort(), { once: true });
  return controller.signal;
}

/** A refusal is an answer, too; a page or a 5xx is none. */
function findOutcome(
  answer: ApiResponse | BotCallError,
  method: string,
): 'answered' | 'lost' | 'unauthorized' {
  if (answer instanceof BotCallError) return 'lost';
  if (answer.ok) return 'answered';
  // What has not the form of a token is at no address that Telegram has.
  const isUnknown = answer.error_code === 401 || (answer.error_code === 404 && method === 'getMe');
  if (isUnknown) return 'unauthorized';
  return answer.error_code < 500 ? 'answered' : 'lost';
}

/** How long to wait before the next try; undefined when this answer stands. */
function findWait(answer: ApiResponse | BotCallError, method: string, attempt: number): number | undefined {
  if (attempt >= TRIES || !REPEATED.test(method)) return undefined;
  if (answer instanceof BotCallError) return answer.reason === 'timeout' ? undefined : backOffMs(attempt);
  if (answer.ok) return undefined;
  const { error_code: code, parameters } = answer;
  const floodMs = (parameters?.retry_after ?? 1) * 1000 + 100;
  if (code === 429) return floodMs <= LONGEST_FLOOD_MS ? floodMs : undefined;
  return code >= 500 ? backOffMs(attempt) : undefined;
}

function findReason(error: unknown): LostReason {
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  return NEVER_SENT.has(codeOf(error)) ? 'unreachable' : 'cut';
}

const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
]);

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // fetch wraps what undici throws.
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}

const describe = (error: unknown) => codeOf(error) || (error instanceof Error ? error.name : 'unknown');

/** Uploads come as a stream, which can be sent only once: kept whole, they can be repeated. */
async function toBody(body: unknown): Promise<string | Uint8Array<ArrayBuffer> | undefined> {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string') return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

interface BotRequest {
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  signal: AbortSignal;
}

interface BotAnswer {
  status: number;
  /** The header as it came. */
  retryAfter: string | null;
  text: string;
}

/**
 * Posts it. Rejects with what brought the request down, its `code` in the error or in its cause. A redirect is an
 * answer like any other.
 */
type Ask = (url: string, request: BotRequest) => Promise<BotAnswer>;

const askTelegram: Ask = async (url, { body, ...init }) => {
  const answer = await request(url, { ...init, method: 'POST', body: body ?? null });
  const retryAfter = answer.headers['retry-after'];
  const text = await answer.body.text();
  return { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, text };
};

/** The same by a fetch: the host inside its world gives one. */
function askBy(fetch: typeof globalThis.fetch): Ask {
  return async (url, { body, ...init }) => {
    const answer = await fetch(url, {
      ...init,
      method: 'POST',
      body,
      redirect: 'error',
    });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      text: await answer.text(),
    };
  };
}

export type ApiResponse =
  | { ok: true; result: unknown }
  | {
      ok: false;
      error_code: number;
      description: string;
      parameters?: { retry_after?: number; migrate_to_chat_id?: number };
    };

/** How long a proxy that says nothing of it is left alone. */
const RETRY_SECONDS = 1;
/** Nobody is left alone for longer, whatever is asked: a timer of more than 24 days would end at once. */
const LONGEST_RETRY_SECONDS = 3_600;

/**
 * undefined: this is no answer, whatever its status says. A proxy's page that says 5xx or 429 is worded as Telegram
 * would; any other page is nobody's refusal: a 403 of a firewall must not pass for a person who blocked the bot.
 */
export function readAnswer(status: number, retryAfter: string | null, text: string): ApiResponse | undefined {
  const value = parse(text);
  if (isAnswer(value)) return withinAnHour(value);
  const description = STATUS_CODES[status] ?? 'Unknown';
  if (status >= 500) return { ok: false, error_code: status, description };
  if (status !== 429) return undefined;
  const seconds = Number(retryAfter ?? NaN);
  const parameters = { retry_after: seconds > 0 ? Math.ceil(seconds) : RETRY_SECONDS };
  return withinAnHour({ ok: false, error_code: status, description, parameters });
}

/** Every pause that is asked for comes in here. */
function withinAnHour(answer: ApiResponse): ApiResponse {
  const seconds = answer.ok ? undefined : answer.parameters?.retry_after;
  if (answer.ok || seconds === undefined || seconds <= LONGEST_RETRY_SECONDS) return answer;
  return { ...answer, parameters: { ...answer.parameters, retry_after: LONGEST_RETRY_SECONDS } };
}

function isAnswer(value: unknown): value is ApiResponse {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return false;
  if (value.ok === true) return 'result' in value;
  return value.ok === false && 'error_code' in value && typeof value.error_code === 'number';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
