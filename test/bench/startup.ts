// Row 10: how long the real process takes from its start until /readyz says so.
import { makeFolder } from './bench-core.ts';
import { atMost, median, roundsOf, takeTurns, type BenchGroup } from './figures.ts';
import { makeDatabase } from './large-database.ts';
import { startService } from './service-process.ts';

const LARGE = 5_000_000;

export const startup: BenchGroup = {
  rows: [10],

  async measure(_asked, options) {
    const rows = options.quick ? LARGE / 10 : LARGE;
    const { folder, remove } = makeFolder();
    options.tell(`startup: making ${rows} codes`);
    await makeDatabase(`${folder}/redemption.db`, rows);
    options.tell('startup: starting');
    const { empty, large } = await takeTurns(roundsOf(options), {
      empty: async () => {
        const fresh = makeFolder();
        const readyMs = await measureStart(fresh.folder);
        fresh.remove();
        return readyMs;
      },
      large: () => measureStart(folder),
    });
    remove();
    return [
      atMost(10, 'start to ready, empty folder', { ours: median(empty), goal: 1_000, unit: 'ms' }),
      atMost(10, `start to ready, ${rows.toLocaleString('en')} codes`, {
        ours: median(large),
        goal: 1_500,
        unit: 'ms',
      }),
    ];
  },
};

async function measureStart(folder: string): Promise<number> {
  const service = await startService(folder);
  await service.stop();
  return service.readyMs;
}
