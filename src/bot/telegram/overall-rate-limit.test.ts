// The pace of all messages: who is let go next, and who takes nobody’s turn.
import { expect, test } from 'vitest';

import { systemClock } from '../../clock.ts';
import { createOverallRateLimit, runAsked, runUnasked, type OverallRateLimit } from './rate-limits.ts';

const never = new AbortController().signal;

/** In which order these were let go. */
async function follow(
  pace: OverallRateLimit,
  asking: readonly [who: string, run: typeof runAsked][],
): Promise<string[]> {
  const order: string[] = [];
  await Promise.all(asking.map(([who, run]) => run(() => pace(never)).then(() => order.push(who))));
  return order;
}

const many = (count: number, who: string, run: typeof runAsked) =>
  Array.from({ length: count }, (_, index): [string, typeof runAsked] => [`${who}${index}`, run]);

test('who has just asked goes before everybody who waited already, the others in their order', async () => {
  const order = await follow(createOverallRateLimit(200, systemClock), [
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
  const order = await follow(createOverallRateLimit(200, systemClock), [
    ...many(25, 'asked', runAsked),
    ...many(4, 'late', runUnasked),
  ]);
  const turns = order.flatMap((who, index) => (who.startsWith('late') ? [index] : []));
  expect(turns).toHaveLength(4);
  expect(turns[0]).toBeLessThan(20);
});

test('whoever is given up does not wait, and takes nobody’s turn', async () => {
  const pace = createOverallRateLimit(100, systemClock);
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
  const order = await follow(createOverallRateLimit(200, systemClock), many(40, 'asked', runAsked));
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
  const pace = createOverallRateLimit(1, { elapsed: () => elapsed });
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

test('of those who have just asked the newest is let go first, then the oldest', async () => {
  let elapsed = 0;
  const pace = createOverallRateLimit(1, { elapsed: () => elapsed });
  await follow(pace, many(5, 'first', runUnasked));
  const order: string[] = [];
  const ask = (who: string) => runAsked(() => pace(never)).then(() => order.push(who));
  const waiting = [ask('oldest'), ask('second')];
  // There is room for one as it asks, and for one more a second later.
  elapsed += 1_000;
  waiting.push(ask('newest'));
  elapsed += 1_000;
  waiting.push(ask('newer still'));
  await Promise.resolve();
  expect(order).toEqual(['newest', 'oldest']);
  elapsed += 5_000;
  await follow(pace, many(1, 'next', runUnasked));
  await Promise.all(waiting);
});

test('who was given up before asking goes at once, and uses nothing of what may go', async () => {
  const pace = createOverallRateLimit(1, { elapsed: () => 0 });
  const order: string[] = [];
  const ask = (who: string, signal: AbortSignal) => void pace(signal).then(() => order.push(who));
  for (let n = 0; n < 5; n += 1) ask(`given up ${n}`, AbortSignal.abort());
  for (let n = 0; n < 5; n += 1) ask(`asks ${n}`, never);
  await Promise.resolve();
  expect(order).toHaveLength(10);
});
