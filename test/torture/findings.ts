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

/** Adds what a part of a run found to the whole. */
export function merge(...parts: Findings[]): Findings {
  const tried: Record<string, number> = {};
  for (const part of parts) {
    for (const [name, count] of Object.entries(part.tried)) tried[name] = (tried[name] ?? 0) + count;
  }
  return { tried, violations: parts.flatMap(({ violations }) => violations) };
}
