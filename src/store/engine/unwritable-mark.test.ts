// The mark beside a database on a disk that takes nothing.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { markUnwritable, readUnwritableMark } from './unwritable-mark.ts';

test('needs no room, tells since when, and goes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mark-'));
  const database = join(folder, 'r.db');
  expect(readUnwritableMark(database)).toBeUndefined();
  markUnwritable(database, 1_768_305_600_000);
  expect(readUnwritableMark(database)).toBe(1_768_305_600_000);
  expect(statSync(`${database}.unwritable`)).toMatchObject({ size: 0 });
  markUnwritable(database, undefined);
  markUnwritable(database, undefined);
  expect(readUnwritableMark(database)).toBeUndefined();
  rmSync(folder, { recursive: true });
  expect(() => markUnwritable(database, 1)).not.toThrow();
});
