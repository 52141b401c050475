// The small sizes of rows 3, 4, 5 and 9; `npm run torture -- <row>` runs the full ones. Each ends with the audit of
// both books and the host's own check of conservation.
import { describe, expect, test } from 'vitest';

import { retryThroughFaults } from './rows/http-retries.ts';
import { raceForTheLastCode } from './rows/last-code.ts';
import { recoverMany } from './rows/recovery.ts';
import { hideOutcomes } from './unknown-outcomes.ts';

const SEED = 20_252;
const LONG = { timeout: 120_000 };

describe('over the real program', () => {
  test(
    'a timeout that hides a success or a failure frees no spent code and takes no second one',
    LONG,
    async () => {
      const { tried, violations } = await hideOutcomes({ count: 40, seed: SEED });
      expect(violations).toEqual([]);
      expect(tried.unknown).toBe(40);
      expect(tried.hiddenFailures).toBeGreaterThan(4);
    },
  );

  test('the last code goes to exactly one of fifty, in the chat and over HTTP', LONG, async () => {
    // The bot's pace makes a round with five in the chat last 0.4 s.
    const { tried, violations } = await raceForTheLastCode({ count: 5, seed: SEED });
    expect(violations).toEqual([]);
    expect(tried.rounds).toBe(5);
    expect(tried.wonInChat).toBeGreaterThan(0);
  });

  test('a client that repeats what is retryable never buys twice for it', LONG, async () => {
    const { tried, violations } = await retryThroughFaults({ count: 100, seed: SEED });
    expect(violations).toEqual([]);
    expect(tried.requests).toBeGreaterThan(120);
    expect(tried.told).toBeGreaterThan(100);
    const faults = [
      'requestLost',
      'answerLost',
      'answerCut',
      'answerLate',
      'replacedAfter',
      'replacedBefore',
      'finalAfter',
      'hungUp',
    ];
    for (const fault of faults) {
      expect(tried[fault], fault).toBeGreaterThan(0);
    }
  });

  test(
    'fifty redemptions left open by a kill are settled or held within 30 s of the start',
    LONG,
    async () => {
      const { tried, violations } = await recoverMany({ count: 50, seed: SEED });
      expect(violations).toEqual([]);
      expect(tried.leftOpen).toBe(50);
    },
  );
});
