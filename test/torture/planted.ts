// Scorecard row 2, the tests can find bugs: each planted bug goes into a copy of the tree, one at a time, and its tests
// must fail there. A change that does not run at all is no bug that was found, and is told as a violation, too.
import { copyTree, type PlantedTree } from '../mutate/planted-tree.ts';
import type { Findings, TortureOptions } from './findings.ts';
import { PLANTED_BUGS, type PlantedBug } from './planted-list.ts';
import { describeResult, runTests } from '../mutate/vitest-run.ts';

const LIMITS = { withinMs: 180_000 };

/** Plants the first `count` of the list; every one that no test notices is a violation. */
export async function plantBugs({ count, tell }: TortureOptions): Promise<Findings> {
  const bugs = PLANTED_BUGS.slice(0, count);
  const tree = copyTree();
  const violations: string[] = [];
  try {
    const healthy = await runTests(tree.folder, [...new Set(bugs.flatMap(({ tests }) => tests))], LIMITS);
    if (healthy.status !== 'passed') {
      return { tried: { bugs: 0 }, violations: [`without any bug: ${describeResult(healthy)}`] };
    }
    for (const [index, bug] of bugs.entries()) {
      const verdict = await plant(tree, bug);
      tell?.(
        `${String(index + 1).padStart(2)}  ${verdict.caught ? 'caught' : 'MISSED'}  ${bug.name}: ${verdict.by}`,
      );
      if (!verdict.caught) violations.push(`not caught: ${bug.name} (${verdict.by})`);
    }
  } finally {
    tree.remove();
  }
  return { tried: { bugs: bugs.length, caught: bugs.length - violations.length }, violations };
}

interface Verdict {
  caught: boolean;
  /** The test that noticed it, or why it does not count. */
  by: string;
}

async function plant(tree: PlantedTree, bug: PlantedBug): Promise<Verdict> {
  const result = await tree.with(bug, () => runTests(tree.folder, bug.tests, LIMITS));
  return 'missing' in result
    ? { caught: false, by: result.missing }
    : { caught: result.status === 'failed', by: describeResult(result) };
}
