// Folders for measurements, all of them gone when the process ends, and files that are settled in them.
import { closeSync, constants, copyFileSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();
process.once('exit', removeAll);

/** A folder for a measurement, and how to be rid of it earlier than at the end of the process. */
export function makeFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'redemption-bench-'));
  made.add(folder);
  return {
    folder,
    remove() {
      made.delete(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}

/** Is on the disk before anything is measured on it: else the kernel writes it out meanwhile, and every fsync waits. */
export function copySettled(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
}
