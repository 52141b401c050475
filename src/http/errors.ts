// Errors on the wire: one shape, one mapping. What it does not know is our fault, told without detail and logged with
// its stack.
import { CoreError, DAILY_LIMIT } from '../core/index.ts';
import type { NotBegun, NotBegunCode } from '../core/index.ts';
import type { Logger } from '../log.ts';
import type { SalesChannel, HttpContext } from './context.ts';

export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503;

/** The body of every error that is not a failed redemption. */
export interface ProblemBody {
  /** One sentence a person can act on. */
  error: string;
  errorCode?: string;
  issues?: { path: string; message: string }[];
  /** Of a 409 for an order: what is not there, or the nearest sums that are. */
  missing?: { denomination: number; count: number }[];
  below?: number;
  above?: number;
  /** Of a 429 for the quota alone. */
  limit?: number;
}

/** An answer other than success, thrown from wherever it is found out. */
export class HttpProblem extends Error {
  readonly status: ProblemStatus;
  readonly body: ProblemBody;
  readonly headers: Record<string, string>;

  constructor(status: ProblemStatus, body: ProblemBody | string, headers: Record<string, string> = {}) {
    const shaped = typeof body === 'string' ? { error: body } : body;
    super(shaped.error);
    this.name = 'HttpProblem';
    this.status = status;
    this.body = shaped;
    this.headers = headers;
  }
}

/** How a sentence ends that sends somebody there. */
export const WHERE: Record<SalesChannel, string> = {
  bot: 'in the bot',
  host: 'from whoever runs this service',
};

/** What was not begun, as a problem: of the quota, as in the interface document, exactly `error` and `limit`. */
export function tooManyRequests(
  refusal: NotBegun,
  { salesChannel }: { salesChannel: SalesChannel },
): HttpProblem {
  const { status } = PROTOCOL[refusal.status];
  switch (refusal.status) {
    case 'quotaExceeded': {
      const { keyLimit, retryAfterSeconds } = refusal;
      const error =
        keyLimit === undefined
          ? `Too many requests: the daily quota is used up. Try again in ${retryAfterSeconds} s, or get more activations ${WHERE[salesChannel]}.`
          : `Too many requests: what this API key may use in a day is used up. Try again in ${retryAfterSeconds} s, or have its owner raise the limit.`;
      return new HttpProblem(status, { error, limit: keyLimit ?? DAILY_LIMIT }, retryAfter(refusal));
    }
    case 'tooManyBadRequests': {
      const error = `Too many requests of this account could not be carried out in the last minute. Correct them, and try again in ${refusal.retryAfterSeconds} s.`;
      return new HttpProblem(status, error, retryAfter(refusal));
    }
    case 'recentDuplicate':
      return new HttpProblem(status, 'The player has just got the same: nothing was begun.');
  }
}

function retryAfter({ retryAfterSeconds }: { retryAfterSeconds: number }): Record<string, string> {
  return { 'retry-after': String(Math.max(1, retryAfterSeconds)) };
}

/** Whether it was the request that could not be carried out, whatever the account has. */
export function isBadRequest(error: unknown): boolean {
  if (error instanceof CoreError) return BAD_REQUEST.has(PROTOCOL[error.code].status);
  return error instanceof HttpProblem && BAD_REQUEST.has(error.status);
}

const BAD_REQUEST: ReadonlySet<ProblemStatus> = new Set([400, 413, 415, 422]);

/** Turns whatever was thrown into an answer. Never throws. */
export function answerError(c: HttpContext, error: unknown, log: Logger): Response {
  const problem = toProblem(error, c.get('requestId'));
  if (problem.status === 500 || (error instanceof CoreError && error.cause !== undefined)) {
    const fields = { err: error, requestId: c.get('requestId'), route: c.get('route') };
    if (problem.status === 500) log.error(fields, 'request failed');
    else log.warn(fields, 'request refused');
  }
  return c.json(problem.body, problem.status, problem.headers);
}

function toProblem(error: unknown, requestId: string): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof CoreError) {
    const { status, hasCode, headers } = PROTOCOL[error.code];
    const issues = error.issue && { issues: [error.issue] };
    const body = { error: error.message, ...(hasCode && { errorCode: error.code }), ...issues };
    const { retryAfterSeconds: seconds } = error;
    return new HttpProblem(status, body, { ...headers, ...(seconds && { 'retry-after': String(seconds) }) });
  }
  return new HttpProblem(
    500,
    `Something went wrong on our side. Try again later, and if it stays, ask support about request id ${requestId}.`,
  );
}

interface Mapping {
  status: ProblemStatus;
  /** Whether the wire names an `errorCode` for it. */
  hasCode?: true;
  headers?: Record<string, string>;
}

/** From what the core answers where nothing was begun, and from what it throws, to the protocol. */
const PROTOCOL: Record<NotBegunCode, Mapping> = {
  quotaExceeded: { status: 429 },
  tooManyBadRequests: { status: 429 },
  recentDuplicate: { status: 409 },
  FORBIDDEN: { status: 403 },
  KEY_REVOKED: { status: 401, headers: { 'www-authenticate': 'Bearer' } },
  NOT_FOUND: { status: 404 },
  INVALID_INPUT: { status: 400 },
  CODE_OVERRIDE_REQUIRED: { status: 400, hasCode: true },
  IDEMPOTENCY_KEY_REUSED: { status: 422, hasCode: true },
  SUBSCRIPTION_EXPIRED: { status: 403, hasCode: true },
  CONFLICT: { status: 409 },
  STOPPING: { status: 503, headers: { 'retry-after': '1' } },
  OVERLOADED: { status: 429, headers: { 'retry-after': '2' } },
  CONTESTED: { status: 503, headers: { 'retry-after': '60' } },
};
