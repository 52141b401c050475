// Transport to the Bot API: one request, and what came back: JSON of Telegram's, the page of a proxy before it, or half of either.
// `undici` itself, since `fetch` over it costs five times the processor time of a call (measured: 250 against 55 microseconds), half
// of all that an update took.
import { request } from 'undici';
import { STATUS_CODES } from 'node:http';

export interface BotRequest {
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

/** Posts it. Rejects with what brought the request down, its `code` in the error or in its cause. A redirect is an answer like any other. */
export type Ask = (url: string, request: BotRequest) => Promise<BotAnswer>;

export const askTelegram: Ask = async (url, { body, ...init }) => {
  const answer = await request(url, { ...init, method: 'POST', body: body ?? null });
  const retryAfter = answer.headers['retry-after'];
  const text = await answer.body.text();
  return { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, text };
};

/** The same by a fetch: whoever runs the service inside its world gives one. */
export function askBy(fetch: typeof globalThis.fetch): Ask {
  return async (url, { body, ...init }) => {
    const answer = await fetch(url, {
      ...init,
      method: 'POST',
      ...(body !== undefined && { body }),
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
 * undefined: this is no answer, whatever its status says. A proxy's page that says 5xx or 429 is worded as Telegram would; any
 * other page is nobody's refusal: a 403 of a firewall must not pass for a person who blocked the bot.
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
