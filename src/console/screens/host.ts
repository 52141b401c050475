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
  const { core, word, c } = context;
  const actor = hostIn(context);
  const doubts = core.doubts.summary(actor);
  const { pending } = core.health.countOpen();
  const after = requireNumber(c.req.query('after') ?? '0');
  const accounts = core.accounts.list(actor, { after, limit: ACCOUNTS_A_PAGE + 1 });
  const more = accounts.length > ACCOUNTS_A_PAGE ? accounts[ACCOUNTS_A_PAGE - 1] : undefined;
  const body = html`${facts([
      [word('host-pending'), pending],
      [
        word('host-doubts'),
        doubts.oldestAt === undefined
          ? doubts.count
          : html`${doubts.count} · ${word('host-oldest')} ${relativeTime(context, doubts.oldestAt)}`,
      ],
      [word('host-held'), doubts.held],
      [word('host-set-aside'), core.health.countSetAside()],
    ])}
    <h2 id="alerts">${word('host-alerts')}</h2>
    ${alerts(context)}
    <h2 id="doubts">${word('host-doubts')}</h2>
    ${doubtsTable(context)}
    <h2 id="updates">${word('host-set-aside')}</h2>
    ${updatesTable(context)}
    <h2 id="upstreams">${word('host-upstreams')}</h2>
    ${upstreams(context, core.upstreams.list(actor))}
    <h2>${word('host-accounts')}</h2>
    ${accountsTable(context, accounts.slice(0, ACCOUNTS_A_PAGE))}
    ${more ? html`<p><a class="button" href="${BASE}/host?after=${more.id}">${word('host-more')}</a></p>` : ''}`;
  return page(context, { title: word('host-title'), current: 'host', body });
}

function alerts(context: ScreenContext): Html {
  const { core, word } = context;
  return table({
    caption: word('host-alerts'),
    rows: core.hostAlerts.list(),
    empty: html`${badge('good', word('host-no-alerts'))}`,
    columns: [
      {
        header: word('host-trouble'),
        cell: ({ name, of }) => badge('bad', of === undefined ? name : `${name} (${of})`),
      },
      { header: word('host-since'), cell: ({ since }) => absoluteTime(context, since) },
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
  const { word } = context;
  return table({
    caption: word('host-upstreams'),
    rows,
    empty: '',
    columns: [
      { header: word('host-upstream'), cell: ({ name, profile }) => html`${name} <small>${profile}</small>` },
      {
        header: word('host-state'),
        cell: ({ state, isFailing }) =>
          isFailing
            ? badge('bad', word('host-upstream-failing'))
            : badge(UPSTREAM_TONES[state], word(`host-upstream-${state}`)),
      },
      {
        header: word('host-day'),
        kind: 'number',
        cell: ({ day }) => word('host-day-of', { redeemed: day.redeemed, attempts: day.attempts }),
      },
      {
        header: word('host-median'),
        ...{ kind: 'number', hidden: 'narrow' },
        cell: ({ day }) => (day.medianMs === undefined ? '—' : word('span-ms', { count: day.medianMs })),
      },
      {
        header: word('host-costs'),
        ...{ kind: 'number', hidden: 'narrow' },
        cell: ({ day }) => day.costs.join(', ') || '—',
      },
      { header: word('host-unknown'), kind: 'number', cell: ({ unknown }) => unknown },
      {
        header: word('host-cases'),
        hidden: 'narrow',
        cell: ({ cases }) => cases.map(({ redemptionId }) => redemptionId).join(', ') || '—',
      },
    ],
  });
}

const ACCOUNT_TONES: Record<AccountSummary['state'], Tone> = {
  open: 'good',
  paused: 'doubt',
  closed: 'calm',
};

function accountsTable(context: ScreenContext, rows: AccountSummary[]): Html {
  const { word, clock } = context;
  return table({
    caption: word('host-accounts'),
    rows,
    empty: '',
    columns: [
      { header: word('host-account'), cell: ({ id, name }) => html`${name} <small>${id}</small>` },
      { header: word('host-owner'), cell: ({ owner }) => owner?.name ?? '—', hidden: 'narrow' },
      {
        header: word('host-state'),
        cell: ({ state }) => badge(ACCOUNT_TONES[state], word(`host-account-${state}`)),
      },
      {
        header: word('host-until'),
        cell: ({ subscriptionExpiresAt: until }) =>
          until === undefined
            ? word('host-never')
            : html`${absoluteTime(context, until)}
              ${until < clock.now() ? badge('bad', word('host-over')) : ''}`,
      },
      {
        header: word('host-purchased'),
        kind: 'number',
        hidden: 'narrow',
        cell: ({ purchased }) => purchased,
      },
      {
        header: word('host-people'),
        kind: 'number',
        hidden: 'narrow',
        cell: ({ memberCount }) => memberCount,
      },
    ],
  });
}
