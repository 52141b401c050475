// What the service believes of the file of the last check: what a full disk or a kill left of it says nothing.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { hasFoundDamage, saveLastCheck } from './last-check.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'last-check-'));
  path = join(folder, 'redemption.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['0', false],
  ['1', true],
  ['12', true],
  ['damaged', true],
  ['', undefined],
  ['dama', undefined],
  ['\0\0', undefined],
])('%j is %j', (text, found) => {
  writeFileSync(`${path}.check`, text);
  expect(hasFoundDamage(path)).toBe(found);
});

test('one that cannot be written leaves the last one, and nothing beside it', () => {
  saveLastCheck(path, { damagedRows: 0 });
  expect([hasFoundDamage(path), readdirSync(folder)]).toEqual([false, ['redemption.db.check']]);
  saveLastCheck(path, { damagedRows: undefined });
  expect(hasFoundDamage(path)).toBe(true);
  rmSync(`${path}.check`);
  mkdirSync(`${path}.check`);
  saveLastCheck(path, { damagedRows: 3 });
  expect([hasFoundDamage(path), readdirSync(folder)]).toEqual([undefined, ['redemption.db.check']]);
});
