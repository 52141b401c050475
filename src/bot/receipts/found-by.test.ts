// What was looked for, as it was understood.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import type { FoundBy } from '../../core/index.ts';
import { createTexts } from '../texts.ts';
import { describeFoundBy } from './found-by.ts';

const texts = createTexts(TEST_GAMES);
const DAY = { year: 2026, month: 11, day: 21 };
const NEXT = { ...DAY, day: 22 };

test.each<[FoundBy, string]>([
  [{ words: [] }, ''],
  [{ words: ['ann'] }, 'ann'],
  [{ words: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'a b c d e f'],
  [{ words: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'a b c d e f …'],
  [{ days: [DAY, DAY], words: [] }, '21 Nov 2026'],
  [{ days: [DAY, NEXT], words: [] }, '21 Nov 2026 – 22 Nov 2026'],
  [{ state: 'failed', words: [] }, 'failed'],
  [{ state: 'in_doubt', words: [] }, 'in doubt'],
  [{ apiKeyId: 3, words: [] }, 'key 3'],
  [{ days: [DAY, DAY], state: 'failed', apiKeyId: 3, words: ['ann'] }, '21 Nov 2026 · failed · key 3 · ann'],
])('%j', (by, said) => {
  const label = (key: string, values?: object) => texts.label('en', key, values as never);
  expect(describeFoundBy({ language: 'en', label }, by).replace(/[\u2066-\u2069]/g, '')).toBe(said);
});
