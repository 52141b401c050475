// The table of endpoints: who may enter each, what every answer of a kind carries, and what openapi.json tells of it.
// A route says what it does; that the key is checked first, the quota told and 405 answered is said here, once.
import type { RouteConfig } from '@hono/zod-openapi';

import { takeTurn } from '../turns.ts';
import { DAILY_LIMIT, WINDOW_MS } from '../core/index.ts';
import type { AccountActor } from '../core/index.ts';
import type { Authentication } from './auth.ts';
import type { HttpApp, HttpContext, HttpDeps } from './context.ts';
import { answerError, HttpProblem, isBadRequest, tooManyRequests } from './errors.ts';
import { withHeaders } from '../wire/headers.ts';
import { CHARGED_ANSWERS, COMMON_ANSWERS, OTHER_ANSWERS, SECURITY } from '../wire/problem.ts';

type Answer = Response | Promise<Response>;
type Caller = ReturnType<Authentication['identify']>;

export interface Endpoints {
  /** For everybody, without a key. `name`: what logs and metrics call it, where its path may be a secret. */
  open(route: RouteConfig, handle: (c: HttpContext) => Answer, name?: string): void;
  /** For an account with a subscription; costs nothing. */
  free(route: RouteConfig, handle: (c: HttpContext, actor: AccountActor) => Answer): void;
  /** As `free`, and uses the quota: every answer tells what is left of it. */
  charged(route: RouteConfig, handle: (c: HttpContext, actor: AccountActor) => Answer): void;
  /** Ends the table: other methods on its paths are 405, other paths 404. */
  seal(): void;
}

/** `route.path` is written as in OpenAPI: `/history/{id}`. A route marked `hide` is not in openapi.json. */
export function createEndpoints(app: HttpApp, authentication: Authentication, deps: HttpDeps): Endpoints {
  const known = new Map<string, { name: string; methods: string[] }>();
  /** Paths whose GET costs something. */
  const costly = new Set<string>();

  function add(route: RouteConfig, handle: (c: HttpContext) => Answer, name = route.path): void {
    const { method, path, hide, ...documented } = route;
    if (hide !== true) app.openAPIRegistry.registerPath({ method, path, ...documented });
    known.set(path, { name, methods: [...(known.get(path)?.methods ?? []), method.toUpperCase()] });
    app.on(method.toUpperCase(), honoPath(path), async (c) => {
      c.set('route', name);
      return await handle(c);
    });
  }

  const allowed = (path: string): string =>
    (known.get(path)?.methods ?? [])
      .flatMap((method) => (method === 'GET' && !costly.has(path) ? ['GET', 'HEAD'] : [method]))
      .join(', ');

  function authenticate(c: HttpContext): Caller {
    const caller = authentication.identify(c);
    c.set('actor', caller.actor);
    return caller;
  }

  return {
    open(route, handle, name) {
      add({ ...route, security: [], responses: withHeaders(withRest(route.responses)) }, handle, name);
    },

    free(route, handle) {
      add(behindKey(route, COMMON_ANSWERS), async (c) => {
        const requireAccess = () => requireSubscription(authenticate(c), deps);
        const actor = requireAccess();
        try {
          const answer = () => handle(c, actor);
          return await (route.method === 'get' ? readInTurn(answer, actor, requireAccess) : answer());
        } catch (error) {
          throw boundRefusals(c, error, deps);
        }
      });
    },

    charged(route, handle) {
      costly.add(route.path);
      add(behindKey(route, { ...COMMON_ANSWERS, ...CHARGED_ANSWERS }, true), async (c) => {
        // It answers nothing that could be worth its price.
        if (c.req.method === 'HEAD') throw refuseMethod(allowed(route.path));
        const caller = authenticate(c);
        let answer: Response;
        try {
          requireSubscription(caller, deps);
          answer = await handle(c, caller.actor);
        } catch (error) {
          answer = answerError(c, boundRefusals(c, error, deps), deps.log);
        }
        setQuotaHeaders(c, answer, deps);
        return answer;
      });
    },

    seal: () => seal(app, known, allowed, deps),
  };
}

/**
 * However much an account reads, others come between. What is read after a wait is told to whoever may still read it
 * then.
 */
