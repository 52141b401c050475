// Orders: the list, and one of them with its codes and what may be done about it.
import { html } from 'hono/html';

import { toIsoTime, type OrderItemRecord, type OrderRecord } from '../../core/index.ts';
import {
  BASE,
  ConsoleProblem,
  goTo,
  memberOf,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { listRoutes } from '../lists/routes.ts';
import { dayOf, playerOf, textOf, type ListColumn, type ListQuery, type ListView } from '../lists/view.ts';
import { badge, type Tone } from '../parts/badge.ts';
import { actionButton } from '../parts/form.ts';
import { labelAmount, labelGame, playerCell, playerHref } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { facts, table } from '../parts/table.ts';
import { absoluteTime } from '../parts/time.ts';
import { askPlayer, linkTo, missingOf, orderForPlayer, seenIn } from './another-player.ts';
import { confirmation } from './asking.ts';

const STATES = ['running', 'waiting', 'done', 'stopped', 'cancelled'] as const;
const TONES: Record<OrderRecord['state'], Tone> = {
  running: 'wait',
  waiting: 'doubt',
  done: 'good',
  stopped: 'bad',
  cancelled: 'calm',
};

const columns: readonly ListColumn<OrderRecord>[] = [
  {
    key: 'orderId',
    csv: ({ id }) => id,
    shown: {
      header: 'order',
      cell: ({ id, reference }) =>
        html`<a href="${BASE}/orders/${id}">${reference ?? `…${id.slice(-8)}`}</a>`,
    },
  },
  { key: 'reference', csv: ({ reference }) => reference },
  {
    key: 'createdAt',
    csv: ({ createdAt }, timeZone) => toIsoTime(createdAt, timeZone),
    shown: { header: 'at', cell: ({ createdAt }, context) => absoluteTime(context, createdAt), sort: 'at' },
  },
  {
    key: 'state',
    csv: ({ state }) => state,
    shown: { header: 'state', cell: (order, context) => orderBadge(context, order) },
  },
  { key: 'reason', csv: ({ reason, waitsFor }) => reason ?? waitsFor },
  { key: 'gameId', csv: ({ gameId }) => gameId },
  {
    key: 'playerId',
    csv: ({ playerId }) => playerId,
    shown: {
      header: 'player',
      cell: playerCell,
    },
  },
  {
    key: 'wanted',
    csv: ({ wanted }) => wanted.codes,
    shown: {
      header: 'progress',
      kind: 'number',
      cell: ({ redeemed, wanted }) => `${redeemed.codes} / ${wanted.codes}`,
    },
  },
  { key: 'redeemed', csv: ({ redeemed }) => redeemed.codes },
  {
    key: 'amount',
    csv: ({ redeemed }) => redeemed.amount,
    shown: {
      header: 'amount',
      kind: 'number',
      hidden: 'narrow',
      cell: ({ gameId, redeemed }, context) => labelAmount(context, gameId, redeemed.amount),
    },
  },
];

const toFilter = (query: ListQuery) => {
  const state = textOf(query, 'state');
  return {
    state: STATES.find((each) => each === state),
    from: dayOf(query, 'from'),
    to: dayOf(query, 'to'),
    playerId: playerOf(query),
    reference: textOf(query, 'reference'),
    gameId: textOf(query, 'game'),
  };
};

const ordersView: ListView<OrderRecord> = {
  path: '/orders',
  name: 'orders',
  needs: 'redeem',
  csvNeeds: 'exportReceipts',
  columns,
  filters: [
    {
      key: 'state',
      kind: 'choice',
      choices: ({ t }) => STATES.map((state) => [state, t(`order-state-${state}`)]),
    },
    { key: 'from', kind: 'day' },
    { key: 'to', kind: 'day' },
    { key: 'player', kind: 'text', most: 100 },
    { key: 'reference', kind: 'text', most: 100 },
    {
      key: 'game',
      kind: 'choice',
      choices: (context) => context.core.games.all.map(({ id }) => [id, labelGame(context, id)]),
    },
  ],
  sorts: ['-at', 'at'],
  page: (context, query) => context.core.orderList.page(memberOf(context), toFilter(query), query),
  walk: (context, query) => context.core.orderList.walk(memberOf(context), toFilter(query), query.order),
};

export const ordersScreen: Screen = {
  name: 'orders',
  inMenu: true,
  routes: [
    ...listRoutes(ordersView),
    { method: 'GET', path: '/orders/:id', needs: 'redeem', run: (context) => show(context, find(context)) },
    { method: 'POST', path: '/orders/:id/cancel', needs: 'redeem', run: cancel },
    { method: 'POST', path: '/orders/:id/resume', needs: 'redeem', run: resume },
    {
      ...{ method: 'GET', path: '/orders/:id/another', needs: 'redeem' },
      run: (context) => askPlayer(context, find(context)),
    },
    {
      ...{ method: 'POST', path: '/orders/:id/another', needs: 'redeem' },
      run: (context) => orderForPlayer(context, find(context)),
    },
  ],
};

const idOf = ({ c }: Pick<ScreenContext, 'c'>): string => (c.req.param('id') ?? '').slice(0, 100);

function find(context: ScreenContext): OrderRecord {
  const order = context.core.orders.find(memberOf(context), idOf(context));
  if (!order) throw new ConsoleProblem(404, 'not-found');
  return order;
}

/** What it waits for or why it stopped is part of its state. */
function orderBadge({ t }: Pick<ScreenContext, 't'>, { state, waitsFor, reason }: OrderRecord): Html {
  const why = waitsFor ? t(`order-waits-${waitsFor}`) : reason ? t(`order-reason-${reason}`) : undefined;
  const label = t(`order-state-${state}`);
  return badge(TONES[state], why === undefined ? label : `${label}: ${why}`);
}

function show(context: ScreenContext, order: OrderRecord): Html {
  const { t } = context;
  const {
    id,
    gameId,
    playerId,
    playerName,
    reference,
    createdAt,
    deadline,
    endedAt,
    items,
    run,
    replacedBy,
  } = order;
  const body = html`${facts([
      [t('orders-state'), orderBadge(context, order)],
      [t('orders-player'), html`<a href="${playerHref(playerId)}">${playerId}</a> ${playerName ?? ''}`],
      [t('orders-game'), labelGame(context, gameId)],
      [t('orders-progress'), `${order.redeemed.codes} / ${order.wanted.codes}`],
      [t('orders-amount'), labelAmount(context, gameId, order.redeemed.amount)],
      ...(reference === undefined ? [] : [[t('orders-reference'), reference] as const]),
      [t('orders-order'), html`<code>${id}</code>`],
      [t('orders-at'), absoluteTime(context, createdAt)],
      ...(deadline === undefined ? [] : [[t('order-deadline'), absoluteTime(context, deadline)] as const]),
      ...(endedAt === undefined ? [] : [[t('order-ended'), absoluteTime(context, endedAt)] as const]),
      ...(run > 1 ? [[t('order-run'), run] as const] : []),
      ...(replacedBy === undefined ? [] : [[t('order-replaced'), linkTo(context, replacedBy)] as const]),
    ])}
    <h2>${t('order-codes')}</h2>
    ${itemTable(context, order, items)}`;
  const action = (name: 'cancel' | 'resume', tone: 'main' | 'danger') =>
    actionButton(context, {
      action: `/orders/${id}/${name}`,
      label: t(`order-${name}`),
      tone,
      // The same press again is the same order.
      fields: { once: `${createdAt}.${run}`, ...(replacedBy === undefined && { seen: order.standing }) },
    });
  const actions = html`${endedAt === undefined ? action('cancel', 'danger') : ''}
  ${order.state === 'stopped' ? action('resume', 'main') : ''}
  ${
    endedAt !== undefined && missingOf(order).length > 0
      ? html`<a class="button" href="${BASE}/orders/${id}/another">${t('order-another')}</a>`
      : ''
  }`;
  return page(context, {
    title: t('order-title', { name: reference ?? id }),
    current: 'orders',
    body,
    actions,
  });
}

function itemTable(context: ScreenContext, { gameId }: OrderRecord, items: readonly OrderItemRecord[]): Html {
  const { t } = context;
  const tones: Record<OrderItemRecord['state'], Tone> = {
    waiting: 'calm',
    running: 'wait',
    inDoubt: 'doubt',
    redeemed: 'good',
    failed: 'bad',
    missing: 'bad',
  };
  return table({
    caption: t('order-codes'),
    rows: items,
    empty: '',
    columns: [
      { header: t('order-n'), cell: ({ n }) => n },
      {
        header: t('receipts-amount'),
        kind: 'number',
        cell: ({ denomination, amount }) => labelAmount(context, gameId, amount ?? denomination),
      },
      { header: t('orders-state'), cell: ({ state }) => badge(tones[state], t(`order-item-${state}`)) },
      {
        header: t('receipts-id'),
        cell: ({ redemptionId }) =>
          redemptionId === undefined
            ? ''
            : html`<a href="${BASE}/receipts/${redemptionId}">${redemptionId}</a>`,
      },
    ],
  });
}

async function cancel(context: ScreenContext): Promise<Response> {
  const id = idOf(context);
  const order = await context.core.orders.cancel(memberOf(context), id);
  if (!order) throw new ConsoleProblem(404, 'not-found');
  return goTo(context, `/orders/${id}`, 'order-cancelled');
}

async function resume(context: ScreenContext): Promise<Html | Response> {
  const { t, field } = context;
  const id = idOf(context);
  const once = field('once').slice(0, 60);
  const answer = await context.core.orders.resume(memberOf(context), id, {
    idempotencyKey: { scope: 'page', key: `${id}:${once}` },
    seen: seenIn(context),
  });
  if (!answer) throw new ConsoleProblem(404, 'not-found');
  if (answer.status === 'notStopped') throw new ConsoleProblem(409, 'meanwhile');
  const fields = { once, seen: find(context).standing };
  if (answer.status === 'replaced')
    return confirmation(context, {
      ...{ action: `/orders/${id}/resume`, fields, current: `orders/${id}` },
      ...{ question: t('order-resume-ask'), label: t('order-resume') },
      more: html`<p>${t('order-replaced')}: ${linkTo(context, answer.by)}</p>`,
    });
  return goTo(context, `/orders/${id}`, 'order-resumed');
}
