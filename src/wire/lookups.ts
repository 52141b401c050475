// Looking up a player, and when a code was redeemed.
import { z } from '@hono/zod-openapi';

import type { CharacterAnswer, Games, RedemptionTimeAnswer } from '../core/index.ts';
import { formatTimestamp, GameId, gameIdField, PlayerId, ReceiptId, rule, Time } from './fields.ts';

export function createCharacterQuery(games: Games, defaultGameId: string | undefined) {
  return z.object({ playerId: PlayerId, gameId: gameIdField(games, defaultGameId) });
}

export const Character = z
  .strictObject({
    gameId: GameId,
    playerId: PlayerId,
    openid: z
      .string()
      .openapi({ description: "The platform's internal id of the player", example: '29083411' }),
    name: z.string().openapi({ description: "The player's name", example: 'Player' }),
  })
  .openapi('Character');
export type Character = z.infer<typeof Character>;

export function renderCharacter(found: Extract<CharacterAnswer, { status: 'found' }>): Character {
  return { gameId: found.gameId, playerId: found.playerId, openid: found.openid, name: found.name };
}

/** The body of POST /redemption-time, and the query of its alias. */
export function createRedemptionTimeRequest(games: Games, defaultGameId: string | undefined) {
  return z.object(
    {
      code: z
        .string({ error: rule('must be a string') })
        .trim()
        .min(1, 'must not be empty')
        .openapi({ description: 'The code asked about', example: '60SXW4QK7H2M9TZR' }),
      gameId: gameIdField(games, defaultGameId),
    },
    { error: 'The body must be a JSON object' },
  );
}

export const RedemptionTime = z
  .strictObject({
    redemptionTime: Time,
    expirationTime: Time,
    channelName: z
      .string()
      .openapi({ description: 'The company that distributed the code', example: 'Channel' }),
    openid: z.string().openapi({ description: "The redeemer's openid", example: '29083411' }),
    amount: z.number().openapi({ description: 'Amount of the code', example: 60 }),
    name: z.string().openapi({ description: 'Name of the product', example: '60 UC' }),
    playerId: z.string().optional().openapi({ description: 'The redeemer, if known', example: '5124780131' }),
    playerName: z
      .string()
      .optional()
      .openapi({ description: "The redeemer's name, if known", example: 'Player' }),
    receiptId: ReceiptId.optional().openapi({ description: "This account's own receipt for the code" }),
    receiptSuccessful: z.boolean().optional().openapi({
      description: 'Whether that receipt is of a successful redemption',
      example: true,
    }),
  })
  .openapi('RedemptionTime');
export type RedemptionTime = z.infer<typeof RedemptionTime>;

export function renderRedemptionTime(
  found: Extract<RedemptionTimeAnswer, { status: 'found' }>,
): RedemptionTime {
  const { playerId, playerName, receiptId, receiptSuccessful } = found;
  return {
    redemptionTime: formatTimestamp(found.redeemedAt),
    expirationTime: formatTimestamp(found.expiresAt),
    channelName: found.channelName,
    openid: found.openid,
    amount: found.amount,
    name: found.productName,
    playerId,
    playerName,
    receiptId,
    receiptSuccessful,
  };
}
