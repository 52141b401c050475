// `npm run bench`: measures what the project promises and prints it as a table. Ratios are of one run, side by side;
// `npm run bench -- 1 3 7` measures these rows only, `--quick` less of everything.
import { machineLine } from './machine.ts';
import { renderTable, type BenchGroup, type BenchOptions, type Figure } from './figures.ts';
import { bot } from './bot.ts';
import { bulkAdd } from './bulk-add.ts';
import { http } from './http.ts';
import { lookups } from './lookups.ts';
import { memory } from './memory.ts';
import { redemptions } from './redemptions.ts';
import { startup } from './startup.ts';

const GROUPS: readonly BenchGroup[] = [redemptions, http, bulkAdd, lookups, bot, memory, startup];

const words = process.argv.slice(2);
const options: BenchOptions = {
  quick: words.includes('--quick'),
  tell: (line) => void process.stderr.write(`${line}\n`),
};
const rows = words.filter((word) => word !== '--quick').map(Number);
const known = GROUPS.flatMap((group) => group.rows);
if (rows.some((row) => !known.includes(row))) {
  process.stderr.write(`Usage: npm run bench -- [--quick] [row ...]; rows: ${known.join(' ')}\n`);
  process.exit(1);
}

console.log(machineLine());
const figures: Figure[] = [];
for (const group of GROUPS) {
  const asked = new Set(group.rows.filter((row) => rows.length === 0 || rows.includes(row)));
  if (asked.size > 0) figures.push(...(await group.measure(asked, options)));
}
console.log(renderTable(figures.toSorted((a, b) => a.row - b.row)));
