// Responses of the Bot API as they arrive: JSON of Telegram's, the page of a proxy before it, or half of either.
import { STATUS_CODES } from 'node:http';

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
