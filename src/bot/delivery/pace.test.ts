import { expect, test } from 'vitest';

import { systemClock } from '../../clock.ts';
import { createPace, runAsked, runUnasked, type Pace } from './pace.ts';

const never = new AbortController().signal;

/** In which order these were let go. */
async function follow(pace: Pace, asking: readonly [who: string, run: typeof runAsked][]): Promise<string[]> {
  const order: string[] = [];
  await Promise.all(asking.map(([who, run]) => run(() => pace(never)).then(() => order.push(who))));
  return order;
}

const many = (count: number, who: string, run: typeof runAsked) =>
  Array.from({ length: count }, (_, index): [string, typeof runAsked] => [`${who}${index}`, run]);

test('who has just asked goes before everybody who waited already, the others in their order', async () => {
  const order = await follow(createPace(200, systemClock), [
    ...many(20, 'late', runUnasked),
    ...many(3, 'asked', runAsked),
  ]);
  // What may go at once went before anybody had asked; on a slow machine that is more.
  const places = ['asked0', 'asked1', 'asked2'].map((who) => order.indexOf(who));
  expect(Math.max(...places)).toBeLessThan(18);
  expect(order.filter((who) => who.startsWith('late'))).toEqual(
    many(20, 'late', runUnasked).map(([who]) => who),
  );
});

test('the others are not kept waiting by a crowd that asks', async () => {
  const order = await follow(createPace(200, systemClock), [
    ...many(25, 'asked', runAsked),
    ...many(4, 'late', runUnasked),
  ]);
  const turns = order.flatMap((who, index) => (who.startsWith('late') ? [index] : []));
  expect(turns).toHaveLength(4);
  expect(turns[0]).toBeLessThan(20);
});

test('whoever is given up does not wait, and takes nobody’s turn', async () => {
  const pace = createPace(100, systemClock);
  const stopping = new AbortController();
  await follow(pace, many(5, 'first', runUnasked));
  const order: string[] = [];
  const waiting = pace(stopping.signal).then(() => order.push('given up'));
  const behind = pace(never).then(() => order.push('behind'));
  stopping.abort();
  await Promise.all([waiting, behind, pace(stopping.signal)]);
  expect(order).toEqual(['given up', 'behind']);
});

test('who asks after a crowd does not wait for all of it, and nobody of the crowd for ever', async () => {
  const order = await follow(createPace(200, systemClock), many(40, 'asked', runAsked));
  expect(order.indexOf('asked39')).toBeLessThan(30);
  expect(order.indexOf('asked12')).toBeLessThan(36);
  expect(order.toSorted()).toEqual(
    many(40, 'asked', runAsked)
      .map(([who]) => who)
      .toSorted(),
  );
});

test('it is measured by the clock of the floods: what may go at once may go again when their time has passed', async () => {
  let elapsed = 0;
  const pace = createPace(1, { elapsed: () => elapsed });
  await follow(pace, many(5, 'first', runUnasked));
  const order: string[] = [];
  const waiting = pace(never).then(() => order.push('waited'));
  await Promise.resolve();
  expect(order).toEqual([]);
  elapsed += 5_000;
  await follow(pace, many(1, 'next', runUnasked));
  await waiting;
  expect(order).toEqual(['waited']);
});
