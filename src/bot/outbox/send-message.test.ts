// After how long what Telegram did not take is tried again.
import { GrammyError } from 'grammy';
import { expect, test } from 'vitest';

import { pauseAfter } from './send-message.ts';

const BROKEN = new Error('a fault of ours');
const flood = (retry_after: number) =>
  new GrammyError(
    'x',
    { ok: false, error_code: 429, description: 'x', parameters: { retry_after } },
    'x',
    {},
  );
test.each<[error: unknown, failures: number, ms: number]>([
  [BROKEN, 1, 1_000],
  [BROKEN, 2, 2_000],
  [BROKEN, 6, 32_000],
  [BROKEN, 7, 60_000],
  [BROKEN, 5_000, 60_000],
  [flood(90), 1, 90_000],
  [flood(3), 4, 8_000],
])('after %s for the %ith time a chat is left alone for %i ms', (error, failures, ms) => {
  expect(pauseAfter(error, failures)).toBe(ms);
});
