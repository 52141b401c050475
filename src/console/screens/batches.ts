// The batches of an account, as the bot lists them: whose and from whom, and what became of their codes.
import { html } from 'hono/html';

import {
  BATCH_FATES,
  LONGEST_SUPPLIER,
  toIsoTime,
  type ActorLabel,
  type ListedBatch,
} from '../../core/index.ts';
import { BASE, memberOf, type Screen } from '../context.ts';
import { listRoutes } from '../lists/routes.ts';
import { dayOf, textOf, type ListColumn, type ListQuery, type ListView } from '../lists/view.ts';
import { labelGame, labelPerson } from '../parts/labels.ts';
import { absoluteTime } from '../parts/time.ts';
import { sendBadCodes, showBatch, undoFromBatch } from './batch.ts';

type Column = ListColumn<ListedBatch>;

/** On a phone only what there is and what was bad. */
const NARROW: readonly string[] = ['available', 'spent'];

/** For moments only, or after a restore: the batch tells them, and the CSV. */
const UNSHOWN: readonly string[] = ['held', 'inQuestion'];

/** The figures of the bot, each with its own column; not all of them have room on the screen. */
const fateColumn = (fate: (typeof BATCH_FATES)[number]): Column => ({
  key: fate,
  csv: (batch) => batch.fate?.[fate],
  ...(!UNSHOWN.includes(fate) && { shown: shownFate(fate) }),
});

const shownFate = (fate: (typeof BATCH_FATES)[number]): NonNullable<Column['shown']> => ({
  header: `fate-${fate}`,
  kind: 'number',
  // Too many to be counted for a list: the batch tells.
  cell: (batch) => batch.fate?.[fate] ?? '…',
  ...(!NARROW.includes(fate) && { hidden: 'narrow' }),
});

/** As the export of receipts has it: `member:5`, `apiKey:3`. */
function toActorText(label: ActorLabel): string {
  if (label.kind === 'member') return `member:${label.telegramId}`;
  return label.kind === 'apiKey' ? `apiKey:${label.apiKeyId}` : label.kind;
}

const columns: readonly Column[] = [
  {
    key: 'batchId',
    csv: ({ id }) => id,
    shown: { header: 'id', cell: ({ id }) => html`<a href="${BASE}/batches/${id}">${id}</a>` },
  },
  {
    key: 'addedAt',
    csv: ({ at }, timeZone) => toIsoTime(at, timeZone),
    shown: { header: 'at', cell: ({ at }, context) => absoluteTime(context, at), sort: 'at' },
  },
  {
    key: 'gameId',
    csv: ({ gameId }) => gameId,
    shown: { header: 'game', hidden: 'narrow', cell: ({ gameId }, context) => labelGame(context, gameId) },
  },
  {
    key: 'by',
    csv: ({ actorLabel }) => toActorText(actorLabel),
    shown: {
      header: 'by',
      hidden: 'narrow',
      cell: (batch, context) => labelPerson(context, batch.actorLabel),
    },
  },
  {
    key: 'supplier',
    csv: ({ supplier }) => supplier,
    shown: { header: 'supplier', hidden: 'narrow', cell: ({ supplier }) => supplier ?? '' },
  },
  {
    key: 'added',
    csv: ({ added }) => added,
    shown: { header: 'added', kind: 'number', cell: ({ added }) => added },
  },
  ...BATCH_FATES.map(fateColumn),
  {
    key: 'undoneAt',
    csv: ({ undoneAt }, timeZone) => (undoneAt === undefined ? undefined : toIsoTime(undoneAt, timeZone)),
  },
];

const toFilter = (query: ListQuery) => ({
  from: dayOf(query, 'from'),
  to: dayOf(query, 'to'),
  gameId: textOf(query, 'game'),
  supplier: textOf(query, 'supplier'),
});

/** For whom the bot's /batches is. */
export const batchesView: ListView<ListedBatch> = {
  path: '/batches',
  name: 'batches',
  needs: 'undoImport',
  csvNeeds: 'undoImport',
  columns,
  filters: [
    { key: 'from', kind: 'day' },
    { key: 'to', kind: 'day' },
    { key: 'supplier', kind: 'text', most: LONGEST_SUPPLIER },
    {
      key: 'game',
      kind: 'choice',
      choices: (context) => context.core.games.managed.map(({ id }) => [id, labelGame(context, id)]),
    },
  ],
  sorts: ['-at', 'at'],
  page: (context, query) => context.core.batches.page(memberOf(context), query, toFilter(query)),
  walk: (context, query) => context.core.batches.walk(memberOf(context), query.order, toFilter(query)),
};

export const batchesScreen: Screen = {
  name: 'batches',
  inMenu: true,
  routes: [
    ...listRoutes(batchesView),
    { method: 'GET', path: '/batches/:id', needs: 'undoImport', run: showBatch },
    { method: 'GET', path: '/batches/:id/bad.csv', needs: 'undoImport', fresh: true, run: sendBadCodes },
    { method: 'POST', path: '/batches/:id/undo', needs: 'undoImport', run: undoFromBatch },
  ],
};
