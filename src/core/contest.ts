// Whether another machine serves the same shop: another process fetches the updates of the bot, which alone knows of it.
// Meanwhile no codes are handed out, and a code that is used is asked about.
import { CoreError } from './errors.ts';

export interface Contest {
  isContested(): boolean;
  /** A surface knows of it; until it says that it is over. */
  note(isSo: boolean): void;
}

export function createContest(): Contest {
  let isNoted = false;
  return { isContested: () => isNoted, note: (isSo) => void (isNoted = isSo) };
}

/** The first thing of everything that hands out codes. Throws CoreError CONTESTED; nothing was begun. */
export function refuseContested(contest: Pick<Contest, 'isContested'>): void {
  if (!contest.isContested()) return;
  throw new CoreError(
    'CONTESTED',
    'Another machine seems to serve the same codes: none are handed out until that is over. Ask whoever runs the service.',
  );
}
