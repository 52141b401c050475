// Which backups of a folder stay, by their names alone, whatever the calendar was.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { findSurplus, listBackups, nameBackup, newestBackup, type BackupFile } from './backup-files.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 0, 1, 3);

const fileAt = (at: number, isBeforeUpgrade = false): BackupFile => ({
  name: nameBackup(at, { isBeforeUpgrade }),
  at,
  isBeforeUpgrade,
});

test('what a calendar of the future made takes no place from the others, and stays itself', () => {
  const now = START + 20 * DAY_MS;
  const known = Array.from({ length: 14 }, (_, day) => fileAt(START + day * DAY_MS));
  const future = Array.from({ length: 20 }, (_, day) => fileAt(now + (day + 1) * 365 * DAY_MS));
  expect(findSurplus([...known, ...future], 14, now)).toEqual([]);
  expect(findSurplus([...known, ...future], 13, now)).toEqual([known[0]]);
});

test('of those made before an upgrade the last two stay beside all others', () => {
  const upgrades = [1, 2, 3].map((day) => fileAt(START + day * DAY_MS, true));
  const usual = [1, 2, 3].map((day) => fileAt(START + day * DAY_MS + HOUR_MS));
  expect(findSurplus([...usual, ...upgrades], 3, START + 4 * DAY_MS)).toEqual([upgrades[0]]);
});

test('a name says when it was made, and names of any other kind are nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  for (const name of [
    nameBackup(START),
    nameBackup(START + HOUR_MS, { isBeforeUpgrade: true }),
    'redemption.db',
    'redemption-2026-01-01T03-00-00Z.db.gz',
    `${nameBackup(START)}.partial-x`,
    'before-upgrade.db',
  ])
    writeFileSync(join(folder, name), '');
  expect(listBackups(folder)).toEqual([fileAt(START), fileAt(START + HOUR_MS, true)]);
  expect(newestBackup(folder, START + DAY_MS)).toBe(START + HOUR_MS);
  expect(newestBackup(folder, START)).toBe(START);
  rmSync(folder, { recursive: true });
});
