import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { runTime } from './clock.ts';
import { takeTurn, waitUntilIdle } from './turns.ts';

test('each who asks gets a turn of the event loop alone, in order, and others go between', async () => {
  const order: string[] = [];
  const workers = ['a', 'b', 'c'].map(async (name) => {
    for (const piece of [1, 2]) {
      await takeTurn();
      order.push(`${name}${piece}`);
    }
  });
  let isOver = false;
  void Promise.all(workers).then(() => (isOver = true));
  while (!isOver) {
    await nextTurn();
    order.push('-');
  }
  // A loop that turns between takes in who knocks: one new connection each time.
  expect(order.join('')).toMatch(/^-?a1-{8,}b1-{8,}c1/);
  const pieces = order.join('').split('-').filter(Boolean);
  expect(pieces).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
});

test('a lone one is not held up', async () => {
  await takeTurn();
  await takeTurn();
});

/** Has each turn work for a millisecond, as long as it may. */
function workWhile(goesOn: () => boolean, ended: () => void): void {
  const until = runTime() + 1;
  while (runTime() < until);
  if (goesOn()) setImmediate(workWhile, goesOn, ended);
  else ended();
}

test('idle is a loop in which nobody else has anything to do', async () => {
  const order: string[] = [];
  let turns = 30;
  workWhile(
    () => (turns -= 1) > 0,
    () => order.push('worked'),
  );
  await waitUntilIdle(60_000);
  expect(order).toEqual(['worked']);
});

test('where somebody always has, it ends all the same', async () => {
  let isOver = false;
  const worked = new Promise<void>((resolve) => workWhile(() => !isOver, resolve));
  await waitUntilIdle(20);
  isOver = true;
  await worked;
});
