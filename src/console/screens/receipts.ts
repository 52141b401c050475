// The receipts of an account: filtered, sorted, exported; and one of them with everything that happened to it. Its code
// and login are shown on demand, to whoever may read receipts and has just entered, and that is written down.
import { html } from 'hono/html';

import {
  ERROR_CODES,
  FULL_RECEIPT_COLUMNS,
  LISTED_STATES,
  RECEIPT_COLUMNS,
  type ExportedRedemption,
  type HistoryLine,
  type ReceiptFilter,
  type ReceiptStory,
  type Redemption,
  tailOf,
} from '../../core/index.ts';
import { ConsoleProblem, memberOf, type Html, type Screen, type ScreenContext } from '../context.ts';
import { listRoutes } from '../lists/routes.ts';
import { DAYS, gameFilter, PLAYER, type ListColumn, type ListView } from '../lists/view.ts';
import { act, get } from '../parts/acts.ts';
import { actionButton } from '../parts/form.ts';
import {
  labelAmount,
  labelGame,
  labelPerson,
  link,
  playerCell,
  receiptBadge,
  whenFresh,
} from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { story } from '../parts/story.ts';
import { facts, type Cell, type Column as TableColumn, type Fact, type Shape } from '../parts/table.ts';
import { absoluteTime } from '../parts/time.ts';
import { search } from './search.ts';

type Column = ListColumn<ExportedRedemption>;
/** A line of the list, or of what was searched for. */
type Line = HistoryLine & Partial<Pick<ExportedRedemption, 'denomination' | 'actorLabel'>>;
type Shown = readonly [head: string, cell: (line: Line, context: ScreenContext) => Cell, shape?: Shape];

/** On the screen, by the column of the export that it shows. */
const SHOWN: Record<string, Shown> = {
  receiptId: ['id', ({ id }) => link(`/receipts/${id}`, id)],
  createdAt: ['at', ({ createdAt }, context) => absoluteTime(context, createdAt)],
  state: ['state', (row, context) => receiptBadge(context, row)],
  playerId: ['player', playerCell],
  amount: [
    'amount',
    (row, context) => labelAmount(context, row.gameId, row.amount ?? row.denomination),
    'number',
  ],
  gameId: ['game', ({ gameId }, context) => labelGame(context, gameId), 'narrow'],
  codeEnding: ['code', ({ codeTail }) => codeTail !== null && html`<code>…${codeTail}</code>`, 'narrow'],
  by: ['by', ({ actorLabel }, context) => actorLabel && labelPerson(context, actorLabel), 'narrow'],
};

/** What was searched for, as the list shows it. */
const lineColumns = (context: ScreenContext): TableColumn<HistoryLine>[] =>
  Object.values(SHOWN)
    .filter(([head]) => head !== 'by')
    .map(([head, cell, shape]) => [context.t(`receipts-${head}`), (line) => cell(line, context), shape]);

const COLUMNS = FULL_RECEIPT_COLUMNS.map(([key, csv]): Column => [key, csv, ...(SHOWN[key] ?? [])]);

const receiptsView: ListView<ExportedRedemption, ReceiptFilter> = {
  path: '/receipts',
  name: 'receipts',
  needs: 'searchHistory',
  csvNeeds: 'exportReceipts',
  fullNeeds: 'exportCredentials',
  columns: COLUMNS.slice(0, RECEIPT_COLUMNS.length),
  fullColumns: COLUMNS.slice(RECEIPT_COLUMNS.length),
  filters: [
    {
      key: 'state',
      kind: 'choice',
      choices: ({ t }) => LISTED_STATES.map((each) => [each, t(`state-${each}`)]),
    },
    ...DAYS,
    PLAYER,
    { key: 'name', rare: true, kind: 'text', most: 60 },
    { key: 'amount', kind: 'number', most: 10_000_000 },
    { ...gameFilter('all'), rare: true },
    { key: 'code', rare: true, secret: true, kind: 'text', most: 64 },
    { key: 'key', as: 'apiKeyId', rare: true, kind: 'number' },
    { key: 'person', as: 'telegramId', rare: true, kind: 'number' },
    {
      ...{ key: 'error', as: 'errorCode', rare: true, kind: 'choice' },
      choices: ({ t }) => ERROR_CODES.map((code) => [code, t(`error-${code}`)]),
    },
    { key: 'batch', as: 'batchId', rare: true, kind: 'number' },
    { key: 'id', rare: true, kind: 'number' },
  ],
  sorts: ['-at', 'at'],
  page: (context, query) => context.core.receiptList.page(memberOf(context), query.filter, query),
  walk: (context, query) => context.core.receiptList.walk(memberOf(context), query.filter, query),
  orderFull: (context, order) => context.core.receiptList.orderFull(memberOf(context), order),
};

export const receiptsScreen: Screen = {
  name: 'receipts',
  inMenu: true,
  routes: [
    ...listRoutes(receiptsView, (context) => search(receiptsView, context, lineColumns(context))),
    get('/receipts/:id', 'readReceipts', (context) => show(context, find(context))),
    act('/receipts/:id/show', 'readReceipts', { fresh: true, find, run: showSecrets }),
  ],
};

function find({ core, c, host, ...rest }: ScreenContext): ReceiptStory {
  const id = c.req.param('id') ?? '';
  const found = /^\d{1,15}$/.test(id) && core.receiptStories.find(memberOf(rest), Number(id), host);
  if (!found) throw new ConsoleProblem(404, 'not-found');
  return found;
}

async function showSecrets(context: ScreenContext, { redemption: { id } }: ReceiptStory): Promise<Html> {
  await context.core.receiptStories.note(memberOf(context), 'credentialsShown', { receipt: id });
  return show(context, find(context), true);
}

function show(context: ScreenContext, { redemption, events }: ReceiptStory, withSecrets = false): Html {
  const { t, core } = context;
  const { id, playerId, playerName, gameId, amount, denomination, region, productName } = redemption;
  const details = core.receiptDetails(memberOf(context), redemption);
  const body = html`${facts([
      [t('receipt-player'), playerCell({ playerId, playerName })],
      [t('receipt-region'), region || undefined],
      [t('receipts-amount'), labelAmount(context, gameId, amount ?? denomination)],
      [t('receipts-game'), html`${labelGame(context, gameId)} <small>${productName}</small>`],
      [t('receipts-at'), absoluteTime(context, redemption.createdAt)],
      [t('receipts-by'), labelPerson(context, details.actorLabel)],
      [t('receipt-code-now'), t(`receipt-code-${details.code}`)],
      ...describeCode(context, redemption, withSecrets),
    ])}
    <h2>${t('story-title')}</h2>
    ${story(context, events)}`;
  const title = t('receipt-title', { id: String(id) });
  return page(context, { title, actions: receiptBadge(context, redemption), body });
}

/** Masked, with the way to see it; or in full. */
function describeCode(
  context: ScreenContext,
  { id, code, credentials }: Redemption,
  withSecrets: boolean,
): Fact[] {
  const { t } = context;
  if (code === null && credentials === null) return [];
  if (withSecrets)
    return [
      [t('receipts-code'), code !== null && html`<code>${code}</code>`],
      ...Object.entries(credentials ?? {}).map(([name, value]): Fact => [
        t(`receipt-${name}`),
        html`<code>${value}</code>`,
      ]),
    ];
  const masked = code !== null && html`<code>••••${tailOf(code)}</code>`;
  const next = whenFresh(context, actionButton(`/receipts/${id}/show`, t('receipt-show')));
  return [[t('receipts-code'), html`${masked} ${next}`]];
}
