// The routes of a list: the page, the CSV under the same query, and the CSV with codes, whose reason is asked first and
// written down.
import { html } from 'hono/html';

import { dayAt, formatIsoDay, MOST_EXPORTED } from '../../core/index.ts';
import { ConsoleProblem, type Html, type Route, type ScreenContext } from '../context.ts';
import { act, get } from '../parts/acts.ts';
import { form, textField } from '../parts/form.ts';
import { linkButton } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { streamText, writeCsv } from './csv.ts';
import { columnsOf, filterForm, listActions, listBody } from './html.ts';
import { listPath, readListQuery, USUAL_PER } from './query.ts';
import type { AnyView, ListQuery, ListView } from './view.ts';

const LONGEST_REASON = 200;

/** To be among the routes of a screen; the page is the first. `search` shows what the words of `?q=` are of. */
export function listRoutes<Row, Filter>(view: ListView<Row, Filter>, search?: Route['run']): Route[] {
  const read = (context: ScreenContext) =>
    readListQuery(view, context, new URL(context.c.req.url).searchParams);
  const csv = `${view.path}.csv`;
  const shown = [
    {
      ...get(view.path, view.needs, (context) =>
        search && context.c.req.query('q') ? search(context) : showList(view, context, read(context)),
      ),
      form: (context: ScreenContext) => askAgain(view, context),
    },
    get(csv, view.csvNeeds, (context) => {
      const query = read(context);
      return query.full ? askReason(view, context, query) : answerCsv(view, context, query);
    }),
  ];
  if (view.fullNeeds === undefined) return shown;
  return [
    ...shown,
    act(csv, view.fullNeeds, {
      ...{ fresh: true, run: (context) => answerFull(view, context, read(context)) },
      form: (context) => askReason(view, context, read(context)),
    }),
  ];
}

/** The filters as they were typed, without a list. */
function askAgain(view: AnyView, context: ScreenContext): Html {
  const given = new URL(context.c.req.url).searchParams;
  const typed = view.filters.map(({ key }) => [key, given.get(key) ?? ''] as const);
  const values = new Map(typed.filter(([, value]) => value !== ''));
  const body = filterForm(view, context, { values, sort: view.sorts[0]!, limit: USUAL_PER });
  return page(context, { title: context.t(`${view.name}-title`), body });
}

async function showList<Row, Filter>(
  view: ListView<Row, Filter>,
  context: ScreenContext,
  query: ListQuery<Filter>,
): Promise<Html> {
  const found = await view.page(context, query);
  return page(context, {
    title: context.t(`${view.name}-title`),
    actions: listActions(view, context, query),
    body: listBody(view, context, query, found, columnsOf(view, context, query)),
  });
}

/** What a full export is for is written down before anything leaves. */
function askReason(view: AnyView, context: ScreenContext, query: ListQuery): Html {
  const { t, can, session } = context;
  if (view.fullNeeds === undefined || !can(view.fullNeeds)) throw new ConsoleProblem(403, 'not-yours');
  if (!session.isFresh) throw new ConsoleProblem(403, 'not-fresh');
  const field = textField({
    ...{ value: context.field('reason') },
    ...{ name: 'reason', label: t('list-reason'), hint: t('list-reason-hint') },
    ...{ maxlength: LONGEST_REASON, required: true },
  });
  const body = form(
    listPath(view, query, { csv: true }),
    html`${field}
      <div class="acts">
        <button class="danger">${t('list-csv-full')}</button>
        ${linkButton(listPath(view, { ...query, full: false }), t('cancel'))}
      </div>`,
  );
  return page(context, { title: t('list-full-title'), body });
}

async function answerFull<Row, Filter>(
  view: ListView<Row, Filter>,
  context: ScreenContext,
  query: ListQuery<Filter>,
): Promise<Response> {
  const reason = context.field('reason').trim();
  if (!query.full || reason === '' || reason.length > LONGEST_REASON)
    throw new ConsoleProblem(400, 'list-reason');
  await view.orderFull?.(context, { filter: formatFilter(view, context), reason });
  return answerCsv(view, context, query);
}

/** As it is written down: of a code only its end. */
function formatFilter({ filters }: AnyView, { c }: ScreenContext): string {
  const params = new URL(c.req.url).searchParams;
  for (const { key, secret } of filters) {
    const value = params.get(key) ?? '';
    if (secret && value !== '') params.set(key, `…${value.slice(-Math.min(6, value.length >> 1))}`);
  }
  return decodeURIComponent(params.toString());
}

async function answerCsv<Row, Filter>(
  view: ListView<Row, Filter>,
  context: ScreenContext,
  query: ListQuery<Filter>,
): Promise<Response> {
  const { exporting, session, c, timeZone, t, clock } = context;
  if (query.beside) throw new ConsoleProblem(400, 'list-csv-page');
  if (exporting.has(session.id)) throw new ConsoleProblem(409, 'list-csv-running');
  const slices = await view.walk(context, query);
  const columns = query.full ? [...view.columns, ...(view.fullColumns ?? [])] : view.columns;
  exporting.add(session.id);
  const ended = () => void exporting.delete(session.id);
  const text = writeCsv(columns, slices, {
    ...{ timeZone, most: MOST_EXPORTED, more: t('list-csv-more', { count: MOST_EXPORTED }) },
  });
  // ASCII: `receipts-2026-11-27-full.csv`.
  const day = formatIsoDay(dayAt(timeZone, clock.now()));
  return c.body(streamText(text, ended), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${view.name}-${day}${query.full ? '-full' : ''}.csv"`,
  });
}
