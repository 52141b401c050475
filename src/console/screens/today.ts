// What needs a person first, each with how many, since when, and what comes next; under it the figures of today.
import { html } from 'hono/html';

import { addDays, dayAt, formatIsoDay, type HostAlert } from '../../core/index.ts';
import { BASE, hostIn, memberOf, type Html, type Screen, type ScreenContext } from '../context.ts';
import { get } from '../parts/acts.ts';
import { badge, link, type Tone } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { facts, table } from '../parts/table.ts';
import { dayOfMoment, relativeTime } from '../parts/time.ts';
import { listStockRows } from './stock.ts';

export const todayScreen: Screen = {
  name: 'today',
  inMenu: true,
  routes: [get('/', 'anybody', show)],
};

/** Something that waits for a person. */
interface Waiting {
  /** `today-<what>` and `today-<what>-next` of the locales. */
  what: string;
  tone: Tone;
  count: number;
  /** Whether there may be more than so many. */
  isMore?: boolean;
  oldestAt?: number | undefined;
  /** The list of it. */
  href: string;
}

async function show(context: ScreenContext): Promise<Html> {
  const { t, member, host } = context;
  const all = [...(member ? await listOfAccount(context) : []), ...(host ? listOfHost(context) : [])].filter(
    ({ count }) => count > 0,
  );
  const waiting = table(
    t('today-title'),
    all,
    [
      [t('today-what'), ({ what, tone, href }) => link(href, badge(tone, t(`today-${what}`)))],
      [
        t('today-count'),
        ({ count, isMore, href }) => link(href, isMore ? t('more-than', { count }) : count),
        'number',
      ],
      [t('today-oldest'), ({ oldestAt }) => relativeTime(context, oldestAt)],
      [t('today-next'), ({ what }) => t(`today-${what}-next`), 'narrow'],
    ],
    badge('good', t('today-nothing')),
  );
  const body = html`${waiting} ${member && context.can('seeStatistics') && (await figures(context))}
  ${member && balance(context)}`;
  return page(context, { title: t('today-title'), body });
}

async function listOfAccount(context: ScreenContext): Promise<Waiting[]> {
  const { core, can } = context;
  const actor = memberOf(context);
  const oldest = { order: 'oldest', limit: 1 } as const;
  const doubts = await core.receiptList.page(actor, { state: 'in_doubt' }, oldest);
  const orders = listStopped(context);
  const claims = can('manageClaims') ? core.claims.list(actor, { state: 'stuck' }) : [];
  const jobs = can('undoImport') ? core.listSetAsideJobs(actor) : [];
  const stock = can('seeStock') ? await listStockRows(context) : [];
  const low = stock.filter(
    ({ available, threshold, isPaused }) => available < Math.max(1, threshold) || isPaused,
  );
  const hooks = can('manageWebhooks') ? core.webhooks.list(actor) : [];
  const failing = hooks.filter(({ failingSince, disabledAt }) => (failingSince ?? disabledAt) !== undefined);
  const since = failing.map(({ failingSince, disabledAt }) => failingSince ?? disabledAt ?? 0);
  return [
    {
      ...{ what: 'doubts', tone: 'doubt', href: '/receipts?state=in_doubt&sort=at' },
      ...{ count: doubts.total.count, isMore: doubts.total.isMore },
      oldestAt: doubts.rows[0]?.createdAt,
    },
    {
      ...{ what: 'orders', tone: 'bad', href: `/orders?state=stopped&from=${formatIsoDay(orders.since)}` },
      ...{ count: orders.rows.length, isMore: orders.isMore, oldestAt: orders.rows.at(-1)?.createdAt },
    },
    {
      ...{ what: 'claims', tone: 'bad', href: '/claims?state=stuck' },
      ...{ count: claims.length, isMore: claims.length >= MOST_LISTED },
    },
    { what: 'stock', tone: 'bad', href: '/stock', count: low.length },
    {
      ...{ what: 'webhooks', tone: 'bad', href: '/webhooks', count: failing.length },
      oldestAt: oldestOf(since),
    },
    {
      ...{ what: 'jobs', tone: 'bad', href: '/jobs', count: jobs.length },
      oldestAt: oldestOf(jobs.map(({ setAsideAt }) => setAsideAt)),
    },
  ];
}

