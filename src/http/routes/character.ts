// GET /character: the player's name, so that a user can confirm the ID before a code is spent on it.
import { createRoute } from '@hono/zod-openapi';

import type { HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { HttpProblem, tooManyRequests } from '../errors.ts';
import { parseQuery } from '../requests.ts';
import { Character, createCharacterQuery, renderCharacter } from '../../wire/lookups.ts';
import { answers, Problem } from '../../wire/problem.ts';

export function mountCharacter(deps: HttpDeps, endpoints: Endpoints): void {
  const { core, defaultGameId } = deps;
  const Query = createCharacterQuery(core.games, defaultGameId);

  const route = createRoute({
    method: 'get',
    path: '/character',
    operationId: 'findCharacter',
    tags: ['Redemption'],
    summary: 'Look up a player by ID',
    description: 'Costs 0.25 activation.',
    request: { query: Query },
    responses: {
      200: answers(Character, 'The player'),
      404: answers(Problem, 'No such player: `CHARACTER_NOT_FOUND`'),
      503: answers(Problem, 'The look-up failed: `CHARACTER_NOT_FOUND`; not charged'),
    },
  });

  endpoints.charged(route, async (c, actor) => {
    const answer = await core.findCharacter(actor, parseQuery(Query, c));
    switch (answer.status) {
      case 'found':
        return c.json(renderCharacter(answer));
      case 'notFound':
        throw new HttpProblem(404, {
          error: 'There is no such player. Check the player ID and the game.',
          errorCode: 'CHARACTER_NOT_FOUND',
        });
      case 'unreachable':
        throw new HttpProblem(503, {
          error: 'The player could not be looked up just now. Try again in a moment.',
          errorCode: 'CHARACTER_NOT_FOUND',
        });
      case 'notOffered':
        throw new HttpProblem(503, {
          error:
            'Names cannot be looked up here. Let the customer confirm the digits of the player ID instead.',
          errorCode: 'CHARACTER_NOT_FOUND',
        });
      case 'quotaExceeded':
      case 'tooManyBadRequests':
        throw tooManyRequests(answer, deps);
    }
  });
}
