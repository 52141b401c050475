// Orders: the list, and one of them with its codes and what may be done about it.
import { html } from 'hono/html';

import type { Core, OrderItemRecord, OrderRecord } from '../../core/index.ts';
import { ConsoleProblem, memberOf, type Html, type Screen, type ScreenContext } from '../context.ts';
import { listRoutes } from '../lists/routes.ts';
import { DAYS, gameFilter, momentColumn, PLAYER, type ListView } from '../lists/view.ts';
import { act, confirmation, get } from '../parts/acts.ts';
import { actionButton } from '../parts/form.ts';
import { badge, labelAmount, labelGame, link, linkButton, playerCell, type Tone } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { facts, table } from '../parts/table.ts';
import { absoluteTime } from '../parts/time.ts';
import { askPlayer, linkTo, missingOf, orderForPlayer, seenIn } from './another-player.ts';

const TONES: Record<OrderRecord['state'], Tone> = {
  running: 'wait',
  waiting: 'doubt',
  done: 'good',
  stopped: 'bad',
  cancelled: 'calm',
};

const ordersView: ListView<OrderRecord, Parameters<Core['orderList']['page']>[1]> = {
  path: '/orders',
  name: 'orders',
  needs: 'redeem',
  csvNeeds: 'exportReceipts',
  columns: [
    [
      'orderId',
      ({ id }) => id,
      'order',
      ({ id, reference }) => link(pathOf(id), reference ?? `…${id.slice(-8)}`),
    ],
    ['reference', ({ reference }) => reference],
    momentColumn('createdAt', ({ createdAt }) => createdAt, 'at'),
    ['state', ({ state }) => state, 'state', (order, context) => orderBadge(context, order)],
    ['reason', ({ reason, waitsFor }) => reason ?? waitsFor],
    ['gameId', ({ gameId }) => gameId],
    ['playerId', ({ playerId }) => playerId, 'player', playerCell],
    ['wanted', ({ wanted }) => wanted.codes, 'progress', progressOf, 'number'],
    ['redeemed', ({ redeemed }) => redeemed.codes],
    ['amount', ({ redeemed }) => redeemed.amount, 'amount', amountOf, 'number narrow'],
  ],
  filters: [
    {
      ...{ key: 'state', kind: 'choice' },
      choices: ({ t }) => Object.keys(TONES).map((state) => [state, t(`order-state-${state}`)]),
    },
    ...DAYS,
    PLAYER,
    { key: 'reference', kind: 'text', most: 100 },
    gameFilter('all'),
  ],
  sorts: ['-at', 'at'],
  page: (context, query) => context.core.orderList.page(memberOf(context), query.filter, query),
  walk: (context, query) => context.core.orderList.walk(memberOf(context), query.filter, query.order),
};

export const ordersScreen: Screen = {
  name: 'orders',
  inMenu: true,
  routes: [
    ...listRoutes(ordersView),
    get('/orders/:id', 'redeem', (context) => show(context, find(context))),
    act('/orders/:id/cancel', 'redeem', {
      find,
      ask: ({ t }, { id }) => ({ text: t('order-cancel-ask'), label: t('order-cancel'), back: pathOf(id) }),
      run: (context, { id }) => context.core.orders.cancel(memberOf(context), id),
      to: ({ id }) => pathOf(id),
      said: 'order-cancelled',
    }),
    act('/orders/:id/resume', 'redeem', {
      find,
      run: resume,
      to: ({ id }) => pathOf(id),
      said: 'order-resumed',
    }),
    get('/orders/:id/another', 'redeem', (context) => askPlayer(context, find(context))),
    act('/orders/:id/another', 'redeem', {
      ...{ find, run: orderForPlayer },
      form: (context) => askPlayer(context, find(context)),
    }),
  ],
};

const pathOf = (id: string): string => `/orders/${id}`;

function progressOf({ redeemed, wanted }: OrderRecord): string {
  return `${redeemed.codes} / ${wanted.codes}`;
}

function amountOf({ gameId, redeemed }: OrderRecord, context: ScreenContext): string {
  return labelAmount(context, gameId, redeemed.amount);
}

