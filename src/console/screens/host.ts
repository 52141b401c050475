// The host desk, to look at: troubles, doubts, where codes are sent, accounts.
import { html } from 'hono/html';

import type { AccountSummary, UpstreamSummary } from '../../core/index.ts';
import { BASE, hostIn, requireNumber, type Html, type Screen, type ScreenContext } from '../context.ts';
import { badge, type Tone } from '../parts/badge.ts';
import { page } from '../parts/page.ts';
import { facts, table } from '../parts/table.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';
import { doubtsTable, updatesTable } from './host-waiting.ts';

export const hostScreen: Screen = {
  name: 'host',
  inMenu: true,
  routes: [{ method: 'GET', path: '/host', needs: 'host', run: show }],
};

const ACCOUNTS_A_PAGE = 50;

function show(context: ScreenContext): Html {
  const { core, t, c } = context;
  const actor = hostIn(context);
  const doubts = core.doubts.summary(actor);
  const { pending } = core.health.countOpen();
  const after = requireNumber(c.req.query('after') ?? '0');
  const accounts = core.accounts.list(actor, { after, limit: ACCOUNTS_A_PAGE + 1 });
  const more = accounts.length > ACCOUNTS_A_PAGE ? accounts[ACCOUNTS_A_PAGE - 1] : undefined;
  const body = html`${facts([
      [t('host-pending'), pending],
      [
        t('host-doubts'),
        doubts.oldestAt === undefined
          ? doubts.count
          : html`${doubts.count} · ${t('host-oldest')} ${relativeTime(context, doubts.oldestAt)}`,
      ],
      [t('host-held'), doubts.held],
      [t('host-set-aside'), core.health.countSetAside()],
    ])}
    <h2 id="alerts">${t('host-alerts')}</h2>
    ${alerts(context)}
    <h2 id="doubts">${t('host-doubts')}</h2>
    ${doubtsTable(context)}
    <h2 id="updates">${t('host-set-aside')}</h2>
    ${updatesTable(context)}
    <h2 id="upstreams">${t('host-upstreams')}</h2>
    ${upstreams(context, core.upstreams.list(actor))}
    <h2>${t('host-accounts')}</h2>
    ${accountsTable(context, accounts.slice(0, ACCOUNTS_A_PAGE))}
    ${more ? html`<p><a class="button" href="${BASE}/host?after=${more.id}">${t('host-more')}</a></p>` : ''}`;
  return page(context, { title: t('host-title'), current: 'host', body });
}

function alerts(context: ScreenContext): Html {
  const { core, t } = context;
  return table({
    caption: t('host-alerts'),
    rows: core.hostAlerts.list(),
    empty: html`${badge('good', t('host-no-alerts'))}`,
    columns: [
      {
        header: t('host-trouble'),
        cell: ({ name, of }) => badge('bad', of === undefined ? name : `${name} (${of})`),
      },
      { header: t('host-since'), cell: ({ since }) => absoluteTime(context, since) },
    ],
  });
}

const UPSTREAM_TONES: Record<UpstreamSummary['state'], Tone> = {
  usable: 'good',
  resting: 'doubt',
  paused: 'bad',
  notChosen: 'calm',
};

function upstreams(context: ScreenContext, rows: UpstreamSummary[]): Html {
  const { t } = context;
  return table({
    caption: t('host-upstreams'),
    rows,
    empty: '',
    columns: [
      { header: t('host-upstream'), cell: ({ name, profile }) => html`${name} <small>${profile}</small>` },
      {
        header: t('host-state'),
        cell: ({ state, isFailing }) =>
          isFailing
            ? badge('bad', t('host-upstream-failing'))
            : badge(UPSTREAM_TONES[state], t(`host-upstream-${state}`)),
      },
      {
        header: t('host-day'),
        kind: 'number',
        cell: ({ day }) => t('host-day-of', { redeemed: day.redeemed, attempts: day.attempts }),
      },
      {
        header: t('host-median'),
        ...{ kind: 'number', hidden: 'narrow' },
        cell: ({ day }) => (day.medianMs === undefined ? '—' : t('span-ms', { count: day.medianMs })),
      },
      {
        header: t('host-costs'),
        ...{ kind: 'number', hidden: 'narrow' },
        cell: ({ day }) => day.costs.join(', ') || '—',
      },
      { header: t('host-unknown'), kind: 'number', cell: ({ unknown }) => unknown },
    ],
  });
}

const ACCOUNT_TONES: Record<AccountSummary['state'], Tone> = {
  open: 'good',
  paused: 'doubt',
  closed: 'calm',
};

function accountsTable(context: ScreenContext, rows: AccountSummary[]): Html {
  const { t, clock } = context;
  return table({
    caption: t('host-accounts'),
    rows,
    empty: '',
    columns: [
      { header: t('host-account'), cell: ({ id, name }) => html`${name} <small>${id}</small>` },
      { header: t('host-owner'), cell: ({ owner }) => owner?.name ?? '—', hidden: 'narrow' },
      {
        header: t('host-state'),
        cell: ({ state }) => badge(ACCOUNT_TONES[state], t(`host-account-${state}`)),
      },
      {
        header: t('host-until'),
        cell: ({ subscriptionExpiresAt: until }) =>
          until === undefined
            ? t('host-never')
            : html`${absoluteTime(context, until)} ${until < clock.now() ? badge('bad', t('host-over')) : ''}`,
      },
      {
        header: t('host-purchased'),
        kind: 'number',
        hidden: 'narrow',
        cell: ({ purchased }) => purchased,
      },
      {
        header: t('host-people'),
        kind: 'number',
        hidden: 'narrow',
        cell: ({ memberCount }) => memberCount,
      },
    ],
  });
}
