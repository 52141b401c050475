// Whether another machine serves the same shop, as far as anybody can tell: another process fetches the updates of the
// bot, or the platform names a redemption by our own token that is none of ours. Meanwhile no codes are handed out, and
// a code that is used is asked about.
import type { Clock } from '../clock.ts';
import type { CodeOutcome } from '../platform/port.ts';
import { CoreError } from './errors.ts';
import type { CoreLog } from './log.ts';

export interface Contest {
  isContested(): boolean;
  /** The platform told so, within the last quarter of an hour. */
  isSeen(): boolean;
  /** A surface knows of it; until it says that it is over. */
  note(isSo: boolean): void;
  /**
   * The platform told what became of a code of the stock that we did not spend; `since`: from when on nobody else may
   * have, ms UTC.
   */
  heard(told: CodeOutcome, since: number): void;
}

/** Of what the platform tells no end is known: so long after it was told last. */
const CALM_MS = 15 * 60 * 1000;

const SEEN =
  'another machine redeems with our token at the platform: two of them serve one database. No codes are handed out meanwhile. End the other one, or revoke its tokens';

export function createContest({ clock, log }: { clock: Clock; log: CoreLog }): Contest {
  let isNoted = false;
  let seenAt = -Infinity;
  const isSeen = () => clock.elapsed() - seenAt < CALM_MS;
  return {
    isContested: () => isNoted || isSeen(),
    isSeen,
    note: (isSo) => void (isNoted = isSo),
    heard(told, since) {
      if (told.status !== 'redeemed' || told.redeemedAt === undefined) return;
      // Only for a redemption by our token it has a receipt for us; a buyer may have used what was handed out to them.
      const isByUs = told.receipt !== undefined || told.receiptAwaited === true;
      const now = clock.now();
      if (!isByUs || now - ((told.toldAt ?? now) - told.redeemedAt) <= since) return;
      if (!isSeen()) log.error({}, SEEN);
      seenAt = clock.elapsed();
    },
  };
}

/** The first thing of everything that hands out codes. Throws CoreError CONTESTED; nothing was begun. */
export function refuseContested(contest: Pick<Contest, 'isContested'>): void {
  if (!contest.isContested()) return;
  throw new CoreError(
    'CONTESTED',
    'Another machine seems to serve the same codes: none are handed out until that is over. Ask whoever runs the service.',
  );
}
