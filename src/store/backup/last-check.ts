// What the last `check` found, in a file beside the database: the service tells the host. Not in the database: one
// whose pages are damaged may take nothing.
import { readFileSync, rmSync } from 'node:fs';

import { writeWhole } from '../engine/whole-file.ts';

/** `damagedRows`: rows that contradict others or do not open; undefined where the file itself is damaged. */
export interface LastCheck {
  damagedRows: number | undefined;
}

const fileOf = (databasePath: string): string => `${databasePath}.check`;

/** Where it cannot be written, whoever ran the check still reads its answer. */
export function saveLastCheck(databasePath: string, { damagedRows }: LastCheck): void {
  try {
    writeWhole(fileOf(databasePath), damagedRows === undefined ? 'damaged' : String(damagedRows));
  } catch {
    // Said above.
  }
}

/** Whether it found damage; undefined where none was made, or nobody can tell: what is cut short says nothing. */
export function hasFoundDamage(databasePath: string): boolean | undefined {
  try {
    const found = /^(?:damaged|\d+)$/.exec(readFileSync(fileOf(databasePath), 'utf8'))?.[0];
    return found === undefined ? undefined : found !== '0';
  } catch {
    return undefined;
  }
}

/** Another database lies there now. */
export const deleteLastCheck = (databasePath: string): void => rmSync(fileOf(databasePath), { force: true });
