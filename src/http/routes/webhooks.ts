// Webhooks: addresses of the account that are told of events, how deliveries went, and what is done about them. Free.
import { createRoute, z } from '@hono/zod-openapi';

import type { AddAnswer } from '../../core/index.ts';
import { readJson } from '../body.ts';
import type { HttpApp, HttpContext, HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { HttpProblem } from '../errors.ts';
import { parse, parseId, parseQuery } from '../requests.ts';
import { answers, BODY_ANSWERS, Problem, sends } from '../../wire/problem.ts';
import {
  AddedWebhook,
  AddWebhookBody,
  DeliveriesQuery,
  WireDelivery,
  FLAWS,
  renderDelivery,
  renderWebhook,
  WireWebhook,
  WEBHOOK_BODIES,
} from '../../wire/webhooks.ts';

export function mountWebhooks({ core }: HttpDeps, endpoints: Endpoints, app: HttpApp): void {
  describeMessages(app);
  const { webhooks } = core;

  endpoints.free(add, async (c, actor) => {
    const { url, events } = parse(AddWebhookBody, await readJson(c));
    const answer = await webhooks.add(actor, { url, events });
    if (answer.status !== 'added') throw refused(answer);
    const body: AddedWebhook = { ...renderWebhook(answer.webhook), secret: answer.secret };
    return c.json(body, 201);
  });
  endpoints.free(list, (c, actor) => c.json(webhooks.list(actor).map(renderWebhook)));
  endpoints.free(remove, async (c, actor) => {
    await webhooks.remove(actor, readId(c, 'id', 'webhook'));
    return c.body(null, 204);
  });
  endpoints.free(test, async (c, actor) => {
    const answer = await webhooks.test(actor, readId(c, 'id', 'webhook'));
    if (answer.status === 'pending') return c.json(renderDelivery(answer.delivery), 202);
    const error = 'A webhook is tested at most ten times a minute. Wait a little.';
    throw new HttpProblem(429, error, { 'retry-after': '60' });
  });
  endpoints.free(enable, async (c, actor) =>
    c.json(renderWebhook(await webhooks.enable(actor, readId(c, 'id', 'webhook')))),
  );
  endpoints.free(deliveries, (c, actor) =>
    c.json(
      webhooks
        .listDeliveries(actor, readId(c, 'id', 'webhook'), parseQuery(DeliveriesQuery, c))
        .map(renderDelivery),
    ),
  );
  endpoints.free(retry, async (c, actor) => {
    const [id, delivery] = [readId(c, 'id', 'webhook'), readId(c, 'delivery', 'delivery')];
    return c.json(renderDelivery(await webhooks.retry(actor, id, delivery)), 202);
  });
}

function refused(answer: Exclude<AddAnswer, { status: 'added' }>): HttpProblem {
  switch (answer.status) {
    case 'refused': {
      const message = FLAWS[answer.flaw];
      const error = `The request breaks a rule: url ${message}.`;
      return new HttpProblem(400, { error, issues: [{ path: 'url', message }] });
    }
    case 'known':
      return new HttpProblem(409, 'This address is registered already. Remove it first to get a new secret.');
    case 'tooMany':
      return new HttpProblem(
        409,
        'This account has five webhooks, and there is no room for more. Remove one.',
      );
  }
}

function readId(c: HttpContext, name: 'id' | 'delivery', what: string): number {
  const id = parseId(c.req.param(name) ?? '');
  if (id !== undefined) return id;
  throw new HttpProblem(404, `There is no such ${what} in this account.`);
}

/** What this service sends, beside what it answers. */
function describeMessages(app: HttpApp): void {
  for (const [type, schema] of Object.entries(WEBHOOK_BODIES)) {
    const id = type.replaceAll(/\W(\w)/g, (_, letter: string) => letter.toUpperCase());
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      operationId: `on${id[0]?.toUpperCase()}${id.slice(1)}`,
      tags: ['Webhooks'],
      summary: `Sent to your address: \`${type}\``,
      description: schema.description ?? '',
      security: [],
      request: { headers: SignatureHeaders, body: sends(schema) },
      responses: {
        '2XX': { description: 'Taken. The body of the answer is not looked at' },
        default: {
          description: 'Not taken, redirects included: repeated with growing pauses for three days',
        },
      },
    });
  }
}

