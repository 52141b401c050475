// Moments as pages tell them: how long ago, or how long until.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { DAY_MS, MINUTE_MS } from '../../clock.ts';
import { createWord } from '../words.ts';
import { absoluteTime, duration, relativeTime } from './time.ts';

const reader = {
  ...({ language: 'en', timeZone: 'UTC', t: createWord(TEST_GAMES, 'en') } as const),
  clock: { now: () => 90 * DAY_MS, elapsed: () => 0 },
} as const;

test('what is past is so long ago, and what is to come is in so long', async () => {
  expect(String(await relativeTime(reader, 90 * DAY_MS - 5 * MINUTE_MS))).toContain('>5\u00a0min ago<');
  expect(String(await relativeTime(reader, 90 * DAY_MS + 5 * MINUTE_MS))).toContain('>in 5\u00a0min<');
  expect(String(await absoluteTime(reader, 120 * DAY_MS))).toContain('UTC · in 30\u00a0d"');
});

test.each([
  ['en', 440, '0.4'],
  ['ru', 440, '0,4'],
  ['ru', 0, '0,0'],
  ['ru', 12_400, '12'],
] as const)('in %s %i ms are told as %s s', (language, ms, told) => {
  const t = createWord(TEST_GAMES, language);
  expect(duration({ language, t }, ms)).toMatch(new RegExp(`^${told}[\u00a0 ](s|с)$`, 'u'));
});
