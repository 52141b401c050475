// The parameters of a call, from whichever of the four encodings Telegram takes, and read with its patience:
// numbers may be strings, objects may be JSON in a string.
import { ApiRefusal, badRequest } from './types.ts';

/** A file that came with a multipart body. */
export interface Upload {
  name: string;
  bytes: Buffer;
}

/** The parameters of one call; what nobody asks for is ignored. */
export interface Params {
  raw: Record<string, unknown>;
  text(name: string): string | undefined;
  integer(name: string): number | undefined;
  flag(name: string): boolean;
  json(name: string): unknown;
  upload(name: string): Upload | undefined;
}

/** Decodes the query string and the body of a call. Throws a 400 on a body that cannot be read. */
export function decodeParams(query: URLSearchParams, contentType: string, body: Buffer): Params {
  const raw: Record<string, unknown> = Object.fromEntries(query);
  if (body.length > 0) {
    if (/^application\/json/i.test(contentType)) Object.assign(raw, decodeJson(body));
    else if (/^multipart\/form-data/i.test(contentType))
      Object.assign(raw, decodeMultipart(contentType, body));
    else Object.assign(raw, Object.fromEntries(new URLSearchParams(body.toString('utf8'))));
  }
  return createParams(raw);
}

/** Parameters that are decoded already. */
export function createParams(raw: Record<string, unknown>): Params {
  const text = (name: string) => {
    const value = raw[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  };
  return {
    raw,
    text,
    integer(name) {
      const value = text(name);
      return value !== undefined && /^-?\d{1,16}$/.test(value) ? Number(value) : undefined;
    },
    flag: (name) => ['true', '1', 'yes'].includes(text(name)?.toLowerCase() ?? ''),
    json(name) {
      const value = raw[name];
      if (typeof value !== 'string') return value ?? undefined;
      if (value === '') return undefined;
      try {
        return JSON.parse(value) as unknown;
      } catch {
        throw badRequest(`can't parse ${name.replaceAll('_', ' ')} JSON object`);
      }
    },
    upload(name) {
      const direct = raw[name];
      const attached = typeof direct === 'string' ? /^attach:\/\/(.+)$/.exec(direct)?.[1] : undefined;
      const value = attached === undefined ? direct : raw[attached];
      return isUpload(value) ? value : undefined;
    },
  };
}

/** True for a file of a multipart body. */
export function isUpload(value: unknown): value is Upload {
  return typeof value === 'object' && value !== null && Buffer.isBuffer((value as Upload).bytes);
}

function decodeJson(body: Buffer): object {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new ApiRefusal(400, 'Bad Request: object expected as the body');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('object expected as the body');
  return value;
}

function decodeMultipart(contentType: string, body: Buffer): Record<string, unknown> {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (!boundary) throw badRequest('boundary not found in the multipart body');
  const fields: Record<string, unknown> = {};
  const mark = Buffer.from(`\r\n--${boundary}`);
  // The first mark has no line break before it: with one put there, all marks are alike.
  const source = Buffer.concat([Buffer.from('\r\n'), body]);
  let at = source.indexOf(mark);
  while (at !== -1) {
    const begin = at + mark.length;
    const next = source.indexOf(mark, begin);
    if (next === -1) break;
    addPart(fields, source.subarray(begin, next));
    at = next;
  }
  return fields;
}

function addPart(fields: Record<string, unknown>, part: Buffer): void {
  const split = part.indexOf('\r\n\r\n');
  if (split === -1) return;
  const head = part.subarray(0, split).toString('utf8');
  const bytes = part.subarray(split + 4);
  const name = /[;\s]name="([^"]*)"/i.exec(head)?.[1] ?? /[;\s]name=([^;\r\n]+)/i.exec(head)?.[1];
  if (name === undefined) return;
  const file = /filename="([^"]*)"/i.exec(head)?.[1] ?? /filename=([^;\r\n]*)/i.exec(head)?.[1];
  fields[name] = file === undefined ? bytes.toString('utf8') : { name: file, bytes: Buffer.from(bytes) };
}
