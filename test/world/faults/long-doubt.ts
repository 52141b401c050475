// Orders are in doubt for longer than anybody remembers: the platform hides what it did, and then cannot say it.
// Meanwhile people ask for the same once more, and are warned; and whoever asks about such a code is not told that it
// is unspent.
import { GOOD_MANNERS } from '../machine/platform.ts';
import { actSome } from './acting.ts';
import { pass } from './boundaries.ts';
import {
  askAboutCodes,
  askForTheSame,
  listTheCodes,
  readHistory,
  repeatKeys,
  showReceipts,
} from './while-in-doubt.ts';
import type { Fault } from './index.ts';

const ACTING = 6;
const HIDDEN_MS = 55_000;
const LONGER_MS = 12 * 60_000;
/** Longer than a key is kept whose redemption has its end. */
const DAYS_MS = 30 * 60 * 60_000;
const ORDERING = new Set(['operator', 'several', 'client', 'orderer']);

export const longDoubt: Fault = {
  name: 'long doubt',
  weight: 2,
  of: 'night',
  async happen(world, random) {
    const { platform, time } = world;
    const { manners } = platform;
    platform.manners = { ...GOOD_MANNERS, hidesFailure: 0.6, hidesSuccess: 0.3 };
    const acting = actSome(world, random, { count: ACTING, by: ({ kind }) => ORDERING.has(kind) });
    await time.sleep(HIDDEN_MS);
    platform.manners = { ...GOOD_MANNERS, losesCodes: 1 };
    if (random.chance(0.3)) pass(world, DAYS_MS);
    else time.skip(LONGER_MS);
    await time.sleep(2_000);
    await readHistory(world);
    await repeatKeys(world);
    await listTheCodes(world);
    await showReceipts(world, random);
    await askForTheSame(world, random);
    platform.manners = GOOD_MANNERS;
    await askAboutCodes(world, random);
    platform.manners = manners;
    await acting;
  },
};
