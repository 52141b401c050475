// The figures of /stats, day by day and by amount; every bar and every number leads to its list.
import { html } from 'hono/html';

import { DAY_MS } from '../../clock.ts';
import {
  addDays,
  dayAt,
  formatIsoDay,
  MOST_DAYS,
  parseIsoDay,
  type Day,
  type RangeStatistics,
} from '../../core/index.ts';
import { formatDay, formatShortDate } from '../../moments.ts';
import { BASE, ConsoleProblem, memberOf, type Html, type Screen, type ScreenContext } from '../context.ts';
import { get } from '../parts/acts.ts';
import { labelAmount, labelGame, link, linkButton, receiptsPath } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { chart, table, type Column } from '../parts/table.ts';

const USUAL_DAYS = 30;
const OFFERED = [1, 7, 30, 90] as const;
const STATES = [
  ['redeemed', 'good'],
  ['failed', 'bad'],
  ['open', 'doubt'],
] as const;
type Counts = RangeStatistics['total'];

export const statisticsScreen: Screen = {
  name: 'statistics',
  inMenu: true,
  routes: [get('/statistics', 'seeStatistics', show)],
};

async function show(context: ScreenContext): Promise<Html> {
  const { core, t } = context;
  const { first, last, days } = readRange(context);
  const figures = await core.rangeStatistics(memberOf(context), days, last);
  const range = { from: formatIsoDay(first), to: formatIsoDay(last) };
  const body = html`${rangeForm(context, range)}
    <p>
      ${STATES.map(
        ([state]) =>
          html`<a class="figure" href="${BASE}${receiptsPath({ ...range, state })}"
            ><strong>${figures.total[state]}</strong> ${t(`state-${state}`)}</a
          > `,
      )}
    </p>
    ${chartOf(context, figures)} ${dayTable(context, figures)} ${amountTable(context, figures, range)}`;
  return page(context, { title: t('statistics-title'), body });
}

/** Throws ConsoleProblem 400 for what is no range of at most 90 days. */
function readRange({ c, timeZone, clock }: ScreenContext): { first: Day; last: Day; days: number } {
  const params = new URL(c.req.url).searchParams;
  for (const key of params.keys())
    if (key !== 'from' && key !== 'to')
      throw new ConsoleProblem(400, 'list-parameter', { given: key.slice(0, 60), known: 'from, to' });
  const last = readDay('to', params.get('to')) ?? dayAt(timeZone, clock.now());
  const first = readDay('from', params.get('from')) ?? addDays(last, 1 - USUAL_DAYS);
  const days = (utcOf(last) - utcOf(first)) / DAY_MS + 1;
  if (days < 1 || days > MOST_DAYS)
    throw new ConsoleProblem(400, 'list-value', {
      ...{ name: 'from–to', given: `${formatIsoDay(first)}–${formatIsoDay(last)}`, known: `1–${MOST_DAYS}` },
    });
  return { first, last, days };
}

const utcOf = ({ year, month, day }: Day): number => Date.UTC(year, month - 1, day);

function readDay(name: string, text: string | null): Day | undefined {
  if (text === null || text === '') return undefined;
  const read = parseIsoDay(text);
  if (read) return read;
  throw new ConsoleProblem(400, 'list-value', { name, given: text.slice(0, 60), known: 'YYYY-MM-DD' });
}

function rangeForm({ t, timeZone, clock }: ScreenContext, { from, to }: { from: string; to: string }): Html {
  const today = dayAt(timeZone, clock.now());
  const link = (days: number) =>
    linkButton(
      `/statistics?from=${formatIsoDay(addDays(today, 1 - days))}`,
      days === 1 ? t('list-today') : t('statistics-days', { count: days }),
    );
  return html`<form class="filters" action="${BASE}/statistics" method="get">
    <label><span>${t('receipts-from')}</span><input type="date" name="from" value="${from}" /></label>
    <label><span>${t('receipts-to')}</span><input type="date" name="to" value="${to}" /></label>
    <button>${t('statistics-show')}</button>
    ${OFFERED.map(link)}
  </form>`;
}

function chartOf({ t, language }: ScreenContext, { days }: RangeStatistics): Html[] {
  return chart(
    t('statistics-title'),
    days.map((day) => ({
      label: formatShortDate(language, parseIsoDay(day.date)!),
      parts: STATES.map(([state, tone]) => ({
        ...{ tone, count: day[state], href: BASE + receiptsPath({ from: day.date, to: day.date, state }) },
        title: `${formatDay(language, Date.parse(day.date))}: ${day[state]} ${t(`state-${state}`)}`,
      })),
    })),
  );
}

/** A figure leads to its list; none is no link. */
const countColumns = <Row extends Counts>(
  { t }: ScreenContext,
  paramsOf: (row: Row) => Record<string, string>,
): Column<Row>[] =>
  STATES.map(([state]) => [
    t(`state-${state}`),
    (row) => row[state] > 0 && link(receiptsPath({ ...paramsOf(row), state }), row[state]),
    'number',
  ]);

function dayTable(context: ScreenContext, { days }: RangeStatistics): Html {
  const { t, language } = context;
  const rows = days.filter(({ redeemed, failed, open }) => redeemed + failed + open > 0).reverse();
  const nameDay = (date: string) =>
    html`<time datetime="${date}">${formatDay(language, Date.parse(date))}</time>`;
  return html`<h2>${t('statistics-by-day')}</h2>
    ${table(
      t('statistics-by-day'),
      rows,
      [
        [t('statistics-day'), ({ date }) => link(receiptsPath({ from: date, to: date }), nameDay(date))],
        ...countColumns<RangeStatistics['days'][number]>(context, ({ date }) => ({ from: date, to: date })),
      ],
      t('receipts-none'),
    )}`;
}

function amountTable(
  context: ScreenContext,
  { amounts }: RangeStatistics,
  range: { from: string; to: string },
): Html {
  const { t } = context;
  type Row = RangeStatistics['amounts'][number];
  const paramsOf = ({ gameId, amount }: Row) => ({ ...range, game: gameId, amount: String(amount) });
  const name = (row: Row) =>
    html`${link(receiptsPath(paramsOf(row)), labelAmount(context, row.gameId, row.amount || undefined))}
      <small>${labelGame(context, row.gameId)}</small>`;
  return html`<h2>${t('statistics-by-amount')}</h2>
    ${table(
      t('statistics-by-amount'),
      amounts,
      [[t('receipts-amount'), name], ...countColumns(context, paramsOf)],
      t('receipts-none'),
    )}`;
}
