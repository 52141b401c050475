// The code database: stock, adding, taking out, what was taken out.
import { createRoute, z } from '@hono/zod-openapi';

import type { AccountActor, Game } from '../../core/index.ts';
import { readJson } from '../body.ts';
import type { HttpContext, HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { HttpProblem, tooManyRequests } from '../errors.ts';
import { parse, parseId, parseQuery, readIdempotencyKey } from '../requests.ts';
import {
  AddCodesBody,
  AddedCodesAnswer,
  createDatabaseQuery,
  ExtractBody,
  ExtractedCodes,
  ExtractionEntry,
  Inventory,
  PageQuery,
  renderAddedCodes,
  renderExtraction,
} from '../../wire/codes.ts';
import { countsByAmount } from '../../wire/fields.ts';
import {
  answers,
  BODY_ANSWERS,
  NO_SUBSCRIPTION_OR_PAUSED,
  IdempotencyHeaders,
  Problem,
  REPLAY_ANSWERS,
  sends,
} from '../../wire/problem.ts';

/** What is told of a code that is named twice. */
const TOLD_LENGTH = 256;

export function mountCodes(deps: HttpDeps, endpoints: Endpoints): void {
  const { core } = deps;
  const Query = createDatabaseQuery(core.games);
  const routes = { ...describeStock(Query), ...describeExtracting(Query) };

  function chooseGame(c: HttpContext): Game {
    const { gameId } = parseQuery(Query, c);
    const game = core.games.find(gameId);
    if (game === undefined) throw new Error(`the catalogue lists ${gameId} and does not find it`);
    return game;
  }

  endpoints.free(routes.count, (c, actor) =>
    c.json(countsByAmount(core.codes.countAvailable(actor, chooseGame(c).id))),
  );

  endpoints.free(routes.add, async (c, actor) => {
    const game = chooseGame(c);
    const key = readIdempotencyKey(c);
    const body = parse(AddCodesBody, await readJson(c));
    requireDenominations(
      game,
      body.map(({ denomination }, index) => ({ path: `${index}.denomination`, denomination })),
    );
    requireOneDenominationEach(body);
    const added = await core.codes.add(actor, game.id, body, key);
    if (added.batchId === 0) countAsRefused(deps, actor);
    const answer = renderAddedCodes(added, game, core.codes.countAvailable(actor, game.id));
    return c.json(answer, 200, toReplayHeader(added));
  });

  endpoints.free(routes.extract, async (c, actor) => {
    const game = chooseGame(c);
    const key = readIdempotencyKey(c);
    const { denomination, amount } = parse(ExtractBody, await readJson(c));
    requireDenominations(game, [{ path: 'denomination', denomination }]);
    const extraction = await core.codes.extract(actor, { gameId: game.id, denomination, amount, ...key });
    if (extraction.codes.length === 0 && !extraction.replayed) countAsRefused(deps, actor);
    return c.json(extraction.codes, 200, toReplayHeader(extraction));
  });

  endpoints.free(routes.extractions, (c, actor) =>
    c.json(
      core.extractionHistory
        .listExtractions(actor, chooseGame(c).id, parseQuery(PageQuery, c))
        .map(renderExtraction),
    ),
  );

  endpoints.free(routes.extraction, async (c, actor) => {
    const id = parseId(c.req.param('id') ?? '');
    const found = id === undefined ? undefined : await core.extractionHistory.findExtraction(actor, id);
    if (found !== undefined) return c.json(found.codes);
    throw new HttpProblem(404, 'There is no such extraction of this account.');
  });
}

/** What changed nothing costs nothing; it is only heard so often. */
function countAsRefused(deps: HttpDeps, { accountId }: AccountActor): void {
  const tooMany = deps.core.badRequestLimit.count(accountId);
  if (tooMany) throw tooManyRequests(tooMany, deps);
}

type Query = ReturnType<typeof createDatabaseQuery>;

function describeStock(query: Query) {
  const count = createRoute({
    method: 'get',
    path: '/db',
    operationId: 'getStock',
    tags: ['Code database'],
    summary: 'Codes that can be taken',
    request: { query },
    responses: {
      200: answers(Inventory, 'The stock'),
      400: answers(Problem, 'A game without a code database'),
    },
  });
  const add = createRoute({
    method: 'post',
    path: '/db',
    operationId: 'addCodes',
    tags: ['Code database'],
    summary: 'Add codes',
    description:
      'Up to 10,000 in a request. Safe to repeat; under an Idempotency-Key the answer is repeated, too.',
    request: { query, headers: IdempotencyHeaders, body: sends(AddCodesBody) },
    responses: {
      ...BODY_ANSWERS,
      ...REPLAY_ANSWERS,
      200: answers(AddedCodesAnswer, 'What became of each code'),
    },
  });
  return { count, add };
}

function describeExtracting(query: Query) {
  const extract = createRoute({
    method: 'post',
    path: '/db/extract',
    operationId: 'extractCodes',
    tags: ['Code database'],
    summary: 'Take codes out of the database',
    request: { query, headers: IdempotencyHeaders, body: sends(ExtractBody) },
    responses: {
      ...BODY_ANSWERS,
      ...REPLAY_ANSWERS,
      200: answers(ExtractedCodes, 'The codes taken out'),
      403: NO_SUBSCRIPTION_OR_PAUSED,
    },
  });
  const extractions = createRoute({
    method: 'get',
    path: '/db/extractions',
    operationId: 'listExtractions',
    tags: ['Code database'],
    summary: 'Extractions, the newest first, 100 at a time',
    description:
      'Of the bot, too. The next page is `before` the `createdAt` of the last; one millisecond is never cut apart.',
    request: { query: query.extend(PageQuery.shape) },
    responses: {
      200: answers(z.array(ExtractionEntry), 'The extractions'),
      400: answers(Problem, 'A game without a code database'),
    },
  });
  const extraction = createRoute({
    method: 'get',
    path: '/db/extractions/{id}',
    operationId: 'getExtraction',
    tags: ['Code database'],
    summary: 'The codes of an extraction again',
    request: { params: z.object({ id: z.int().openapi({ description: 'Of the extraction', example: 12 }) }) },
    responses: {
      200: answers(ExtractedCodes, 'The codes, once it has ended'),
      404: answers(Problem, 'No such extraction of this account'),
    },
  });
  return { extract, extractions, extraction };
}

const toReplayHeader = ({ replayed }: { replayed: boolean }): Record<string, string> =>
  replayed ? { 'idempotency-replayed': 'true' } : {};

function requireDenominations(game: Game, asked: { path: string; denomination: number }[]): void {
  const unknown = asked.filter(({ denomination }) => !game.denominations.includes(denomination));
  if (unknown.length === 0) return;
  const message = `must be one that ${game.id} has: ${game.denominations.join(', ')}`;
  throw new HttpProblem(400, {
    error: `The request breaks a rule: a denomination ${message}.`,
    issues: unknown.slice(0, 100).map(({ path }) => ({ path, message })),
  });
}

/** A code is worth one denomination: which of two is meant cannot be guessed. */
function requireOneDenominationEach(body: AddCodesBody): void {
  const denominationOf = new Map<string, number>();
  const issues: { path: string; message: string }[] = [];
  for (const [stockKey, { denomination, codes }] of body.entries()) {
    for (const [position, given] of codes.entries()) {
      const code = given.trim();
      const other = denominationOf.get(code);
      if (other === undefined) denominationOf.set(code, denomination);
      else if (other !== denomination) {
        const message = `names ${code.slice(0, TOLD_LENGTH)} under ${denomination}, and it stands under ${other}, too`;
        issues.push({ path: `${stockKey}.codes.${position}`, message });
      }
    }
  }
  const [first] = issues;
  if (!first) return;
  throw new HttpProblem(400, {
    error: `Nothing was stored: ${first.path} ${first.message}. Send each code under one denomination.`,
    issues: issues.slice(0, 100),
  });
}
