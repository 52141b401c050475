// Files that are written whole or not at all: a disk that is full, or a kill, leaves what was there before.
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes beside it, and gives that its name once it is on disk. `isNew`: one that is there by then stays. */
export function writeWhole(file: string, text: string, { isNew = false } = {}): void {
  const made = `${file}.partial-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(made, text, { mode: 0o600, flush: true });
    if (isNew) linkNew(made, file);
    else renameSync(made, file);
  } finally {
    rmSync(made, { force: true });
  }
}

function linkNew(made: string, file: string): void {
  try {
    linkSync(made, file);
  } catch {
    // It is there by now; else a file system without links.
    if (!existsSync(file)) renameSync(made, file);
  }
}
