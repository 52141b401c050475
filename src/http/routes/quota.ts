// GET /quota: what is left. Free.
import { createRoute } from '@hono/zod-openapi';

import type { HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { answers } from '../wire/problem.ts';
import { Quota, renderQuota } from '../wire/quota.ts';

const route = createRoute({
  method: 'get',
  path: '/quota',
  operationId: 'getQuota',
  tags: ['Account'],
  summary: 'The daily quota, purchased activations and the end of the subscription',
  responses: { 200: answers(Quota, 'The quota at this moment') },
});

export function mountQuota({ core }: HttpDeps, endpoints: Endpoints): void {
  endpoints.free(route, (c, actor) => c.json(renderQuota(core.quota(actor))));
}
