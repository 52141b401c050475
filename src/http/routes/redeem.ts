// POST /redeem. From the moment the core was asked the answer is 200 or 503, whatever happens: clients repeat any other
// 5xx by themselves, and a repeated redemption would spend a second code.
import { createRoute } from '@hono/zod-openapi';

import { CoreError } from '../../core/index.ts';
import type { AccountActor, Redemption, RedeemRequest } from '../../core/index.ts';
import { readJson } from '../body.ts';
import type { HttpContext, HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { tooManyRequests } from '../errors.ts';
import { parse, readIdempotencyKey } from '../requests.ts';
import { ActivationError, ActivationReceipt, renderActivation } from '../../wire/activation.ts';
import { AT_ONCE } from '../../wire/headers.ts';
import { formatTimestamp } from '../../wire/fields.ts';
import {
  answers,
  BODY_ANSWERS,
  IdempotencyHeaders,
  PreferHeader,
  REPLAY_ANSWERS,
  sends,
} from '../../wire/problem.ts';
import { createRedeemBody } from '../../wire/redeem.ts';

export function mountRedeem(deps: HttpDeps, endpoints: Endpoints): void {
  const { core, defaultGameId } = deps;
  const Body = createRedeemBody(core.games, defaultGameId);

  const route = describeRedeem(Body);

  endpoints.charged(route, async (c, actor) => {
    const key = readIdempotencyKey(c);
    const { gameId, playerId, denomination, codeOverride } = parse(Body, await readJson(c));
    const request: RedeemRequest = {
      gameId,
      playerId,
      ...(typeof denomination === 'number' && { denomination }),
      ...(typeof codeOverride === 'string' && { code: codeOverride }),
      ...key,
    };
    if (prefersAsync(c) && !core.health.isStopping()) {
      const begun = await begin(deps, actor, request);
      if (begun)
        return begun.status === 'begun' ? answerBegun(c, begun) : answerRedemption(c, deps, request, begun);
    }
    const answer = await core.redeem(actor, request);
    if (answer.status !== 'answered') throw tooManyRequests(answer, deps);
    return answerRedemption(c, deps, request, answer);
  });
}

function describeRedeem(Body: ReturnType<typeof createRedeemBody>) {
  return createRoute({
    method: 'post',
    path: '/redeem',
    operationId: 'redeem',
    tags: ['Redemption'],
    summary: 'Redeem one code for a character',
    description:
      'Costs 1 activation. With `Prefer: respond-async` it answers 202 as soon as it has begun, and `Location` leads to what becomes of it.',
    request: { headers: IdempotencyHeaders.extend(PreferHeader.shape), body: sends(Body) },
    responses: {
      ...BODY_ANSWERS,
      ...REPLAY_ANSWERS,
      200: answers(ActivationReceipt, 'Redeemed'),
      202: {
        ...answers(ActivationError, 'It has begun, as was preferred; `Location` leads to its record', {
          type: 'ActivationError',
          id: 4713,
          createdAt: '2026-01-13T08:27:18.520Z',
          errorCode: 'UNKNOWN',
          codeReset: false,
          gameId: 'game_id_1',
          playerId: '5124780131',
          code: '60SXW4QK7H2M9TZR',
        }),
        ...AT_ONCE,
      },
      503: answers(ActivationError, 'The redemption failed, or its outcome is not known yet', {
        type: 'ActivationError',
        id: 4712,
        createdAt: '2026-01-13T08:27:18.520Z',
        errorCode: 'RISK_CONTROL',
        errorMessage: 'the platform refused',
        codeReset: true,
        gameId: 'game_id_1',
        playerId: '5124780131',
        code: '60SXW4QK7H2M9TZR',
        settledAt: '2026-01-13T08:27:20.360Z',
      }),
    },
  });
}

/** RFC 7240. */
function prefersAsync(c: HttpContext): boolean {
  return /(?:^|,)\s*respond-async\s*(?:[,;]|$)/i.test(c.req.header('prefer') ?? '');
}

const REPLAYED = { 'idempotency-replayed': 'true' };

type Known = { redemption: Redemption; replayed: boolean };

/**
 * As it stands once its beginning is on disk; undefined where the service has begun to stop meanwhile, and nothing was
 * begun.
 */
async function begin(
  deps: HttpDeps,
  actor: AccountActor,
  request: RedeemRequest,
): Promise<({ status: 'begun' } & Known) | ({ status: 'answered' } & Known) | undefined> {
  const { core } = deps;
  const begun = await core.beginRedemption(actor, request).catch((error: unknown) => {
    if (error instanceof CoreError && error.code === 'STOPPING') return undefined;
    throw error;
  });
  if (begun === undefined) return undefined;
  if (begun.status !== 'begun') throw tooManyRequests(begun, deps);
  const redemption = core.receipts.find(actor, begun.redemptionId);
  if (redemption === undefined)
    throw new Error(`Redemption ${begun.redemptionId} has begun and is not there.`);
  const status = redemption.settledAt === null ? 'begun' : 'answered';
  return { status, redemption, replayed: begun.replayed };
}

function answerBegun(c: HttpContext, { redemption, replayed }: Known): Response {
  c.set('redemptionId', redemption.id);
  const leads = { location: `/history/${redemption.id}`, 'preference-applied': 'respond-async' };
  return c.json(renderActivation(redemption), 202, { ...leads, ...(replayed && REPLAYED) });
}

/** Never throws: a code may have been spent. */
function answerRedemption(
  c: HttpContext,
  { clock, log }: HttpDeps,
  request: RedeemRequest,
  { redemption, replayed }: Known,
): Response {
  c.set('redemptionId', redemption.id);
  try {
    const activation = renderActivation(redemption);
    const headers = replayed ? REPLAYED : {};
    return c.json(activation, activation.type === 'ActivationReceipt' ? 200 : 503, headers);
  } catch (error) {
    log.error({ err: error, requestId: c.get('requestId') }, 'a redemption could not be worded');
    const unknown: ActivationError = {
      type: 'ActivationError',
      id: redemption.id,
      createdAt: formatTimestamp(clock.now()),
      errorCode: 'UNKNOWN',
      codeReset: false,
      gameId: request.gameId,
      playerId: request.playerId,
    };
    return c.json(unknown, 503);
  }
}
