// The small sizes of rows 10 and 18; `npm run torture -- <row>` runs the full ones.
import { describe, expect, test } from 'vitest';

import { failEveryStep, fillTheDisk } from './io-faults.ts';
import { shutDownUnderLoad, stopTwice } from './rows/shutdown.ts';

const SEED = 20_253;
const LONG = { timeout: 120_000 };

describe('a disk that fails', () => {
  test('at any step of the store loses nothing acknowledged and begins nothing unwritten', LONG, async () => {
    const { tried, violations } = await failEveryStep({ seed: SEED, stride: 17 });
    expect(violations).toEqual([]);
    expect(tried.faults).toBeGreaterThan(15);
  });

  test('by being full is survived, and what was in the air is settled when space returns', LONG, async () => {
    const { tried, violations } = await fillTheDisk({ rounds: 2, seed: SEED });
    expect(violations).toEqual([]);
    expect(tried.refused).toBeGreaterThan(0);
  });
});

// Each waits for a process of its own.
describe.concurrent('a service that is told to stop', () => {
  test(
    'under load is gone within 10 s, answers what runs and settles later what it could not',
    LONG,
    async () => {
      const { tried, violations } = await shutDownUnderLoad({ count: 1, seed: SEED });
      expect(violations).toEqual([]);
      expect(tried.redemptions).toBeGreaterThan(100);
    },
  );

  test('twice ends at once, and loses nothing either', LONG, async () => {
    const { violations } = await stopTwice({ seed: SEED });
    expect(violations).toEqual([]);
  });
});
