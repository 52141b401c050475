// What a run of torture tried and what it found. No violation means that the property held.

export interface TortureOptions {
  /** How much of whatever the row counts. */
  count: number;
  seed: number;
  /** Told now and then how far it is. */
  tell?: (line: string) => void;
}

export interface Findings {
  tried: Record<string, number>;
  violations: string[];
}

export const nothingFound = (): Findings => ({ tried: {}, violations: [] });

/** One more was tried, or `by` more; how many by now. */
export const count = ({ tried }: Pick<Findings, 'tried'>, what: string, by = 1): number =>
  (tried[what] = (tried[what] ?? 0) + by);

/** Adds what a part of a run found to the whole. */
export function merge(...parts: Findings[]): Findings {
  const all = nothingFound();
  for (const { tried, violations } of parts) {
    for (const [name, times] of Object.entries(tried)) count(all, name, times);
    all.violations.push(...violations);
  }
  return all;
}

/** Parts of at most so many, one after the other, each with a seed of its own, until `of` was tried often enough. */
export async function inParts(
  { count: wanted, seed, tell }: TortureOptions,
  { most, of }: { most: number; of: string },
  part: (count: number, seed: number) => Promise<Findings>,
): Promise<Findings> {
  let all = nothingFound();
  for (let parts = 0; (all.tried[of] ?? 0) < wanted; parts += 1) {
    const found = await part(Math.min(most, wanted - (all.tried[of] ?? 0)), seed + parts);
    all = merge(all, found);
    tell?.([JSON.stringify(all.tried), ...found.violations].join('\n'));
  }
  return all;
}
