// One HTTP exchange with an upstream service: what came back and, when nothing did, whether anything can have left. It
// knows nothing of redemptions. No text of an error is passed on, so that no secret can be in it; that of an answer is
// for `redact` alone.
import type { Clock } from '../clock.ts';
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
const MAX_CAUSES = 8;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * Prepares calls to the service at `url`. The calls never throw and follow no redirect. Throws, naming neither, when
 * address or token cannot be used at all. `headers`: those of every call; without them the token goes as a bearer.
 */
export function createUpstreamCall({
  url,
  token,
  headers: always = { authorization: `Bearer ${token}` },
}: {
  url: string;
  token: string;
  headers?: Readonly<Record<string, string>>;
}): UpstreamCall {
  const base = parseAddress(url);
  if (!VISIBLE_ASCII.test(token)) throw new Error('The upstream token must be visible ASCII without spaces.');
  return async ({ method, path, body, form, headers }, { signal }) => {
    if (signal.aborted) return { kind: 'notSent', reason: 'given up before it was sent' };
    try {
      const response = await fetch(base + path, {
        method,
        redirect: 'manual',
        signal,
        headers: {
          accept: 'application/json',
          ...always,
          ...headers,
          // A kept connection may die just as it is used again, and then nobody knows what was read of the request.
          connection: 'close',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        // Its type comes with it.
        ...(form
          ? { body: new URLSearchParams(form) }
          : body !== undefined && { body: JSON.stringify(body) }),
      });
      return await readAnswer(response, signal);
    } catch (error) {
      if (wasNeverSent(error)) return { kind: 'notSent', reason: reasonOf(error) };
      return signal.aborted ? LATE : { kind: 'lost', reason: reasonOf(error) };
    }
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

async function readAnswer(response: Response, signal: AbortSignal): Promise<UpstreamAnswer> {
  const bytes = await readBody(response);
  if (!bytes && signal.aborted) return LATE;
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  return {
    kind: 'answered',
    httpStatus: response.status,
    whole: bytes !== undefined,
    json: bytes && parseJson(bytes),
    text: bytes && new TextDecoder().decode(bytes),
    retryAfterMs: retryAfter >= 0 ? retryAfter * 1000 : undefined,
    date: parseDate(response.headers),
  };
}

// A stored answer tells when it was stored.
function parseDate(headers: Headers): number | undefined {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) || headers.has('age') ? undefined : date;
}

/** The whole body, or undefined when it was cut short or is too long. */
async function readBody(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (!body) return new Uint8Array();
  try {
    // Leaving the loop early cancels the rest.
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks, size);
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

const CONNECT_FAILURES = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
]);

// The certificate is judged before the first byte of the request leaves.
const CERTIFICATE_FAILURES = new Set([
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const NEVER_SENT_WORDS = new Set([
  'bad port',
  'Client network socket disconnected before secure TLS connection was established',
]);

/**
 * Whether this failure of fetch certainly came before anything was sent: no address, no connection, a handshake that
 * was cut, a certificate that does not hold. Of several attempts to connect, all must have failed so. False whenever in
 * doubt.
 */
export function wasNeverSent(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return false;
  if (error instanceof AggregateError) {
    return error.errors.length > 0 && error.errors.every((each) => wasNeverSent(each, depth + 1));
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'connect' && code !== undefined && CONNECT_FAILURES.has(code)) return true;
  if (syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  if (code !== undefined && CERTIFICATE_FAILURES.has(code)) return true;
  // fetch refuses some ports (6000, 6667, …) by itself, and Node ends a handshake that was cut; both say so only in
  // words.
  if (depth > 0 && NEVER_SENT_WORDS.has(error.message)) return true;
  return wasNeverSent(error.cause, depth + 1);
}

/** The first machine-readable code in the chain of causes; never the text, which may quote what was sent. */
function reasonOf(error: unknown): string {
  let current = error;
  for (let depth = 0; current instanceof Error && depth <= MAX_CAUSES; depth += 1) {
    const { code } = current as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return 'the connection failed';
}
