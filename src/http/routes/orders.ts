// Orders: placed at once, carried out by themselves, read with waiting, cancelled, resumed. A key is required wherever
// codes are spent.
import { createRoute, z } from '@hono/zod-openapi';

import type { IdempotencyKey, OrderRecord, OrderRefused, ResumeAnswer } from '../../core/index.ts';
import { readJson, readJsonIfAny } from '../body.ts';
import type { HttpContext, HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { HttpProblem, tooManyRequests } from '../errors.ts';
import { parse, parseQuery, requireIdempotencyKey, signalOf } from '../requests.ts';
import { createOrderBody, ResumeBody } from '../../wire/order-request.ts';
import { OrderConflict, OrderId, OrdersQuery, renderOrder, WireOrder } from '../../wire/orders.ts';
import {
  answers,
  BODY_ANSWERS,
  NO_SUBSCRIPTION_OR_PAUSED,
  Problem,
  REPLAY_ANSWERS,
  RequiredKeyHeaders,
  sends,
  TooManyRequests,
  WireQuotaExceeded,
} from '../../wire/problem.ts';
import { LEADS } from '../../wire/headers.ts';
import { WaitQuery } from '../../wire/instants.ts';

const params = z.object({ id: OrderId });
const notFound = answers(Problem, 'No such order of this account: `ORDER_NOT_FOUND`', {
  error: 'There is no such order in this account. Check the identifier.',
  errorCode: 'ORDER_NOT_FOUND',
});
const notPlaced =
  'Nothing was begun: `NOT_ENOUGH_STOCK` with what is missing, or `NO_COMPOSITION` with the nearest sums';

export function mountOrders(deps: HttpDeps, endpoints: Endpoints): void {
  mountPlacing(deps, endpoints);
  mountReading(deps, endpoints);
  mountChanging(deps, endpoints);
}

function mountPlacing(deps: HttpDeps, endpoints: Endpoints): void {
  const { core } = deps;
  const Body = createOrderBody(core.games, deps.defaultGameId);
  const place = createRoute({
    method: 'post',
    path: '/orders',
    operationId: 'placeOrder',
    tags: ['Orders'],
    summary: 'Place an order: several codes for one player',
    description:
      'Accepted at once, it survives whatever happens to either side, and ends as done, stopped or cancelled. Costs nothing but its redemptions. The same key again answers the order as it is now.',
    request: { headers: RequiredKeyHeaders, body: sends(Body) },
    responses: {
      ...BODY_ANSWERS,
      ...REPLAY_ANSWERS,
      200: { ...answers(WireOrder, 'Placed earlier under this key: the order as it is now'), ...LEADS },
      202: { ...answers(WireOrder, 'Placed; `Location` leads to it'), ...LEADS },
      403: NO_SUBSCRIPTION_OR_PAUSED,
      409: answers(OrderConflict, notPlaced),
      429: answers(
        z.union([WireQuotaExceeded, TooManyRequests]),
        'The quota does not hold all of it; or, without `limit`, turned away for a while, or 1,000 orders have not ended',
      ),
    },
  });

  endpoints.free(place, async (c, actor) => {
    const idempotencyKey = requireIdempotencyKey(c);
    const request = { ...parse(Body, await readJson(c)), idempotencyKey };
    const answer = await core.orders.place(actor, request);
    if (answer.status !== 'placed') throw refuse(answer, deps);
    return answerOrder(c, answer.order, answer.replayed);
  });
}

function answerOrder(c: HttpContext, order: OrderRecord, replayed: boolean): Response {
  const headers = { location: `/orders/${order.id}`, ...(replayed && { 'idempotency-replayed': 'true' }) };
  return c.json(renderOrder(order), replayed ? 200 : 202, headers);
}

function refuse(refused: OrderRefused, deps: HttpDeps): HttpProblem {
  switch (refused.status) {
    case 'notEnoughStock': {
      const { missing } = refused;
      const what = missing.map(({ denomination, count }) => `${count} of ${denomination}`).join(', ');
      const error = `There is not enough stock for the whole order: nothing was begun. Missing: ${what}.`;
      return new HttpProblem(409, { error, errorCode: 'NOT_ENOUGH_STOCK', missing });
    }
    case 'noComposition': {
      const { status: _status, ...nearest } = refused;
      const told = Object.entries(nearest).map(([side, sum]) => `${side} it ${sum}`);
      const error = `No codes that are available make exactly this amount: nothing was begun. ${told.length > 0 ? `Nearest: ${told.join(', ')}.` : 'None of this game are: add some, or send onShortage "wait".'}`;
      return new HttpProblem(409, { error, errorCode: 'NO_COMPOSITION', ...nearest });
    }
    case 'tooManyOrders':
      return new HttpProblem(
        429,
        { error: 'Too many orders of this account have not ended: 1,000 at most. Wait for some of them.' },
        { 'retry-after': '60' },
      );
    case 'notStopped':
    case 'replaced':
      return notStopped(refused);
    case 'quotaExceeded':
      return tooManyRequests(refused, deps);
  }
}

function mountReading({ core, stopping }: HttpDeps, endpoints: Endpoints): void {
  const one = createRoute({
    method: 'get',
    path: '/orders/{id}',
    operationId: 'getOrder',
    tags: ['Orders'],
    summary: 'An order, at once or as soon as it changes',
    request: { params, query: WaitQuery },
    responses: {
      200: answers(WireOrder, 'The order'),
      400: answers(Problem, 'A `wait` that is none'),
      404: notFound,
    },
  });
  const list = createRoute({
    method: 'get',
    path: '/orders',
    operationId: 'listOrders',
    tags: ['Orders'],
    summary: 'Orders, the newest first, 100 at a time',
    description: 'The next page is `before` the `createdAt` of the last; one millisecond is never cut apart.',
    request: { query: OrdersQuery },
    responses: {
      200: answers(z.array(WireOrder), 'A page'),
      400: answers(Problem, 'A time or a state that is none'),
    },
  });

  endpoints.free(one, async (c, actor) => {
    const { wait = 0 } = parseQuery(WaitQuery, c);
    const id = c.req.param('id') ?? '';
    const order = await core.orders.waitForChange(actor, id, wait * 1_000, signalOf(c, stopping));
    return c.json(renderOrder(requireOrder(core, order)));
  });
  endpoints.free(list, (c, actor) =>
    c.json(core.orders.list(actor, parseQuery(OrdersQuery, c)).map(renderOrder)),
  );
}

function mountChanging({ core }: HttpDeps, endpoints: Endpoints): void {
  const cancel = createRoute({
    method: 'post',
    path: '/orders/{id}/cancel',
    operationId: 'cancelOrder',
    tags: ['Orders'],
    summary: 'Begin nothing more of an order',
    description:
      'What is open of it comes to its end: `state` and the webhook `order.settled` follow then. Safe to repeat; one that has ended stays as it is.',
    request: { params },
    responses: { 202: answers(WireOrder, 'The order as it is now'), 404: notFound },
  });
  const resume = createRoute({
    method: 'post',
    path: '/orders/{id}/resume',
    operationId: 'resumeOrder',
    tags: ['Orders'],
    summary: 'Begin once more what is missing of a stopped order',
    description: 'For another player place a new order.',
    request: { params, headers: RequiredKeyHeaders, body: { ...sends(ResumeBody), required: false } },
    responses: {
      ...BODY_ANSWERS,
      ...REPLAY_ANSWERS,
      200: { ...answers(WireOrder, 'Resumed earlier under this key: the order as it is now'), ...LEADS },
      202: { ...answers(WireOrder, 'It goes on'), ...LEADS },
      404: notFound,
      409: answers(OrderConflict, 'It has not stopped: `NOT_STOPPED`', {
        error: 'Only an order that has stopped is resumed.',
        errorCode: 'NOT_STOPPED',
      }),
    },
  });

  endpoints.free(cancel, async (c, actor) => {
    const order = await core.orders.cancel(actor, c.req.param('id') ?? '');
    return c.json(renderOrder(requireOrder(core, order)), 202);
  });
  endpoints.free(resume, async (c, actor) => {
    const idempotencyKey: IdempotencyKey = requireIdempotencyKey(c);
    const { deadline } = parse(ResumeBody, (await readJsonIfAny(c)) ?? {});
    const request = { idempotencyKey, deadline };
    const answer = await core.orders.resume(actor, c.req.param('id') ?? '', request);
    if (answer && answer.status !== 'resumed') throw notStopped(answer);
    const order = requireOrder(core, answer?.order);
    return answerOrder(c, order, answer?.replayed === true);
  });
}

/** What a person ordered for another player meanwhile is not for a program to order once more. */
function notStopped(answer: Exclude<ResumeAnswer, { status: 'resumed' }>): HttpProblem {
  const error =
    answer.status === 'replaced'
      ? `What was missing of this order was ordered for another player: ${answer.by}.`
      : 'Only an order that has stopped is resumed.';
  return new HttpProblem(409, { error, errorCode: 'NOT_STOPPED' });
}

function requireOrder(core: HttpDeps['core'], order: OrderRecord | undefined): OrderRecord {
  if (order !== undefined) return order;
  throw new HttpProblem(404, {
    error: core.orders.lostRecently() ? ORDER_LOST : `${NO_ORDER} Check the identifier.`,
    errorCode: 'ORDER_NOT_FOUND',
  });
}

/** After a takeover an order may have been placed in the time that is lost. */
const NO_ORDER = 'There is no such order in this account.';
const ORDER_LOST = `${NO_ORDER} The service was restored: if you placed it before, repeat the POST under the same key.`;
