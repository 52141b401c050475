// The search box: what the bot's /find understands, and words such as `state:failed before:2026-11-01`. One exact hit
// is opened; else a list says what was understood.
import { html } from 'hono/html';

import {
  addDays,
  dayAt,
  formatIsoDay,
  parseIsoDay,
  type Found,
  type MatchReason,
  type ReceiptFilter,
} from '../../core/index.ts';
import {
  BASE,
  ConsoleProblem,
  goTo,
  memberOf,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { readListQuery } from '../lists/query.ts';
import { get } from '../parts/acts.ts';
import { page } from '../parts/page.ts';
import { table } from '../parts/table.ts';
import { dayOfMoment } from '../parts/time.ts';
import { lineColumns, receiptsView } from './receipts.ts';

const LONGEST = 200;
const SHOWN = 50;
/** Beside the filters of the list themselves. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  denomination: 'amount',
  receipt: 'id',
  since: 'from',
};

export const searchScreen: Screen = {
  name: 'search',
  routes: [get('/search', 'searchHistory', search)],
};

async function search(context: ScreenContext): Promise<Html | Response> {
  const { core, c } = context;
  const text = (c.req.query('q') ?? '').trim().slice(0, LONGEST);
  const { params, words } = readSearch(text);
  const query = readListQuery<ReceiptFilter>(receiptsView, context, params);
  if (words === '') return goTo(context, `/receipts${params.size === 0 ? '' : `?${params.toString()}`}`);
  if (/^ord_[\w-]+$/.test(words) && context.can('redeem') && core.orders.find(memberOf(context), words))
    return goTo(context, `/orders/${words}`);
  const found = await core.search.find(memberOf(context), words, {
    filter: query.filter,
    isBrief: true,
  });
  const [only, another] = found.ids;
  const isExact = another === undefined && found.isComplete && !found.asksForMore;
  if (only !== undefined && isExact) return goTo(context, `/receipts/${only}`);
  return showFound(context, found, { params, words });
}

/** `key:value` for each filter of the list, `before:` and `after:` a day; the rest is words. */
function readSearch(text: string): { params: URLSearchParams; words: string } {
  const params = new URLSearchParams();
  const words: string[] = [];
  for (const token of text.split(/\s+/u)) {
    const [, name = '', value = ''] = /^([a-z]+):(.+)$/u.exec(token) ?? [];
    const key = OTHER_NAMES[name] ?? name;
    if (name === 'before' || name === 'after') params.set(...besideDay(name, value));
    else if (receiptsView.filters.some((filter) => filter.key === key)) params.set(key, value);
    else if (token !== '') words.push(token);
  }
  return { params, words: words.join(' ') };
}

/** The day before, or after. Throws ConsoleProblem 400 for what is no day. */
function besideDay(name: 'before' | 'after', text: string): [key: string, value: string] {
  const read = parseIsoDay(text);
  if (!read)
    throw new ConsoleProblem(400, 'list-value', { name, given: text.slice(0, 60), known: 'YYYY-MM-DD' });
  return name === 'before'
    ? ['to', formatIsoDay(addDays(read, -1))]
    : ['from', formatIsoDay(addDays(read, 1))];
}

type Search = ReturnType<typeof readSearch>;

function showFound(context: ScreenContext, found: Found, { params, words }: Search): Html {
  const { t, core } = context;
  const lines = core.search.read(memberOf(context), found.ids.slice(0, SHOWN));
  const understood = [
    ...describe(context, found.by),
    ...[...params].map(([key, value]) => `${key}:${value}`),
  ];
  const bounds = [
    t('list-count', { count: found.ids.length }),
    ...(found.ids.length > SHOWN ? [t('search-first', { count: SHOWN })] : []),
    ...(found.reached === undefined
      ? []
      : [t('list-searched', { day: dayOfMoment(context, found.reached) })]),
    ...(found.asksForMore ? [t('search-more-characters')] : []),
  ];
  const body = html`<p>${t('search-understood')} ${understood.map((each) => html`<code>${each}</code> `)}</p>
    <p class="hint" role="status">${bounds.join(' · ')}</p>
    ${table(t('search-title'), lines, lineColumns(context), t('list-nothing-so'))}
    ${searchOn(context, found, { params, words })}
    <p class="hint">${t('search-hint')} <code>state:failed before:2026-11-01 player:… key:…</code></p>`;
  return page(context, { title: t('search-title'), body });
}

/** The same with what lies before the day that was reached, which is begun again: as long as that goes back. */
function searchOn(context: ScreenContext, { reached }: Found, { params, words }: Search): Html | '' {
  if (reached === undefined) return '';
  const day = formatIsoDay(dayAt(context.timeZone, reached));
  if (params.get('to') === day) return '';
  const others = [...params].filter(([key]) => key !== 'to').map(([key, value]) => `${key}:${value}`);
  const q = [...others, `to:${day}`, words].join(' ');
  return html`<nav class="pager">
    <a class="button" href="${BASE}/search?${new URLSearchParams({ q }).toString()}" rel="next"
      >${context.t('list-search-on')}</a
    >
  </nav>`;
}

function describe({ t }: ScreenContext, { days, state, words }: MatchReason): string[] {
  return [
    ...words,
    ...(days ? [[...new Set(days.map(formatIsoDay))].join(' – ')] : []),
    ...(state ? [t(`state-${state}`)] : []),
  ];
}
