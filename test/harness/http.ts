// The HTTP interface in this process, over the real core: an account with a key, a platform that a test scripts, a clock
// that moves when told. Whatever is answered is held to what every answer has and to openapi.json, what is logged to
// telling no key.
import { readFileSync } from 'node:fs';

import { HOST } from '../../src/cli/verbs.ts';
import { createGames, type ApiKeyActor, type Core } from '../../src/core/index.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/http/server.ts';
import type { Logger } from '../../src/log.ts';
import { openTestCore, type TestCore } from './core.ts';
import { createJudge, type JudgeAnswer } from './document.ts';

const GAMES = createGames(
  JSON.parse(readFileSync(new URL('../../data/games.json', import.meta.url), 'utf8')),
);

/** What claim links begin with. */
export const PUBLIC_URL = 'https://codes.example';

interface Sent {
  /** Without it the key of the account; null sends none. */
  key?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON; a string as it is. */
  body?: unknown;
  /** Of the peer's socket; none without it. */
  address?: string;
}

interface Answered {
  status: number;
  headers: Headers;
  text: string;
  /** undefined where it is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever was answered
  json: any;
}

export interface ServedHttp {
  server: HttpServer;
  log: RememberedLog;
  /** `ask('POST /redeem', { body })`; a query may follow the path. */
  ask(request: string, sent?: Sent): Promise<Answered>;
}

export interface TestHttp extends TestCore, ServedHttp {
  /** Of the account that `actor` stands for. */
  key: string;
  /** Another interface with other options, over the same core where they name none. */
  serve(options?: Partial<HttpServerOptions>): ServedHttp;
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

export async function openTestHttp(options: Partial<HttpServerOptions> = {}): Promise<TestHttp> {
  const t = await openTestCore();
  const restart: TestCore['restart'] = (parts) => t.restart({ games: GAMES, ...parts });
  const core = restart();
  const { key, actor } = await openAccount(core);
  const servers: HttpServer[] = [];
  const serve = (other: Partial<HttpServerOptions> = {}): ServedHttp => {
    const log = createRememberedLog();
    const server = createHttpServer({
      core,
      clock: t.clock,
      log,
      publicUrl: PUBLIC_URL,
      ...options,
      ...other,
    });
    servers.push(server);
    const judging = async () =>
      (judge ??= await readOwnDocument({
        core,
        clock: t.clock,
        log: createRememberedLog(),
        publicUrl: PUBLIC_URL,
      }));
    return { server, log, ask: createAsk(server, { key, log, judging }) };
  };
  return {
    ...t,
    ...{ core, actor, key, serve, restart },
    ...serve(),
    async close() {
      for (const { closeNow } of servers) closeNow();
      await t.close();
    },
  };
}

/** One more, with its key. */
export async function openAccount(core: Core, { days = 30, purchased = 0 } = {}) {
  const { apiKey: key } = await core.accounts.create(HOST, { name: 'Shop', days, purchased });
  const actor = core.apiKeys.authenticate(key)?.actor as ApiKeyActor;
  return { key, actor };
}

let judge: JudgeAnswer | undefined;

async function readOwnDocument(options: HttpServerOptions): Promise<JudgeAnswer> {
  return createJudge(await (await createHttpServer(options).app.request('/openapi.json')).text());
}

function createAsk(
  { app }: HttpServer,
  { key: ownKey, log, judging }: { key: string; log: RememberedLog; judging: () => Promise<JudgeAnswer> },
): ServedHttp['ask'] {
  return async (request, { key = ownKey, headers: more = {}, body, address } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const headers = new Headers(key === null ? {} : { authorization: `Bearer ${key}` });
    if (body !== undefined) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const bindings = address === undefined ? {} : { incoming: { socket: { remoteAddress: address } } };
    const init = { method, headers, ...(sent !== undefined && { body: sent }) };
    const response = await app.request(path, init, bindings);
    const text = await response.text();
    const seen = { method, path, status: response.status, body: text };
    const wrong = (await judging())(seen) ?? findUnusual(response, path);
    if (wrong !== undefined) throw new Error(`${request} ${response.status}: ${wrong}`);
    const logged = log.lines.join('\n');
    if ([ownKey, key].some((each) => each !== null && logged.includes(each)))
      throw new Error('The log tells the key.');
    return { status: response.status, headers: response.headers, text, json: readJson(text) };
  };
}

/** What every answer has, and those of some statuses. */
function findUnusual({ status, headers }: Response, path: string): string | undefined {
  const rules: [name: string, form: RegExp, when?: boolean][] = [
    ['x-request-id', /^[\w=-]{1,64}$/],
    ['x-content-type-options', /^nosniff$/],
    ['cache-control', /^no-store$/, !path.startsWith('/docs/')],
    ['www-authenticate', /^Bearer$/, status === 401],
    ['allow', /^[A-Z]+(, [A-Z]+)*$/, status === 405],
    ['retry-after', /^[1-9]\d*$/, status === 429],
  ];
  const broken = rules.find(([name, form, when = true]) => when && !form.test(headers.get(name) ?? ''));
  return broken && `its ${broken[0]} is ${headers.get(broken[0])}`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
