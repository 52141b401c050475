// The console over a test core, as a browser sees it: entered by a link, with its cookie.
import { createConsole, type ConsoleApp } from '../../src/console/index.ts';
import type { Clock } from '../../src/clock.ts';
import type { Core, HostActor, MemberActor } from '../../src/core/index.ts';
import { randomIds } from '../../src/ids.ts';

export const CONSOLE_ORIGIN = 'https://shop.example';
export const TEST_HOST = 909;

export interface TestConsole {
  app: ConsoleApp;
  /** Enters by a new link. */
  enter(actor: MemberActor | HostActor): Promise<Browser>;
}

/** Somebody who is in. Paths are below /console, with a query. */
export interface Browser {
  cookie: string;
  get(path: string, init?: { headers?: Record<string, string> }): Promise<Shown>;
  /** Sends a form from a page of the console. */
  post(path: string, fields?: Fields, headers?: Record<string, string>): Promise<Shown>;
}

interface Shown {
  status: number;
  headers: Headers;
  html: string;
}

export type Fields = Record<string, string | number | File>;

/** Console over a core; whoever is TEST_HOST is a host. */
export function openTestConsole(
  { core, clock }: { core: Core; clock: Clock },
  { hasLinks = false }: { hasLinks?: boolean } = {},
): TestConsole {
  const log = { error: (fields: object, message: string) => void errors.push({ ...fields, message }) };
  const errors: object[] = [];
  const settings = {
    url: `${CONSOLE_ORIGIN}/console`,
    hostIds: [TEST_HOST],
    findLanguage: () => 'en' as const,
    hasLinks,
  };
  const app = createConsole({ core, clock, ids: randomIds, log, settings });
  const ask = async (path: string, init?: RequestInit): Promise<Shown> => {
    const answer = await app.request(`${CONSOLE_ORIGIN}${path || '/'}`, init);
    const shown = { status: answer.status, headers: answer.headers, html: await answer.text() };
    // A fault of ours is a page, too: no test is to be content with it.
    if (answer.status === 500) throw new Error(`the console failed: ${describe(errors)}`);
    return shown;
  };
  return {
    app,
    async enter(actor) {
      const telegramId = actor.kind === 'member' ? actor.telegramId : Number(actor.by);
      const path = `/enter/${await core.consoleAccess.link(actor, telegramId)}`;
      const answer = await ask(path, postOf({ once: 'once' }));
      if (answer.status !== 303) throw new Error(`Not entered: ${answer.status} ${answer.html}`);
      const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
      const get: Browser['get'] = (to, { headers = {} } = {}) => ask(to, { headers: { cookie, ...headers } });
      return {
        cookie,
        get,
        post: (to, fields = {}, headers = {}) => ask(to, postOf(fields, { cookie, ...headers })),
      };
    },
  };
}

/** A form as a browser sends it from a page of the console. */
export function postOf(fields: Fields, headers: Record<string, string> = {}): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields))
    body.append(name, value instanceof File ? value : String(value));
  const own = { origin: CONSOLE_ORIGIN, 'sec-fetch-site': 'same-origin', 'user-agent': FIREFOX };
  return { method: 'POST', body, headers: { ...own, ...headers } };
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const describe = (errors: object[]): string =>
  errors
    .map((each) => ('err' in each && each.err instanceof Error ? each.err.stack : JSON.stringify(each)))
    .join('\n');
