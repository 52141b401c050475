import { describe, expect, it } from 'vitest';

import { readFinding, formatFinding } from './finding.ts';

const finding = {
  seed: 7,
  day: 12,
  promise: 'everyRedemptionIsTold',
  what: 'redemption 341 has ended, and nobody was told:\n  two lines',
  steps: ['2026-03-02T06:00:00.477 kill', '2026-03-02T06:00:01.000 operator 1 asks "60"'],
};

describe('a finding', () => {
  it('is read as it was printed, with what is printed around it', () => {
    const printed = formatFinding(finding, {
      people: 50,
      without: new Set(['kill', 'operator 2 of shop 1']),
    });
    expect(readFinding(`day 1: 7f\n${printed}\nshrinking:\n`)).toEqual(finding);
    expect(printed.split('\n').at(-1)).toBe(
      "again: npm run simulate -- --seed 7 --days 12 --people 50 --without 'kill' --without 'operator 2 of shop 1'",
    );
  });

  it('without a step is one, too', () => {
    const bare = { ...finding, steps: [] };
    expect(readFinding(formatFinding(bare, { people: 50 }))).toEqual(bare);
  });

  it('is none where nothing was found', () => {
    expect(readFinding('seed 7: 30 days with 50 people in 9 ms, nothing found')).toBeUndefined();
  });
});
