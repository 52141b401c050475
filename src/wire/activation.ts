// A redemption as the wire tells it: the ActivationReceipt of a success, the ActivationError of everything else.
import { z } from '@hono/zod-openapi';

import type { Redemption } from '../core/index.ts';
import {
  Code,
  WireErrorCode,
  formatTimestamp,
  GameId,
  ReceiptId,
  Time,
  ToldPlayerId,
  withoutNulls,
} from './fields.ts';

export const ActivationReceipt = z
  .strictObject({
    type: z.literal('ActivationReceipt'),
    id: ReceiptId,
    createdAt: Time,
    warning: z.boolean().openapi({
      description: 'The full receipt was not found in the order list of the account; rare',
      example: false,
    }),
    took: z.int().openapi({ description: 'Milliseconds the redemption took', example: 1840 }),
    gameId: GameId,
    playerId: ToldPlayerId,
    code: Code,
    openid: z
      .string()
      .openapi({ description: "The platform's internal id of the player", example: '29083411' }),
    name: z.string().openapi({ description: "The player's name", example: 'Player' }),
    region: z.string().optional().openapi({ description: 'Two-letter country of the player', example: 'DE' }),
    productName: z.string().optional().openapi({
      description: "As the platform's order list shows it",
      example: '60 UC',
    }),
    amount: z.int().optional().openapi({
      description: 'Amount of in-game currency; absent when it cannot be determined definitively',
      example: 60,
    }),
    uid: z
      .string()
      .optional()
      .openapi({ description: "The platform's id of the account used", example: '771' }),
    settledAt: Time.openapi({ description: 'Since when this is final' }),
    email: z.string().optional().openapi({
      description:
        'Login of the account used; of some games the internal player account id; absent where it was never told, or erased',
      example: 'account@mail.example',
    }),
    password: z.string().optional().openapi({
      description:
        'Password of that account; of some games the session token of the activation; absent as `email` is',
      example: 'a password',
    }),
  })
  .openapi('ActivationReceipt', { description: 'A successful redemption' });
export type ActivationReceipt = z.infer<typeof ActivationReceipt>;

export const ActivationError = z
  .strictObject({
    type: z.literal('ActivationError'),
    id: ReceiptId,
    createdAt: Time,
    errorCode: WireErrorCode,
    errorMessage: z.string().optional().openapi({
      description: 'Technical; not for an untrusted user',
      example: 'the platform did not answer in time',
    }),
    codeReset: z.boolean().openapi({
      description: 'The code went back into the database; always false in direct mode',
      example: true,
    }),
    gameId: GameId,
    playerId: ToldPlayerId,
    code: Code.optional().openapi({ description: 'The code; absent when no code was found' }),
    settledAt: Time.optional().openapi({
      description:
        'Since when this is final; absent while it is in doubt: poll GET /history/{id}, or repeat the Idempotency-Key, until it is there',
    }),
  })
  .openapi('ActivationError', { description: 'A redemption that failed, or whose outcome is not known yet' });
export type ActivationError = z.infer<typeof ActivationError>;

/** What a redemption is on the wire: a receipt once it is redeemed, an error in every other state. */
export function renderActivation(redemption: Redemption): ActivationReceipt | ActivationError {
  return redemption.state === 'redeemed' ? renderReceipt(redemption) : renderError(redemption);
}

function renderReceipt(redemption: Redemption): ActivationReceipt {
  const { id, createdAt, warning, tookMs, gameId, playerId, region, productName, amount } = redemption;
  const { uid, email, password } = redemption.credentials ?? {};
  return {
    type: 'ActivationReceipt',
    ...{ id, createdAt: formatTimestamp(createdAt), warning, took: tookMs, gameId, playerId },
    code: redemption.code ?? '',
    openid: redemption.openid ?? '',
    name: redemption.playerName ?? '',
    ...withoutNulls({ region, productName, amount }),
    uid,
    settledAt: formatTimestamp(redemption.settledAt ?? createdAt + tookMs),
    ...{ email, password },
  };
}

/** `UNKNOWN` for a redemption that is still under way: nothing has been answered for it yet. */
function renderError(redemption: Redemption): ActivationError {
  const { id, createdAt, state, errorCode, errorMessage, codeReset, gameId, playerId, code } = redemption;
  return {
    type: 'ActivationError',
    ...{ id, createdAt: formatTimestamp(createdAt) },
    errorCode: state === 'pending' ? 'UNKNOWN' : (errorCode ?? 'UNKNOWN'),
    ...withoutNulls({ errorMessage, codeReset, gameId, playerId, code }),
    settledAt: formatTimestamp(redemption.settledAt),
  };
}

/** The same for whoever is told of it: without code and credentials, also where the platform's words name the code. */
export function renderTold(redemption: Redemption): object {
  const activation = renderActivation(redemption);
  if (activation.type === 'ActivationReceipt') {
    const { code: _code, email: _email, password: _password, ...told } = activation;
    return told;
  }
  const { code, errorMessage, ...told } = activation;
  return { ...told, errorMessage: code === undefined ? errorMessage : errorMessage?.replaceAll(code, '…') };
}
