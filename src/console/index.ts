// The console: a Hono application to be mounted under /console. Every screen is one of `screens/`; this is what stands
// around all of them: headers, session, permission, forms, and what cannot be shown, as a page.
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';

import { CoreError, type CoreErrorCode } from '../core/index.ts';
import { isAsset, readAsset } from './assets.ts';
import {
  BASE,
  ConsoleProblem,
  isAllowed,
  type ConsoleDeps,
  type ConsoleEnv,
  type ConsoleRequest,
  type Html,
  type OpenConsole,
  type Route,
  type ScreenContext,
} from './context.ts';
import { mountEntering } from './entering/enter.ts';
import { dropToken, guardAnswers, readToken, requireOwnOrigin } from './entering/guarding.ts';
import { languageOf, readContext } from './entering/session.ts';
import { form, hidden } from './parts/form.ts';
import { card, page } from './parts/page.ts';
import { SCREENS } from './screens/index.ts';
import { createWord, type ConsoleWord } from './words.ts';

export { BASE, type ConsoleDeps } from './context.ts';

export type ConsoleApp = Hono<ConsoleEnv>;

/** As much as the bot takes in one file. */
const MOST_BYTES = 21 * 1024 * 1024;
const KEPT = 'public, max-age=31536000, immutable';

/** Opens nothing and runs nothing by itself. */
export function createConsole(given: ConsoleDeps): ConsoleApp {
  const deps: OpenConsole = { ...given, exporting: new Set() };
  const app: ConsoleApp = new Hono<ConsoleEnv>();
  app.use(guardAnswers);
  app.use(
    bodyLimit({
      maxSize: MOST_BYTES,
      onError: () => {
        throw new ConsoleProblem(413, 'too-large');
      },
    }),
  );
  app.get('/assets/:name', (c) => {
    c.set('route', `${BASE}/assets/:name`);
    const name = c.req.param('name');
    if (!isAsset(name)) throw new ConsoleProblem(404, 'no-page');
    const { body, type } = readAsset(name);
    return c.body(body, 200, { 'content-type': type, 'cache-control': KEPT });
  });
  mountEntering(app, deps);
  const routes = SCREENS.flatMap((screen) => screen.routes);
  for (const route of routes) {
    app.on(route.method, route.path, async (c) => {
      c.set('route', `${BASE}${route.path === '/' ? '' : route.path}`);
      return answer(deps, route, c);
    });
  }
  for (const path of new Set(routes.map((route) => route.path)))
    app.all(path, (c) => {
      c.set('route', `${BASE}${path}`);
      // The page that an act answered with, loaded anew: to where it was done.
      if (c.req.method === 'GET') return c.redirect(new URL(c.req.url).pathname.replace(/\/[^/]+$/, ''));
      throw new ConsoleProblem(405, 'other-method');
    });
  app.all('*', () => {
    throw new ConsoleProblem(404, 'no-page');
  });
  app.onError((error, c) => answerError(deps, c, error));
  return app;
}

async function answer(deps: OpenConsole, route: Route, c: ConsoleRequest): Promise<Response> {
  // Before the body is read by anybody.
  if (route.method === 'POST') requireOwnOrigin(c, deps.settings);
  let context = await readContext(deps, SCREENS, c);
  try {
    if (!isAllowed(context, route.needs)) throw new ConsoleProblem(403, 'not-yours');
    if (route.fresh && !context.session.isFresh) throw new ConsoleProblem(403, 'not-fresh');
    if (route.method === 'POST') context = await readForm(context);
    const shown = await route.run(context);
    return shown instanceof Response ? shown : c.html(shown);
  } catch (error) {
    const problem = toProblem(deps, c, error);
    const again = problem && (await showAgain(deps, route, context, problem));
    return again ?? (await answerProblem(context, problem));
  }
}

/** Undefined where there is no form, where it may not be sent at all, and where what it is of is gone itself. */
async function showAgain(deps: ConsoleDeps, route: Route, context: ScreenContext, problem: ConsoleProblem) {
  const { c } = context;
  if (!route.form || problem.status === 403) return undefined;
  try {
    const refused = formatProblem(context, problem, c);
    return c.html(await route.form({ ...context, refused }), problem.status);
  } catch (error) {
    toProblem(deps, c, error);
    return undefined;
  }
}

