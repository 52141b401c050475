// POST /redemption-time, and GET for older clients: when a code was redeemed, and by whom.
import { createRoute, type z } from '@hono/zod-openapi';

import type { AccountActor } from '../../core/index.ts';
import { readJson } from '../body.ts';
import type { HttpContext, HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { HttpProblem, tooManyRequests } from '../errors.ts';
import { parse, parseQuery } from '../requests.ts';
import { createRedemptionTimeRequest, RedemptionTime, renderRedemptionTime } from '../../wire/lookups.ts';
import { answers, BODY_ANSWERS, Problem, sends } from '../../wire/problem.ts';

const ANSWERS = {
  200: answers(RedemptionTime, 'The code was redeemed'),
  404: answers(Problem, 'The code is not known or was not redeemed: `CODE_NOT_FOUND`'),
  503: answers(
    Problem,
    'The platform is out of reach: `NETWORK_ERROR`; or the code is under way or in doubt here: `UNKNOWN`. Not charged',
  ),
};

export function mountRedemptionTime(deps: HttpDeps, endpoints: Endpoints): void {
  const { core } = deps;
  const Request = createRedemptionTimeRequest(core.games, deps.defaultGameId);
  const post = createRoute({
    method: 'post',
    path: '/redemption-time',
    operationId: 'findRedemptionTime',
    tags: ['Redemption'],
    summary: 'When a code was redeemed, and by whom',
    description: 'Costs 1 activation.',
    request: { body: sends(Request) },
    responses: { ...BODY_ANSWERS, ...ANSWERS },
  });
  const get = createRoute({
    method: 'get',
    path: '/redemption-time',
    operationId: 'findRedemptionTimeByQuery',
    tags: ['Redemption'],
    summary: 'The same, for older clients',
    description: 'Costs 1 activation.',
    deprecated: true,
    request: { query: Request },
    responses: ANSWERS,
  });

  endpoints.charged(post, async (c, actor) => find(c, actor, parse(Request, await readJson(c))));
  endpoints.charged(get, (c, actor) => find(c, actor, parseQuery(Request, c)));

  async function find(
    c: HttpContext,
    actor: AccountActor,
    request: z.infer<typeof Request>,
  ): Promise<Response> {
    const answer = await core.findRedemptionTime(actor, request);
    switch (answer.status) {
      case 'found':
        return c.json(renderRedemptionTime(answer));
      case 'notFound':
        throw new HttpProblem(404, {
          error: 'The code is not known or was not redeemed. Check it for typing errors.',
          errorCode: 'CODE_NOT_FOUND',
        });
      case 'underWay':
        throw new HttpProblem(503, {
          error:
            'The code is being redeemed, and the outcome is not known yet. Do not use it elsewhere; ask again later.',
          errorCode: 'UNKNOWN',
        });
      case 'unreachable':
        throw new HttpProblem(503, {
          error: 'The platform could not be reached. Try again in a moment.',
          errorCode: 'NETWORK_ERROR',
        });
      case 'quotaExceeded':
      case 'tooManyBadRequests':
        throw tooManyRequests(answer, deps);
    }
  }
}
