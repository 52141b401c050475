// Entering: a link shows who would come in and changes nothing, since the previews of chats open links, too; the press
// of its button uses it up. Who comes second reads when it was used, and by which browser.
import { html } from 'hono/html';
import type { Hono } from 'hono';

import { createRateLimit } from '../../rate-limit.ts';
import {
  BASE,
  ConsoleProblem,
  type ConsoleDeps,
  type ConsoleEnv,
  type ConsoleRequest,
  type Html,
} from '../context.ts';
import { formatMoment } from '../../moments.ts';
import { card } from '../parts/page.ts';
import { createWord, type ConsoleWord } from '../words.ts';
import { nameBrowser } from './browser-name.ts';
import { setSessionCookie, requireOwnOrigin } from './guarding.ts';
import { findPerson, languageOf } from './session.ts';

const ENTRIES_PER_MINUTE = 10;
/** Beside the link's own secret: one page's press, however often it is clicked. */
const ONCE_BYTES = 12;
const ENTRY = '/enter/:token';

/** Both routes name themselves, so that no log has the secret of a link. */
export function mountEntering(app: Hono<ConsoleEnv>, deps: ConsoleDeps): void {
  const limit = createRateLimit({ clock: deps.clock, perMinute: ENTRIES_PER_MINUTE });

  app.get(ENTRY, (c) => {
    c.set('route', `${BASE}${ENTRY}`);
    return showLink(deps, c, c.req.param('token'));
  });

  app.post(ENTRY, async (c) => {
    c.set('route', `${BASE}${ENTRY}`);
    requireOwnOrigin(c, deps.settings);
    const waitMs = limit.count(findAddress(c));
    if (waitMs > 0) throw new ConsoleProblem(429, 'too-many-entries', { seconds: Math.ceil(waitMs / 1000) });
    const token = c.req.param('token');
    const { once } = await c.req.parseBody({ all: true });
    const link = deps.core.consoleAccess.findLink(token);
    // A link of somebody who is nobody any more opens nothing.
    if (link.status === 'open' && !findPerson(deps, link.telegramId)) return showLink(deps, c, token);
    const browser = nameBrowser(c.req.header('user-agent'));
    const entry = { token, once: typeof once === 'string' ? once : '', browser };
    const answer = await deps.core.consoleAccess.enter(entry);
    if (answer.status !== 'entered') return showLink(deps, c, token);
    setSessionCookie(c, deps.settings, answer.token);
    return c.redirect(BASE, 303);
  });
}

function showLink(deps: ConsoleDeps, c: ConsoleRequest, token: string): Response | Promise<Response> {
  const link = deps.core.consoleAccess.findLink(token);
  const person = link.status === 'open' ? findPerson(deps, link.telegramId) : undefined;
  const language = languageOf(c, deps, link.status === 'open' ? link.telegramId : undefined);
  const reader = { language, t: createWord(deps.core.games, language) };
  const show = (title: string, body: Html, status: 200 | 410) =>
    c.html(card(reader, { title, body }), status);
  const { t } = reader;
  if (link.status === 'open' && person) {
    const body = continueForm(deps, t, { token, telegramId: link.telegramId, ...person });
    return show(t('enter-title'), body, 200);
  }
  const said =
    link.status === 'used'
      ? t('enter-used', { when: formatMoment(language, link.usedAt), browser: link.browser })
      : t(link.status === 'expired' ? 'enter-expired' : 'enter-unknown');
  const next = link.status === 'used' ? t('enter-used-next') : t('enter-next');
  return show(
    t('enter-not'),
    html`<p>${said}</p>
      <p>${next}</p>`,
    410,
  );
}

function continueForm(
  { core, ids }: ConsoleDeps,
  t: ConsoleWord,
  {
    token,
    telegramId,
    member,
  }: { token: string; telegramId: number } & NonNullable<ReturnType<typeof findPerson>>,
): Html {
  const called = core.consoleAccess.nameOf(telegramId) ?? String(telegramId);
  const who = member
    ? t('enter-as', {
        person: called,
        role: member.role,
        shop: core.accounts.find(member.accountId)?.name ?? '',
      })
    : t('enter-as-host', { person: called });
  return html`<p>${t('enter-what')}</p>
    <form method="post" action="${BASE}/enter/${token}">
      <input type="hidden" name="once" value="${ids.secret(ONCE_BYTES)}" />
      <button class="main" autofocus>${who}</button>
    </form>`;
}

/** Behind a proxy on this machine, the address that the proxy saw; a stranger's own header is believed by nobody. */
function findAddress(c: ConsoleRequest): string {
  const bindings = c.env as { incoming?: { socket: { remoteAddress?: string } } } | undefined;
  const peer = bindings?.incoming?.socket.remoteAddress ?? '';
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  return forwarded !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(peer) ? forwarded : peer;
}