const SignatureHeaders = z.object({
  'webhook-id': z.string().openapi({
    description: 'Of the message: the same at every attempt, greater than that of anything older',
    example: 'msg_000000000042',
  }),
  'webhook-timestamp': z
    .string()
    .openapi({ description: 'Of the attempt, in seconds', example: '1768292838' }),
  'webhook-signature': z.string().openapi({
    description: 'By the Standard Webhooks specification; its libraries verify it',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
});

const tags = ['Webhooks'];
const OfWebhook = z.object({ id: z.int().openapi({ description: 'Of the webhook', example: 3 }) });
const OfDelivery = OfWebhook.extend({
  delivery: z.int().openapi({ description: 'Of the delivery', example: 17 }),
});
const UNKNOWN = answers(Problem, 'No such webhook of this account', {
  error: 'There is no such webhook in this account.',
});
const SWITCHED_OFF = answers(Problem, 'It is switched off', {
  error: 'This webhook is switched off. Enable it first.',
});

const add = createRoute({
  method: 'post',
  path: '/webhooks',
  operationId: 'addWebhook',
  tags,
  summary: 'Register an address that is told of events',
  description: 'Up to five. The answer is the only place where the signing secret stands.',
  request: { body: sends(AddWebhookBody) },
  responses: {
    ...BODY_ANSWERS,
    201: answers(AddedWebhook, 'Registered'),
    400: answers(Problem, 'The body breaks a rule, or the address leads nowhere public', {
      error: 'The request breaks a rule: url leads to an address that is not public.',
      issues: [{ path: 'url', message: 'leads to an address that is not public' }],
    }),
    409: answers(Problem, 'The address is registered already, or there are five', {
      error: 'This address is registered already. Remove it first to get a new secret.',
    }),
  },
});
const list = createRoute({
  method: 'get',
  path: '/webhooks',
  operationId: 'listWebhooks',
  tags,
  summary: 'The addresses, the oldest first',
  responses: { 200: answers(z.array(WireWebhook), 'Without their secrets') },
});
const remove = createRoute({
  method: 'delete',
  path: '/webhooks/{id}',
  operationId: 'removeWebhook',
  tags,
  summary: 'Remove an address',
  description: 'Nothing more is sent to it, what was still pending included.',
  request: { params: OfWebhook },
  responses: { 204: { description: 'Removed' }, 404: UNKNOWN },
});
const test = createRoute({
  method: 'post',
  path: '/webhooks/{id}/test',
  operationId: 'testWebhook',
  tags,
  summary: 'Send a message that means nothing',
  description: 'At most ten times a minute.',
  request: { params: OfWebhook },
  responses: { 202: answers(WireDelivery, 'It is about to be sent'), 404: UNKNOWN, 409: SWITCHED_OFF },
});
const enable = createRoute({
  method: 'post',
  path: '/webhooks/{id}/enable',
  operationId: 'enableWebhook',
  tags,
  summary: 'Switch an address on again',
  request: { params: OfWebhook },
  responses: { 200: answers(WireWebhook, 'It is told from now on'), 404: UNKNOWN },
});
const deliveries = createRoute({
  method: 'get',
  path: '/webhooks/{id}/deliveries',
  operationId: 'listDeliveries',
  tags,
  summary: 'A hundred deliveries, the newest first',
  description: 'Kept for seven days. The next page is that of `before` the last of this one.',
  request: { params: OfWebhook, query: DeliveriesQuery },
  responses: {
    400: answers(Problem, 'A number or a state that is none'),
    200: answers(z.array(WireDelivery), 'The deliveries'),
    404: UNKNOWN,
  },
});
const retry = createRoute({
  method: 'post',
  path: '/webhooks/{id}/deliveries/{delivery}/retry',
  operationId: 'retryDelivery',
  tags,
  summary: 'Try a delivery once more, whatever became of it',
  request: { params: OfDelivery },
  responses: {
    202: answers(WireDelivery, 'It is about to be sent'),
    404: answers(Problem, 'No such webhook of this account, or no such delivery of it', {
      error: 'There is no such delivery of this webhook.',
    }),
    409: SWITCHED_OFF,
  },
});
