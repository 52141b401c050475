// A copy that is on the disk before anything is measured on it: else the kernel writes it out meanwhile, and every
// fsync waits.
import { closeSync, constants, copyFileSync, fsyncSync, openSync } from 'node:fs';

export function copySettled(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
}
