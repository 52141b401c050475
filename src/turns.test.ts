import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { takeTurn, waitUntilIdle } from './turns.ts';

/** Milliseconds that this process has run: they pass where a test works, and not else. */
let ran = 0;
beforeEach(async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => ran);
  // What the test before has begun goes on for a turn.
  for (let turn = 0; turn < 2; turn += 1) await nextTurn();
});
afterEach(() => void vi.restoreAllMocks());

/** What happens in which turn, of workers that do two pieces of so many ms each. */
async function work(names: string[], ms: number, whose: (name: string) => number | undefined) {
  const order: string[] = [];
  const workers = names.map(async (name) => {
    for (const piece of [1, 2]) {
      await takeTurn(whose(name));
      ran += ms;
      order.push(`${name}${piece}`);
    }
  });
  let isOver = false;
  void Promise.all(workers).then(() => (isOver = true));
  while (!isOver) {
    await nextTurn();
    order.push('-');
  }
  return order;
}

test('each who asks gets a turn of the event loop alone, in order, and others go between', async () => {
  const order = await work(['a', 'b', 'c'], 2, () => undefined);
  // A loop that turns between takes in who knocks: one new connection each time.
  expect(order.join('')).toMatch(/^-?a1-{8,}b1-{8,}c1/);
  const pieces = order.join('').split('-').filter(Boolean);
  expect(pieces).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
});

test('what takes no time goes in the next turn, and accounts are served in turn', async () => {
  // Somebody had a turn just now: the first waits as well.
  await takeTurn();
  const order = await work(['1a', '1b', '1c', '2a'], 0, (name) => Number(name[0]));
  const pieces = order.join('').split('-').filter(Boolean);
  expect(pieces).toEqual(['1a1', '2a1', '1b1', '2a2', '1c1', '1a2', '1b2', '1c2']);
});

test('what takes no time goes in the next turn also where others fill each', async () => {
  let isOver = false;
  workWhile(
    () => !isOver,
    () => undefined,
  );
  const order = await work(['a', 'b', 'c'], 0, () => undefined);
  isOver = true;
  expect(order.join('').replaceAll(/-+/g, (turns) => (turns.length <= 2 ? '' : turns))).toBe('a1b1c1a2b2c2');
});

test('a lone one is not held up', async () => {
  await takeTurn();
  await takeTurn();
});

/** Has each turn work for a millisecond, as long as it may. */
function workWhile(goesOn: () => boolean, ended: () => void): void {
  ran += 1;
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
