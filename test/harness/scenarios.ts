// Tables of HTTP scenarios, run in process: a request, what must be answered, and what must appear nowhere.
import { expect, test } from 'vitest';
import type { z } from 'zod';

import { createManualClock } from '../../src/clock.ts';
import type { Logger } from '../../src/log.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { HttpServerOptions } from '../../src/http/server.ts';
import { Problem, WireQuotaExceeded, TooManyRequests } from '../../src/http/wire/problem.ts';
import { createScriptedCore, KEY } from './scripted-core.ts';
import type { Script, ScriptedCore } from './scripted-core.ts';

export interface Scenario {
  /** The guarantee. */
  name: string;
  /** `POST /redeem`; the query may follow. */
  request: string;
  /** The API key; null sends none. */
  key?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  core?: Script;
  options?: Partial<HttpServerOptions>;
  /** The peer's address; none without a socket. */
  address?: string;
  status: number;
  /** The schema openapi.json tells of this answer; without it, of an error the common shape. */
  schema?: z.ZodType;
  /** The whole body. */
  answer?: unknown;
  /** What the body holds among other things. */
  answerHolds?: object;
  /** A header, or null for one that must be absent. */
  answerHeaders?: Record<string, string | null>;
  /** Calls of the core, whole. */
  asked?: ScriptedCore['asked'];
  /** Texts in neither answer nor log. */
  mustNotContain?: string[];
}

export function runScenarios(scenarios: Scenario[]): void {
  test.each(scenarios)('$request: $name', (scenario) => runScenario(scenario));
}

/** What was logged, one JSON object a line. */
export interface RememberedLog extends Logger {
  lines: string[];
}

export function createRememberedLog(): RememberedLog {
  const lines: string[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    const told = Object.entries({ level, message, ...fields }).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Error ? `${value.name}: ${value.message} ${value.stack}` : value,
    ]);
    lines.push(JSON.stringify(Object.fromEntries(told)));
  };
  return { lines, info: write('info'), warn: write('warn'), error: write('error') };
}

async function runScenario(scenario: Scenario): Promise<void> {
  const core = createScriptedCore(scenario.core);
  const log = createRememberedLog();
  const clock = createManualClock(Date.parse('2026-01-13T12:00:00Z'));
  const { app } = createHttpServer({ core, clock, log, ...scenario.options });
  const bindings = scenario.address && { incoming: { socket: { remoteAddress: scenario.address } } };
  const [method = '', path = ''] = scenario.request.split(' ');

  const response = await app.request(path, { method, ...describeRequest(scenario) }, bindings || {});
  const text = await response.text();

  expect(`${response.status} ${text}`).toMatch(new RegExp(`^${scenario.status} `));
  checkEveryAnswer(response, path);
  if (method === 'HEAD') expect(text).toBe('');
  else checkBody(scenario, response, text);
  for (const [name, value] of Object.entries(scenario.answerHeaders ?? {})) {
    expect(`${name}: ${response.headers.get(name)}`).toBe(`${name}: ${value}`);
  }
  if (scenario.asked) expect(core.asked).toEqual(scenario.asked);
  const secrets = [KEY, 'src/', 'node_modules', ...(scenario.mustNotContain ?? [])];
  for (const secret of secrets) expect(text).not.toContain(secret);
  for (const secret of [KEY, ...(scenario.mustNotContain ?? [])]) {
    expect(log.lines.join('\n')).not.toContain(secret);
  }
  // A probe that is answered well is no news.
  const isProbe = /^\/(?:healthz|readyz|metrics)$/.test(path) && response.ok;
  const requests = log.lines.filter((line) => line.includes('"message":"request"'));
  expect(requests).toHaveLength(isProbe ? 0 : 1);
}

function describeRequest({ key = KEY, headers, body }: Scenario): { headers: Headers; body?: string } {
  const sent = new Headers(key === null ? {} : { authorization: `Bearer ${key}` });
  if (body !== undefined) sent.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
  if (body === undefined) return { headers: sent };
  return { headers: sent, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

function checkEveryAnswer(response: Response, path: string): void {
  expect(response.headers.get('x-request-id')).toMatch(/^[\w=-]{1,64}$/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  if (!path.startsWith('/docs/')) expect(response.headers.get('cache-control')).toBe('no-store');
  if (response.status === 401) expect(response.headers.get('www-authenticate')).toBe('Bearer');
  if (response.status === 405) expect(response.headers.get('allow')).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
}

function checkBody(scenario: Scenario, response: Response, text: string): void {
  const error = response.status === 429 ? TooManyRequests.or(WireQuotaExceeded) : Problem;
  const schema = scenario.schema ?? (response.status >= 400 ? error : undefined);
  if (schema === undefined && scenario.answer === undefined && scenario.answerHolds === undefined) return;
  const body: unknown = JSON.parse(text);
  if (schema) expect(schema.safeParse(body).error).toBeUndefined();
  if ('answer' in scenario) expect(body).toEqual(scenario.answer);
  if (scenario.answerHolds) expect(body).toMatchObject(scenario.answerHolds);
}
