// Two machines on one shop: what is not done meanwhile.
import { expect, test } from 'vitest';

import { createContest, refuseContested } from './contest.ts';

test('what a surface knows lasts until it says that it is over', () => {
  const contest = createContest();
  contest.note(true);
  expect(contest.isContested()).toBe(true);
  expect(() => refuseContested(contest)).toThrow(/Another machine/);
  contest.note(false);
  expect(() => refuseContested(contest)).not.toThrow();
});
