// A list as a page: what it is filtered by, how many there are, its rows, and the way to the next and the CSV. Works
// without a script: the filters are a form that asks for the same URL otherwise.
import { html } from 'hono/html';

import { addDays, dayAt, formatIsoDay, type ListPage, type ListTotal } from '../../core/index.ts';
import { BASE, type Html, type ScreenContext } from '../context.ts';
import { dayOfMoment } from '../parts/time.ts';
import { table, type Column } from '../parts/table.ts';
import { listHref } from './query.ts';
import type { ListColumn, ListFilter, ListQuery, ListView } from './view.ts';

type Page<Row> = ListPage<Row> & { total?: ListTotal };

/** What stands below the title. */
export function listBody<Row>(
  view: ListView<Row>,
  context: ScreenContext,
  query: ListQuery,
  page: Page<Row>,
): Html {
  const { t } = context;
  const shown = view.columns.filter(({ shown: each }) => each !== undefined);
  const rows = table({
    caption: t(`${view.name}-title`),
    columns: shown.map((column) => toColumn(view, context, query, column)),
    rows: page.rows,
    empty: t(query.values.size > 0 || query.beside ? 'list-nothing-so' : `${view.name}-none`),
  });
  return html`${filterForm(view, context, query)}
    <div class="count">${summary(context, page)} ${dayLinks(view, context, query)}</div>
    ${rows} ${pager(view, context, query, page)}`;
}

/** Beside the title: the same list as CSV. */
export function listActions<Row>(view: ListView<Row>, { t, can }: ScreenContext, query: ListQuery): Html {
  if (!can(view.csvNeeds)) return html``;
  const isFull = view.fullNeeds !== undefined && can(view.fullNeeds);
  const full = { ...query, full: true };
  return html`${
      isFull
        ? html`<a class="button" href="${listHref(view, full, { csv: true })}">${t('list-csv-full')}</a>`
        : ''
    } <a class="button" href="${listHref(view, query, { csv: true })}" download>${t('list-csv')}</a>`;
}

function toColumn<Row>(
  view: ListView<Row>,
  context: ScreenContext,
  query: ListQuery,
  { shown }: ListColumn<Row>,
): Column<Row> {
  const { header = '', cell, kind, hidden, sort } = shown ?? {};
  const label = header === '' ? '' : context.t(`${view.name}-${header}`);
  return {
    header: sort === undefined ? label : sortLink(view, query, sort, label),
    cell: (row) => cell?.(row, context) ?? '',
    ...(kind && { kind }),
    ...(hidden && { hidden }),
  };
}

function sortLink<Row>(view: ListView<Row>, query: ListQuery, key: string, label: string): Html {
  const isBack = query.sort === `-${key}`;
  const other = { ...query, sort: isBack ? key : `-${key}` };
  return html`<a href="${listHref(view, other)}"
    >${label} <span aria-hidden="true">${isBack ? '↓' : '↑'}</span></a
  >`;
}

function filterForm<Row>(view: ListView<Row>, context: ScreenContext, query: ListQuery): Html {
  const { t } = context;
  const isAsked = query.values.size > 0;
  const rare = view.filters.filter((filter) => filter.rare);
  const often = view.filters.filter((filter) => !filter.rare);
  const field = (filter: ListFilter) =>
    html`<label class="${query.values.has(filter.key) ? 'given' : ''}">
      <span>${t(`${view.name}-${filter.key}`)}</span>
      ${filterInput(filter, context, query)}
    </label>`;
  return html`<form class="filters" action="${BASE}${view.path}" method="get">
    ${often.map(field)}
    ${
      rare.length === 0
        ? ''
        : html`<details ${rare.some(({ key }) => query.values.has(key)) ? 'open' : ''}>
            <summary>${t('list-more-filters')}</summary>
            <div class="filters">${rare.map(field)}</div>
          </details>`
    }
    ${query.sort === view.sorts[0] ? '' : html`<input type="hidden" name="sort" value="${query.sort}" />`}
    <button>${t('list-filter')}</button>
    ${
      isAsked
        ? html`<a class="button" href="${listHref(view, { ...query, values: new Map() })}"
            >${t('list-all')}</a
          >`
        : ''
    }
  </form>`;
}

function filterInput(filter: ListFilter, context: ScreenContext, { values }: ListQuery): Html {
  const value = values.get(filter.key);
  const text = value === undefined ? '' : typeof value === 'object' ? formatIsoDay(value) : String(value);
  switch (filter.kind) {
    case 'choice':
      return html`<select name="${filter.key}">
        <option value="">${context.t('list-any')}</option>
        ${filter
          .choices(context)
          .map(
            ([each, label]) =>
              html`<option value="${each}" ${each === text ? 'selected' : ''}>${label}</option>`,
          )}
      </select>`;
    case 'day':
      return html`<input type="date" name="${filter.key}" value="${text}" />`;
    case 'number':
      return html`<input name="${filter.key}" value="${text}" inputmode="numeric" size="6" maxlength="15" />`;
    case 'id':
    case 'text':
      return html`<input name="${filter.key}" value="${text}" size="12" maxlength="64" autocomplete="off" />`;
  }
}

/** Days before today: from, to. */
const OFTEN_ASKED = { today: [0, 0], yesterday: [1, 1], week: [6, 0] } as const;

/** The days that are asked for most, under the other filters. */
function dayLinks<Row>(
  view: ListView<Row>,
  { t, timeZone, clock }: ScreenContext,
  query: ListQuery,
): Html | '' {
  if (!view.filters.some(({ kind }) => kind === 'day')) return '';
  const today = dayAt(timeZone, clock.now());
  const links = Object.entries(OFTEN_ASKED).map(([name, [from, to]]) => {
    const days = { from: addDays(today, -from), to: addDays(today, -to) };
    const href = listHref(view, { ...query, values: new Map([...query.values, ...Object.entries(days)]) });
    return html`<a href="${href}">${t(`list-${name}`)}</a>`;
  });
  return html`<p class="days">${links}</p>`;
}

function summary(context: ScreenContext, { rows, total, searchedTo }: Page<unknown>): Html {
  const { t } = context;
  const counted = total && t(total.isMore ? 'list-more-than' : 'list-count', { count: total.count });
  const searched = searchedTo !== undefined && t('list-searched', { day: dayOfMoment(context, searchedTo) });
  return html`<p class="hint" role="status">
    ${[counted ?? t('list-shown', { count: rows.length }), searched].filter(Boolean).join(' · ')}
  </p>`;
}

function pager<Row>(
  view: ListView<Row>,
  { t }: ScreenContext,
  query: ListQuery,
  { next, previous, searchedTo }: Page<Row>,
): Html | '' {
  if (!next && !previous && !query.beside) return '';
  const link = (href: string, key: string, rel: string) =>
    html`<a class="button" href="${href}" rel="${rel}">${t(key)}</a>`;
  const onward = searchedTo === undefined ? 'list-next' : 'list-search-on';
  return html`<nav class="pager" aria-label="${t('list-pages')}">
    ${query.beside ? link(listHref(view, query), 'list-first', 'first') : ''}
    ${previous ? link(listHref(view, query, { before: previous }), 'list-previous', 'prev') : ''}
    ${next ? link(listHref(view, query, { after: next }), onward, 'next') : ''}
  </nav>`;
}
