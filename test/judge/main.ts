// The judge: while tests are cut and the source stands still, each bug that some test caught must still be caught.
//
//   node test/judge/main.ts record [--count N] [--seed S]   the planted bugs and N mutants by rule; writes table.json
//   node test/judge/main.ts since REVISION                  those whose catching test has changed or gone since then
//   node test/judge/main.ts all                             all of them
//   node test/judge/main.ts lived                           the table's lived, against everything
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { drawMutants } from '../mutate/mutants.ts';
import type { Planting } from '../mutate/planted-tree.ts';
import { findNearest, tryAll, type Suspect, type Tried } from '../mutate/trying.ts';
import { PLANTED_BUGS } from '../torture/planted-list.ts';

interface Table {
  /** The commit whose source the edits are of. */
  commit: string;
  rows: Tried[];
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TABLE = join(import.meta.dirname, 'table.json');
const MUTATED = ['src/core', 'src/store'];
/** What is asked where the nearest say nothing: one after the other. */
const WIDER = [
  ['src/core', 'src/store', 'test/world/core/core.test.ts'],
  ['src', 'test'],
];

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { count: { type: 'string' }, seed: { type: 'string' } },
  });
  const [verb, revision] = positionals;
  if (verb === 'record') return record(Number(values.count ?? 150), Number(values.seed ?? 1));
  const { rows } = readTable();
  if (verb === 'lived') return judge(rows.filter(({ caughtBy }) => !caughtBy));
  const died = rows.filter(({ caughtBy }) => caughtBy);
  if (verb === 'all') return judge(died);
  if (verb !== 'since' || !revision) throw new Error('Say record, since REVISION, all or lived.');
  const changed = new Set(git('diff', '--name-only', revision).split('\n'));
  return judge(died.filter(({ caughtBy }) => caughtBy && changed.has(caughtBy.file)));
}

/** Every row is tried; one that was tried before is not, so that a record that was interrupted goes on. */
async function record(count: number, seed: number): Promise<number> {
  const commit = git('rev-parse', '--short', 'HEAD').trim();
  const files = git('ls-files', ...MUTATED).split('\n');
  const sources = files.filter((file) => file.endsWith('.ts') && !file.includes('.test.'));
  const planted = PLANTED_BUGS.map((bug) => ({ ...bug, nearest: bug.tests }));
  const mutants = drawMutants(ROOT, sources, count, seed).map((mutant) => ({
    ...mutant,
    nearest: findNearest(mutant.file),
  }));
  const suspects: Suspect[] = [...planted, ...mutants];
  const before = existsSync(TABLE) ? readTable() : undefined;
  const rows = before?.commit === commit ? before.rows : [];
  const tried = new Set(rows.map(nameOf));
  const left = suspects.filter((suspect) => !tried.has(nameOf(suspect)));
  await tryAll(left, WIDER.slice(0, 1), (row) => {
    rows.push(row);
    const inOrder = suspects.flatMap((suspect) => rows.filter((each) => nameOf(each) === nameOf(suspect)));
    writeFileSync(TABLE, `${JSON.stringify({ commit, rows: inOrder } satisfies Table, null, 1)}\n`);
  });
  return tell(rows);
}

async function judge(rows: readonly Tried[]): Promise<number> {
  const judged: Tried[] = [];
  const suspects = rows.map((row) => {
    const tests = [...new Set([row.caughtBy?.file, ...findNearest(row.file)])];
    return {
      ...row,
      nearest: tests.filter((file) => file !== undefined && existsSync(join(ROOT, file))) as string[],
    };
  });
  await tryAll(suspects, WIDER, (row) => judged.push(row));
  return tell(judged) || judged.some(({ caughtBy }) => !caughtBy) ? 1 : 0;
}

function tell(rows: readonly Tried[]): number {
  const lived = rows.filter(({ caughtBy }) => !caughtBy);
  console.log(`${rows.length - lived.length} of ${rows.length} were caught.`);
  for (const { name } of lived) console.log(`LIVED ${name}`);
  return 0;
}

const nameOf = ({ name, edits }: { name: string } & Planting) => `${name} ${JSON.stringify(edits)}`;

const readTable = (): Table => JSON.parse(readFileSync(TABLE, 'utf8')) as Table;

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

process.exitCode = await main();
