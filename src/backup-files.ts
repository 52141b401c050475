// The backups of a folder by their names: when each was made, which is the newest, and which stay. Files of other names
// are never touched.
import { readdirSync } from 'node:fs';

import { DAY_MS } from './clock.ts';

const NAME = /^redemption-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z(\.before-upgrade)?\.db$/;
const PARTIAL = /^redemption-[\dTZ-]+(\.before-upgrade)?\.db\.partial-/;

/** Of those made before an upgrade, beside all others: going back needs them. */
const BEFORE_UPGRADES = 2;

export interface BackupFile {
  name: string;
  /** When it was made, in ms UTC by the calendar of then. */
  at: number;
  isBeforeUpgrade: boolean;
}

export function nameBackup(now: number, { isBeforeUpgrade = false } = {}): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
  return `redemption-${time}Z${isBeforeUpgrade ? '.before-upgrade' : ''}.db`;
}

/** Oldest first. None where there is no such folder; throws where it cannot be read. */
export function listBackups(folder: string): BackupFile[] {
  return listNames(folder)
    .flatMap((name) => readName(name) ?? [])
    .sort((one, other) => one.at - other.at);
}

/** What one that was killed leaves. */
export const listPartial = (folder: string): string[] =>
  listNames(folder).filter((name) => PARTIAL.test(name));

/** undefined where there is none. One of the future comes from a calendar that was wrong: it proves nothing. */
export function findNewest(folder: string, now: number): BackupFile | undefined {
  return listBackups(folder).findLast(({ at }) => at <= now);
}

/** When the newest was made. */
export const newestBackup = (folder: string, now: number): number | undefined => findNewest(folder, now)?.at;

/**
 * Those that are more than enough: the newest `keep` stay, and what a calendar of the future made counts for nothing and
 * stays.
 */
export function findSurplus(files: readonly BackupFile[], keep: number, now: number): BackupFile[] {
  const known = files.filter(({ at }) => at <= now).toSorted((one, other) => other.at - one.at);
  const [upgrades, usual] = [true, false].map((is) => known.filter((file) => file.isBeforeUpgrade === is));
  return [...usual!.slice(keep), ...upgrades!.slice(BEFORE_UPGRADES)];
}

/** Whether none was made since Monday (UTC) but before an upgrade. */
export function isFirstOfWeek(folder: string, now: number): boolean {
  const weekOf = (at: number) => Math.floor((at / DAY_MS + 3) / 7);
  const ofThisWeek = listBackups(folder).filter(({ at }) => at <= now && weekOf(at) === weekOf(now));
  return ofThisWeek.every(({ isBeforeUpgrade }) => isBeforeUpgrade);
}

function readName(name: string): BackupFile | undefined {
  const parts = NAME.exec(name);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const at = Date.UTC(year, month - 1, day, hour, minute, second);
  return { name, at, isBeforeUpgrade: parts[7] !== undefined };
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'not known why';
    if (code === 'ENOENT') return [];
    throw new Error(`${folder} (BACKUP_FOLDER) cannot be read as a folder: ${code}.`, { cause: error });
  }
}
