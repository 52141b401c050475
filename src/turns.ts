// Turns of the event loop, one for each who asks, whoever that is: a process has one loop. A utility; it knows nothing
// of the product.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { runTime } from './clock.ts';

/**
 * The loop accepts one new connection each time it turns: a piece of 10 ms a turn would keep a crowd of them at the
 * door.
 */
const TURNS_BETWEEN = 16;

/**
 * Work that takes milliseconds asks for a turn before each piece: however many ask at once, one piece runs at a time,
 * and what else came meanwhile goes between. Resolves in the order in which it was asked.
 */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

/** So many turns in a row that others did not need: whoever has several turns to go is not between two of them. */
const IDLE_TURNS = 8;
/** A turn in which somebody did something takes longer. */
const IDLE_TURN_MS = 0.1;

/** Resolves once nobody else has anything to do now; after `mostMs`, whatever goes on. */
export async function waitUntilIdle(mostMs: number): Promise<void> {
  const began = runTime();
  let last = began;
  for (let idle = 0; idle < IDLE_TURNS && last - began < mostMs;) {
    await nextTurn();
    const now = runTime();
    idle = now - last < IDLE_TURN_MS ? idle + 1 : 0;
    last = now;
  }
}

const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) afterTurns(TURNS_BETWEEN, next);
}

function afterTurns(turns: number, then: () => void): void {
  if (turns === 1) setImmediate(then);
  else setImmediate(afterTurns, turns - 1, then);
}
