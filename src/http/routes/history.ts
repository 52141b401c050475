// What was redeemed: the list, one receipt, and the statistics of a day. Free, and only ever the account's own.
import { createRoute, z } from '@hono/zod-openapi';

import { LANGUAGES } from '../../locales.ts';
import { drawProof } from '../../pictures/proof.ts';
import type { HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { HttpProblem } from '../errors.ts';
import { parseId, parseQuery, signalOf } from '../requests.ts';
import { ActivationError, ActivationReceipt, renderActivation } from '../../wire/activation.ts';
import {
  createStatisticsQuery,
  WireHistoryEntry,
  HistoryQuery,
  renderHistoryEntry,
  renderStatistics,
  Statistics,
} from '../../wire/history.ts';
import { answers, Problem } from '../../wire/problem.ts';
import { WaitQuery } from '../../wire/instants.ts';

const list = createRoute({
  method: 'get',
  path: '/history',
  operationId: 'listHistory',
  tags: ['History'],
  summary: 'Redemptions, 100 at a time',
  request: { query: HistoryQuery },
  responses: {
    200: answers(z.array(WireHistoryEntry), 'A page; never cuts redemptions of one millisecond apart'),
    400: answers(Problem, 'A time that cannot be read, or both of them'),
  },
});

const one = createRoute({
  method: 'get',
  path: '/history/{id}',
  operationId: 'getRedemption',
  tags: ['History'],
  summary: 'One receipt, or one failed redemption, at once or as soon as it is settled',
  request: {
    params: z.object({ id: z.int().openapi({ description: 'Receipt identifier', example: 4711 }) }),
    query: WaitQuery,
  },
  responses: {
    200: answers(z.discriminatedUnion('type', [ActivationReceipt, ActivationError]), 'The redemption'),
    400: answers(Problem, 'A `wait` that is none'),
    404: answers(Problem, 'No such redemption of this account: `ACTIVATION_NOT_FOUND`'),
  },
});

const LanguageQuery = z.object({
  language: z
    .enum(LANGUAGES, { error: `must be one of ${LANGUAGES.join(', ')}` })
    .default('en')
    .openapi({ description: 'Of its words', example: 'en' }),
});

const proof = createRoute({
  method: 'get',
  path: '/history/{id}.png',
  operationId: 'getProof',
  tags: ['History'],
  summary: 'A picture that proves that it was redeemed',
  description:
    'For a customer or a marketplace: player, product, time, receipt and the end of the code, in 1080 × 1350 pixels. No login, and nobody who works here.',
  request: {
    params: z.object({ id: z.int().openapi({ description: 'Receipt identifier', example: 4711 }) }),
    query: LanguageQuery,
  },
  responses: {
    200: {
      description: 'The picture',
      content: { 'image/png': { schema: z.string().openapi({ format: 'binary' }) } },
    },
    400: answers(Problem, 'A `language` that is none'),
    404: answers(Problem, 'No such redemption of this account: `ACTIVATION_NOT_FOUND`'),
    409: answers(Problem, 'It failed, or is in doubt', {
      error: 'Only what was redeemed has a proof. This receipt says what became of it.',
    }),
  },
});

export function mountHistory({ core, stopping }: HttpDeps, endpoints: Endpoints): void {
  const StatisticsQuery = createStatisticsQuery(core.games);
  const statistics = createRoute({
    method: 'get',
    path: '/stats',
    operationId: 'getStatistics',
    tags: ['History'],
    summary: 'Redemptions and failures of one game and day in UTC',
    request: { query: StatisticsQuery },
    responses: {
      200: answers(Statistics, 'The day'),
      400: answers(Problem, 'A date that is not in the calendar, or no such game'),
    },
  });

  endpoints.free(list, (c, actor) => {
    const { before, after } = parseQuery(HistoryQuery, c);
    const range = { before, after };
    return c.json(core.receipts.list(actor, range).map(renderHistoryEntry));
  });

  // Before `/history/{id}`, which its path would be one of.
  endpoints.free(proof, async (c, actor) => {
    const { language } = parseQuery(LanguageQuery, c);
    const id = parseId((c.req.param('id') ?? '').replace(/\.png$/, ''));
    const facts = id === undefined ? undefined : core.findProof(actor, id);
    if (!facts) throw unknownRedemption();
    const png = await drawProof({ ...facts, isSandbox: core.health.isSandbox }, language);
    if (png) return c.body(new Uint8Array(png), 200, { 'content-type': 'image/png' });
    const error = 'As many pictures are being drawn as may be at once. Try again in a second.';
    throw new HttpProblem(429, error, { 'retry-after': '1' });
  });

  endpoints.free(one, async (c, actor) => {
    const { wait = 0 } = parseQuery(WaitQuery, c);
    const id = parseId(c.req.param('id') ?? '');
    const find = () => (id === undefined ? undefined : core.receipts.find(actor, id));
    let redemption = find();
    if (redemption && redemption.settledAt === null && wait > 0) {
      await core.changes.next(`redemption:${redemption.id}`, wait * 1_000, signalOf(c, stopping));
      redemption = find();
    }
    if (redemption !== undefined) return c.json(renderActivation(redemption));
    throw unknownRedemption();
  });

  endpoints.free(statistics, async (c, actor) => {
    const { gameId, date } = parseQuery(StatisticsQuery, c);
    const of = { gameId, date };
    return c.json(renderStatistics(await core.dayStatistics(actor, of)));
  });
}

const unknownRedemption = () =>
  new HttpProblem(404, {
    error: 'There is no such redemption in this account. Check the identifier.',
    errorCode: 'ACTIVATION_NOT_FOUND',
  });
