// Chance that can be repeated: the same seed gives the same numbers, so that a failure found at random can be run
// again.

export interface SeededRandom {
  /** From 0 inclusive to 1 exclusive. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  /** One of them, each as likely as any other. */
  pick<T>(choices: readonly T[]): T;
}

/** The mulberry32 generator: 32 bits of state, good enough for tests. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new RangeError('There is nothing to pick from.');
      return choices[between(0, choices.length - 1)] as T;
    },
  };
}
