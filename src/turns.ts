// Turns of the event loop, one for each who asks, whoever that is: a process has one loop. A utility; it knows nothing
// of the product.

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

const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) afterTurns(TURNS_BETWEEN, next);
}

function afterTurns(turns: number, then: () => void): void {
  if (turns === 1) setImmediate(then);
  else setImmediate(afterTurns, turns - 1, then);
}
