// The small size of row 27; `npm run torture -- 27` plays it 20 times.
import { expect, test } from 'vitest';

import { SCENES } from './rows/misplaced.ts';
import { misplaceDatabases } from './rows/places.ts';

test('a database that is not where or what it was is refused, or told, and nothing begins', async () => {
  const { tried, violations } = await misplaceDatabases({ count: 1, hasSecondMachine: false });
  expect(violations).toEqual([]);
  expect(tried).toEqual(Object.fromEntries(Object.keys(SCENES).map((name) => [name, 1])));
}, 300_000);
