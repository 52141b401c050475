// A list as a page: what it is filtered by, how many there are, its rows, and the way to the next and the CSV. Works
// without a script: the filters are a form that asks for the same URL otherwise.
import { html } from 'hono/html';

import { addDays, dayAt, formatIsoDay, type ListPage, type ListTotal } from '../../core/index.ts';
import { BASE, type Html, type ScreenContext } from '../context.ts';
import { hidden } from '../parts/form.ts';
import { link, linkButton } from '../parts/labels.ts';
import { table, type Column } from '../parts/table.ts';
import { dayOfMoment } from '../parts/time.ts';
import { listPath } from './query.ts';
import type { AnyView, ListFilter, ListQuery, ListView } from './view.ts';

/** `further`: how a search goes on below what it has reached; a list goes on by its cursors. */
type Page<Row> = ListPage<Row> & { total?: ListTotal | undefined; further?: string | undefined };

/** The columns of the screen, whose heads sort. */
export const columnsOf = <Row>(
  view: ListView<Row>,
  context: ScreenContext,
  query: ListQuery,
): Column<Row>[] =>
  view.columns.flatMap(([, , head, cell, shape]): Column<Row>[] =>
    head !== undefined && cell
      ? [[headOf(view, context, query, head), (row) => cell(row, context), shape]]
      : [],
  );

/** What stands below the title. */
export function listBody<Row>(
  view: AnyView,
  context: ScreenContext,
  query: ListQuery,
  page: Page<Row>,
  columns: readonly Column<Row>[],
): Html {
  const { t } = context;
  const isAsked = query.values.size > 0 || query.beside !== undefined || query.words !== undefined;
  return html`${filterForm(view, context, query)}
    <div class="count">${summary(context, page)} ${dayLinks(view, context, query)}</div>
    ${table(t(`${view.name}-title`), page.rows, columns, t(isAsked ? 'list-nothing-so' : `${view.name}-none`))}
    ${pager(view, context, query, page)}`;
}

/** Beside the title: what can be done, and the same list as CSV. */
export function listActions(view: AnyView, context: ScreenContext, query: ListQuery): Html | undefined {
  const { t, can } = context;
  if (!can(view.csvNeeds)) return undefined;
  const isFull = view.fullNeeds !== undefined && can(view.fullNeeds);
  const full = listPath(view, { ...query, full: true }, { csv: true });
  return html`${isFull && context.session.isFresh && linkButton(full, t('list-csv-full'))}
    ${view.actions?.(context)}
    <a class="button" href="${BASE}${listPath(view, query, { csv: true })}" download>${t('list-csv')}</a>`;
}

/** A link where the list is sorted by it. */
function headOf(view: AnyView, { t }: ScreenContext, query: ListQuery, head: string): Html | string {
  const label = t(`${view.name}-${head}`);
  if (!view.sorts.includes(head)) return label;
  const isBack = query.sort === `-${head}`;
  const other = { ...query, sort: isBack ? head : `-${head}` };
  return link(listPath(view, other), html`${label} <span aria-hidden="true">${isBack ? '↓' : '↑'}</span>`);
}

type Filters = Pick<ListQuery, 'values' | 'sort' | 'limit' | 'words'>;

export function filterForm(view: AnyView, context: ScreenContext, query: Filters): Html {
  const { t } = context;
  const rare = view.filters.filter((filter) => filter.rare);
  const often = view.filters.filter((filter) => !filter.rare);
  const field = (filter: ListFilter) =>
    html`<label class="${query.values.has(filter.key) && 'given'}">
      <span>${t(`${view.name}-${filter.key}`)}</span>
      ${filterInput(filter, context, query)}
    </label>`;
  // On a phone they would fill the first screen.
  return html`<details class="folded" ${query.values.size > 0 && 'open'}>
    <summary>${t('list-filter')}</summary>
    <form class="filters" action="${BASE}${view.path}" method="get">
      ${often.map(field)}
      ${
        rare.length > 0 &&
        html`<details ${rare.some(({ key }) => query.values.has(key)) && 'open'}>
          <summary>${t('list-more-filters')}</summary>
          <div class="filters">${rare.map(field)}</div>
        </details>`
      }
      ${query.sort !== view.sorts[0] && hidden({ sort: query.sort })}
      ${query.words && hidden({ q: query.words })}
      <button>${t('list-filter')}</button>
      ${query.values.size > 0 && linkButton(listPath(view, { ...query, values: new Map() }), t('list-all'))}
    </form>
  </details>`;
}

function filterInput(filter: ListFilter, context: ScreenContext, { values }: Filters): Html {
  const value = values.get(filter.key);
  const text = value === undefined ? '' : typeof value === 'object' ? formatIsoDay(value) : String(value);
  switch (filter.kind) {
    case 'choice':
      return html`<select name="${filter.key}">
        <option value="">${context.t('list-any')}</option>
        ${filter
          .choices(context)
          .map(
            ([each, label]) => html`<option value="${each}" ${each === text && 'selected'}>${label}</option>`,
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
function dayLinks(view: AnyView, { t, timeZone, clock }: ScreenContext, query: ListQuery): Html | undefined {
  if (!view.filters.some(({ kind }) => kind === 'day')) return undefined;
  const today = dayAt(timeZone, clock.now());
  const links = Object.entries(OFTEN_ASKED).map(([name, [from, to]]) => {
    const days = { from: addDays(today, -from), to: addDays(today, -to) };
    const values = new Map([...query.values, ...Object.entries(days)]);
    return link(listPath(view, { ...query, values }), t(`list-${name}`));
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

function pager(
  view: AnyView,
  { t }: ScreenContext,
  query: ListQuery,
  { next, previous, searchedTo, further = next && listPath(view, query, { after: next }) }: Page<unknown>,
): Html | undefined {
  if (further === undefined && !previous && !query.beside) return undefined;
  const to = (path: string, key: string, rel: string) =>
    html`<a class="button" href="${BASE}${path}" rel="${rel}">${t(key)}</a>`;
  const onward = searchedTo === undefined ? 'list-next' : 'list-search-on';
  return html`<nav class="pager" aria-label="${t('list-pages')}">
    ${query.beside && to(listPath(view, query), 'list-first', 'first')}
    ${previous && to(listPath(view, query, { before: previous }), 'list-previous', 'prev')}
    ${further !== undefined && to(further, onward, 'next')}
  </nav>`;
}
