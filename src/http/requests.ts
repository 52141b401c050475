// From what was sent to what a route works with: schemas applied, and every broken rule told in words, never in values
// (a value may be a code).
import { z } from '@hono/zod-openapi';

import type { IdempotencyKey } from '../core/index.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import { HttpProblem } from './errors.ts';

/** What the schema makes of the input. Throws HttpProblem 400 with each broken field in `issues`. */
export function parse<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues);
}

/** The same of the query. A field that was sent twice stays an array, so that no schema for one value takes it. */
export function parseQuery<Output>(schema: z.ZodType<Output>, c: HttpContext): Output {
  const sent = Object.entries(c.req.queries());
  const twice = new Set(sent.flatMap(([name, values]) => (values.length > 1 ? [name] : [])));
  const result = schema.safeParse(
    Object.fromEntries(sent.map(([name, values]) => [name, twice.has(name) ? values : values[0]])),
  );
  if (result.success) return result.data;
  throw invalidRequest(
    result.error.issues.map((issue) =>
      twice.has(String(issue.path[0])) ? { ...issue, message: SENT_TWICE } : issue,
    ),
  );
}

const SENT_TWICE = 'was sent more than once: send it once';

/** The header that makes a repeated request the same request. Throws HttpProblem 400 when it breaks its rule. */
export function readIdempotencyKey(c: HttpContext): { idempotencyKey?: IdempotencyKey } {
  const key = c.req.header('idempotency-key');
  if (key === undefined) return {};
  if (countHeaders(c, 'idempotency-key') > 1)
    throw invalidRequest([{ path: ['Idempotency-Key'], message: SENT_TWICE }]);
  const { 'Idempotency-Key': read } = parse(IdempotencyHeader, { 'Idempotency-Key': key });
  return { idempotencyKey: { scope: 'http', key: read } };
}

/** The same where nothing is begun without one. Throws HttpProblem 400 where it is not there. */
export function requireIdempotencyKey(c: HttpContext): IdempotencyKey {
  const { idempotencyKey } = readIdempotencyKey(c);
  if (idempotencyKey) return idempotencyKey;
  const message =
    'is required: send a key of your own for this order, the same again whenever you repeat the request';
  throw invalidRequest([{ path: ['Idempotency-Key'], message }]);
}

/** How often a header was sent; what stands in several is read as one, with commas. */
function countHeaders(c: HttpContext, name: string): number {
  const { rawHeaders = [] } = (c.env as Partial<HttpEnv['Bindings']> | undefined)?.incoming ?? {};
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

/** An identifier of a path; undefined for what cannot be one, huge numbers too. */
export function parseId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** As it is, or as a string of RFC 9651, in a pair of quotes: they are no part of it. */
const IdempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .regex(
      /^(?:[\x21\x23-\x7e]{1,255}|"[\x21\x23-\x5b\x5d-\x7e]{1,255}")$/,
      'must be 1 to 255 visible ASCII characters; quotes may stand around all of it, none in it, and no backslash between them',
    )
    .transform((key) => key.replaceAll('"', '')),
});

const MAX_ISSUES = 100;
const MAX_TOLD = 5;

type BrokenRule = Pick<z.core.$ZodIssue, 'path' | 'message'> & Partial<z.core.$ZodIssue>;

/** With each broken field in `issues`. */
export function invalidRequest(found: readonly BrokenRule[]): HttpProblem {
  const rules = found.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  // Two checks may break on the same rule.
  const broken = [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
  const issues = broken.slice(0, MAX_ISSUES);
  const told = issues
    .slice(0, MAX_TOLD)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  if (broken.length > MAX_TOLD) {
    const listed = broken.length > MAX_ISSUES ? `issues has the first ${MAX_ISSUES} of all` : 'see issues';
    told.push(`and ${broken.length - MAX_TOLD} more, ${listed}`);
  }
  const errorCode = found.map(findErrorCode).find((code) => code !== undefined);
  return new HttpProblem(400, {
    error: `The request breaks a rule: ${told.join('; ')}.`,
    errorCode,
    issues,
  });
}

function findErrorCode(issue: BrokenRule): string | undefined {
  const code: unknown = issue.code === 'custom' ? issue.params?.['errorCode'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Fires when nobody waits for the answer any more, or the service stops. */
export function signalOf(c: HttpContext, stopping: AbortSignal): AbortSignal {
  return AbortSignal.any([stopping, c.req.raw.signal]);
}
