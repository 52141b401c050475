// Scorecard row 16, time: the property tests of the rolling window and of doubts in full size. The calendar jumps, goes
// back and sleeps, and processes start days behind: never over 300 in any 24 hours, no wait longer than the window.
// Ours and the platform's differ by up to a day, and change: no receipt is lost to a clock.
import { fileURLToPath } from 'node:url';

import { describeResult, runTests } from '../../mutate/vitest-run.ts';
import type { Findings, TortureOptions } from '../findings.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RUN_WITHIN_MS = 6 * 60 * 60 * 1000;

/** `count` random lives of an account for each property; the seed repeats them. */
export async function turnTheClock({ count, seed }: TortureOptions): Promise<Findings> {
  const result = await runTests(
    ROOT,
    ['src/core/quota/usage.test.ts', 'src/core/redemption/clocks.test.ts'],
    {
      withinMs: RUN_WITHIN_MS,
      env: { TORTURE_RUNS: String(count), TORTURE_SEED: String(seed) },
      pattern: '^the window|a clock',
    },
  );
  const violations = result.status === 'passed' ? [] : [describeResult(result)];
  return { tried: { lives: count * 3 }, violations };
}
