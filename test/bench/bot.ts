// Row 8: what an update costs in CPU through the whole bot (inbox, roles, a command that reads the store), beside a
// bare grammY bot that answers as many at once with a fixed text. Telegram is played by another process; CPU is of this
// one alone.
import { run } from '@grammyjs/runner';
import { Bot } from 'grammy';

import { openBenchCore } from './bench-core.ts';
import { compare, roundsOf, scaled, type BenchGroup } from './figures.ts';
import { takeTurns } from './rounds.ts';
import { openStandIn, startBot, TOKEN } from './stand-in.ts';

/**
 * So many that nobody writes as often as Telegram's limit of a chat: past it answers wait, and waiting is not what is
 * measured.
 */
const PEOPLE = Array.from({ length: 2_000 }, (_, index) => 100_001 + index);
/** As many as the inbox handles side by side. */
const AT_ONCE = 100;

interface Contestant {
  /** Microseconds of CPU for each update. */
  answer(updates: number): Promise<number>;
  close(): Promise<void>;
}

export const bot: BenchGroup = {
  rows: [8],
  async measure(_row, options) {
    const rounds = roundsOf(options);
    const updates = scaled(options, { tiny: 50, quick: 1_000, normal: 4_000 });
    options.tell(`8: ${rounds} rounds of ${updates} updates through the whole bot and through a bare one`);
    const [ours, bare] = [await openOurs(), await openBare()];
    for (const each of [ours, bare])
      await each.answer(scaled(options, { tiny: 25, quick: 3_000, normal: 3_000 }));
    const cpu = await takeTurns(rounds, {
      ours: () => ours.answer(updates),
      bare: () => bare.answer(updates),
    });
    for (const each of [ours, bare]) await each.close();
    return [
      compare(8, 'CPU per update through the whole bot / a bare grammY bot', {
        ours: cpu.ours,
        against: cpu.bare,
        atMost: 2.5,
        unit: 'us',
        load: cpu.load,
      }),
    ];
  },
};

async function openOurs(): Promise<Contestant> {
  const telegram = await openStandIn(PEOPLE);
  const bench = await openBenchCore();
  for (const telegramId of PEOPLE) await bench.core.accounts.openOwn({ telegramId, name: 'Shop' });
  const stop = await startBot(bench, telegram);
  return {
    answer: (updates) => measureCpu(updates, () => telegram.flood('/quota', updates)),
    async close() {
      await stop();
      await bench.close();
      telegram.close();
    },
  };
}

async function openBare(): Promise<Contestant> {
  const telegram = await openStandIn(PEOPLE);
  const bare = new Bot(TOKEN, { client: { apiRoot: telegram.url } });
  bare.on('message:text', (ctx) => ctx.reply('Used 0 of 300 activations in the last 24 hours.'));
  await bare.init();
  const runner = run(bare, { sink: { concurrency: AT_ONCE }, runner: { silent: true } });
  return {
    answer: (updates) => measureCpu(updates, () => telegram.flood('/quota', updates)),
    async close() {
      await runner.stop();
      telegram.close();
    },
  };
}

async function measureCpu(updates: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / updates;
}
