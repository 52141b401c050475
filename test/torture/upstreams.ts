// Row 28 of the scorecard: five stand-in services over one truth, which lose, delay, cut and lie, and a service over
// them that is killed and restored. Spends per code and codes per redemption are one at most, nothing is called not
// spent that the truth calls spent, every doubt ends or is a person's.
import { merge, type Findings, type TortureOptions } from './findings.ts';
import { openBatch } from './upstreams/batch.ts';
import { IN_TIME, judge, PROVABLE } from './upstreams/judge.ts';
import { liveSeed } from './upstreams/life.ts';
import { liveNaively } from './upstreams/naive.ts';
import { planSeed } from './upstreams/plan.ts';

/** So many share a database. */
const SEEDS_A_BATCH = 50;
const TOLD_EVERY = 2_000;
/** Of the orders whose every failure is provable, so many are redeemed in time. */
const REDEEMED_AT_LEAST = 0.999;

/** `count` seeds from `seed` on. */
export async function failUpstreams({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const parts: Findings[] = [];
  for (let done = 0; done < count; done += SEEDS_A_BATCH) {
    const seeds = Array.from({ length: Math.min(SEEDS_A_BATCH, count - done) }, (_, at) => seed + done + at);
    parts.push(merge(...(await liveSeeds(seeds))));
    parts.at(-1)?.violations.forEach((violation) => tell?.(violation));
    if (tell && done % TOLD_EVERY === 0) tell(`${done + seeds.length} of ${count} seeds`);
  }
  const { tried, violations } = merge(...parts);
  const { [PROVABLE]: provable = 0, [IN_TIME]: inTime = 0 } = tried;
  const share = `${inTime} of ${provable} orders with provable failures alone were redeemed in time`;
  return { tried, violations: [...violations, ...(inTime < provable * REDEEMED_AT_LEAST ? [share] : [])] };
}

async function liveSeeds(seeds: readonly number[]): Promise<Findings[]> {
  const batch = openBatch();
  try {
    const lived: Findings[] = [];
    for (const seed of seeds) {
      const plan = planSeed(seed);
      const { violations, counts } = judge(batch, await liveSeed(batch, plan));
      const tried = { seeds: 1, ...counts, ...(await liveNaively(batch.time, plan)) };
      lived.push({ tried, violations });
    }
    return [
      ...lived,
      { tried: {}, violations: batch.check().map((rule) => `seeds ${seeds[0]} on: ${rule}`) },
    ];
  } finally {
    await batch.close();
  }
}
