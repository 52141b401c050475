// Whose request it is: the session of its cookie, and its person with the role, the account and the language that they
// have at this moment. Nothing of it is kept from one request to the next.
import { grantOf, type HostActor, type MemberActor } from '../../core/index.ts';
import {
  BASE,
  ConsoleProblem,
  isAllowed,
  type ConsoleDeps,
  type ConsoleRequest,
  type MenuItem,
  type OpenConsole,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { createWord, readAcceptLanguage } from '../words.ts';
import { readToken } from './guarding.ts';

/** Somebody of this number, as they stand now; undefined for whoever is neither in an account nor a host. */
export function findPerson(
  { core, settings }: Pick<ConsoleDeps, 'core' | 'settings'>,
  telegramId: number,
): { member: MemberActor | undefined; host: HostActor | undefined } | undefined {
  const actor = core.members.findActor(telegramId);
  const member = actor && ({ ...actor, door: 'page' } as const);
  const host = settings.hostIds.includes(telegramId)
    ? ({ kind: 'host', by: telegramId, door: 'page' } as const)
    : undefined;
  return member || host ? { member, host } : undefined;
}

/** Below /console, wherever that is mounted. */
const pathOf = ({ req }: ConsoleRequest): string => req.path.replace(/^\/console(?=\/|$)/, '');

/** The language of a page for somebody, or for nobody yet. */
export const languageOf = (
  c: ConsoleRequest,
  { settings }: Pick<ConsoleDeps, 'settings'>,
  telegramId?: number,
) =>
  (telegramId === undefined ? undefined : settings.findLanguage?.(telegramId)) ??
  readAcceptLanguage(c.req.header('accept-language'));

/** Throws ConsoleProblem 401 without a session, and for a session whose person is nobody any more. */
export async function readContext(
  deps: OpenConsole,
  screens: readonly Screen[],
  c: ConsoleRequest,
): Promise<ScreenContext> {
  const { core, clock, ids, settings, exporting } = deps;
  const token = readToken(c, settings);
  const session = token === undefined ? undefined : await core.consoleAccess.find(token);
  const person = session && findPerson(deps, session.telegramId);
  if (token === undefined || !session || !person) throw new ConsoleProblem(401, 'no-session');
  const { member } = person;
  c.set('actor', member);
  const language = languageOf(c, deps, session.telegramId);
  return {
    ...{ core, clock, ids, exporting, settings, c, session, language },
    ...person,
    path: pathOf(c),
    fields: {},
    field: () => '',
    files: () => [],
    personName: core.consoleAccess.nameOf(session.telegramId) ?? String(session.telegramId),
    accountName: member ? (core.accounts.find(member.accountId)?.name ?? '') : '',
    timeZone: member ? core.accounts.timeZoneOf(member.accountId) : 'UTC',
    menu: screens.flatMap((screen) => toMenu(screen, { core, settings, ...person })),
    t: createWord(core.games, language),
    can: (permission) => member !== undefined && grantOf(member, permission) !== 'no',
  };
}

function toMenu(
  { name, inMenu = () => false, routes }: Screen,
  context: Pick<ScreenContext, 'core' | 'settings' | 'member' | 'host'>,
): MenuItem[] {
  const [first] = routes;
  if (!first || !isAllowed(context, first.needs)) return [];
  if (inMenu !== true && !inMenu(context)) return [];
  return [{ name, href: first.path === '/' ? BASE : `${BASE}${first.path}` }];
}
