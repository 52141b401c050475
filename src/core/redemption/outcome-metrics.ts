// How redemptions end in this process, as those who run the service see it: counted since the start, and a line in the
// log each, so that one can be followed by its number.
import type { AccountActor } from '../context.ts';
import type { Logger } from '../../log.ts';
import type { Redemption } from '../receipts/receipts.ts';

/** By which door it came: a program, or a person in the chat. */
export type Door = 'http' | 'chat';

/** What became of a doubt. */
export type DoubtOutcome = 'redeemed' | 'returned' | 'spentElsewhere';

export interface Counted<Outcome> {
  outcome: Outcome;
  count: number;
}

export interface OutcomeMetrics {
  /** A redemption that this process began has come to its first end: settled, or in doubt. Never throws. */
  ended(actor: AccountActor, redemption: Redemption): void;
  /** A doubt was settled, whichever process left it. Never throws. */
  settled(redemptionId: number, outcome: DoubtOutcome): void;
  /** `outcome`: `redeemed` or the errorCode, UNKNOWN where it is in doubt. */
  listEnded(): (Counted<string> & { door: Door })[];
  listSettled(): Counted<DoubtOutcome>[];
}

export function createOutcomeMetrics(log: Pick<Logger, 'info'>): OutcomeMetrics {
  const ended = new Map<string, Counted<string> & { door: Door }>();
  const settled = new Map<DoubtOutcome, Counted<DoubtOutcome>>();

  return {
    ended({ kind }, redemption) {
      const door = kind === 'member' ? 'chat' : 'http';
      const outcome = redemption.state === 'redeemed' ? 'redeemed' : (redemption.errorCode ?? 'UNKNOWN');
      const name = `${door} ${outcome}`;
      const counted = ended.get(name) ?? { door, outcome, count: 0 };
      ended.set(name, { ...counted, count: counted.count + 1 });
      const { id: redemptionId, accountId, gameId, denomination, state, tookMs } = redemption;
      logOutcome(
        log,
        { redemptionId, accountId, door, gameId, denomination, state, outcome, tookMs },
        'redemption',
      );
    },
    settled(redemptionId, outcome) {
      settled.set(outcome, { outcome, count: (settled.get(outcome)?.count ?? 0) + 1 });
      logOutcome(log, { redemptionId, outcome }, 'a doubt was settled');
    },
    listEnded: () => [...ended.values()],
    listSettled: () => [...settled.values()],
  };
}

/** A full disk under the log must not become the end of a redemption. */
function logOutcome(log: Pick<Logger, 'info'>, fields: object, message: string): void {
  try {
    log.info(fields, message);
  } catch {
    // Counted all the same.
  }
}
