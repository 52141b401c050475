// How a doubt ends, as a pure rule: what the platform told about the code, who the player is, and what is known of
// earlier unknown attempts at the same code. Nothing is guessed: what does not decide, postpones.
import type { CharacterOutcome, CodeOutcome, PlatformReceipt } from '../../platform/port.ts';
import type { Tables } from '../../store/index.ts';
import type { CoreClock } from '../../clock.ts';
import type { PostponedWhy } from '../receipts/looks.ts';

/** What deciding needs to know of a redemption in doubt. */
interface OpenDoubt {
  playerId: string;
  /** As a person confirmed it before the beginning. */
  playerName: string | null;
}

/** What is known beside the answers. */
export interface DecisionContext {
  /** Whether the code came out of our stock: nobody but us had it in hand. */
  isOfStock: boolean;
  /** How long ago the redemption began. */
  ageMs: number;
  /** Whether this process has measured that itself: no calendar has a part in it. */
  isMeasured: boolean;
  /** Whether another account has ever had this code in doubt. */
  othersHadIt: boolean;
  /** Whether a receipt that could not be shown was asked for often enough. */
  isPatienceOver: boolean;
  /** How long "not redeemed" may still turn into "redeemed"; 0 or less: it is final. */
  untilFinalMs: number;
}

export type Decision =
  /** Redeemed by our attempt: the receipt as far as it is known. */
  | { status: 'received'; receipt: PlatformReceipt; warning: boolean; loginAwaited: boolean }
  /** Redeemed for someone else. */
  | { status: 'conceded' }
  /** Redeemed for our player, and perhaps not by us, or nobody can tell: no answer decides it, a person must. */
  | { status: 'held'; why?: 'notSentAgain' }
  /** Not redeemed, for good: the code goes back, the usage is returned. */
  | { status: 'returned' }
  | { status: 'postponed'; why: PostponedWhy };

/** How much two ages may differ that are measured in two places, from the architecture document. */
export const SLACK_MS = 5 * 60 * 1000;

/** `player`: what the platform says of the doubt's player; undefined while it was not asked. */
export function decide(
  doubt: OpenDoubt,
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
      return decideWhose(doubt, told, player, context);
  }
}

type Redeemed = Extract<CodeOutcome, { status: 'redeemed' }>;

/**
 * The player that the platform names is believed; where it names none, the openid of ours must be found to be the
 * redeemer's.
 */
function decideWhose(
  doubt: OpenDoubt,
  told: Redeemed,
  player: CharacterOutcome | undefined,
  context: DecisionContext,
): Decision {
  function receive(name: string): Decision {
    if (!mayBeOurs(told, context)) return { status: 'held' };
    if (told.receiptAwaited && !context.isPatienceOver) return { status: 'postponed', why: 'receiptAwaited' };
    return receiptOf(told, name);
  }
  if (told.playerId === doubt.playerId) {
    return receive(told.playerName ?? doubt.playerName ?? doubt.playerId);
  }
  if (told.playerId !== undefined) return { status: 'conceded' };
  switch (player?.status) {
    case undefined:
      return { status: 'postponed', why: 'playerNotAsked' };
    case 'notFound':
      return { status: 'postponed', why: 'playerNotFound' };
    case 'unreachable':
    case 'notOffered':
      return { status: 'postponed', why: 'playerUnreachable' };
    case 'found':
      return player.openid === told.openid ? receive(player.name) : { status: 'conceded' };
  }
}

/**
 * Ages are compared, never dates: two clocks may differ by anything. A code of our stock is ours whatever the times
 * say; one that somebody gave us may have been redeemed by its giver before. Where another account's attempt may have
 * been the one, its receipt is not handed over for what a calendar says.
 */
function mayBeOurs({ redeemedAt, toldAt }: Redeemed, context: DecisionContext): boolean {
  const { isOfStock, othersHadIt, ageMs, isMeasured } = context;
  if (isOfStock && !othersHadIt) return true;
  if (toldAt === undefined || redeemedAt === undefined) return false;
  const toldAgeMs = toldAt - redeemedAt;
  return othersHadIt ? isMeasured && toldAgeMs <= ageMs : toldAgeMs <= ageMs + SLACK_MS;
}

/** The receipt that the platform keeps for us; else what it told of the code, with a warning. */
function receiptOf(told: Redeemed, name: string): Decision {
  if (told.receipt) {
    const { fullReceipt, ...receipt } = told.receipt;
    return { status: 'received', receipt, warning: !fullReceipt, loginAwaited: false };
  }
  const { openid, productName, amount } = told;
  const receipt = { openid, name, productName, ...(amount > 0 && { amount }) };
  return { status: 'received', receipt, warning: true, loginAwaited: told.receiptAwaited === true };
}

/** What began longer before has nothing to do with this one. */
const TOGETHER_MS = 24 * 60 * 60 * 1000;

/** A redemption whose attempt fell in doubt, or may have. */
interface CodeAttempt {
  id: number;
  accountId: number;
  gameId: string;
  code: string;
  playerId: string;
  createdAt: number;
}

export interface DoubtfulAttempts {
  /** Whether this account had one at this code for this player before, which was not proven to be somebody else's. */
  hadEarlier: boolean;
  /** Whether another account ever sent the code: an answer of *not spent* may have been wrong. */
  othersHadIt: boolean;
}

/** Looks at the attempts that fell in doubt beside this one; this account's from a day before it on. */
export function findDoubtfulAttempts(tables: Tables, attempt: CodeAttempt): DoubtfulAttempts {
  const { id, accountId, gameId, code, playerId, createdAt } = attempt;
  const hash = tables.redemptions.hashOf(gameId, code);
  const since = createdAt - TOGETHER_MS;
  const { own, others } = tables.redemptions.findDoubtful({ id, accountId, gameId, hash, playerId, since });
  return { hadEarlier: own, othersHadIt: others };
}

/**
 * How long ago a redemption began, by when it was charged: on the scale that no jump of the calendar moves. What an
 * earlier process began may be older than that, as the calendar tells it: a machine can start behind. An earlier one at
 * the same code makes it no older: what that had sent was not spent.
 */
export function measureAge(
  tables: Tables,
  { usageId, createdAt }: { usageId: number | null; createdAt: number },
  clock: CoreClock,
): { ageMs: number; isMeasured: boolean } {
  const begunAt = usageId === null ? undefined : tables.quota.usedAt(usageId);
  if (begunAt === undefined) return { ageMs: 0, isMeasured: false };
  const monotonicMs = clock.monotonicNow() - begunAt;
  if (begunAt >= clock.begunAt) return { ageMs: monotonicMs, isMeasured: true };
  return { ageMs: Math.max(monotonicMs, clock.now() - createdAt), isMeasured: false };
}
