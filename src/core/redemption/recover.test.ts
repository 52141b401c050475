// Recovery after a start: what a dead process left pending falls in doubt, once; what this process carries out it
// leaves alone.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { Store, Tables } from '../../store/index.ts';
import type { Logger } from '../../log.ts';
import { createRecovery } from './recover.ts';
import { createInFlight } from './in-flight.ts';

const GAME = 'game_id_1';
const LOG: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

/** Leaves redemptions pending, as a process that is killed while the platform keeps it waiting. */
async function dieDuring(count: number): Promise<number[]> {
  t.platform.script.redeem = () => new Promise<never>(() => undefined);
  const codes = Array.from({ length: count }, () => makeCode());
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);
  const request = { gameId: GAME, playerId: '5170925570', denomination: 60 };
  // A few at a time: where all wait at once, a slow machine rightly refuses some of them.
  for (let begun = 1; begun <= count; begun += 1) {
    void t.core.redeem(t.actor, request).catch(() => undefined);
    if (begun % 20 !== 0 && begun !== count) continue;
    await t.platform.arrived(begun);
  }
  delete t.platform.script.redeem;
  return t.store.read((tables) => tables.redemptions.listPending(0, 1_000).map(({ id }) => id));
}

/** Recovering as the next process does it. */
function recoverOf(store: Store = t.store, inFlight = createInFlight(), log = LOG) {
  return createRecovery({ store, upstreams: t.platform, clock: t.clock, log, inFlight });
}

/** A store whose writes fail while `isFailing`. */
function failingStore() {
  const state = { isFailing: true, reads: 0 };
  const store: Store = {
    ...t.store,
    read: (work) => {
      state.reads += 1;
      return t.store.read(work);
    },
    write: (work) => (state.isFailing ? Promise.reject(new Error('disk full')) : t.store.write(work)),
  };
  return { state, store };
}

const countOpen = () => t.core.health.countOpen();
const available = () => t.core.codes.countAvailable(t.actor, GAME).get(60);

test('every pending redemption is in doubt, its code held, and asked about at once', async () => {
  const ids = await dieDuring(230);
  expect(ids).toHaveLength(230);
  // Page by page, also where more than one is left as it stands.
  const inFlight = createInFlight();
  for (const id of ids.slice(0, 150)) inFlight.redemptions.set(id, new Promise(() => undefined));
  expect(await recoverOf(t.store, inFlight)()).toBe(80);
  expect(countOpen()).toEqual({ pending: 150, inDoubt: 80 });
  expect(await recoverOf()()).toBe(150);
  expect(countOpen()).toEqual({ pending: 0, inDoubt: 230 });
  expect(available()).toBe(0);
  for (const { code, playerId } of t.platform.orders.slice(0, 100))
    t.platform.spent.set(code, { playerId, redeemedAt: t.clock.now() });
  const next = t.restart();
  await next.settleDoubts();
  expect(countOpen().inDoubt).toBe(130);
  t.clock.advance(4_000);
  await next.settleDoubts();
  expect(countOpen().inDoubt).toBe(0);
  expect([available(), t.core.quota(t.actor).daily.used]).toEqual([130, 100]);
});

test('each one that falls in doubt is named in the log, once', async () => {
  const ids = await dieDuring(3);
  const told: object[] = [];
  const info = (fields: object) => void told.push(fields);
  const recover = recoverOf(t.store, createInFlight(), { ...LOG, info });
  await recover();
  await recover();
  expect(told).toEqual(ids.map((redemptionId) => ({ redemptionId })));
});

test('is done at the start, and never again: nothing is read for it any more', async () => {
  await dieDuring(2);
  const { state, store } = failingStore();
  state.isFailing = false;
  const recover = recoverOf(store);
  expect(await recover()).toBe(2);
  const { reads } = state;
  expect([await recover(), await recover(), state.reads]).toEqual([0, 0, reads]);
});

test('is tried again while the disk fails, until all of it is written; the start itself succeeds', async () => {
  await dieDuring(3);
  const { state, store } = failingStore();
  const recover = recoverOf(store);
  expect([await recover(), await recover()]).toEqual([0, 0]);
  expect(countOpen()).toEqual({ pending: 3, inDoubt: 0 });
  state.isFailing = false;
  expect(await recover()).toBe(3);

  let [isBroken, broken] = [false, 0];
  // All fails but what the process cannot begin without: what waits for it.
  const breakIn = (tables: Tables) =>
    new Proxy(tables, {
      get(_tables, name) {
        if (!isBroken || name === 'tasks') return tables[name as keyof Tables];
        broken += 1;
        throw new Error('disk I/O error');
      },
    });
  const breaking: Store = { ...t.store, read: (work) => t.store.read((tables) => work(breakIn(tables))) };
  const core = t.restart({ store: breaking });
  isBroken = true;
  await expect(core.start()).resolves.toBeUndefined();
  expect(broken).toBeGreaterThan(0);
});

test('a row that is not as it must be is left as it stands, and stops no other', async () => {
  t.allowDrift();
  const ids = await dieDuring(3);
  const file = new Database(t.store.path);
  file
    .prepare("update codes set state = 'available' where id = (select code_id from redemptions where id = ?)")
    .run(ids[1]);
  file
    .prepare(
      'update codes set code_secret = zeroblob(60) where id = (select code_id from redemptions where id = ?)',
    )
    .run(ids[2]);
  file.close();
  const recover = recoverOf();
  expect([await recover(), await recover()]).toEqual([2, 0]);
  const next = t.restart();
  for (const ms of [0, 4_000]) {
    t.clock.advance(ms);
    await next.settleDoubts();
  }
  expect(countOpen()).toEqual({ pending: 1, inDoubt: 1 });
});

test('what this process runs itself is not put in doubt', async () => {
  const [id = 0] = await dieDuring(1);
  const inFlight = createInFlight();
  inFlight.redemptions.set(id, new Promise(() => undefined));
  expect(await recoverOf(t.store, inFlight)()).toBe(0);
  expect(countOpen()).toEqual({ pending: 1, inDoubt: 0 });
});
