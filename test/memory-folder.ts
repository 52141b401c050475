// Folders of tests lie in memory where the machine has room for them: a test waits for the disk at every commit, and
// none of them pulls the plug (what a disk loses is for the simulation, which keeps what each commit promised by
// itself).
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ROOM = 4 * 2 ** 30;

/** Before the first worker starts, which inherits it; undone after the last. */
export default function layFoldersInMemory(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return undefined;
  const folder = mkdtempSync(join(MEMORY, 'redemption-tests-'));
  process.env.TMPDIR = folder;
  return () => {
    delete process.env.TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}
