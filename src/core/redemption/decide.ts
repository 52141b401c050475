// How a doubt ends, as a pure rule: what the platform told about the code, who the player is, and what else is known of earlier
// attempts. Nothing is guessed: what does not decide, postpones.
import type { CharacterOutcome, CodeOutcome, PlatformReceipt } from '../../platform/port.ts';

/** What deciding needs to know of a redemption in doubt. */
export interface Doubt {
  playerId: string;
  /** As a person confirmed it before the beginning. */
  playerName: string | null;
}

/** What is known beside the answers. Times are milliseconds UTC by the calendar. */
export interface DecisionContext {
  /** When the first doubtful attempt of this account at this code for this player began, at most a day before this one. */
  ownBegunAt: number;
  /** The same of any other account; undefined where there was none. */
  othersBegunAt: number | undefined;
  /** How long "not redeemed" may still turn into "redeemed"; 0 or less: it is final. */
  untilFinalMs: number;
}

export type Decision =
  /** Redeemed by our attempt: the receipt as far as it is known. */
  | { status: 'received'; receipt: PlatformReceipt; warning: boolean }
  /** Redeemed for someone else, or before. */
  | { status: 'conceded' }
  /** Not redeemed, for good: the code goes back, the charge is returned. */
  | { status: 'returned' }
  /** `playerNotAsked`: looking the player up and deciding again may help at once. */
  | {
      status: 'postponed';
      why:
        'underWay' | 'unreachable' | 'notFinal' | 'playerNotAsked' | 'playerNotFound' | 'playerUnreachable';
    };

/** How far the platform's clock may be behind ours, from the architecture document. */
export const SKEW_MS = 5 * 60 * 1000;

/** `player`: what the platform says of the doubt's player; undefined while it was not asked. */
export function decide(
  doubt: Doubt,
  told: CodeOutcome,
  player: CharacterOutcome | undefined,
  context: DecisionContext,
): Decision {
  switch (told.status) {
    case 'underWay':
    case 'unreachable':
      return { status: 'postponed', why: told.status };
    case 'notRedeemed':
      return context.untilFinalMs <= 0 ? { status: 'returned' } : { status: 'postponed', why: 'notFinal' };
    case 'redeemed':
      return isBefore(told.redeemedAt, context) ? { status: 'conceded' } : decideWhose(doubt, told, player);
  }
}

/** Redeemed before our first doubtful attempt began. */
function isBefore(redeemedAt: number, { ownBegunAt, othersBegunAt }: DecisionContext): boolean {
  // Where another account's attempt may have been the one, its receipt must not be handed over for a clock that is behind.
  const mayBeOthers = othersBegunAt !== undefined && othersBegunAt < redeemedAt;
  return redeemedAt < ownBegunAt - (mayBeOthers ? 0 : SKEW_MS);
}

type Redeemed = Extract<CodeOutcome, { status: 'redeemed' }>;

/** The player that the platform names is believed; where it names none, the openid of ours must be found to be the redeemer's. */
function decideWhose(doubt: Doubt, told: Redeemed, player: CharacterOutcome | undefined): Decision {
  if (told.playerId === doubt.playerId) {
    return receive(told, told.playerName ?? doubt.playerName ?? doubt.playerId);
  }
  if (told.playerId !== undefined) return { status: 'conceded' };
  switch (player?.status) {
    case undefined:
      return { status: 'postponed', why: 'playerNotAsked' };
    case 'notFound':
      return { status: 'postponed', why: 'playerNotFound' };
    case 'unreachable':
      return { status: 'postponed', why: 'playerUnreachable' };
    case 'found':
      return player.openid === told.openid ? receive(told, player.name) : { status: 'conceded' };
  }
}

/** The receipt that the platform keeps for us; else what it told of the code, with a warning. */
function receive(told: Redeemed, name: string): Decision {
  if (told.receipt) {
    const { fullReceipt, ...receipt } = told.receipt;
    return { status: 'received', receipt, warning: !fullReceipt };
  }
  const { openid, productName, amount } = told;
  const receipt = { openid, name, productName, ...(amount > 0 && { amount }) };
  return { status: 'received', receipt, warning: true };
}
