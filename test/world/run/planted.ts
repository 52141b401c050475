// The world against planted bugs: after how many days does it find each? What it does not find tells what is missing in
// it.
import { join } from 'node:path';

import { copyTree } from '../../mutate/planted-tree.ts';
import { PLANTED_BUGS } from '../../torture/planted-list.ts';
import { liveApart, liveByTheCoreApart } from './apart.ts';

export interface PlantedResult {
  name: string;
  /** Days of the world, or steps by the core, until it was found; undefined where it was not. */
  days: number | undefined;
  /** The promise that it broke, or why it says nothing. */
  by: string;
}

interface Planted {
  seeds: readonly number[];
  /** Of each seed. */
  days: number;
  people: number;
  /** By the core alone: so many steps of each seed, and who lives there. */
  core?: { steps: number; only: string | undefined } | undefined;
  /** Only those whose name has this in it. */
  named: string;
  tell: (result: PlantedResult) => void;
}

export async function plantBugs({
  seeds,
  days,
  people,
  core,
  named,
  tell,
}: Planted): Promise<PlantedResult[]> {
  const tree = copyTree();
  const main = join(tree.folder, 'test/world/run/main.ts');
  const results: PlantedResult[] = [];
  try {
    for (const bug of PLANTED_BUGS) {
      if (!bug.name.includes(named)) continue;
      const lived = await tree.with(bug, async () => {
        for (const [index, seed] of seeds.entries()) {
          const found = core
            ? await liveByTheCoreApart(argsOf(seed, core), main)
            : await liveApart({ seed, days, people }, main);
          if (found) return { days: index * (core?.steps ?? days) + found.day, by: found.promise };
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

const argsOf = (seed: number, { steps, only }: NonNullable<Planted['core']>): string[] => [
  ...['--seed', String(seed), '--steps', String(steps)],
  ...(only === undefined ? [] : ['--only', only]),
];
