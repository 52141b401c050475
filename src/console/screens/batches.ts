// The batches of an account, as the bot lists them: whose and from whom, and what became of their codes; one of them with
// the bad codes as a file and its Undo; and the work on them that was set aside.
import { html } from 'hono/html';

import {
  BATCH_FATES,
  LONGEST_SUPPLIER,
  type BatchSummary,
  type Core,
  type ListedBatch,
  type SetAsideJob,
} from '../../core/index.ts';
import { CSV_MARK, toCsvLine } from '../../csv.ts';
import {
  BASE,
  ConsoleProblem,
  idIn,
  memberOf,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { listRoutes } from '../lists/routes.ts';
import {
  DAYS,
  gameFilter,
  momentColumn,
  plainColumn,
  type ListColumn,
  type ListView,
} from '../lists/view.ts';
import { act, get } from '../parts/acts.ts';
import { actionButton } from '../parts/form.ts';
import { labelGame, labelPerson, link } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { facts, table, type Shape } from '../parts/table.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';

/** On a phone only what there is and what was bad; undefined: for moments only, or after a restore: in the CSV alone. */
const SHAPES: Record<(typeof BATCH_FATES)[number], Shape | undefined> = {
  ...{ available: 'number', spent: 'number', redeemed: 'number narrow', inDoubt: 'number narrow' },
  ...{ extracted: 'number narrow', undone: 'number narrow', held: undefined, inQuestion: undefined },
};

/** The figures of the bot, each with its own column. */
const fateColumn = (fate: (typeof BATCH_FATES)[number]): ListColumn<ListedBatch> => {
  const csv = (batch: ListedBatch) => batch.fate?.[fate];
  const shape = SHAPES[fate];
  // Too many to be counted for a list: the batch tells.
  return shape ? [fate, csv, `fate-${fate}`, (batch) => csv(batch) ?? '…', shape] : [fate, csv];
};

/** As the export of receipts has it: `member:5`, `apiKey:3`. */
function toActorText({ actorLabel: label }: ListedBatch): string {
  if (label.kind === 'member') return `member:${label.telegramId}`;
  return label.kind === 'apiKey' ? `apiKey:${label.apiKeyId}` : label.kind;
}

/** For whom the bot's /batches is. */
export const batchesView: ListView<ListedBatch, Parameters<Core['batches']['page']>[2]> = {
  path: '/batches',
  name: 'batches',
  needs: 'undoImport',
  csvNeeds: 'undoImport',
  columns: [
    ['batchId', ({ id }) => id, 'id', ({ id }) => link(`/batches/${id}`, id)],
    momentColumn('addedAt', ({ at }) => at, 'at'),
    ['gameId', ({ gameId }) => gameId, 'game', ({ gameId }, context) => labelGame(context, gameId), 'narrow'],
    ['by', toActorText, 'by', ({ actorLabel }, context) => labelPerson(context, actorLabel), 'narrow'],
    plainColumn('supplier', ({ supplier }) => supplier, 'narrow'),
    plainColumn('added', ({ added }) => added, 'number'),
    ...BATCH_FATES.map(fateColumn),
    momentColumn('undoneAt', ({ undoneAt }) => undoneAt),
  ],
  filters: [...DAYS, { key: 'supplier', kind: 'text', most: LONGEST_SUPPLIER }, gameFilter('managed')],
  sorts: ['-at', 'at'],
  page: (context, query) => context.core.batches.page(memberOf(context), query, query.filter),
  walk: (context, query) => context.core.batches.walk(memberOf(context), query.order, query.filter),
};

/** Of one's own, or of the account. */
const find = (context: ScreenContext) => context.core.batches.read(memberOf(context), idIn(context));

export const batchesScreen: Screen = {
  name: 'batches',
  inMenu: true,
  routes: [
    ...listRoutes(batchesView),
    get('/batches/:id', 'undoImport', showBatch),
    { ...get('/batches/:id/bad.csv', 'undoImport', sendBadCodes), fresh: true },
    act('/batches/:id/undo', 'undoImport', {
      find,
      ask: ({ t }, { id, added }) => ({
        ...{ text: t('batch-undo-ask', { id: String(id), count: added }), label: t('batch-undo') },
        back: `/batches/${id}`,
      }),
      run: (context, { id }) => context.core.imports.undo(memberOf(context), id),
      refused: { tooLate: [409, 'undo-late'] },
      to: ({ id }) => `/batches/${id}`,
      said: 'codes-undone',
    }),
    get('/jobs', 'undoImport', showJobs),
  ],
};

async function showBatch(context: ScreenContext): Promise<Html> {
  const { t, session, can } = context;
  const batch = await find(context);
  if (!batch) throw new ConsoleProblem(404, 'not-found');
  const { id, fate, undoneAt } = batch;
  const hasBad = fate.spent > 0;
  const body = html`${facts([
      [t('batches-game'), labelGame(context, batch.gameId)],
      [t('batches-at'), absoluteTime(context, batch.at)],
      [t('batches-by'), labelPerson(context, batch.actorLabel)],
      [t('batches-supplier'), batch.supplier],
      [t('batches-added'), batch.added],
      [t('batch-undone-at'), absoluteTime(context, undoneAt)],
    ])}
    <h2>${t('batch-became')}</h2>
    ${facts(BATCH_FATES.map((each) => [t(`batches-fate-${each}`), fate[each] > 0 && fate[each]]))}
    ${hasBad && !session.isFresh && html`<p class="hint">${t('batch-bad-later')}</p>`}
    ${can('searchHistory') && html`<p>${link(`/receipts?batch=${id}`, t('batch-receipts'))}</p>`}
    ${(undoneAt !== undefined || batch.isBeingUndone) && (await takenBack(context, batch))}`;
  const bad = html`<a class="button" href="${BASE}/batches/${id}/bad.csv" download>${t('batch-bad')}</a>`;
  const undoing = actionButton(`/batches/${id}/undo`, t('batch-undo'), { tone: 'danger' });
  const actions = html`${hasBad && session.isFresh && bad} ${batch.canBeUndone && undoing}`;
  return page(context, { title: t('batch-title', { id: String(id) }), body, actions });
}

/** The codes themselves, for a day. */
async function takenBack(
  { core, t, session, ...context }: ScreenContext,
  { id }: BatchSummary,
): Promise<Html> {
  const codes = session.isFresh ? await core.batches.findTakenBack(memberOf(context), id) : undefined;
  if (!codes) return html`<p class="hint">${t('batch-codes-later')}</p>`;
  const text = codes.map(({ denomination, codes: each }) => `${denomination}:\n${each.join('\n')}`);
  return html`<label class="field wide">
    <span>${t('batch-codes')}</span>
    <textarea rows="12" readonly spellcheck="false">${text.join('\n\n')}</textarea>
  </label>`;
}

/** As the bot's file: each code with what the platform said of it, and when, UTC. */
async function sendBadCodes(context: ScreenContext): Promise<Response> {
  const id = idIn(context);
  const codes = await context.core.badCodes.readOfBatch(memberOf(context), id);
  if (!codes) throw new ConsoleProblem(404, 'not-found');
  const lines = codes.map(({ denomination, code, answer, at }) =>
    toCsvLine([denomination, code, answer, new Date(at).toISOString()]),
  );
  const text = CSV_MARK + toCsvLine(['denomination', 'code', 'answer', 'time']) + lines.join('');
  return context.c.body(text, 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="refused-batch-${id}.csv"`,
  });
}

/** What it was, how far it came, and what a person does about it. Kept for two days. */
function showJobs(context: ScreenContext): Html {
  const { t, core } = context;
  // Of a batch, the way to it.
  const nameJob = ({ kind, subjectId }: SetAsideJob) => {
    const name = t(`jobs-${kind}`, { id: String(subjectId) });
    return kind === 'extract' ? name : link(`/batches/${subjectId}`, name);
  };
  const body = table(
    t('jobs-title'),
    core.listSetAsideJobs(memberOf(context)),
    [
      [t('jobs-what'), nameJob],
      [t('jobs-done'), ({ done, total }) => t('jobs-done-of', { done, total }), 'number'],
      [t('jobs-since'), ({ setAsideAt }) => relativeTime(context, setAsideAt)],
      [t('jobs-by'), ({ actorLabel }) => labelPerson(context, actorLabel), 'narrow'],
      [t('today-next'), ({ kind }) => t(`jobs-${kind}-next`)],
    ],
    t('jobs-none'),
  );
  return page(context, { title: t('jobs-title'), current: 'batches', body });
}
