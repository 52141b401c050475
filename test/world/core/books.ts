// What the books say by themselves, whatever happened: no code, usage or purchase is lost, made up or counted twice, and
// whatever is sealed opens.
import { checkConservation } from '../../../src/store/backup/conservation.ts';
import { createCodeSeals, createSecrets } from '../../../src/store/engine/secrets.ts';
import { KEY } from '../machine/service.ts';
import {
  aRedemptionIsRedeemedByOneSpentAttempt,
  noAttemptIsCalledUnspentThatSpentItsCode,
  whatWasSentHasAnEnd,
} from '../promises/attempts.ts';
import {
  noCodeOnTheShelfIsSpent,
  nothingIsSentTwice,
  whatIsRedeemedIsSpentByUs,
  whatIsSpentIsInTheBooks,
  whatIsSpentIsRedeemed,
} from '../promises/ledger.ts';
import { createDiary } from '../run/diary.ts';
import { look } from '../run/rest.ts';
import type { CoreWorld } from './world.ts';

export const secrets = createSecrets(KEY);

export const conserved = ({ service }: Pick<CoreWorld, 'service'>): string[] =>
  look(service.disk.databasePath(), (file) => checkConservation(file, { secrets }).rows).map(
    (row) => `check: ${JSON.stringify(row)}`,
  );

const seals = createCodeSeals(secrets);

/** How the books name a code: remembered as long as whoever asks. */
export function createSeals(): (gameId: string, code: string) => string {
  const known = new Map<string, string>();
  return (gameId, code) => {
    const key = `${gameId} ${code}`;
    const hash = known.get(key) ?? seals.hash(gameId, code).toString('hex');
    known.set(key, hash);
    return hash;
  };
}

/** What the books and the platform's ledger say of each other in a world that has lost no past, and in which all has ended. */
export function heldByLedgers({ service, platform, time }: CoreWorld): string[] {
  const books = { disk: service.disk, platform, diary: createDiary(time.clock.now) };
  return [
    whatIsSpentIsInTheBooks,
    whatIsSpentIsRedeemed,
    whatIsRedeemedIsSpentByUs,
    nothingIsSentTwice,
    noCodeOnTheShelfIsSpent,
    noAttemptIsCalledUnspentThatSpentItsCode,
    whatWasSentHasAnEnd,
    aRedemptionIsRedeemedByOneSpentAttempt,
  ].flatMap((promise) => promise(books));
}
