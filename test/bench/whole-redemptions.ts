// Row 7: what must not grow with the years. A whole redemption, written and on disk, on a file with history and on a
// small one of the same kind: by new accounts, and one of four by the account that has a quarter of all there is.
import type { ApiKeyActor } from '../../src/core/index.ts';
import { actorOf, addCodes, openBenchCore, type BenchCore } from './bench-core.ts';
import { compare, count as told, roundsOf, scaled, type BenchGroup } from './figures.ts';
import { openHistory, openSmallHistory, type History } from './history/history.ts';
import { takeTurns } from './rounds.ts';

const OF_THE_BIG = 4;

export const wholeRedemptions: BenchGroup = {
  rows: [7],

  async measure(_row, options) {
    const rounds = roundsOf(options);
    const count = scaled(options, { tiny: 200, quick: 4_000, normal: 8_000 });
    const [large, small] = [await openHistory(options), await openSmallHistory(options)];
    const stock = (rounds + 1) * count;
    const [onLarge, onSmall] = [await open(large, stock), await open(small, stock)];
    options.tell(
      `7: ${rounds} rounds of ${count} redemptions on ${large.redemptions} and ${small.redemptions}`,
    );
    for (const each of [onLarge, onSmall]) await each.redeem(count / 2);
    const us = await takeTurns(rounds, {
      large: () => onLarge.redeem(count),
      small: () => onSmall.redeem(count),
    });
    for (const each of [onLarge, onSmall]) await each.close();
    const title = `a whole redemption, ${told(large.redemptions)} redemptions and ${told(large.codes)} codes / ${told(small.redemptions)}`;
    const { load } = us;
    return [compare(7, title, { ours: us.large, against: us.small, atMost: 1.4, unit: 'us', load })];
  },
};

interface Measured {
  /** Microseconds each takes. */
  redeem(count: number): Promise<number>;
  close(): Promise<void>;
}

async function open(history: History, stock: number): Promise<Measured> {
  const bench = await openBenchCore({ path: history.path });
  const big = actorOf(bench.core, history.big.apiKey);
  await bench.fill(stock);
  await addCodes(bench.core, big, Math.ceil(stock / OF_THE_BIG));
  const actors = mix(bench, big);
  return {
    redeem: async (count) => 1_000_000 / (await bench.redeem(count, actors)),
    close: () => bench.close(),
  };
}

function mix({ accounts }: BenchCore, big: ApiKeyActor): ApiKeyActor[] {
  return accounts.map(({ actor }, index) => (index % OF_THE_BIG === 0 ? big : actor));
}
