// Rows 6, 7, 22 and 25: worlds, seed after seed (test/world). A process a world: simulated time takes the timers of its
// whole process.
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { count as add, nothingFound, type Findings, type TortureOptions } from './findings.ts';

const MAIN = fileURLToPath(new URL('../world/run/main.ts', import.meta.url));
const MOST_DAYS = 50;
const PEOPLE = 50;
const MOST_FINDINGS = 5;

interface Worlds {
  /** Of which there are to be so many, as a world counts them at its end. */
  counted: 'days' | 'updates' | 'payments';
  /** Of each world. */
  days?: number;
  /** That each has, beside what its seed draws. */
  faults?: readonly string[];
}

/** Until `count` were counted in all, as many worlds side by side as there are cores. */
export const liveInWorlds =
  ({ counted, days: most = MOST_DAYS, faults = [] }: Worlds) =>
  async ({ count, seed, tell }: TortureOptions): Promise<Findings> => {
    const all = nothingFound();
    const { tried, violations } = all;
    let [worlds, begunDays] = [0, 0];
    const isEnough = () =>
      violations.length >= MOST_FINDINGS || (counted === 'days' ? begunDays : (tried[counted] ?? 0)) >= count;
    const liveOn = async () => {
      while (!isEnough()) {
        const of = seed + worlds;
        const days = counted === 'days' ? Math.min(most, count - begunDays) : most;
        worlds += 1;
        begunDays += days;
        const lived = await live(of, days, faults);
        add(all, 'worlds');
        if (typeof lived === 'string') violations.push(lived);
        else for (const [what, times] of Object.entries(lived)) add(all, what, times);
        tell?.(`seed ${of}: ${JSON.stringify(tried)}`);
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, liveOn));
    return all;
  };

/** What there was in it, or what broke a promise there, with the steps before it, smaller. */
function live(
  seed: number,
  days: number,
  faults: readonly string[],
): Promise<Record<string, number> | string> {
  const of = ['--seed', String(seed), '--days', String(days), '--people', String(PEOPLE)];
  const args = [MAIN, ...of, ...faults.flatMap((name) => ['--with', name])];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      const [, counted] = /nothing found in (\{.*\})$/m.exec(stdout) ?? [];
      const isSound = error === null && counted !== undefined;
      resolve(
        isSound ? (JSON.parse(counted) as Record<string, number>) : `seed ${seed}:\n${stdout}${stderr}`,
      );
    });
  });
}
