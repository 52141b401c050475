// The judge: while tests are cut and the source stands still, each bug that some test caught must still be caught.
//
//   node test/judge/main.ts since REVISION   those whose catching test has changed or gone since then
//   node test/judge/main.ts all              all of them
//   node test/judge/main.ts lived            the table's lived, against everything
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { findNearest, tryAll, type Tried } from '../mutate/trying.ts';

interface Table {
  /** The commit whose source the edits are of. */
  commit: string;
  rows: Tried[];
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TABLE = join(import.meta.dirname, 'table.json');
/** What is asked where the nearest say nothing: one after the other. */
const WIDER = [
  ['src/core', 'src/store', 'test/world/core/core.test.ts'],
  ['src', 'test'],
];

async function main(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [verb, revision] = positionals;
  const { rows } = readTable();
  if (verb === 'lived') return judge(rows.filter(({ caughtBy }) => !caughtBy));
  const died = rows.filter(({ caughtBy }) => caughtBy);
  if (verb === 'all') return judge(died);
  if (verb !== 'since' || !revision) throw new Error('Say since REVISION, all or lived.');
  const changed = new Set(git('diff', '--name-only', revision).split('\n'));
  return judge(died.filter(({ caughtBy }) => caughtBy && changed.has(caughtBy.file)));
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
  const lived = judged.filter(({ caughtBy }) => !caughtBy);
  console.log(`${judged.length - lived.length} of ${judged.length} were caught.`);
  for (const { name } of lived) console.log(`LIVED ${name}`);
  return lived.length === 0 ? 0 : 1;
}

const readTable = (): Table => JSON.parse(readFileSync(TABLE, 'utf8')) as Table;

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

process.exitCode = await main();
