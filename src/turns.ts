// Turns of the event loop, one for each who asks, whoever that is: a process has one loop. A leaf; it knows nothing of the product.

/**
 * Work that takes milliseconds asks for a turn before each piece: however many ask at once, one piece runs a turn, and what
 * else came meanwhile goes between. Resolves in the order in which it was asked.
 */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}
