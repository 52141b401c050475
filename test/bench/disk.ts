// Row 13: what a code and a redemption take on disk, with their share of every index: by the pages of each tree of a
// file that the core wrote, as VACUUM leaves it. As it lies, with the room that random inserts leave, is told beside
// it.
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';

import { openBenchCore } from './bench-core.ts';
import { count as told, scaled, value, type BenchGroup, type Figure } from './figures.ts';
import { makeFolder } from './folders.ts';

interface Pages {
  /** Bytes of the trees of `codes`, and of all others. */
  codes: number;
  others: number;
}

interface Sizes {
  code: number;
  redemption: number;
}

export const disk: BenchGroup = {
  rows: [13],

  async measure(_row, options) {
    const count = scaled(options, { tiny: 500, quick: 20_000, normal: 100_000 });
    options.tell(`13: ${told(count)} codes and their redemptions`);
    // Once is enough: who else is busy makes no difference here.
    const found = await measure(count);
    const describe = (figure: string, name: keyof Sizes, atMost: number): Figure =>
      value(13, `bytes on disk: ${figure}`, {
        values: [found.vacuumed[name]],
        atMost,
        unit: 'B',
        load: { others: 0, stolen: 0, ticks: 0 },
        note: `${figure} as it lies, before VACUUM: ${Math.round(found.asItLies[name])} B`,
      });
    return [
      describe('a code', 'code', 180),
      describe('a redemption with its usage and its attempt', 'redemption', 490),
    ];
  },
};

async function measure(count: number): Promise<{ asItLies: Sizes; vacuumed: Sizes }> {
  const { folder, remove } = makeFolder();
  const bench = await openBenchCore({ path: `${folder}/redemption.db` });
  const empty = readSizes(bench.path, folder);
  await bench.fill(count);
  const filled = readSizes(bench.path, folder);
  await bench.redeem(count - (count % bench.accounts.length));
  const redeemed = readSizes(bench.path, folder);
  await bench.close();
  remove();
  const sizes = (of: 'asItLies' | 'vacuumed'): Sizes => ({
    code: (filled[of].codes - empty[of].codes) / count,
    // The trees of codes shrink with each redemption: that is not taken off.
    redemption: (redeemed[of].others - filled[of].others) / count,
  });
  return { asItLies: sizes('asItLies'), vacuumed: sizes('vacuumed') };
}

function readSizes(path: string, folder: string): { asItLies: Pages; vacuumed: Pages } {
  const packed = `${folder}/packed.db`;
  const connection = new Database(path);
  const asItLies = readPages(connection);
  connection.prepare('vacuum into ?').run(packed);
  connection.close();
  const copy = new Database(packed);
  const vacuumed = readPages(copy);
  copy.close();
  rmSync(packed);
  return { asItLies, vacuumed };
}

function readPages(connection: Database.Database): Pages {
  const rows = connection
    .prepare(
      `select s.tbl_name = 'codes' as ofCodes, sum(d.pgsize) as bytes
       from dbstat d left join sqlite_schema s on s.name = d.name group by 1`,
    )
    .all() as { ofCodes: number | null; bytes: number }[];
  const sum = (wanted: boolean) =>
    rows.filter(({ ofCodes }) => (ofCodes === 1) === wanted).reduce((total, { bytes }) => total + bytes, 0);
  return { codes: sum(true), others: sum(false) };
}
