// Which backups of a folder stay, by their names alone: thinned by age, whatever the calendar was.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { findSurplus, listBackups, nameBackup, newestBackup, type BackupFile } from './backup-files.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** A Thursday. */
const START = Date.UTC(2026, 0, 1, 3);

const fileAt = (at: number, isBeforeUpgrade = false): BackupFile => ({
  name: nameBackup(at, { isBeforeUpgrade }),
  at,
  isBeforeUpgrade,
});

/** One every so many hours, thinned after each, as the service does. */
function live(days: number, { everyHours = 24, keep = 14 } = {}): BackupFile[] {
  let files: BackupFile[] = [];
  for (let at = START; at <= START + days * DAY_MS; at += everyHours * HOUR_MS) {
    files.push(fileAt(at));
    const surplus = new Set(findSurplus(files, keep, at));
    files = files.filter((file) => !surplus.has(file));
  }
  return files;
}

const daysOf = (files: readonly BackupFile[]) =>
  files.map(({ at }) => new Date(at).toISOString().slice(0, 10)).toSorted();

test('after a year there are 7 days, 4 weeks and 6 months of it, and what is left of 14 is one day more', () => {
  // The end is Friday, 1 January 2027.
  expect(daysOf(live(365))).toEqual([
    '2026-08-31',
    '2026-09-30',
    '2026-10-31',
    '2026-11-30',
    '2026-12-13',
    '2026-12-20',
    '2026-12-25',
    '2026-12-26',
    '2026-12-27',
    '2026-12-28',
    '2026-12-29',
    '2026-12-30',
    '2026-12-31',
    '2027-01-01',
  ]);
});

test('whatever the day, what is lost with the newest is a day, and no gap is longer than its age asks for', () => {
  for (let days = 200; days < 240; days += 1) {
    const files = live(days);
    const now = START + days * DAY_MS;
    const ages = files.map(({ at }) => (now - at) / DAY_MS);
    expect(ages.filter((age) => age < 7)).toHaveLength(7);
    expect(Math.max(...ages)).toBeGreaterThan(120);
    expect(ages.filter((age) => age < 28).length).toBeGreaterThanOrEqual(9);
    expect(files.length).toBeLessThanOrEqual(14);
  }
});

test('made every quarter of an hour, they are the last of each day, and no more than are asked for', () => {
  const files = live(40, { everyHours: 0.25 });
  expect(files).toHaveLength(14);
  expect(new Set(daysOf(files)).size).toBeGreaterThanOrEqual(9);
});

test('while all have room all stay, and where few are asked for the newest days do', () => {
  expect(live(10)).toHaveLength(11);
  expect(daysOf(live(30, { keep: 2 }))).toEqual(['2026-01-30', '2026-01-31']);
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