function find(context: ScreenContext): OrderRecord {
  const order = context.core.orders.find(memberOf(context), (context.c.req.param('id') ?? '').slice(0, 100));
  if (!order) throw new ConsoleProblem(404, 'not-found');
  return order;
}

/** What it waits for or why it stopped is part of its state. */
function orderBadge({ t }: ScreenContext, { state, waitsFor, reason }: OrderRecord): Html {
  const why = waitsFor ? t(`order-waits-${waitsFor}`) : reason && t(`order-reason-${reason}`);
  const label = t(`order-state-${state}`);
  return badge(TONES[state], why === undefined ? label : `${label}: ${why}`);
}

function show(context: ScreenContext, order: OrderRecord): Html {
  const { t } = context;
  const { id, reference, createdAt, endedAt, run, replacedBy } = order;
  const body = html`${facts([
      [t('orders-state'), orderBadge(context, order)],
      [t('orders-player'), playerCell(order)],
      [t('orders-game'), labelGame(context, order.gameId)],
      [t('orders-progress'), progressOf(order)],
      [t('orders-amount'), amountOf(order, context)],
      [t('orders-reference'), reference],
      [t('orders-order'), html`<code>${id}</code>`],
      [t('orders-at'), absoluteTime(context, createdAt)],
      [t('order-deadline'), absoluteTime(context, order.deadline)],
      [t('order-ended'), absoluteTime(context, endedAt)],
      [t('order-run'), run > 1 && run],
      [t('order-replaced'), replacedBy !== undefined && linkTo(context, replacedBy)],
    ])}
    <h2>${t('order-codes')}</h2>
    ${itemTable(context, order)}`;
  // The same press again is the same order.
  const fields = { once: `${createdAt}.${run}`, ...(replacedBy === undefined && { seen: order.standing }) };
  const button = (name: 'cancel' | 'resume', tone: '' | 'main' | 'danger') =>
    actionButton(`${pathOf(id)}/${name}`, t(`order-${name}`), { tone, fields });
  const isMissing = endedAt !== undefined && missingOf(order).length > 0;
  const actions = html`${endedAt === undefined && button('cancel', 'danger')}
  ${order.state === 'stopped' && button('resume', replacedBy === undefined ? 'main' : '')}
  ${isMissing && linkButton(`${pathOf(id)}/another`, t('order-another'))}`;
  return page(context, { title: t('order-title', { name: reference ?? id }), body, actions });
}

const ITEM_TONES: Record<OrderItemRecord['state'], Tone> = {
  waiting: 'calm',
  running: 'wait',
  inDoubt: 'doubt',
  redeemed: 'good',
  failed: 'bad',
  missing: 'bad',
};

/** Its codes, each with its receipt. */
export function itemTable(context: ScreenContext, { gameId, items }: OrderRecord): Html {
  const { t } = context;
  return table(t('order-codes'), items, [
    [t('order-n'), ({ n }) => n],
    [
      t('receipts-amount'),
      (item) => labelAmount(context, gameId, item.amount ?? item.denomination),
      'number',
    ],
    [t('orders-state'), ({ state }) => badge(ITEM_TONES[state], t(`order-item-${state}`))],
    [t('receipts-id'), ({ redemptionId: id }) => id !== undefined && link(`/receipts/${id}`, id)],
  ]);
}

/** Of one that went on under another number the person is asked. */
async function resume(context: ScreenContext, { id }: OrderRecord) {
  const { t, field, core } = context;
  const once = field('once').slice(0, 60);
  const answer = await core.orders.resume(memberOf(context), id, {
    idempotencyKey: { scope: 'page', key: `${id}:${once}` },
    seen: seenIn(context),
  });
  if (answer?.status !== 'replaced') return answer;
  return confirmation(context, {
    ...{ text: t('order-resume-ask'), label: t('order-resume'), back: pathOf(id) },
    fields: { seen: find(context).standing },
    more: html`<p>${t('order-replaced')}: ${linkTo(context, answer.by)}</p>`,
  });
}