/** Its fields and files. */
async function readForm(context: ScreenContext): Promise<ScreenContext> {
  const given = new Map<string, string>();
  const files: [name: string, file: File][] = [];
  for (const [name, values] of Object.entries(await context.c.req.parseBody({ all: true })))
    for (const value of [values].flat()) {
      if (value instanceof File) files.push([name, value]);
      else if (given.has(name)) throw new ConsoleProblem(400, 'invalid', { detail: `${name} stands twice.` });
      else given.set(name, value);
    }
  return {
    ...context,
    fields: Object.fromEntries(given),
    field: (name) => given.get(name) ?? '',
    files: (name) => files.flatMap(([each, file]) => (each === name && file.size > 0 ? [file] : [])),
  };
}

const CORE_PROBLEMS: Record<CoreErrorCode, [status: ConsoleProblem['status'], key: string]> = {
  FORBIDDEN: [403, 'not-yours'],
  KEY_REVOKED: [403, 'not-yours'],
  NOT_FOUND: [404, 'not-found'],
  INVALID_INPUT: [400, 'invalid'],
  CODE_OVERRIDE_REQUIRED: [400, 'invalid'],
  IDEMPOTENCY_KEY_REUSED: [409, 'meanwhile'],
  SUBSCRIPTION_EXPIRED: [403, 'no-subscription'],
  CONFLICT: [409, 'meanwhile'],
  STOPPING: [503, 'busy'],
  OVERLOADED: [503, 'busy'],
  CONTESTED: [503, 'contested'],
};

/** What a person can be told; undefined for a fault of ours, which is logged. */
function toProblem(deps: ConsoleDeps, c: ConsoleRequest, error: unknown): ConsoleProblem | undefined {
  if (error instanceof ConsoleProblem) return error;
  if (error instanceof CoreError) {
    const [status, key] = CORE_PROBLEMS[error.code];
    // What takes longer than a moment is what a restore has left to be asked.
    const isAsked = error.code === 'OVERLOADED' && error.retryAfterSeconds !== undefined;
    return new ConsoleProblem(status, isAsked ? 'since-restore' : key, { detail: error.message });
  }
  deps.log.error({ err: error, requestId: c.get('requestId') }, 'a page of the console failed');
  return undefined;
}

function answerProblem(
  context: ScreenContext,
  problem: ConsoleProblem | undefined,
): Response | Promise<Response> {
  const { t, c } = context;
  const body = html`<p>${formatProblem(context, problem, c)}</p>
    <p><a href="${BASE}">${t('problem-back')}</a></p>`;
  return c.html(page(context, { title: t('problem-title'), body }), problem?.status ?? 500);
}

const formatProblem = (
  { t }: Pick<ScreenContext, 't'>,
  problem: ConsoleProblem | undefined,
  c: ConsoleRequest,
): string =>
  problem
    ? t(`problem-${problem.key}`, problem.variables)
    : t('problem-ours', { id: c.get('requestId') ?? '' });

/** For whoever is not in. */
async function answerError(deps: ConsoleDeps, c: ConsoleRequest, error: unknown): Promise<Response> {
  const problem = toProblem(deps, c, error);
  const language = languageOf(c, deps);
  const t = createWord(deps.core.games, language);
  const isOut = problem?.key === 'no-session';
  if (isOut && readToken(c, deps.settings) !== undefined) dropToken(c, deps.settings);
  // A strict cookie does not come along from another site's link: from here it does.
  const again = isOut && c.req.method === 'GET' && c.req.header('sec-fetch-site') === 'cross-site';
  const { pathname, search } = new URL(c.req.url);
  const body = html`<p>${formatProblem({ t }, problem, c)}</p>
    ${isOut ? html`<p>${t('enter-next')}</p>` : html`<p><a href="${BASE}">${t('problem-back')}</a></p>`}
    ${isOut && c.req.method === 'POST' && (await keepTyped(c, pathname, t))}
    ${again ? html`<p><a href="${pathname}${search}">${t('problem-again')}</a></p>` : ''}`;
  const title = t(isOut ? 'enter-not' : 'problem-title');
  return await c.html(card({ language, t }, { title, body }), problem?.status ?? 500);
}

/** What was typed, to be sent from here once there is a session again: nothing of it stays on the server. */
async function keepTyped(c: ConsoleRequest, path: string, t: ConsoleWord): Promise<Html> {
  const typed = Object.entries(await c.req.parseBody()).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const body = html`${hidden(Object.fromEntries(typed))}<button>${t('enter-send-again')}</button>`;
  return form(path.replace(BASE, ''), body);
}
