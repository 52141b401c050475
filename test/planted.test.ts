// Planted bugs are exact changes of the sources, and the tests that must notice them are files: one whose text went away
// would be planted no more, and nobody would see it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import { PLANTED_BUGS } from './torture/planted-list.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test.each(PLANTED_BUGS)('can be planted: $name', ({ file, edits, tests }) => {
  expect(tests.filter((each) => !existsSync(join(ROOT, each)))).toEqual([]);
  const source = readFileSync(join(ROOT, file), 'utf8');
  for (const [find, replace] of edits) {
    expect(source).toContain(find);
    expect(replace).not.toBe(find);
  }
});
