// What the core does by itself: each work at its own pace, and whatever fails keeps no other from being done.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import type { Core } from './index.ts';

const GAME = 'game_id_1';
const HOST = { kind: 'host', by: 'cli' } as const;
const TWO_DAYS_MS = 48 * 60 * 60 * 1000;

let t: TestCore;
let core: Core;
let logged: { work?: string }[];
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  t = await openTestCore();
  logged = [];
  const note = (fields: object) => void logged.push(fields);
  core = t.restart({ log: { info: note, warn: note, error: note } });
});
afterEach(async () => {
  await t.close();
  vi.useRealTimers();
});

/** Lets time pass, and what is begun in it be done. */
async function pass(ms: number): Promise<void> {
  t.clock.advance(ms);
  await vi.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 300; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function overTheFile<T>(work: (file: Database.Database) => T): T {
  const file = new Database(t.store.path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}
const alter = (sql: string) => overTheFile((file) => file.exec(sql));

async function redeemUnanswered(): Promise<void> {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  await core.redeem(t.actor, { gameId: GAME, playerId: '5170925570', code: makeCode() });
}

test('doubts are looked at by themselves, from the start to the stop', async () => {
  const { countOpen } = core.health;
  await redeemUnanswered();
  await pass(10_000);
  expect(countOpen().inDoubt).toBe(1);
  await core.start();
  for (let looks = 0; looks < 10; looks += 1) await pass(500);
  expect(countOpen().inDoubt).toBe(0);
  await redeemUnanswered();
  await core.stop(0);
  await pass(60_000);
  expect([countOpen().inDoubt, vi.getTimerCount()]).toEqual([1, 0]);
});

test('chores are done soon after the start and once a minute, each until nothing is left, also where one fails', async () => {
  /** More than are forgotten at once, so long ago that they are. */
  const undecided = async () => {
    const ids: number[] = [];
    while (ids.length < 45) ids.push(await core.imports.begin(t.actor, { gameId: GAME }));
    t.clock.advance(TWO_DAYS_MS);
    return () => ids.filter((id) => core.imports.describe(t.actor, id).state === 'collecting').length;
  };
  const first = await undecided();
  // Before them in the order of chores.
  alter('alter table idempotency_keys rename to away');
  await core.start();
  await pass(999);
  expect(first()).toBe(45);
  await pass(1);
  expect(first()).toBe(0);
  const second = await undecided();
  // Time that no timer was told of: a minute is over by the clock, and the chores are looked at within a second.
  await pass(1_000);
  expect(second()).toBe(0);
  await undecided().then((left) => expect(left()).toBe(45));
  expect(logged).toEqual([expect.objectContaining({ work: 'keys' })]);
  alter('alter table away rename to idempotency_keys');
  await pass(61_000);
  expect(logged.at(-1)).toEqual({ work: 'keys' });
});

test('jobs that ended are forgotten two days after, with what was kept for them, and younger ones are not', async () => {
  const kept = () =>
    overTheFile((file) =>
      file.prepare('select (select count(*) from jobs), (select count(*) from job_slices)').raw().get(),
    );
  await core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  t.clock.advance(TWO_DAYS_MS - 1_001);
  await core.start();
  await pass(1_000);
  expect(kept()).toEqual([1, 1]);
  await core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  await pass(61_000);
  expect(kept()).toEqual([1, 1]);
  t.clock.advance(TWO_DAYS_MS);
  await pass(1_000);
  expect(kept()).toEqual([0, 0]);
});

test('a pause of an upstream that another process has made is seen at once', async () => {
  const name = core.upstreams.list(HOST)[0]?.name ?? '';
  await t.restart().upstreams.pause(HOST, name, 'No balance.');
  expect(core.upstreams.list(HOST)[0]?.state).toBe('paused');
});
