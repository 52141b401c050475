// That hosts know of a disk that takes nothing: an empty file beside the database, since a name needs no room there.
// Without it each restart meanwhile would tell them again.
import { closeSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';

const fileOf = (databasePath: string): string => `${databasePath}.unwritable`;

/** Since when it is, ms UTC; undefined where it is not, or where nobody knows. */
export const readUnwritableMark = (databasePath: string): number | undefined =>
  statSync(fileOf(databasePath), { throwIfNoEntry: false })?.mtime.getTime();

/** `since`: in ms UTC; undefined takes it away. Never throws: a disk may refuse this as well. */
export function markUnwritable(databasePath: string, since: number | undefined): void {
  try {
    if (since === undefined) return rmSync(fileOf(databasePath), { force: true });
    closeSync(openSync(fileOf(databasePath), 'a', 0o600));
    utimesSync(fileOf(databasePath), since / 1000, since / 1000);
  } catch {
    // Said above.
  }
}
