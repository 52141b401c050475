// What every screen of the console finds: who looks, with the rights of this very request, and how they read.
import type { Context } from 'hono';
import type { html } from 'hono/html';

import type { Clock } from '../clock.ts';
import {
  CoreError,
  grantOf,
  type ConsoleSession,
  type Core,
  type HostActor,
  type MemberActor,
  type Permission,
} from '../core/index.ts';
import type { Ids } from '../ids.ts';
import type { Language, Variables } from '../locales.ts';

/** The path under which everything lies. */
export const BASE = '/console';

/** A template of `hono/html`: what goes into it is escaped. */
export type Html = ReturnType<typeof html>;

export interface ConsoleSettings {
  /** `https://host/console`; its origin is the one that forms may be sent from. */
  url: string;
  hostIds: readonly number[];
  /** What somebody chose in the bot, or Telegram says; undefined: the browser's is taken. */
  findLanguage?: ((telegramId: number) => Language | undefined) | undefined;
  /** What the bot is called at Telegram, by which people are invited; undefined where there is none, or not yet. */
  botName?: (() => string | undefined) | undefined;
  /** Whether claim links can be given out: there is an address for them. */
  hasLinks?: boolean | undefined;
}

export interface ConsoleDeps {
  core: Core;
  clock: Clock;
  ids: Ids;
  log: { error(fields: object, message: string): void };
  settings: ConsoleSettings;
}

/** What runs beside the requests of one console. */
export interface OpenConsole extends ConsoleDeps {
  /** The sessions that an export is running for. */
  exporting: Set<number>;
}

/** As the HTTP interface has it around the console: `route` is what logs and metrics call a request. */
export interface ConsoleEnv {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Node's request, absent in process
  Bindings: any;
  Variables: { requestId?: string; route?: string; actor?: unknown };
}

export type ConsoleRequest = Context<ConsoleEnv>;

/** Who may see a page: whoever has the permission (in full or for one's own), any member, any host, or both. */
export type Needs = Permission | 'member' | 'host' | 'anybody';

export interface Route {
  method: 'GET' | 'POST';
  /** Below /console, as Hono writes it: `/receipts/:id`. */
  path: string;
  needs: Needs;
  /** Only within five minutes after entering. */
  fresh?: true | undefined;
  run(context: ScreenContext): Html | Response | Promise<Html | Response>;
  /** The page with the form that leads here: where it is refused that comes again, with what was typed. */
  form?: ((context: ScreenContext) => Html | Promise<Html>) | undefined;
}

/**
 * A file in `screens/`, and a line in `screens/index.ts`. `inMenu`: its first route is in the navigation, for whoever may
 * see that; always, or where it says so.
 */
export interface Screen {
  name: string;
  inMenu?: true | ((context: Pick<ScreenContext, 'core' | 'settings' | 'member'>) => boolean);
  routes: readonly Route[];
}

export interface ScreenContext extends Pick<
  OpenConsole,
  'core' | 'clock' | 'ids' | 'exporting' | 'settings'
> {
  /** The request itself: parameters, the query, what an answer is made by. */
  c: ConsoleRequest;
  /** Below /console, without its query. */
  path: string;
  /** Of a POST: its form; each field at most once. */
  fields: Readonly<Record<string, string>>;
  /** One of them; '' where there is none. */
  field(name: string): string;
  /** Why the form of this page was refused, in words. */
  refused?: string;
  /** Of a POST: the files of a field. */
  files(name: string): File[];
  session: ConsoleSession;
  /** undefined for a host who is in no account. */
  member: MemberActor | undefined;
  host: HostActor | undefined;
  /** What the person is called, and their account; '' for a host who is in none. */
  personName: string;
  accountName: string;
  language: Language;
  timeZone: string;
  menu: readonly MenuItem[];
  /** Plain words of the locales; escaped by the template that they stand in. `game` is named by its id. */
  t(key: string, variables?: Variables): string;
  /** Whether they may, in full or for their own. */
  can(permission: Permission): boolean;
}

export interface MenuItem {
  name: string;
  href: string;
}

/** What cannot be shown or done, as a page. `key` of the locales, `problem-<key>`. */
export class ConsoleProblem extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 503;
  readonly key: string;
  readonly variables: Variables;

  constructor(status: ConsoleProblem['status'], key: string, variables: Variables = {}) {
    super(`problem-${key}`);
    this.name = 'ConsoleProblem';
    this.status = status;
    this.key = key;
    this.variables = variables;
  }
}

/** A number that a page has put into a form or an address. Throws ConsoleProblem 400 for what is none. */
export function requireNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ConsoleProblem(400, 'bad-form');
}

/** The number that a path has as `:id`. Throws ConsoleProblem 400 for what is none. */
export const idIn = ({ c }: Pick<ScreenContext, 'c'>): number => requireNumber(c.req.param('id') ?? '');

/** The member who looks. Throws CoreError FORBIDDEN for a host who is in no account. */
export function memberOf({ member }: Pick<ScreenContext, 'member'>): MemberActor {
  if (member) return member;
  throw new CoreError('FORBIDDEN', 'This is for members of an account.');
}

/** The host who looks. Throws CoreError FORBIDDEN for everybody else. */
export function hostIn({ host }: Pick<ScreenContext, 'host'>): HostActor {
  if (host) return host;
  throw new CoreError('FORBIDDEN', 'Only the host of the service may do this.');
}

export function isAllowed({ member, host }: Pick<ScreenContext, 'member' | 'host'>, needs: Needs): boolean {
  if (needs === 'anybody') return true;
  if (needs === 'member') return member !== undefined;
  if (needs === 'host') return host !== undefined;
  return member !== undefined && grantOf(member, needs) !== 'no';
}

/** To another page of the console after a POST, which says there what was done: `said-<key>` of the locales. */
export function goTo({ c }: Pick<ScreenContext, 'c'>, path: string, said?: string): Response {
  const query = said === undefined ? '' : `${path.includes('?') ? '&' : '?'}said=${said}`;
  return c.redirect(`${BASE}${path}${query}`, 303);
}
