// The world against planted bugs: after how many days does it find each? What it does not find tells what is missing in it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { copyTree } from '../../harness/planted-tree.ts';
import { PLANTED_BUGS } from '../../torture/planted-list.ts';
import { PLANTED_DEFECTS, type PlantedDefect } from './defects.ts';

export interface PlantedResult {
  name: string;
  /** Days of the world until it was found; undefined where it was not. */
  days: number | undefined;
  /** The promise that it broke, or why it says nothing. */
  by: string;
}

interface Planted {
  seeds: readonly number[];
  /** Of each seed. */
  days: number;
  people: number;
  /** Only those whose name has this in it. */
  named: string;
  tell: (result: PlantedResult) => void;
}

const ALL: readonly PlantedDefect[] = [...PLANTED_DEFECTS, ...PLANTED_BUGS];
const WITHIN_MS = 900_000;

export async function plantBugs({ seeds, days, people, named, tell }: Planted): Promise<PlantedResult[]> {
  const tree = copyTree();
  const results: PlantedResult[] = [];
  try {
    for (const bug of ALL) {
      if (!bug.name.includes(named)) continue;
      const lived = await tree.with(bug, async () => {
        for (const [index, seed] of seeds.entries()) {
          const found = await live(tree.folder, seed, days, people);
          if (found) return { days: index * days + found.day, by: found.promise };
        }
        return { days: undefined, by: '' };
      });
      const result = 'missing' in lived ? { days: undefined, by: lived.missing } : lived;
      results.push({ name: bug.name, ...result });
      tell({ name: bug.name, ...result });
    }
    return results;
  } finally {
    tree.remove();
  }
}

/** A world that cannot even begin has been found, too: on its day 0. */
function live(
  folder: string,
  seed: number,
  days: number,
  people: number,
): Promise<{ day: number; promise: string } | undefined> {
  const main = join(folder, 'test/simulation/main.ts');
  const args = [
    main,
    '--seed',
    String(seed),
    '--days',
    String(days),
    '--people',
    String(people),
    '--no-shrink',
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: WITHIN_MS, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (!error) return resolve(undefined);
      const found = /FOUND seed \d+, day (\d+): (\w+)/.exec(stdout);
      const why = error.killed
        ? 'it did not come to an end'
        : (stderr
            .trim()
            .split('\n')
            .find((line) => line.includes('Error')) ?? 'it ended');
      resolve(found ? { day: Number(found[1]), promise: String(found[2]) } : { day: 0, promise: why });
    });
  });
}
