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
import { badge } from '../parts/badge.ts';
import { actionButton } from '../parts/form.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';
import { page } from '../parts/page.ts';
import { facts, table } from '../parts/table.ts';

export const meScreen: Screen = {
  name: 'me',
  routes: [
    { method: 'GET', path: '/me', needs: 'anybody', run: show },
    { method: 'POST', path: '/me/end', needs: 'anybody', run: end },
  ],
};

function show(context: ScreenContext): Html {
  const { core, t, session, member, personName, accountName } = context;
  const sessions = core.consoleAccess.list(session.telegramId);
  const who = facts([
    [t('me-person'), personName],
    ...(member
      ? [[t('me-shop'), accountName] as const, [t('me-role'), t(`role-${member.role}`)] as const]
      : []),
    [t('me-fresh'), t(session.isFresh ? 'me-is-fresh' : 'me-is-not-fresh')],
  ]);
  const list = table({
    caption: t('me-sessions'),
    rows: sessions,
    empty: '',
    columns: [
      {
        header: t('me-browser'),
        cell: ({ id, browser }) =>
          id === session.id ? html`${browser} ${badge('good', t('me-this'))}` : browser,
      },
      { header: t('me-entered'), cell: ({ enteredAt }) => absoluteTime(context, enteredAt) },
      { header: t('me-seen'), cell: ({ seenAt }) => relativeTime(context, seenAt), hidden: 'narrow' },
      {
        header: '',
        cell: ({ id, browser }) =>
          actionButton(context, {
            action: '/me/end',
            label: t('me-end'),
            about: browser,
            fields: { session: id },
          }),
      },
    ],
  });
  const body = html`${who}
    <h2>${t('me-sessions')}</h2>
    ${list}
    <p class="hint">${t('me-hint')}</p>`;
  return page(context, { title: t('me-title'), current: 'me', body });
}

async function end(context: ScreenContext): Promise<Response> {
  const { core, session, member } = context;
  const asked = requireNumber(context.field('session'));
  const actor = member ? memberOf(context) : hostIn(context);
  await core.consoleAccess.end(actor, asked);
  return goTo(context, '/me', asked === session.id ? undefined : 'session-ended');
}
