// A world in a process of its own: what it leaves in memory goes with it, and a bug that is planted is loaded anew.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { readFinding } from './finding.ts';
import type { Finding, WorldOptions } from './world.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const WITHIN_MS = 900_000;

/**
 * Lives until the first finding; undefined where there is none. A world that cannot even begin, or never ends, has been
 * found, too: on its day 0, its promise being why. `main`: the program of another copy of the sources.
 */
export async function liveApart(
  { seed, days, people, with: also = new Set(), without = new Set() }: WorldOptions,
  main = MAIN,
): Promise<Finding | undefined> {
  const left = [...without].flatMap((name) => ['--without', name]);
  const added = [...also].flatMap((name) => ['--with', name]);
  const of = ['--seed', String(seed), '--days', String(days), '--people', String(people)];
  const red = await runApart([main, ...of, ...added, ...left, '--no-shrink']);
  return red && (readFinding(red.stdout) ?? { seed, day: 0, promise: red.why, what: '', steps: [] });
}

const PRINTED_BY_CORE = /^FOUND seed \d+, \w+:\n {2}(.*)/m;

/** The same by the core alone: after how many steps. */
export async function liveByTheCoreApart(
  args: readonly string[],
  main: string,
): Promise<{ day: number; promise: string } | undefined> {
  const red = await runApart([main, '--gear', 'core', ...args]);
  if (!red) return undefined;
  const [, steps = 0] = /"steps":(\d+)/.exec(red.stdout) ?? [];
  return { day: Number(steps), promise: PRINTED_BY_CORE.exec(red.stdout)?.[1] ?? red.why };
}

/** What it printed, and why it ended where that says nothing; undefined where nothing was found. */
function runApart(args: string[]): Promise<{ stdout: string; why: string } | undefined> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: WITHIN_MS, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (!error) return resolve(undefined);
      const lines = stderr.trim().split('\n');
      const why = error.killed
        ? 'it did not come to an end'
        : (lines.find((line) => line.includes('Error')) ?? 'it ended');
      resolve({ stdout, why });
    });
  });
}
