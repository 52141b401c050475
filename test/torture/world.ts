// Row 25: worlds of fifty days each, seed after seed (test/world). A process a world: simulated time takes the
// timers of its whole process.
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { Findings, TortureOptions } from './findings.ts';

const MAIN = fileURLToPath(new URL('../world/run/main.ts', import.meta.url));
const DAYS = 50;
const PEOPLE = 50;

/** `count` days in all, as many worlds side by side as there are cores. */
export async function liveInWorlds({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const worlds = Math.ceil(count / DAYS);
  const violations: string[] = [];
  let [begun, lived] = [0, 0];
  const liveOn = async () => {
    while (begun < worlds) {
      const index = begun;
      begun += 1;
      const days = Math.min(DAYS, count - index * DAYS);
      const found = await live(seed + index, days);
      if (found !== undefined) violations.push(found);
      lived += days;
      tell?.(`${lived} days, seed ${seed + index}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, liveOn));
  return { tried: { days: lived, worlds }, violations };
}

/** What broke a promise there, with the steps before it, smaller; undefined where nothing did. */
function live(seed: number, days: number): Promise<string | undefined> {
  const args = [MAIN, '--seed', String(seed), '--days', String(days), '--people', String(PEOPLE)];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      resolve(error ? `seed ${seed}:\n${stdout}${stderr}` : undefined);
    });
  });
}
