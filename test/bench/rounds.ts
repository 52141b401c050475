// How measurements are repeated, and what is made of the repetitions.
import { sumLoads, watchMachine, type Load } from './machine-load.ts';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (upper + lower) / 2;
}

/** Between the lowest and the highest, as a share of the median. */
export function spreadOf(values: readonly number[]): number {
  return values.length < 2 ? 0 : (Math.max(...values) - Math.min(...values)) / Math.abs(median(values));
}

/** The value that `share` of the sorted values do not exceed. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** How many a second. */
export function rate(count: number, startedAt: number): number {
  return (count * 1000) / (performance.now() - startedAt);
}

export type Rounds<Name extends string, Result> = Record<Name, Result[]> & {
  /** What others did on the machine while the contestants were measured. */
  load: Load;
};

/**
 * Runs every contestant once a round, in turn, so that a bad minute of the machine hits all of them.
 * The results of each, in the order of the rounds.
 */
export async function takeTurns<Name extends string, Result>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<Result> | Result>>,
): Promise<Rounds<Name, Result>> {
  const names = Object.keys(contestants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  const loads: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const machine = watchMachine();
      results[name].push(await contestants[name]());
      loads.push(machine.stop());
    }
  }
  return Object.assign(results, { load: sumLoads(loads) });
}
