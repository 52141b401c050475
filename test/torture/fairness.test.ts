// Row 23 in small: people beside something that brings the service down are answered, and it alone is put aside.
import { expect, test } from 'vitest';

import { crashInLoop } from './fairness/crash-loop.ts';

test('three people are answered beside a crash loop, which is put aside at the third death', async () => {
  const { answered, deaths, violations } = await crashInLoop(3);
  // How long it took says something of the machine.
  expect(violations.filter((violation) => !violation.startsWith('somebody waited more'))).toEqual([]);
  expect([answered, deaths]).toEqual([3, 3]);
}, 60_000);
