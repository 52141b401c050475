// The pause before something is done again.
import { expect, test } from 'vitest';

import { pause } from './trying.ts';

const LONG_MS = 60 * 60_000;

test('a stop ends a pause, and what stopped before pauses no more', async () => {
  const stopping = new AbortController();
  const under = pause(LONG_MS, stopping.signal);
  stopping.abort();
  await under;
  await expect(pause(LONG_MS, stopping.signal)).resolves.toBeUndefined();
});
