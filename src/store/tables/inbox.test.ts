// Updates row by row: kept once, begun and taken back, over once, and forgotten when they are over and old.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

let t: TestStore;
beforeEach(() => {
  t = openTestStore();
});
afterEach(() => t.close());

const write = <T>(work: (inbox: Tables['inbox']) => T) => t.store.write(({ inbox }) => work(inbox));
const read = <T>(work: (inbox: Tables['inbox']) => T) => t.store.read(({ inbox }) => work(inbox));
/** Three that wait, the first of them received last. */
const insertThree = () =>
  write((inbox) => [inbox.save(11, '{"n":1}', 30), inbox.save(12, '{"n":2}', 10), inbox.save(13, '{}', 20)]);
const waiting = (afterId = 0, limit = 9) =>
  read((inbox) => inbox.listWaiting(afterId, limit).map(({ updateId }) => updateId));

test('in an empty inbox nothing waits', () => {
  expect(read((inbox) => [inbox.countWaiting(), inbox.countSetAside(), inbox.listWaiting(0, 9)])).toEqual([
    0,
    0,
    [],
  ]);
  expect(read((inbox) => inbox.waitsSince())).toBeUndefined();
});

test('an update is kept once, as it first came', async () => {
  expect(await insertThree()).toEqual([true, true, true]);
  expect(await write((inbox) => [inbox.save(11, 'again', 99), inbox.save(10, 'older', 40)])).toEqual([
    false,
    true,
  ]);
  expect(read((inbox) => inbox.listWaiting(0, 2))).toEqual([
    { updateId: 10, attempts: 0, receivedAt: 40, update: 'older' },
    { updateId: 11, attempts: 0, receivedAt: 30, update: '{"n":1}' },
  ]);
  expect(read((inbox) => inbox.countWaiting())).toBe(4);
});

test('what waits is listed by number from behind a place, as many as were asked for', async () => {
  await insertThree();
  expect([waiting(), waiting(11), waiting(13), waiting(0, 2), waiting(11, 1)]).toEqual([
    [11, 12, 13],
    [12, 13],
    [],
    [11, 12],
    [12],
  ]);
});

test('beginnings are counted, and taken back down to none, of what waits alone', async () => {
  await insertThree();
  const begun = await write((inbox) => {
    inbox.finish(13, 'done');
    return [inbox.begin(11), inbox.begin(11), inbox.begin(12), inbox.begin(13), inbox.begin(99)];
  });
  expect(begun).toEqual([1, 2, 1, 0, 0]);
  const attempts = () => read((inbox) => inbox.listWaiting(0, 9).map((update) => update.attempts));
  const takeBack = (id: number) => write((inbox) => inbox.takeBack(id));
  expect([await takeBack(11), attempts()]).toEqual([true, [1, 1]]);
  expect([await takeBack(11), await takeBack(11), attempts()]).toEqual([true, false, [0, 1]]);
  await write((inbox) => inbox.finish(12, 'failed'));
  expect([await takeBack(12), await takeBack(99)]).toEqual([false, false]);
});

test('an update is over once, in one way', async () => {
  await insertThree();
  expect(
    await write((inbox) => [
      inbox.finish(11, 'set_aside'),
      inbox.finish(11, 'done'),
      inbox.finish(12, 'failed'),
      inbox.finish(12, 'set_aside'),
      inbox.finish(99, 'done'),
    ]),
  ).toEqual([true, false, true, false, false]);
  expect([waiting(), read((inbox) => [inbox.countWaiting(), inbox.countSetAside()])]).toEqual([[13], [1, 1]]);
  expect(await write((inbox) => inbox.finish(13, 'done'))).toBe(true);
  const states = t.inspect((file) =>
    file.prepare('select state from inbox order by update_id').pluck().all(),
  );
  expect(states).toEqual(['set_aside', 'failed', 'done']);
  expect(await write((inbox) => inbox.save(13, 'again', 50))).toBe(false);
  expect(waiting()).toEqual([]);
});

test('the first that waits tells since when something waits', async () => {
  await insertThree();
  const since = () => read((inbox) => inbox.waitsSince());
  expect(since()).toBe(30);
  await write((inbox) => inbox.finish(11, 'done'));
  expect(since()).toBe(10);
});

test('what is over and was received until then is forgotten, as many as were asked for', async () => {
  await insertThree();
  await write((inbox) => [inbox.save(14, '{}', 10), inbox.finish(11, 'done')]);
  const forget = (until: number, limit: number) => write((inbox) => inbox.prune(until, limit));
  expect(await forget(20, 9)).toBe(0);
  await write((inbox) => [inbox.finish(12, 'failed'), inbox.finish(13, 'set_aside')]);
  expect([await forget(9, 9), await forget(20, 1), await forget(20, 9), await forget(20, 9)]).toEqual([
    0, 1, 1, 0,
  ]);
  expect([await forget(29, 9), await forget(30, 9), waiting()]).toEqual([0, 1, [14]]);
});

test('one that does not open any more waits with nothing in it, and costs no other', async () => {
  await insertThree();
  t.inspect((file) =>
    file.exec('update inbox set update_secret = (select update_secret from inbox where update_id = 12)'),
  );
  expect(read((inbox) => inbox.listWaiting(0, 9).map(({ update }) => update))).toEqual([
    undefined,
    '{"n":2}',
    undefined,
  ]);
});
