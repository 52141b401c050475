// Rows 1 to 3: redemptions through the core, beside the same writes without us, in PostgreSQL, and as one writes them first.
import { openBenchCore, DENOMINATION, GAME_ID, makeFolder } from './bench-core.ts';
import { atLeast, median, rate, roundsOf, takeTurns, type BenchGroup, type Figure } from './figures.ts';
import { openPostgres } from './postgres.ts';
import { openRawWrites, type Contestant } from './raw-writes.ts';
import { openUnpreparedWrites } from './unprepared-writes.ts';

const AT_ONCE = 64;
const UNIT = 'redemptions/s';
/** The slow ones carry out fewer a round: it is their rate that is compared. */
const SHARES: Record<string, number> = { unprepared: 4, postgres: 2 };
const TITLES = {
  raw: 'redemptions through the core / raw better-sqlite3, 64 a commit',
  postgres: 'redemptions through the core / PostgreSQL, stored functions',
  unprepared: 'redemptions through the core / unprepared drizzle, a commit each',
};

export const redemptions: BenchGroup = {
  rows: [1, 2, 3],

  async measure(asked, options) {
    const rounds = roundsOf(options);
    const count = options.quick ? 2_000 : 8_000;
    const stock = (rounds + 1) * count + 1_000;
    const { folder, remove } = makeFolder();
    const opened = new Map<string, Contestant>();
    options.tell('redemptions: filling databases');
    opened.set('ours', await openOurs(stock));
    if (asked.has(1)) opened.set('raw', await openRawWrites(folder, stock));
    if (asked.has(3)) opened.set('unprepared', await openUnpreparedWrites(folder, stock));
    const postgres = asked.has(2) ? await openPostgres(folder, stock) : undefined;
    if (postgres?.status === 'open') opened.set('postgres', postgres.contestant);

    options.tell(`redemptions: ${rounds} rounds of ${count}`);
    const turns = Object.fromEntries(
      [...opened].map(([name, contestant]) => [name, () => contestant.redeem(count / (SHARES[name] ?? 1))]),
    );
    for (const contestant of opened.values()) await contestant.redeem(1_000);
    const rates = await takeTurns(rounds, turns);
    for (const contestant of opened.values()) await contestant.close();
    remove();

    const compare = (row: number, name: keyof typeof TITLES, goal: number): Figure =>
      atLeast(row, TITLES[name], {
        ours: median(rates.ours ?? []),
        against: median(rates[name] ?? []),
        goal,
        unit: UNIT,
      });
    const figures: Figure[] = [];
    if (asked.has(1)) figures.push(compare(1, 'raw', 0.7));
    if (postgres?.status === 'open') figures.push(compare(2, 'postgres', 5));
    if (postgres?.status === 'skipped')
      figures.push({ row: 2, figure: TITLES.postgres, ours: `skipped: ${postgres.why}`, goal: '>= 5' });
    if (asked.has(3)) figures.push(compare(3, 'unprepared', 8));
    return figures;
  },
};

async function openOurs(stock: number): Promise<Contestant> {
  const bench = await openBenchCore();
  await bench.fill(stock);
  let next = 0;

  async function redeemOne(): Promise<void> {
    const account = bench.accounts[(next += 1) % bench.accounts.length];
    if (!account) throw new Error('There is no account.');
    const request = { gameId: GAME_ID, playerId: '5124780131', denomination: DENOMINATION };
    const answer = await bench.core.redeem(account.actor, request);
    if (answer.status !== 'answered' || answer.redemption.state !== 'redeemed')
      throw new Error(`A redemption went wrong: ${JSON.stringify(answer)}`);
  }

  return {
    async redeem(count) {
      let left = count;
      const startedAt = performance.now();
      const worker = async (): Promise<void> => {
        while ((left -= 1) >= 0) await redeemOne();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return rate(count, startedAt);
    },
    close: () => bench.close(),
  };
}
