// The platform in a bad mood for a while: it hides what it did, is late, refuses, dawdles, or cannot be reached.
import { GOOD_MANNERS, USUAL_MANNERS, type Manners } from '../machine/platform.ts';
import type { Fault } from './index.ts';

const ASKED_MS = 80_000;
const MOODS: readonly Partial<Manners>[] = [
  { hidesSuccess: 0.5, hidesFailure: 0.3 },
  { redeemsLate: 0.5, hidesFailure: 0.3 },
  { garbles: 0.5, dawdles: 0.3 },
  { refuses: 0.6 },
  { isAway: 0.7 },
  { hidesSuccess: 0.6, losesPlayers: 0.6 },
  { hidesSuccess: 0.4, isAway: 0.6 },
  { isAway: 1 },
  { hidesSuccess: 0.6, hidesReceipts: 0.8 },
  { isHidden: 0.5, hidesSuccess: 0.3 },
  { hidesSuccess: 0.15, hidesFailure: 0.15, redeemsLate: 0.15, garbles: 0.15, refuses: 0.15, isAway: 0.15 },
];

export const mood: Fault = {
  name: 'mood',
  weight: 6,
  async happen({ platform, time, diary }, random) {
    platform.manners = { ...GOOD_MANNERS, ...random.pick(MOODS) };
    diary.note(`the platform: ${JSON.stringify(platform.manners)}`);
    await time.sleep(12_000);
    // What it hid is asked about, and nobody can be asked for a while.
    if (random.chance(0.3)) {
      platform.manners = { ...GOOD_MANNERS, isAway: 0.9 };
      await time.sleep(ASKED_MS);
      platform.manners = USUAL_MANNERS;
    }
    if (random.chance(0.5)) platform.manners = USUAL_MANNERS;
  },
};
