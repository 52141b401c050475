// The receipts of an account: filtered, sorted, exported.
import { html } from 'hono/html';

import {
  ERROR_CODES,
  FULL_RECEIPT_COLUMNS,
  LISTED_STATES,
  RECEIPT_COLUMNS,
  type ExportedRedemption,
  type ReceiptFilter,
} from '../../core/index.ts';
import { BASE, memberOf, type ScreenContext } from '../context.ts';
import {
  dayOf,
  numberOf,
  playerOf,
  textOf,
  type ListColumn,
  type ListFilter,
  type ListQuery,
  type ListView,
} from '../lists/view.ts';
import { labelAmount, labelGame, labelPerson, playerCell, receiptBadge } from '../parts/labels.ts';
import { absoluteTime } from '../parts/time.ts';

type Column = ListColumn<ExportedRedemption>;
type Shown = NonNullable<Column['shown']>;

/** On the screen, by the column of the export that it shows. */
const SHOWN: Record<string, Shown> = {
  receiptId: { header: 'id', cell: ({ id }) => html`<a href="${BASE}/receipts/${id}">${id}</a>` },
  createdAt: { header: 'at', cell: ({ createdAt }, context) => absoluteTime(context, createdAt), sort: 'at' },
  state: { header: 'state', cell: (row, context) => receiptBadge(context, row) },
  playerId: {
    header: 'player',
    cell: playerCell,
  },
  amount: {
    header: 'amount',
    kind: 'number',
    cell: ({ gameId, amount, denomination }, context) => labelAmount(context, gameId, amount ?? denomination),
  },
  gameId: { header: 'game', hidden: 'narrow', cell: ({ gameId }, context) => labelGame(context, gameId) },
  codeEnding: {
    header: 'code',
    hidden: 'narrow',
    cell: ({ codeTail }) => (codeTail === undefined ? '' : html`<code>…${codeTail}</code>`),
  },
  by: { header: 'by', hidden: 'narrow', cell: ({ actorLabel }, context) => labelPerson(context, actorLabel) },
};

const toColumn = ([key, csv]: (typeof RECEIPT_COLUMNS)[number]): Column => {
  const shown = SHOWN[key];
  return { key, csv, shown };
};

const LONGEST_AMOUNT = 10_000_000;
const LARGEST_NUMBER = 999_999_999_999;

const FILTERS: readonly ListFilter[] = [
  {
    key: 'state',
    kind: 'choice',
    choices: ({ t }) => LISTED_STATES.map((state) => [state, t(`state-${state}`)]),
  },
  { key: 'from', kind: 'day' },
  { key: 'to', kind: 'day' },
  { key: 'player', kind: 'text', most: 100 },
  { key: 'name', rare: true, kind: 'text', most: 60 },
  { key: 'amount', kind: 'number', most: LONGEST_AMOUNT },
  {
    key: 'game',
    rare: true,
    kind: 'choice',
    choices: (context) => context.core.games.all.map(({ id }) => [id, labelGame(context, id)]),
  },
  { key: 'code', rare: true, secret: true, kind: 'text', most: 64 },
  { key: 'key', rare: true, kind: 'number', most: LARGEST_NUMBER },
  { key: 'person', rare: true, kind: 'number', most: LARGEST_NUMBER },
  {
    key: 'error',
    rare: true,
    kind: 'choice',
    choices: ({ t }) => ERROR_CODES.map((code) => [code, t(`error-${code}`)]),
  },
  { key: 'batch', rare: true, kind: 'number', most: LARGEST_NUMBER },
  { key: 'id', rare: true, kind: 'number', most: LARGEST_NUMBER },
];

/** What a query asks of the core. */
export function toReceiptFilter(query: ListQuery): ReceiptFilter {
  const state = textOf(query, 'state');
  return {
    state: LISTED_STATES.find((each) => each === state),
    from: dayOf(query, 'from'),
    to: dayOf(query, 'to'),
    playerId: playerOf(query),
    name: textOf(query, 'name'),
    amount: numberOf(query, 'amount'),
    gameId: textOf(query, 'game'),
    code: textOf(query, 'code'),
    apiKeyId: numberOf(query, 'key'),
    telegramId: numberOf(query, 'person'),
    errorCode: textOf(query, 'error'),
    batchId: numberOf(query, 'batch'),
    id: numberOf(query, 'id'),
  };
}

export const receiptsView: ListView<ExportedRedemption> = {
  path: '/receipts',
  name: 'receipts',
  needs: 'searchHistory',
  csvNeeds: 'exportReceipts',
  fullNeeds: 'exportCredentials',
  columns: RECEIPT_COLUMNS.map(toColumn),
  fullColumns: FULL_RECEIPT_COLUMNS.slice(RECEIPT_COLUMNS.length).map(toColumn),
  filters: FILTERS,
  sorts: ['-at', 'at'],
  page: (context, query) => context.core.receiptList.page(memberOf(context), toReceiptFilter(query), query),
  walk: (context: ScreenContext, query) =>
    context.core.receiptList.walk(memberOf(context), toReceiptFilter(query), query),
  orderFull: (context, order) => context.core.receiptList.orderFull(memberOf(context), order),
};
