// Randomness that can be repeated: the seed of a run is printed, and the same seed makes the same choices.

export interface Seeded {
  /** From 0 inclusive to 1 exclusive. */
  next(): number;
  /** From 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** One of the names, as often as their weights say. */
  weigh<T extends string>(weights: Record<T, number>): T;
  /** So many of the names, as often as their weights say. */
  draw<T extends string>(count: number, weights: Record<T, number>): T[];
  /** Letters and digits. */
  text(length: number): string;
}

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

export function createSeeded(seed: number): Seeded {
  let state = seed >>> 0;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const seeded: Seeded = {
    next,
    below,
    between: (min, max) => min + below(max - min + 1),
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    weigh(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) if ((left -= weight) < 0) return name;
      return (entries.at(-1) as [keyof typeof weights, number])[0];
    },
    draw: (count, weights) => Array.from({ length: count }, () => seeded.weigh(weights)),
    text: (length) => Array.from({ length }, () => ALPHABET.charAt(below(ALPHABET.length))).join(''),
  };
  return seeded;
}
