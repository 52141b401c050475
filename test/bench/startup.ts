// Row 10: how long the real process takes from its start, by the command of `npm start`, until /readyz says so.
import { count as told, roundsOf, value, type BenchGroup } from './figures.ts';
import { makeFolder } from './folders.ts';
import { openHistory } from './history/history.ts';
import { takeTurns } from './rounds.ts';
import { startService } from './service-process.ts';

export const startup: BenchGroup = {
  rows: [10],

  async measure(_row, options) {
    const history = await openHistory(options);
    options.tell('10: starting');
    // Compiled code is kept between starts: the first one is nobody's.
    await startEmpty();
    const { empty, large, load } = await takeTurns(roundsOf(options), {
      empty: startEmpty,
      large: () => measureStart(history.folder),
    });
    const title = `start to ready, ${told(history.redemptions)} redemptions`;
    return [
      value(10, 'start to ready, empty folder', { values: empty, atMost: 0.6, unit: 's', load }),
      value(10, title, { values: large, atMost: 1.2, unit: 's', load }),
    ];
  },
};

async function startEmpty(): Promise<number> {
  const fresh = makeFolder();
  const seconds = await measureStart(fresh.folder);
  fresh.remove();
  return seconds;
}

async function measureStart(folder: string): Promise<number> {
  const service = await startService(folder);
  await service.kill('SIGTERM');
  return service.readyMs / 1000;
}
