// `npm run bench`: measures what the project promises and prints it as a table. Ratios are of one run, side by side, in
// a process that is started with the options of the service; `npm run bench -- 1 4 7` measures these rows only,
// `--quick` less of everything, `--full` on a file of 10,000,000 redemptions.
import { bot } from './bot.ts';
import { bulkAdd } from './bulk-add.ts';
import { consolePages } from './console.ts';
import { disk } from './disk.ts';
import { fastPerson } from './fast-person.ts';
import {
  renderLine,
  renderTable,
  type BenchGroup,
  type BenchOptions,
  type Figure,
  type Scale,
} from './figures.ts';
import { http } from './http.ts';
import { machineLine } from './machine.ts';
import { memory } from './memory.ts';
import { reads } from './reads.ts';
import { redemptions } from './redemptions.ts';
import { longestTurns } from './longest-turns.ts';
import { startup } from './startup.ts';
import { texts } from './texts.ts';
import { wholeRedemptions } from './whole-redemptions.ts';

const GROUPS: readonly BenchGroup[] = [
  redemptions,
  http,
  bulkAdd,
  wholeRedemptions,
  bot,
  memory,
  startup,
  longestTurns,
  reads,
  disk,
  texts,
  fastPerson,
  consolePages,
];
const SCALES: Record<string, Scale> = { '--tiny': 'tiny', '--quick': 'quick', '--full': 'full' };

// A measurement that failed may have left something running.
process.exit(await main(process.argv.slice(2)));

async function main(words: readonly string[]): Promise<number> {
  const known = GROUPS.flatMap((group) => group.rows);
  const rows = words.filter((word) => !Object.hasOwn(SCALES, word)).map(Number);
  if (rows.some((row) => !known.includes(row))) {
    process.stderr.write(`Usage: npm run bench -- [--quick | --full] [row ...]; rows: ${known.join(' ')}\n`);
    return 1;
  }
  const scale = words.map((word) => SCALES[word]).find((found) => found !== undefined) ?? 'normal';
  const options: BenchOptions = { scale, tell: (line) => void process.stderr.write(`${line}\n`) };
  console.log(`${machineLine()}${scale === 'normal' ? '' : `, ${scale} form`}\n`);
  const figures: Figure[] = [];
  for (const group of GROUPS) {
    const asked = group.rows.filter((row) => rows.length === 0 || rows.includes(row));
    for (const row of asked) {
      const measured = await measure(group, row, options);
      // A long run that is ended early has told what it knew.
      for (const figure of measured) options.tell(`  ${renderLine(figure)}`);
      figures.push(...measured);
    }
  }
  console.log(renderTable(figures.toSorted((a, b) => a.row - b.row)));
  return figures.some(({ met }) => met === 'FAILED') ? 1 : 0;
}

/** A row that fails does not take the others with it. */
async function measure(group: BenchGroup, row: number, options: BenchOptions): Promise<Figure[]> {
  try {
    return await group.measure(row, options);
  } catch (error) {
    options.tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return [{ row, figure: why.slice(0, 80), ours: '', goal: '', met: 'FAILED' }];
  }
}
