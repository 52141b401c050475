// `npm run torture` without a row: the tests that are too long for `npm test`, then a share of each row after the other,
// with one seed more each time round, until the time is over. What passed on this commit is not run again: the next call
// goes on there. Ends at the first that is red, which the next call begins with.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RECORD = join(ROOT, 'node_modules/.cache/torture.json');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const MAIN = join(import.meta.dirname, 'main.ts');

interface Record {
  commit: string;
  /** How many steps passed, of the one order that all nights have. */
  passed: number;
}

export interface Share {
  name: string;
  count: number;
}

/** @returns The exit code: 1 where a step was red. No step begins after `minutes`. */
export async function spendANight(shares: readonly Share[], minutes: number): Promise<number> {
  const until = process.hrtime.bigint() + BigInt(Math.round(minutes * 60)) * 1_000_000_000n;
  const commit = readCommit();
  let { passed } = readRecord(commit);
  if (passed > 0) console.log(`${passed} steps passed on ${commit} before`);
  for (; process.hrtime.bigint() < until; passed += 1) {
    const args = stepOf(shares, passed);
    console.log(`\nstep ${passed + 1}: ${args.slice(1).join(' ')}`);
    if ((await run(args)) !== 0) {
      console.log(`\nstep ${passed + 1} is red: ${passed} passed on ${commit}`);
      return 1;
    }
    writeRecord({ commit, passed: passed + 1 });
  }
  console.log(`\n${passed} steps passed on ${commit}, none is red`);
  return 0;
}

/** The same for all: the first is the long tests, then round after round of the rows. */
function stepOf(shares: readonly Share[], index: number): string[] {
  if (index === 0) return [VITEST, 'run', '--project', 'long'];
  const round = Math.floor((index - 1) / shares.length);
  const share = shares[(index - 1) % shares.length];
  if (!share) throw new Error('There are no rows.');
  return [MAIN, share.name, String(share.count), String(round + 1)];
}

/** A process of its own: rows that simulate time take its clock. */
async function run(args: string[]): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Sources that were changed since are another commit, which no record is of. */
function readCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : 'changed sources';
}

function readRecord(commit: string): Record {
  try {
    const record = JSON.parse(readFileSync(RECORD, 'utf8')) as Record;
    if (record.commit === commit && commit !== 'changed sources') return record;
  } catch {
    // The first night.
  }
  return { commit, passed: 0 };
}

function writeRecord(record: Record): void {
  mkdirSync(dirname(RECORD), { recursive: true });
  writeFileSync(RECORD, JSON.stringify(record));
}
