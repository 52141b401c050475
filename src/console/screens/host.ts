// The host desk, to look at: troubles, doubts of all accounts, updates that interrupted the service, where codes are
// sent, accounts. What is decided is decided in the bot, where the evidence is.
import { html } from 'hono/html';

import type { AccountSummary, UpstreamSummary } from '../../core/index.ts';
import { hostIn, requireNumber, type Html, type Screen, type ScreenContext } from '../context.ts';
import { get } from '../parts/acts.ts';
import { badge, labelAmount, linkButton, type Tone } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { facts, table } from '../parts/table.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';

export const hostScreen: Screen = { name: 'host', inMenu: true, routes: [get('/host', 'host', show)] };

const ACCOUNTS_A_PAGE = 50;

function show(context: ScreenContext): Html {
  const { core, t, c } = context;
  const actor = hostIn(context);
  const doubts = core.doubts.summary(actor);
  const oldest = relativeTime(context, doubts.oldestAt);
  const { pending } = core.health.countOpen();
  const after = requireNumber(c.req.query('after') ?? '0');
  const accounts = core.accounts.list(actor, { after, limit: ACCOUNTS_A_PAGE + 1 });
  const more = accounts.length > ACCOUNTS_A_PAGE ? accounts[ACCOUNTS_A_PAGE - 1] : undefined;
  const body = html`${facts([
      [t('host-pending'), pending],
      [t('host-doubts'), html`${doubts.count} ${oldest && html`· ${t('host-oldest')} ${oldest}`}`],
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
    ${more && html`<p>${linkButton(`/host?after=${more.id}`, t('host-more'))}</p>`}`;
  return page(context, { title: t('host-title'), body });
}

function alerts(context: ScreenContext): Html {
  const { core, t } = context;
  return table(
    t('host-alerts'),
    core.hostAlerts.list(),
    [
      [t('host-trouble'), ({ name, of }) => badge('bad', of === undefined ? name : `${name} (${of})`)],
      [t('host-since'), ({ since }) => absoluteTime(context, since)],
    ],
    badge('good', t('host-no-alerts')),
  );
}

function doubtsTable(context: ScreenContext): Html {
  const { core, t } = context;
  return table(
    t('host-doubts'),
    core.doubts.listAll(hostIn(context)),
    [
      [t('host-receipt'), ({ id }) => id],
      [t('host-account'), ({ accountName }) => accountName],
      [t('host-player'), ({ playerId }) => playerId, 'narrow'],
      [t('host-amount'), ({ gameId, denomination }) => labelAmount(context, gameId, denomination), 'number'],
      [t('host-since'), ({ createdAt }) => relativeTime(context, createdAt)],
      [t('host-looks'), ({ looks }) => looks, 'number narrow'],
      [
        t('host-state'),
        ({ isHeld }) => (isHeld ? badge('bad', t('host-is-held')) : badge('doubt', t('host-is-asked'))),
      ],
    ],
    badge('good', t('host-no-doubts')),
  );
}

function updatesTable(context: ScreenContext): Html {
  const { core, t } = context;
  return table(
    t('host-set-aside'),
    core.health.listSetAside(),
    [
      [t('host-update'), ({ updateId }) => updateId],
      [t('host-since'), ({ receivedAt }) => absoluteTime(context, receivedAt)],
    ],
    badge('good', t('host-no-alerts')),
  );
}

const UPSTREAM_TONES: Record<UpstreamSummary['state'], Tone> = {
  usable: 'good',
  resting: 'doubt',
  paused: 'bad',
  notChosen: 'calm',
};

function upstreams({ t }: ScreenContext, rows: UpstreamSummary[]): Html {
  const state = ({ state: name, isFailing }: UpstreamSummary) =>
    isFailing
      ? badge('bad', t('host-upstream-failing'))
      : badge(UPSTREAM_TONES[name], t(`host-upstream-${name}`));
  return table(t('host-upstreams'), rows, [
    [t('host-upstream'), ({ name, profile }) => html`${name} <small>${profile}</small>`],
    [t('host-state'), state],
    [t('host-day'), ({ day: { redeemed, attempts } }) => t('host-day-of', { redeemed, attempts }), 'number'],
    [
      t('host-median'),
      ({ day: { medianMs } }) => (medianMs === undefined ? '—' : t('span-ms', { count: medianMs })),
      'number narrow',
    ],
    [t('host-costs'), ({ day }) => day.costs.join(', ') || '—', 'number narrow'],
    [t('host-unknown'), ({ unknown }) => unknown, 'number'],
  ]);
}

const ACCOUNT_TONES: Record<AccountSummary['state'], Tone> = {
  open: 'good',
  paused: 'doubt',
  closed: 'calm',
};

function accountsTable(context: ScreenContext, rows: AccountSummary[]): Html {
  const { t, clock } = context;
  const until = ({ subscriptionExpiresAt: at }: AccountSummary) =>
    at === undefined
      ? t('host-never')
      : html`${absoluteTime(context, at)} ${at < clock.now() && badge('bad', t('host-over'))}`;
  return table(t('host-accounts'), rows, [
    [t('host-account'), ({ id, name }) => html`${name} <small>${id}</small>`],
    [t('host-owner'), ({ owner }) => owner?.name ?? '—', 'narrow'],
    [t('host-state'), ({ state }) => badge(ACCOUNT_TONES[state], t(`host-account-${state}`))],
    [t('host-until'), until],
    [t('host-purchased'), ({ purchased }) => purchased, 'number narrow'],
    [t('host-people'), ({ memberCount }) => memberCount, 'number narrow'],
  ]);
}