const oldestOf = (moments: readonly number[]): number | undefined =>
  moments.length > 0 ? Math.min(...moments) : undefined;

/** What stopped longer ago nobody resumes any more: it stays in the list of orders. */
const STOPPED_DAYS = 7;

/** As the list that it leads to has them, newest first. */
function listStopped(context: ScreenContext) {
  const { core, can, timeZone, clock } = context;
  const since = addDays(dayAt(timeZone, clock.now()), 1 - STOPPED_DAYS);
  const all = can('redeem') ? core.orders.list(memberOf(context), { state: 'stopped' }) : [];
  // What went on for another player needs nobody any more.
  const rows = all.filter(
    ({ createdAt, replacedBy }) =>
      replacedBy === undefined && formatIsoDay(dayAt(timeZone, createdAt)) >= formatIsoDay(since),
  );
  return { since, rows, isMore: rows.length === all.length && all.length >= MOST_LISTED };
}

/** The core lists no more of them at once. */
const MOST_LISTED = 100;

function listOfHost(context: ScreenContext): Waiting[] {
  const { core } = context;
  const doubts = core.doubts.summary(hostIn(context));
  const resting = core.health
    .listUpstreams()
    .filter(({ state, isFailing }) => state === 'resting' || isFailing);
  const all = core.hostAlerts.list();
  const unread = all.filter(({ name }) => name === 'upstream-unread');
  const alerts = all.filter(({ name }) => !OF_THEIR_OWN.includes(name));
  const of = (what: string, tone: Tone, place: string, since: readonly number[]): Waiting => ({
    ...{ what, tone, href: `/host#${place}`, count: since.length, oldestAt: oldestOf(since) },
  });
  const sinceOf = (each: readonly { since?: number }[]) => each.flatMap(({ since }) => since ?? []);
  return [
    of('alerts', 'bad', 'alerts', sinceOf(alerts)),
    { what: 'cases', tone: 'bad', href: '/host#doubts', count: doubts.held, oldestAt: doubts.heldSince },
    {
      ...{ what: 'all-doubts', tone: 'doubt', href: '/host#doubts' },
      ...{ count: doubts.count, oldestAt: doubts.oldestAt },
    },
    { ...of('upstreams', 'doubt', 'upstreams', sinceOf(resting)), count: resting.length },
    of('unread', 'bad', 'alerts', sinceOf(unread)),
    {
      ...{ what: 'updates', tone: 'bad', href: '/host#updates', count: core.health.countSetAside() },
      oldestAt: core.health.listSetAside()[0]?.receivedAt,
    },
  ];
}

/** Troubles that have a line of their own. */
const OF_THEIR_OWN: readonly HostAlert['name'][] = ['upstream-unread', 'upstream-resting', 'doubt-old'];

/** Each opens its list. */
async function figures(context: ScreenContext): Promise<Html> {
  const { core, t, timeZone, clock } = context;
  const { total } = await core.rangeStatistics(memberOf(context), 1);
  const day = formatIsoDay(dayAt(timeZone, clock.now()));
  const figure = (state: string, count: number) =>
    html`<a class="figure" href="${BASE}/receipts?state=${state}&from=${day}&to=${day}"
      ><b>${count}</b> <span>${t(`today-${state}`)}</span></a
    >`;
  return html`<h2>${t('today-figures')}</h2>
    <div class="figures">
      ${figure('redeemed', total.redeemed)} ${figure('failed', total.failed)} ${figure('open', total.open)}
    </div>`;
}

/** What may be redeemed still, and until when. */
function balance(context: ScreenContext): Html {
  const { core, t, clock } = context;
  const { daily, purchased, subscriptionExpiresAt: until = 0 } = core.quota(memberOf(context));
  const { remaining: left, limit } = daily;
  const day = html`${dayOfMoment(context, until)} ${until <= clock.now() && badge('bad', t('today-over'))}`;
  return html`<h2>${t('today-balance')}</h2>
    ${facts([
      [t('today-activations'), t('today-activations-left', { left, limit, purchased })],
      [t('today-until'), until === 0 ? badge('bad', t('today-never')) : day],
    ])}`;
}
