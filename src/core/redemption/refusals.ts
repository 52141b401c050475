// Why an order is recorded as failed at once: what is known without asking the platform.
import type { Tables } from '../../store/index.ts';
import type { ErrorCode } from '../error-policy.ts';
import type { Game } from '../games.ts';
import { LOST_ACTOR } from '../receipts/receipts.ts';
import { isPlayerId, type RedeemRequest } from './request.ts';

export interface KnownRefusal {
  errorCode: ErrorCode;
  message: string;
  /** The redemption of the same code that is under way: what becomes of it is what becomes of this one. */
  firstId?: number;
}

/** What came too late: the platform is not asked any more. */
export const STOPPING: KnownRefusal = {
  errorCode: 'NETWORK_ERROR',
  message: 'The service was stopping: nothing was sent. Try again in a moment.',
};

/** No upstream takes it now. */
export const NOBODY: KnownRefusal = {
  errorCode: 'NETWORK_ERROR',
  message: 'The platform cannot be reached: nothing was sent. Try again in a moment.',
};

/** Whose it is nobody has proven: a person has to look. */
const LOST: KnownRefusal = {
  errorCode: 'UNKNOWN',
  message: 'This code was redeemed before the restore, and it is not known for whom.',
};

/** What we know without asking the platform. */
export function findKnownRefusal(
  tables: Tables,
  game: Game,
  { playerId, code }: Pick<RedeemRequest, 'playerId' | 'code'>,
  hash: Buffer | undefined,
): KnownRefusal | undefined {
  if (code !== undefined && !game.codePattern.test(code)) {
    return { errorCode: 'INVALID_CODE', message: 'The code does not have the form of a code of this game.' };
  }
  if (!isPlayerId(playerId)) {
    return { errorCode: 'CHARACTER_NOT_FOUND', message: 'A player ID has 5 to 20 digits.' };
  }
  const live = hash && tables.redemptions.findLive(game.id, hash);
  if (!live) return undefined;
  if (tables.redemptions.get(live.id).actor === LOST_ACTOR) return { ...LOST, firstId: live.id };
  return live.state === 'redeemed'
    ? { errorCode: 'CODE_USED', message: 'This service has redeemed this code already.' }
    : {
        errorCode: 'UNKNOWN',
        message: 'This service has a redemption of this code under way.',
        firstId: live.id,
      };
}
