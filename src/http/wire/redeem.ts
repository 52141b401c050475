// The body of POST /redeem: what is to be redeemed, for whom, and from where.
import { z } from '@hono/zod-openapi';

import type { Games } from '../../core/index.ts';
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

function requireMode(games: Games, body: RedeemBody, context: z.RefinementCtx): void {
  const game = games.find(body.gameId);
  if (game === undefined) return;
  const database = typeof body.denomination === 'number';
  const direct = typeof body.codeOverride === 'string';
  const issue = (path: string, message: string, errorCode?: string): void =>
    context.addIssue({ code: 'custom', path: [path], message, params: { errorCode } });

  if (database && direct)
    issue('denomination', 'and codeOverride exclude each other: send exactly one of them');
  else if (!direct && !game.database) {
    const message = `is required for ${game.id}, which has no code database: send the code to redeem`;
    issue('codeOverride', message, 'CODE_OVERRIDE_REQUIRED');
  } else if (!database && !direct) {
    issue('denomination', 'is missing: send exactly one of denomination and codeOverride');
  } else if (database && !game.denominations.includes(body.denomination ?? 0)) {
    issue('denomination', `must be one that ${game.id} has: ${game.denominations.join(', ')}`);
  }
}
