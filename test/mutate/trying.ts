// Bugs are tried one at a time, each in a copy of the sources: does some test notice it, and which?
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { copyTree, type PlantedTree, type Planting } from './planted-tree.ts';
import { describeResult, runTests } from './vitest-run.ts';

interface Suspect extends Planting {
  name: string;
  /** What is asked first. */
  nearest: string[];
}

export interface Tried extends Planting {
  name: string;
  /** The test that noticed it; null where none did. */
  caughtBy: { file: string; test: string } | null;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WITHIN_MS = 900_000;
/** What `npm test` runs. */
const PROJECTS = ['shared', 'isolated'];

/**
 * As many side by side as there are cores, each in a tree of its own.
 *
 * @param wider What is asked where the nearest say nothing: one after the other.
 */
export async function tryAll(
  suspects: readonly Suspect[],
  wider: readonly string[][],
  done: (tried: Tried) => void,
): Promise<void> {
  await assertSound(wider);
  const queue = [...suspects];
  const work = async () => {
    const tree = copyTree();
    try {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const tried = await tryOne(tree, next, wider);
        const { name, caughtBy } = tried;
        console.log(caughtBy ? `caught  ${name}: ${caughtBy.file}` : `LIVED   ${name}`);
        done(tried);
      }
    } finally {
      tree.remove();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** Throws where sources without a bug are caught, too: such tests say nothing. */
async function assertSound(wider: readonly string[][]): Promise<void> {
  if (wider.length === 0) return;
  const tree = copyTree();
  const result = await runTests(tree.folder, wider.flat(), { withinMs: 2 * WITHIN_MS, projects: PROJECTS });
  tree.remove();
  if (result.status !== 'passed') throw new Error(`Without a bug: ${describeResult(result)}`);
}

async function tryOne(tree: PlantedTree, suspect: Suspect, wider: readonly string[][]): Promise<Tried> {
  const { name, file, edits, nearest } = suspect;
  const steps = [
    { tests: nearest, options: { withinMs: WITHIN_MS, workers: 1 } },
    ...wider.map((tests) => ({ tests, options: { withinMs: WITHIN_MS, workers: 1, projects: PROJECTS } })),
  ];
  const caughtBy = await tree.with(suspect, async () => {
    for (const { tests, options } of steps.filter((step) => step.tests.length > 0)) {
      const result = await runTests(tree.folder, tests, options);
      if (result.status === 'failed') return { file: result.file, test: result.test };
      // A module that cannot be loaded, or a process that never ends, is noticed by whoever runs the tests.
      if (result.status === 'broken') return { file: tests[0] ?? '', test: result.reason };
    }
    return null;
  });
  if (caughtBy && 'missing' in caughtBy) throw new Error(caughtBy.missing);
  return { name, file, edits, caughtBy };
}

/** The test beside a file, and those of its folder that name it; else all of its folder. */
export function findNearest(file: string): string[] {
  const folder = dirname(file);
  const tests = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.test.ts'));
  const own = tests.filter(
    (name) =>
      name === basename(file).replace('.ts', '.test.ts') ||
      readFileSync(join(ROOT, folder, name), 'utf8').includes(basename(file)),
  );
  return (own.length > 0 ? own : tests).map((name) => join(folder, name));
}
