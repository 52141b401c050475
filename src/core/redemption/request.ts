// A redemption as surfaces ask for it and as they are answered: one request, one union of answers. What a request must
// be is judged here, once, whichever surface it comes from.
import type { OrderPlace } from '../../store/index.ts';
import type { InTransaction } from '../context.ts';
import { CoreError, type CoreErrorCode } from '../errors.ts';
import { foldCode, foldWritten } from '../folding.ts';
import type { Game, Games } from '../games.ts';
import type { IdempotencyKey, KeyedOrder } from '../idempotency.ts';
import type { QuotaExceeded } from '../quota/usage.ts';
import type { Redemption } from '../receipts/receipts.ts';
import type { TooManyBadRequests } from '../bad-request-limit.ts';
import type { KnownDuplicates, RecentDuplicate } from './duplicates.ts';

/** What is to be redeemed: exactly one of `denomination` (from the code database) and `code` (direct). */
export interface RedeemRequest {
  gameId: string;
  playerId: string;
  denomination?: number;
  code?: string;
  /** As a person confirmed it: shown until the platform's receipt names the player, and where there never is one. */
  playerName?: string;
  idempotencyKey?: IdempotencyKey;
  /** Of a person, who was warned: nothing begins where the player has just got the same, beyond what they know of. */
  unlessDuplicate?: KnownDuplicates;
  /**
   * The order that it is a code of: what is promised to it is used up. `keyed`: each try has a key, and all have one
   * name at the upstreams.
   */
  order?: OrderPlace & { keyed?: KeyedOrder };
  /** Called in the transaction that begins it, with the redemption that began, now or earlier under the same key. */
  inTransaction?: InTransaction<{ redemptionId: number }>;
}

/**
 * What every surface renders, together with the codes of CoreError. `replayed`: it began earlier under the same key.
 * Whoever waits is `answered` the record as it stands then. Whoever does not is told what has `begun` by its id alone,
 * and reads the record by their own rights: a role may have been lost since, and what cannot be read fails no repeated
 * press.
 */
export type RedeemAnswer = Answered | HasBegun | NotBegun;
export type Answered = { status: 'answered'; redemption: Redemption; replayed: boolean };
export type HasBegun = { status: 'begun'; redemptionId: number; replayed: boolean };

/** Nothing was begun, recorded or charged. */
export type NotBegun =
  QuotaExceeded | TooManyBadRequests | { status: 'recentDuplicate'; duplicate: RecentDuplicate };

/** Why nothing was begun, answered or thrown: what a surface has one table of. */
export type NotBegunCode = NotBegun['status'] | CoreErrorCode;

/** 5 to 20 digits, from the wire document. */
const PLAYER_ID = /^[0-9]{5,20}$/;

export function isPlayerId(playerId: string): boolean {
  return PLAYER_ID.test(playerId);
}

/** The player ID that a person's text is, in whatever digits and groups; undefined where it is anything else. */
export function readPlayerId(written: string): string | undefined {
  const bare = foldWritten(written).replace(/[\s\p{Pd}]/gu, '');
  return isPlayerId(bare) ? bare : undefined;
}

/** A rule that a request breaks; `message` in words that follow the field's name in the interface. */
export interface BrokenRule {
  field: 'gameId' | 'denomination' | 'codeOverride';
  message: string;
  code: 'INVALID_INPUT' | 'CODE_OVERRIDE_REQUIRED';
}

/** The first rule that it breaks. A malformed code or player ID breaks none: that is a failed redemption. */
export function findBrokenRule(
  games: Games,
  request: Pick<RedeemRequest, 'gameId' | 'denomination' | 'code'>,
): BrokenRule | undefined {
  const { gameId, denomination, code } = request;
  const rule = (
    field: BrokenRule['field'],
    message: string,
    errorCode: BrokenRule['code'] = 'INVALID_INPUT',
  ) => ({ field, message, code: errorCode });
  const game = games.find(gameId);
  if (!game) return rule('gameId', `must be one of: ${games.all.map(({ id }) => id).join(', ')}`);
  if (denomination !== undefined && code !== undefined)
    return rule('denomination', 'and codeOverride exclude each other: send exactly one of them');
  if (code !== undefined) return undefined;
  if (!game.database) {
    const message = `is required for ${game.id}, which has no code database: send the code to redeem`;
    return rule('codeOverride', message, 'CODE_OVERRIDE_REQUIRED');
  }
  if (denomination === undefined)
    return rule('denomination', 'is missing: send exactly one of denomination and codeOverride');
  return game.denominations.includes(denomination)
    ? undefined
    : rule('denomination', `must be one that ${game.id} has: ${game.denominations.join(', ')}`);
}

/** The request as it is begun, folded, with its game. Throws CoreError INVALID_INPUT, CODE_OVERRIDE_REQUIRED. */
export function readRequest(games: Games, request: RedeemRequest): { game: Game; request: RedeemRequest } {
  const broken = findBrokenRule(games, request);
  const game = games.find(request.gameId);
  if (broken || !game) throw new CoreError(broken?.code ?? 'INVALID_INPUT', formatRule(broken));
  const { playerId, code } = request;
  const folded = {
    playerId: foldWritten(playerId),
    ...(code !== undefined && { code: foldCode(code, game.codePattern) }),
  };
  return { game, request: { ...request, ...folded } };
}

function formatRule(broken: BrokenRule | undefined): string {
  return `The request breaks a rule: ${broken?.field ?? 'gameId'} ${broken?.message ?? 'is not known'}.`;
}
