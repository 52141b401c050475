// The program itself is started ten times at most in `npm test`: each costs as much as a hundred tests in this process.
// Counted in a file, since tests run in several processes; more fail the run.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

const AT_MOST = 10;

/** What is too long for `npm test` may start as many as it likes. */
const COUNTED = ['shared', 'isolated'];

/** Before the first worker starts, which inherits the place. */
export default function holdStarts({ vitest }: TestProject): (() => void) | undefined {
  const isCounted = vitest.projects.every(({ name }) => COUNTED.includes(name));
  if (process.env.STARTS_FILE !== undefined || !isCounted) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'starts-'));
  const file = join(folder, 'starts');
  process.env.STARTS_FILE = file;
  return () => {
    delete process.env.STARTS_FILE;
    const starts = existsSync(file) ? readFileSync(file).length : 0;
    rmSync(folder, { recursive: true });
    if (starts > AT_MOST)
      throw new Error(`The program was started ${starts} times, and ${AT_MOST} is the most.`);
  };
}

/** Whoever starts `src/main.ts` or `src/cli.ts` says so. */
export function countStart(): void {
  if (process.env.STARTS_FILE !== undefined) appendFileSync(process.env.STARTS_FILE, '.');
}
