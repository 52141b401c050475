// The search box, which asks the list of receipts: what the bot's /find understands, and words such as
// `state:failed before:2026-11-01`. One exact hit is opened; else the list says what was understood.
import { html } from 'hono/html';

import {
  addDays,
  dayAt,
  formatIsoDay,
  parseIsoDay,
  type HistoryLine,
  type MatchReason,
  type ReceiptFilter,
} from '../../core/index.ts';
import { ConsoleProblem, goTo, memberOf, type Html, type ScreenContext } from '../context.ts';
import { listBody } from '../lists/html.ts';
import { listPath, readListQuery } from '../lists/query.ts';
import type { AnyView } from '../lists/view.ts';
import { page } from '../parts/page.ts';
import type { Column } from '../parts/table.ts';

const LONGEST = 200;
const SHOWN = 50;
/** Beside the filters of the list themselves. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  denomination: 'amount',
  receipt: 'id',
  since: 'from',
};

/** What was found, as a list of `columns` under the filters of `view`. */
export async function search(
  view: AnyView,
  context: ScreenContext,
  columns: readonly Column<HistoryLine>[],
): Promise<Html | Response> {
  const { core, t } = context;
  const actor = memberOf(context);
  const { params, words } = readSearch(view, new URL(context.c.req.url).searchParams);
  const query = { ...readListQuery<ReceiptFilter>(view, context, params), words };
  if (words === '') return goTo(context, listPath(view, query));
  if (/^ord_[\w-]+$/.test(words) && context.can('redeem') && core.orders.find(actor, words))
    return goTo(context, `/orders/${words}`);
  const found = await core.search.find(actor, words, { filter: query.filter, isBrief: true });
  const { ids, reached, asksForMore } = found;
  if (ids.length === 1 && found.isComplete && !asksForMore) return goTo(context, `/receipts/${ids[0]}`);

  const understood = [...describe(context, found.by), ...[...params].map((each) => each.join(':'))];
  // The day that was reached is begun again with what lies before it: as long as that goes back.
  const to = reached === undefined ? undefined : dayAt(context.timeZone, reached);
  const further =
    to && params.get('to') !== formatIsoDay(to)
      ? listPath(view, { ...query, values: new Map([...query.values, ['to', to]]) })
      : undefined;
  const rows = core.search.read(actor, ids.slice(0, SHOWN));
  const total = { count: ids.length, isMore: false };
  const hints = [
    ids.length > SHOWN && t('search-first', { count: SHOWN }),
    asksForMore && t('search-more-characters'),
  ].filter((each) => each !== false);
  const body = html`<p>${t('search-understood')} ${understood.map((each) => html`<code>${each}</code> `)}</p>
    ${hints.length > 0 && html`<p class="hint">${hints.join(' · ')}</p>`}
    ${listBody(view, context, query, { rows, total, searchedTo: reached, further }, columns)}
    <p class="hint">${t('search-hint')} <code>state:failed before:2026-11-01 player:… key:…</code></p>`;
  return page(context, { title: t(`${view.name}-title`), body });
}

/** `key:value` for each filter of the list, `before:` and `after:` a day; the rest is words. */
function readSearch(view: AnyView, given: URLSearchParams): { params: URLSearchParams; words: string } {
  const params = new URLSearchParams([...given].filter(([key, value]) => key !== 'q' && value !== ''));
  const words: string[] = [];
  for (const token of (given.get('q') ?? '').trim().slice(0, LONGEST).split(/\s+/u)) {
    const [, name = '', value = ''] = /^([a-z]+):(.+)$/u.exec(token) ?? [];
    const key = OTHER_NAMES[name] ?? name;
    if (name === 'before' || name === 'after') params.set(...besideDay(name, value));
    else if (view.filters.some((filter) => filter.key === key)) params.set(key, value);
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

const describe = ({ t }: ScreenContext, { days, state, words }: MatchReason): string[] => [
  ...words,
  ...(days ? [[...new Set(days.map(formatIsoDay))].join(' – ')] : []),
  ...(state ? [t(`state-${state}`)] : []),
];
