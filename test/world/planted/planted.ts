// The world against planted bugs: after how many days does it find each? What it does not find tells what is missing in
// it.
import { join } from 'node:path';

import { copyTree } from '../../mutate/planted-tree.ts';
import { PLANTED_BUGS } from '../../torture/planted-list.ts';
import { liveApart } from '../run/apart.ts';
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

export async function plantBugs({ seeds, days, people, named, tell }: Planted): Promise<PlantedResult[]> {
  const tree = copyTree();
  const results: PlantedResult[] = [];
  try {
    for (const bug of ALL) {
      if (!bug.name.includes(named)) continue;
      const lived = await tree.with(bug, async () => {
        for (const [index, seed] of seeds.entries()) {
          const without = new Set(bug.isQuiet ? ['faults'] : []);
          const main = join(tree.folder, 'test/world/run/main.ts');
          const found = await liveApart({ seed, days, people, without }, main);
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
