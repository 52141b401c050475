// Bodies of requests: bounded in size and depth before anything parses them, and read to a bound even when they are
// refused, so that the client hears the answer instead of a broken socket.
import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

import { takeTurn } from '../turns.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import { HttpProblem } from './errors.ts';
import { invalidRequest } from './requests.ts';

export const BODY_LIMIT_BYTES = 1024 * 1024;
/** How much of a refused body is read before the answer; what sends more is answered and cut off. */
export const DRAIN_LIMIT_BYTES = 16 * 1024 * 1024;
export const DEPTH_LIMIT = 64;
/** Parsing more than this takes milliseconds: such bodies are parsed one a turn of the event loop. */
const SMALL_BYTES = 16 * 1024;

const LINGER_MS = 500;

/** The same where a body may be left out: undefined without one. */
export async function readJsonIfAny(c: HttpContext): Promise<unknown> {
  const incoming = (c.env as HttpEnv['Bindings'] | undefined)?.incoming;
  const isThere = incoming ? hasBody(incoming) : c.req.raw.body !== null;
  return isThere ? readJson(c) : undefined;
}

/** The parsed JSON body. Throws HttpProblem 400, 413 or 415. Can be called once a request. */
export async function readJson(c: HttpContext): Promise<unknown> {
  const bytes = await readBytes(c);
  if (bytes.length === 0)
    throw new HttpProblem(
      400,
      'The request has no body. Send a JSON body, with Content-Type: application/json.',
    );
  requireJson(c.req.header('content-type'), c.req.header('content-encoding'));
  if (bytes.length > SMALL_BYTES) await takeTurn(c.var.actor?.accountId);
  const twice = findTwice(bytes);
  const body = parseJson(bytes);
  if (twice) throw invalidRequest([{ path: twice, message: 'stands twice: send it once' }]);
  return body;
}

/** The fields of a form that a browser sends. Throws HttpProblem 413. Can be called once a request. */
export async function readFormFields(c: HttpContext): Promise<URLSearchParams> {
  return new URLSearchParams((await readBytes(c)).toString('utf8'));
}

/**
 * Reads what is left of a request's body, to the bound; what sends still more loses its connection soon after the
 * answer.
 */
export async function drain(incoming: IncomingMessage): Promise<void> {
  if (!hasBody(incoming) || incoming.readableEnded || incoming.destroyed || abandoned.has(incoming)) return;
  await consume(incoming, 0);
}

// Requests whose bodies went over DRAIN_LIMIT_BYTES: nobody waits for their end any more.
const abandoned = new WeakSet<Readable>();
const decoder = new TextDecoder('utf-8', { fatal: true });

async function readBytes(c: HttpContext): Promise<Buffer> {
  const source = bodySource(c);
  if (source === undefined) return Buffer.alloc(0);
  const declared = Number(c.req.header('content-length') ?? 0);
  const body = await consume(source, declared > BODY_LIMIT_BYTES ? 0 : BODY_LIMIT_BYTES);
  switch (body.status) {
    case 'read':
      return body.bytes;
    case 'tooLarge':
      throw new HttpProblem(413, 'The body is larger than 1 MiB. Send less at a time.');
    case 'cut':
      throw new HttpProblem(400, 'The request ended before its body was complete. Send it again.');
  }
}

function bodySource(c: HttpContext): Readable | undefined {
  const incoming = (c.env as HttpEnv['Bindings'] | undefined)?.incoming;
  if (incoming instanceof IncomingMessage) return incoming;
  const { body } = c.req.raw;
  return body === null ? undefined : Readable.fromWeb(body);
}

type Consumed = { status: 'read'; bytes: Buffer } | { status: 'tooLarge' } | { status: 'cut' };