async function readInTurn(
  read: () => Answer,
  { accountId }: AccountActor,
  requireAccess: () => unknown,
): Promise<Response> {
  await takeTurn(accountId);
  const answer = await read();
  requireAccess();
  return answer;
}

function seal(
  app: HttpApp,
  known: ReadonlyMap<string, { name: string }>,
  allowed: (path: string) => string,
  { log }: HttpDeps,
): void {
  for (const [path, { name }] of known) {
    app.all(honoPath(path), (c) => {
      c.set('route', name);
      throw refuseMethod(allowed(path));
    });
  }
  app.notFound((c) => {
    const problem = new HttpProblem(404, 'There is nothing at this path. See /docs for the paths there are.');
    return answerError(c, problem, log);
  });
  app.onError((error, c) => answerError(c, error, log));
}

function refuseMethod(allow: string): HttpProblem {
  return new HttpProblem(405, `This path does not know that method. Use ${allow}.`, { allow });
}

/** A name with an ending (`{id}.png`) is one parameter, the ending in it. */
function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}(\.\w+)?/g, (_, name: string, end?: string) =>
    end === undefined ? `:${name}` : `:${name}{[^/]+\\${end}}`,
  );
}

function behindKey(route: RouteConfig, answers: RouteConfig['responses'], charged = false): RouteConfig {
  const replays = route.request?.headers !== undefined;
  const responses = withHeaders(withRest({ ...answers, ...route.responses }), { charged, replays });
  return { ...route, security: SECURITY, responses };
}

function withRest(responses: RouteConfig['responses']): RouteConfig['responses'] {
  return { ...responses, default: OTHER_ANSWERS };
}

function requireSubscription(
  { actor, subscriptionActive }: Caller,
  { salesChannel }: HttpDeps,
): AccountActor {
  if (subscriptionActive) return actor;
  throw new HttpProblem(403, {
    error: `The subscription has expired, and access to the API with it. Renew it ${salesChannel === 'bot' ? 'in the bot' : 'with whoever runs this service'}.`,
    errorCode: 'SUBSCRIPTION_EXPIRED',
  });
}

/** What is told instead of an error: where an account sends too many bad requests, that alone. */
function boundRefusals(c: HttpContext, error: unknown, deps: HttpDeps): unknown {
  const { core, metrics } = deps;
  if (error instanceof HttpProblem && error.body.limit !== undefined)
    metrics.countQuotaRefusal(c.get('route') ?? '');
  const actor = c.get('actor');
  const tooMany = actor && isBadRequest(error) ? core.badRequestLimit.count(actor.accountId) : undefined;
  return tooMany ? tooManyRequests(tooMany, deps) : error;
}

const DAILY_POLICY = `"daily";q=${DAILY_LIMIT};w=${WINDOW_MS / 1000}`;

/** Never throws: a redemption has been answered already, and nothing may turn that answer into another. */
function setQuotaHeaders(c: HttpContext, answer: Response, { core, log }: HttpDeps): void {
  try {
    const actor = c.get('actor');
    if (actor === undefined) return;
    const { wholeLeft, secondsUntilNext, purchased, boughtInAll } = core.quota(actor);
    const own = actor.kind === 'apiKey' ? core.findOwnKey(actor) : undefined;
    // A client that reads `r=0` of the daily quota alone would stop, though it may go on.
    const bought = boughtInAll > 0;
    const { window, limits } = own ?? {};
    const items = [
      ...(window
        ? [
            [
              `"key";q=${Math.floor(limits?.dayLimit ?? 0)};w=${WINDOW_MS / 1000}`,
              `"key";r=${Math.floor(window.remaining)};t=${window.secondsUntilNext}`,
            ],
          ]
        : []),
      [DAILY_POLICY, `"daily";r=${wholeLeft};t=${secondsUntilNext}`],
      ...(bought
        ? [[`"purchased";q=${Math.floor(boughtInAll)}`, `"purchased";r=${Math.floor(purchased)}`]]
        : []),
    ];
    answer.headers.set('ratelimit-policy', items.map(([policy]) => policy).join(', '));
    answer.headers.set('ratelimit', items.map(([, left]) => left).join(', '));
  } catch (error) {
    log.error({ err: error, requestId: c.get('requestId') }, 'the quota could not be told');
  }
}
