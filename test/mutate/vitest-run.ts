// Runs test files of a tree in a process of their own, and reads from the report what became of them.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** `broken`: the tests did not run, so that they say nothing. */
export type Result =
  | { status: 'passed' }
  | { status: 'failed'; test: string; file: string }
  | { status: 'broken'; reason: string };

/** The test that failed, or why nothing is known. */
export function describeResult(result: Result): string {
  switch (result.status) {
    case 'passed':
      return 'every test passed';
    case 'failed':
      return result.test;
    case 'broken':
      return `the tests did not run: ${result.reason}`;
  }
}

export interface RunOptions {
  withinMs: number;
  env?: Record<string, string>;
  /** Only tests whose name matches. */
  pattern?: string;
  /** How many test files run side by side; as vitest is set, where it is not said. */
  workers?: number;
  /** Of vitest's projects these alone. */
  projects?: readonly string[];
}

/** Stops at the first failure. Never throws: what does not run is `broken`. */
export async function runTests(tree: string, files: string[], options: RunOptions): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  const report = join(folder, 'report.json');
  const vitest = join(tree, 'node_modules/vitest/vitest.mjs');
  const filter = options.pattern === undefined ? [] : ['-t', options.pattern];
  const workers = options.workers === undefined ? [] : [`--maxWorkers=${options.workers}`];
  const projects = (options.projects ?? []).map((name) => `--project=${name}`);
  const format = [
    '--bail=1',
    '--retry=0',
    '--testTimeout=30000',
    '--hookTimeout=30000',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const child = spawn(
    process.execPath,
    [vitest, 'run', ...files, ...filter, ...workers, ...projects, ...format],
    {
      cwd: tree,
      stdio: 'ignore',
      env: { ...process.env, ...options.env },
    },
  );
  const late = setTimeout(() => child.kill('SIGKILL'), options.withinMs);
  await once(child, 'exit');
  clearTimeout(late);
  const result: Result = existsSync(report)
    ? readReport(report, tree)
    : { status: 'broken', reason: 'no report was written in time' };
  rmSync(folder, { recursive: true, force: true });
  return result;
}

interface Report {
  numTotalTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

function readReport(report: string, tree: string): Result {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(tree, name) })),
  );
  const failed = tests.find(({ status }) => status === 'failed');
  if (failed) return { status: 'failed', test: failed.fullName, file: failed.file };
  const broken = testResults.find(({ status }) => status === 'failed');
  if (broken) return { status: 'broken', reason: broken.message.split('\n')[0] ?? '' };
  return tests.some(({ status }) => status === 'passed')
    ? { status: 'passed' }
    : { status: 'broken', reason: 'there are no tests' };
}
