// What somebody has open: their sessions, each to be ended; and the way out.
import { html } from 'hono/html';

import {
  goTo,
  hostIn,
  memberOf,
  requireNumber,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { act, get } from '../parts/acts.ts';
import { actionButton } from '../parts/form.ts';
import { badge } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { facts, table } from '../parts/table.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';

export const meScreen: Screen = {
  name: 'me',
  routes: [get('/me', 'anybody', show), act('/me/end', 'anybody', { run: end })],
};

function show(context: ScreenContext): Html {
  const { core, t, session, member, personName, accountName } = context;
  const who = facts([
    [t('me-person'), personName],
    [t('me-shop'), member && accountName],
    [t('me-role'), member && t(`role-${member.role}`)],
    [t('me-fresh'), t(session.isFresh ? 'me-is-fresh' : 'me-is-not-fresh')],
  ]);
  const list = table(t('me-sessions'), core.consoleAccess.list(session.telegramId), [
    [
      t('me-browser'),
      ({ id, browser }) => html`${browser} ${id === session.id && badge('good', t('me-this'))}`,
    ],
    [t('me-entered'), ({ enteredAt }) => absoluteTime(context, enteredAt)],
    [t('me-seen'), ({ seenAt }) => relativeTime(context, seenAt), 'narrow'],
    [
      '',
      ({ id, browser }) => actionButton('/me/end', t('me-end'), { about: browser, fields: { session: id } }),
    ],
  ]);
  const body = html`${who}
    <h2>${t('me-sessions')}</h2>
    ${list}
    <p class="hint">${t('me-hint')}</p>`;
  return page(context, { title: t('me-title'), body });
}

async function end(context: ScreenContext): Promise<Response> {
  const { core, session, member } = context;
  const asked = requireNumber(context.field('session'));
  await core.consoleAccess.end(member ? memberOf(context) : hostIn(context), asked);
  return goTo(context, '/me', asked === session.id ? undefined : 'session-ended');
}
