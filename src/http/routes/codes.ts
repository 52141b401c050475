// The code database: stock, adding, taking out.
import { createRoute } from '@hono/zod-openapi';

import type { Game } from '../../core/index.ts';
import { readJson } from '../body.ts';
import type { HttpContext, HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { HttpProblem } from '../errors.ts';
import { parse, readIdempotencyKey, readQuery } from '../requests.ts';
import {
  AddCodesBody,
  AddedCodesAnswer,
  createDatabaseQuery,
  ExtractBody,
  ExtractedCodes,
  Inventory,
  renderAddedCodes,
} from '../wire/codes.ts';
import { countsByAmount } from '../wire/fields.ts';
import {
  answers,
  BODY_ANSWERS,
  IdempotencyHeaders,
  Problem,
  REPLAY_ANSWERS,
  sends,
} from '../wire/problem.ts';

/** No code of any game is longer; longer ones are told as invalid without troubling a pattern. */
const MAX_CODE_LENGTH = 256;

export function mountCodes({ core }: HttpDeps, endpoints: Endpoints): void {
  const Query = createDatabaseQuery(core.games);
  const count = createRoute({
    method: 'get',
    path: '/db',
    summary: 'Codes that can be taken',
    request: { query: Query },
    responses: {
      200: answers(Inventory, 'The stock'),
      400: answers(Problem, 'A game without a code database'),
    },
  });
  const add = createRoute({
    method: 'post',
    path: '/db',
    summary: 'Add codes',
    description: 'Up to 10,000 in a request. Safe to repeat.',
    request: { query: Query, body: sends(AddCodesBody) },
    responses: { ...BODY_ANSWERS, 200: answers(AddedCodesAnswer, 'What became of each code') },
  });
  const extract = createRoute({
    method: 'post',
    path: '/db/extract',
    summary: 'Take codes out of the database',
    request: { query: Query, headers: IdempotencyHeaders, body: sends(ExtractBody) },
    responses: { ...BODY_ANSWERS, ...REPLAY_ANSWERS, 200: answers(ExtractedCodes, 'The codes taken out') },
  });

  function chooseGame(c: HttpContext): Game {
    const { gameId } = parse(Query, readQuery(c));
    const game = core.games.find(gameId);
    if (game === undefined) throw new Error(`the catalogue lists ${gameId} and does not find it`);
    return game;
  }

  endpoints.free(count, (c, actor) =>
    c.json(countsByAmount(core.codes.countAvailable(actor, chooseGame(c).id))),
  );

  endpoints.free(add, async (c, actor) => {
    const game = chooseGame(c);
    const body = parse(AddCodesBody, await readJson(c));
    requireDenominations(
      game,
      body.map(({ denomination }, index) => ({ path: `${index}.denomination`, denomination })),
    );
    const { lots, tooLong } = separateTooLong(body);
    const added = await core.codes.add(actor, game.id, lots);
    const all = { ...added, invalid: [...added.invalid, ...tooLong] };
    return c.json(renderAddedCodes(all, core.codes.countAvailable(actor, game.id)));
  });

  endpoints.free(extract, async (c, actor) => {
    const game = chooseGame(c);
    const key = readIdempotencyKey(c);
    const { denomination, amount } = parse(ExtractBody, await readJson(c));
    requireDenominations(game, [{ path: 'denomination', denomination }]);
    const extraction = await core.codes.extract(actor, { gameId: game.id, denomination, amount, ...key });
    return c.json(extraction.codes, 200, extraction.replayed ? { 'idempotency-replayed': 'true' } : {});
  });
}

function requireDenominations(game: Game, asked: { path: string; denomination: number }[]): void {
  const unknown = asked.filter(({ denomination }) => !game.denominations.includes(denomination));
  if (unknown.length === 0) return;
  const message = `must be one that ${game.id} has: ${game.denominations.join(', ')}`;
  throw new HttpProblem(400, {
    error: `The request breaks a rule: a denomination ${message}.`,
    issues: unknown.slice(0, 100).map(({ path }) => ({ path, message })),
  });
}

function separateTooLong(body: AddCodesBody): { lots: AddCodesBody; tooLong: Set<string> } {
  const tooLong = new Set<string>();
  const lots = body.map(({ denomination, codes }) => ({
    denomination,
    codes: codes.filter((code) => {
      if (code.length > MAX_CODE_LENGTH) tooLong.add(code);
      return code.length <= MAX_CODE_LENGTH;
    }),
  }));
  return { lots, tooLong };
}
