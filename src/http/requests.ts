// From what was sent to what a route works with: schemas applied, and every broken rule told in words, never in values
// (a value may be a code).
import { z } from '@hono/zod-openapi';

import type { IdempotencyKey } from '../core/index.ts';
import type { HttpContext } from './context.ts';
import { HttpProblem } from './errors.ts';

/** What the schema makes of the input. Throws HttpProblem 400 with each broken field in `issues`. */
export function parse<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues);
}

/** The query. A field that was sent twice stays an array, so that no schema for one value takes it. */
export function readQuery(c: HttpContext): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => {
      const [first] = values;
      return [name, values.length === 1 && first !== undefined ? first : values];
    }),
  );
}

/** The header that makes a repeated request the same request. Throws HttpProblem 400 when it breaks its rule. */
export function readIdempotencyKey(c: HttpContext): { idempotencyKey?: IdempotencyKey } {
  const key = c.req.header('idempotency-key');
  if (key === undefined) return {};
  return {
    idempotencyKey: {
      scope: 'http',
      key: parse(IdempotencyHeader, { 'Idempotency-Key': key })['Idempotency-Key'],
    },
  };
}

/** An identifier of a path; undefined for what cannot be one, huge numbers too. */
export function parseId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

const IdempotencyHeader = z.object({
  'Idempotency-Key': z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters'),
});

const MAX_ISSUES = 100;
const MAX_TOLD = 5;

function invalidRequest(found: readonly z.core.$ZodIssue[]): HttpProblem {
  const issues = found
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  const told = issues
    .slice(0, MAX_TOLD)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  if (found.length > MAX_TOLD) told.push(`and ${found.length - MAX_TOLD} more, see issues`);
  const errorCode = found.map(findErrorCode).find((code) => code !== undefined);
  return new HttpProblem(400, {
    error: `The request breaks a rule: ${told.join('; ')}.`,
    ...(errorCode !== undefined && { errorCode }),
    issues,
  });
}

function findErrorCode(issue: z.core.$ZodIssue): string | undefined {
  const code: unknown = issue.code === 'custom' ? issue.params?.['errorCode'] : undefined;
  return typeof code === 'string' ? code : undefined;
}
