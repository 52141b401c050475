// Planted bugs are exact changes of the sources: one whose text went away would be planted no more, and nobody would
// see it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import { PLANTED_BUGS } from './torture/planted-list.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test.each(PLANTED_BUGS)('can be planted: $name', ({ file, edits }) => {
  const source = readFileSync(join(ROOT, file), 'utf8');
  for (const [find, replace] of edits) {
    expect(source).toContain(find);
    expect(replace).not.toBe(find);
  }
});
