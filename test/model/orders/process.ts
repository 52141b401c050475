// Processes of the service over one file, for the model of orders: one is killed by that nothing more of it reaches the
// file or the platform, and the next goes on with what lies there; a restore goes back to the last backup.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';

import { createCoreClock, createManualClock } from '../../../src/clock.ts';
import { createCore, type Core } from '../../../src/core/index.ts';
import { createOrderRunner } from '../../../src/core/orders/runner.ts';
import { randomIds } from '../../../src/ids.ts';
import { alone } from '../../../src/platforms.ts';
import type { Platform } from '../../../src/platform/port.ts';
import { backup } from '../../../src/store/backup/backup.ts';
import { restore } from '../../../src/store/backup/restore.ts';
import { loadKeyRing } from '../../../src/store/engine/key-ring.ts';
import { createStore, type Store } from '../../../src/store/index.ts';
import { TEST_GAMES } from '../../harness/core.ts';
import { layFreshDatabase } from '../../harness/fresh-database.ts';
import { TEST_START } from '../../harness/store.ts';

export type Processes = ReturnType<typeof openProcesses>;

const UNFINISHED = `select (select count(*) from redemptions where state = 'pending')
  + (select count(*) from tasks where task = 'order' and run_at is not null) as count`;
/** What goes on in memory alone ends in fewer turns. */
const QUIET_TURNS = 4;

/** `platform` outlives every process. */
export function openProcesses(createPlatform: (now: () => number) => Platform) {
  const folder = mkdtempSync(join(tmpdir(), 'orders-'));
  layFreshDatabase(folder);
  const path = join(folder, 'redemption.db');
  const clock = createManualClock(TEST_START);
  const platform = createPlatform(() => clock.now());
  const quiet = () => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };
  let [backups, untilKilled] = [0, Infinity];
  let life = { isOver: false };
  let begunAfter = 0;

  /** The process is killed at the nth moment that others hear of. */
  function count(): void {
    untilKilled -= 1;
    if (untilKilled === 0) life.isOver = true;
  }

  const openStore = () => createStore({ path, exclusive: false, onCommit: count });
  let store = openStore();
  let reader = new Database(path, { readonly: true });

  function begin() {
    const own = (life = { isOver: false });
    const guarded = guardStore(store, own);
    const upstreams = alone(guardPlatform(platform, own, count));
    const deps = { store: guarded, upstreams, games: TEST_GAMES, clock, ids: randomIds, log };
    const core = createCore({ ...deps, platformTimeoutMs: 45_000 });
    const { beginRedemption, redemptionEnded } = core;
    const redemptions = { begin: beginRedemption, ended: redemptionEnded };
    const runner = createOrderRunner({
      ...{
        store: guarded,
        upstreams: platform,
        clock: { ...clock, ...createCoreClock(clock) },
        log,
        inFlight: { giveUp: new AbortController() },
        redemptions,
      },
    });
    return { core, wakeDue: runner.wakeDue };
  }

  let now: { core: Core; wakeDue: () => Promise<void> } = begin();

  async function goOn(): Promise<void> {
    life.isOver = true;
    // It ends by itself, and nothing comes of it.
    void now.core.stop(0);
    now = begin();
    begunAfter = findNewest();
    await now.core.start();
  }

  const findNewest = () =>
    Number(reader.prepare('select coalesce(max(id), 0) from redemptions').pluck().get());

  /** Until nothing goes on by itself any more. */
  async function rest(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS && !life.isOver; turns += 1) {
      await setImmediate();
      if ((reader.prepare(UNFINISHED).get() as { count: number }).count > 0) turns = 0;
    }
  }

  return {
    clock,
    rest,
    core: () => now.core,
    store: () => store,
    reader: () => reader,
    /** The id of the newest redemption, and of that when the process that lives began. */
    findNewest,
    begunAfter: () => begunAfter,
    /** What is due is looked at: doubts, and orders. */
    async look() {
      await now.core.settleDoubts();
      await now.wakeDue();
      await rest();
    },
    /** Does it in a process that is killed meanwhile, perhaps; true where it was. */
    async killedDuring(moment: number, work: () => Promise<unknown>): Promise<boolean> {
      untilKilled = moment;
      await work().catch(rethrowUnless(() => life.isOver));
      await rest();
      untilKilled = Infinity;
      if (!life.isOver) return false;
      await goOn();
      await rest();
      return true;
    },
    goOn,
    async backUp() {
      backups += 1;
      await backup(path, `${path}.backup-${backups}`, { secrets: store.secrets, now: clock.now() });
    },
    /** The machine is lost, and its newest backup goes on. */
    async goBack() {
      life.isOver = true;
      reader.close();
      await store.close();
      rmSync(path);
      const key = loadKeyRing(path, {}).current;
      restore({ file: `${path}.backup-${backups}`, databasePath: path, key, now: clock.now() });
      store = openStore();
      reader = new Database(path, { readonly: true });
      await goOn();
      await rest();
    },
    async close() {
      await now.core.stop(0);
      reader.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const rethrowUnless = (isExpected: () => boolean) => (error: unknown) => {
  if (!isExpected()) throw error;
};

function refuseDead({ isOver }: { isOver: boolean }): void {
  if (isOver) throw new Error('The process is dead.');
}

/** Of a dead process nothing is written. */
function guardStore(store: Store, life: { isOver: boolean }): Store {
  const refuse = () => refuseDead(life);
  return {
    ...store,
    async write(work, options) {
      refuse();
      const written = await store.write((tables) => {
        refuse();
        return work(tables);
      }, options);
      refuse();
      return written;
    },
    markAlive: () => undefined,
  };
}

/** It asks nothing any more, and hears of nothing. `onAnswer`: another moment at which it may be killed. */
function guardPlatform(platform: Platform, life: { isOver: boolean }, onAnswer: () => void): Platform {
  const guard =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      refuseDead(life);
      const answer = await work(...args);
      onAnswer();
      refuseDead(life);
      return answer;
    };
  return { ...platform, redeem: guard(platform.redeem), findCode: guard(platform.findCode) };
}
