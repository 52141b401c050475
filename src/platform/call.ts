// One HTTP exchange with an upstream service: what came back and, when nothing did, whether anything can have left. It
// knows nothing of redemptions. No text of an error is passed on, so that no secret can be in it; that of an answer is
// for `redact` alone.
import type { Clock } from '../clock.ts';
import { send as sendOut, type Send, type Sent } from '../outgoing.ts';
import type { CallOptions } from './port.ts';

export interface UpstreamRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** Below the service's address, with its query. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as the fields of a form, in place of a body. */
  form?: Readonly<Record<string, string>>;
  /** Beside those of every call. */
  headers?: Readonly<Record<string, string>>;
}

export type UpstreamAnswer =
  /** `whole` is false when the body was cut short or too long; `json` is undefined when it is not JSON. */
  | {
      kind: 'answered';
      httpStatus: number;
      whole: boolean;
      json: unknown;
      /** The body as it came; secrets may be in it. */
      text?: string | undefined;
      /** As the `Retry-After` header tells it, in milliseconds; undefined where it is none in seconds. */
      retryAfterMs?: number | undefined;
      /**
       * The clock of the other side as its `Date` header tells it, in milliseconds UTC; undefined where there is none.
       */
      date?: number | undefined;
    }
  /** Certainly nothing was sent. */
  | { kind: 'notSent'; reason: string }
  /** Sent, or perhaps sent; nothing came back in time. */
  | { kind: 'lost'; reason: string };

export type UpstreamCall = (request: UpstreamRequest, options: CallOptions) => Promise<UpstreamAnswer>;

const MAX_BODY_BYTES = 1024 * 1024;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * Prepares calls to the service at `url`. The calls never throw and follow no redirect. Throws, naming neither, when
 * address or token cannot be used at all. `headers`: those of every call; without them the token goes as a bearer.
 */
export function createUpstreamCall({
  url,
  token,
  headers: always = { authorization: `Bearer ${token}` },
  send = sendOut,
}: {
  url: string;
  token: string;
  headers?: Readonly<Record<string, string>>;
  send?: Send | undefined;
}): UpstreamCall {
  const base = parseAddress(url);
  if (!VISIBLE_ASCII.test(token)) throw new Error('The upstream token must be visible ASCII without spaces.');
  return async ({ method, path, body, form, headers }, { signal }) => {
    if (signal.aborted) return { kind: 'notSent', reason: 'given up before it was sent' };
    const type = form ? 'application/x-www-form-urlencoded;charset=UTF-8' : 'application/json';
    const outgoing = {
      method,
      url: new URL(base + path),
      headers: {
        ...{ accept: 'application/json', 'accept-encoding': 'identity' },
        ...always,
        ...headers,
        ...(form || body !== undefined ? { 'content-type': type } : {}),
      },
      body: form ? new URLSearchParams(form).toString() : body === undefined ? body : JSON.stringify(body),
    };
    const sent = await send(outgoing, { signal, mostBytes: MAX_BODY_BYTES });
    if (sent.kind === 'answered') return !sent.body && signal.aborted ? LATE : readAnswer(sent);
    if (sent.kind === 'lost' && signal.aborted) return LATE;
    return { kind: sent.kind, reason: reasonOf(sent.error) };
  };
}

/** The calls, and what the other side's clock says by the last answer that told it. */
export function listenForTheTime(call: UpstreamCall, clock: Clock) {
  let ahead: number | undefined;
  const listening: UpstreamCall = async (request, options) => {
    const answer = await call(request, options);
    if (answer.kind === 'answered') ahead = answer.date === undefined ? ahead : answer.date - clock.elapsed();
    return answer;
  };
  const findNow = () => (ahead === undefined ? undefined : ahead + clock.elapsed());
  return { call: listening, findNow };
}

const LATE: UpstreamAnswer = { kind: 'lost', reason: 'no answer in time' };

function parseAddress(url: string): string {
  const parsed = URL.parse(url);
  // Even a lone ? or # would swallow the path behind it.
  const usable = parsed && /^https?:$/.test(parsed.protocol) && !/[?#]/.test(parsed.href);
  if (!usable || parsed.username || parsed.password) {
    throw new Error('The upstream address must be http(s) without credentials, query or fragment.');
  }
  return parsed.href.replace(/(?<!\/)\/+$/, '');
}

function readAnswer({ status, headers, body }: Extract<Sent, { kind: 'answered' }>): UpstreamAnswer {
  const retryAfter = Number(headers['retry-after'] ?? NaN);
  // A stored answer tells when it was stored.
  const date = headers.age === undefined ? Date.parse(headers.date ?? '') : NaN;
  return {
    kind: 'answered',
    httpStatus: status,
    whole: body !== undefined,
    json: body && parseJson(body),
    text: body && new TextDecoder().decode(body),
    retryAfterMs: retryAfter >= 0 ? retryAfter * 1000 : undefined,
    date: Number.isNaN(date) ? undefined : date,
  };
}

// Invalid UTF-8 is refused: read leniently, a password would silently become another one.
function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A whole number that would be rounded stays the text of its digits: an id is another one with its last digit. */
const keepDigits = (_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;

/** The code of an error; never its text, which may quote what was sent. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'the connection failed';
}
