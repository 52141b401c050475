// Scorecard row 2, the tests can find bugs: each planted bug goes into a copy of the tree, one at a time, and its tests must
// fail there. A change that does not run at all is no bug that was found, and is told as a violation, too.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Findings, TortureOptions } from './findings.ts';
import type { PlantedBug } from './planted-bug.ts';
import { PLANTED_BUGS } from './planted-list.ts';
import { describeResult, runTests } from './vitest-run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'src',
  'test',
  'drizzle',
  'data/games.json',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];
const LIMITS = { withinMs: 180_000 };

/** Plants the first `count` of the list; every one that no test notices is a violation. */
export async function plantBugs({ count, tell }: TortureOptions): Promise<Findings> {
  const bugs = PLANTED_BUGS.slice(0, count);
  const tree = copyTree();
  const violations: string[] = [];
  try {
    const healthy = await runTests(tree, [...new Set(bugs.flatMap(({ tests }) => tests))], LIMITS);
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
    rmSync(tree, { recursive: true, force: true });
  }
  return { tried: { bugs: bugs.length, caught: bugs.length - violations.length }, violations };
}

function copyTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'planted-'));
  for (const name of COPIED) {
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

interface Verdict {
  caught: boolean;
  /** The test that noticed it, or why it does not count. */
  by: string;
}

async function plant(tree: string, bug: PlantedBug): Promise<Verdict> {
  const file = join(tree, bug.file);
  const sound = readFileSync(file, 'utf8');
  const missing = bug.edits.find(([find]) => !sound.includes(find));
  if (missing) return { caught: false, by: `${bug.file} does not hold: ${missing[0]}` };
  writeFileSync(
    file,
    bug.edits.reduce((text, [find, replace]) => text.replaceAll(find, () => replace), sound),
  );
  try {
    const result = await runTests(tree, bug.tests, LIMITS);
    return { caught: result.status === 'failed', by: describeResult(result) };
  } finally {
    writeFileSync(file, sound);
  }
}
