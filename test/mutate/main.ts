// `npm run mutate -- FOLDERS [--count N] [--seed S]`: N mutants by rule of the sources below the folders, one at a time;
// the tests nearest to each are asked, then those of the folders, then all of `npm test`. Prints which live, and their
// share. Before a change and after it with one seed: a share that grew is a guarantee that went.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { drawMutants } from './mutants.ts';
import { findNearest, tryAll, type Tried } from './trying.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EVERYTHING = ['src', 'test'];

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      count: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
      // As fast as it gets: what the folders' own tests say.
      near: { type: 'boolean', default: false },
    },
  });
  const [count, seed] = [Number(values.count), Number(values.seed)];
  if (positionals.length === 0 || !Number.isSafeInteger(count) || !Number.isSafeInteger(seed)) {
    console.error('Usage: npm run mutate -- FOLDERS [--count N] [--seed S] [--near]');
    return 2;
  }
  const files = execFileSync('git', ['ls-files', ...positionals], { cwd: ROOT, encoding: 'utf8' }).split(
    '\n',
  );
  const sources = files.filter((file) => file.endsWith('.ts') && !file.includes('.test.'));
  if (sources.length === 0) throw new Error(`No sources lie below ${positionals.join(', ')}.`);
  const mutants = drawMutants(ROOT, sources, count, seed);
  const tried: Tried[] = [];
  await tryAll(
    mutants.map((mutant) => ({ ...mutant, nearest: findNearest(mutant.file) })),
    [
      ...(files.some((file) => file.endsWith('.test.ts')) ? [positionals] : []),
      ...(values.near ? [] : [EVERYTHING]),
    ],
    (mutant) => tried.push(mutant),
  );
  const lived = tried.filter(({ caughtBy }) => !caughtBy);
  for (const { name, edits } of lived) {
    console.log(`\nLIVED ${name}`);
    for (const [find, replace] of edits) console.log(`-${find}\n+${replace}`);
  }
  console.log(
    `\n${lived.length} of ${tried.length} live (${Math.round((100 * lived.length) / Math.max(1, tried.length))} %), seed ${seed}`,
  );
  return 0;
}
