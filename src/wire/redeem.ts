// The body of POST /redeem: what is to be redeemed, for whom, and from where.
import { z } from '@hono/zod-openapi';

import { findBrokenRule, type Games } from '../core/index.ts';
import { Denomination, gameIdField, PlayerId } from './fields.ts';

/** A redemption from the code database (`denomination`) or of the caller's own code (`codeOverride`). */
export interface RedeemBody {
  gameId: string;
  playerId: string;
  denomination?: number | null | undefined;
  codeOverride?: string | null | undefined;
}

/**
 * The schema for this catalogue, built once. A code or player ID that breaks its pattern passes: that is a failed
 * redemption, not a bad request.
 */
export function createRedeemBody(games: Games, defaultGameId: string | undefined): z.ZodType<RedeemBody> {
  return z
    .object(
      {
        requireReceipt: z
          .boolean({ error: 'has no effect and must be true or false, or left out' })
          .nullish()
          .openapi({ description: 'Has no effect; leave it as true', example: true }),
        playerId: PlayerId,
        gameId: gameIdField(games, defaultGameId),
        denomination: Denomination.nullish().openapi({
          description:
            'Database mode: denomination of the code to take. Exactly one of denomination and codeOverride',
        }),
        codeOverride: z.string({ error: 'must be a string' }).trim().nullish().openapi({
          description: 'Direct mode: the code to redeem; mandatory for a game without a database',
        }),
      },
      { error: 'The body must be a JSON object' },
    )
    .superRefine((body, context) => requireMode(games, body, context))
    .openapi('RedeemRequest', {
      example: { requireReceipt: true, playerId: '5124780131', gameId: games.all[0]?.id, denomination: 60 },
    });
}

/** By the rule of the core, as issues of the document's own fields. */
function requireMode(games: Games, body: RedeemBody, context: z.RefinementCtx): void {
  const { gameId, denomination, codeOverride } = body;
  if (!games.find(gameId)) return;
  const broken = findBrokenRule(games, {
    gameId,
    ...(typeof denomination === 'number' && { denomination }),
    ...(typeof codeOverride === 'string' && { code: codeOverride }),
  });
  if (!broken) return;
  const params = { errorCode: broken.code === 'INVALID_INPUT' ? undefined : broken.code };
  context.addIssue({ code: 'custom', path: [broken.field], message: broken.message, params });
}