/** Reads to the end, keeping at most `mostBytes`; the rest is counted and let go. */
function consume(source: Readable, mostBytes: number): Promise<Consumed> {
  return new Promise((resolve) => {
    let kept: Buffer[] = [];
    let total = 0;
    const finish = (result: Consumed): void => {
      source.off('data', onData).off('end', onEnd).off('close', onCut).off('error', onCut);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      total += chunk.length;
      if (total <= mostBytes) kept.push(chunk);
      else kept = [];
      if (total > DRAIN_LIMIT_BYTES) {
        abandon(source);
        finish({ status: 'tooLarge' });
      }
    };
    const onEnd = (): void => {
      const [first] = kept;
      if (total > mostBytes) finish({ status: 'tooLarge' });
      else finish({ status: 'read', bytes: kept.length === 1 && first ? first : Buffer.concat(kept) });
    };
    const onCut = (): void => finish({ status: 'cut' });
    if (source.destroyed && !source.readableEnded) return onCut();
    source.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut);
  });
}

/** Closing at once would reset the connection under the answer: it goes on reading for a moment first. */
function abandon(source: Readable): void {
  abandoned.add(source);
  source.on('error', () => undefined).resume();
  setTimeout(() => source.destroy(), LINGER_MS).unref();
}

function hasBody(incoming: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

const JSON_TYPE = /^application\/(?:[\w!#$&^.-]+\+)?json\s*(?:;|$)/i;
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?utf-?8\b)/i;

export function requireJson(type: string | undefined, encoding: string | undefined): void {
  if (type === undefined || !JSON_TYPE.test(type) || OTHER_CHARSET.test(type)) {
    throw new HttpProblem(
      415,
      'The body is not declared as JSON. Send JSON in UTF-8 with Content-Type: application/json.',
    );
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new HttpProblem(415, 'The body is compressed. Send it without Content-Encoding.');
  }
}

/** An object or a list that is open: where it is read, and the fields that it has so far. */
interface Level {
  at: string | number;
  fields: Set<string> | undefined;
}

/**
 * The way to the first field that its object has twice: JSON.parse keeps the last, and what stands before us may go by
 * the first. Of what is no JSON it tells anything. Throws HttpProblem 400 where it is nested too deep: JSON.parse accepts
 * millions of levels, and whatever is recursive afterwards overflows.
 */
function findTwice(bytes: Buffer): string[] | undefined {
  const levels: Level[] = [];
  let level: Level | undefined;
  let twice: string[] | undefined;
  let isName = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x22) {
      const end = findEnd(bytes, at);
      if (isName && level?.fields) {
        level.at = readName(bytes.toString('utf8', at, end + 1));
        if (level.fields.has(level.at)) twice ??= levels.map((each) => String(each.at).slice(0, TOLD_LENGTH));
        level.fields.add(level.at);
      }
      isName = false;
      at = end;
    } else if (byte === 0x5b || byte === 0x7b) {
      if (levels.length === DEPTH_LIMIT) throw new HttpProblem(400, TOO_DEEP);
      isName = byte === 0x7b;
      level = { at: 0, fields: isName ? new Set() : undefined };
      levels.push(level);
    } else if (byte === 0x5d || byte === 0x7d) {
      levels.pop();
      level = levels.at(-1);
    } else if (byte === 0x2c && level) {
      if (typeof level.at === 'number') level.at += 1;
      isName = level.fields !== undefined;
    }
  }
  return twice;
}

const TOO_DEEP = `The body is nested more than ${DEPTH_LIMIT} levels deep. Send the flat JSON that /docs describes.`;
/** Of a name. */
const TOLD_LENGTH = 64;

/** The quote that ends a text. */
function findEnd(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
  return at;
}

/** What it names, however it is written. */
function readName(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new HttpProblem(400, 'The body is not valid UTF-8. Send JSON encoded as UTF-8.');
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, and the body may hold a code.
    throw new HttpProblem(
      400,
      'The body is not valid JSON. Check it for missing quotes, commas or brackets.',
    );
  }
}
