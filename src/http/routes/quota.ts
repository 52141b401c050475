// GET /quota and GET /key: what is left, and the key's own limits. Free.
import { createRoute } from '@hono/zod-openapi';

import type { HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { answers } from '../../wire/problem.ts';
import { Quota, renderKey, renderQuota, WireKey } from '../../wire/quota.ts';

const route = createRoute({
  method: 'get',
  path: '/quota',
  operationId: 'getQuota',
  tags: ['Account'],
  summary: 'The daily quota, purchased activations and the end of the subscription',
  responses: { 200: answers(Quota, 'The quota at this moment') },
});

const key = createRoute({
  method: 'get',
  path: '/key',
  operationId: 'getKey',
  tags: ['Account'],
  summary: 'The key that asks: its limits and what is left of them',
  responses: { 200: answers(WireKey, 'The key at this moment') },
});

export function mountQuota({ core }: HttpDeps, endpoints: Endpoints): void {
  endpoints.free(route, (c, actor) => c.json(renderQuota(core.quota(actor))));
  endpoints.free(key, (c, actor) => {
    if (actor.kind !== 'apiKey') throw new Error('No key has asked.');
    return c.json(renderKey(core.findOwnKey(actor), core.quota(actor)));
  });
}
