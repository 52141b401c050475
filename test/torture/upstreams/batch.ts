// One database that the lives of many seeds share, since a new one costs more than a life does: each has accounts,
// codes and upstreams of its own, and begins when all of the one before has ended. Processes come and go over it: a
// kill is that nothing more of one reaches the store or an upstream.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

import { createCore, type Core } from '../../../src/core/index.ts';
import { createStore, type Store } from '../../../src/store/index.ts';
import { checkConservation } from '../../../src/store/backup/conservation.ts';
import { backup } from '../../../src/store/backup/backup.ts';
import { restore } from '../../../src/store/backup/restore.ts';
import type { Platform, Upstream } from '../../../src/platform/port.ts';
import { randomIds } from '../../../src/ids.ts';
import { TEST_GAMES } from '../../harness/core.ts';
import { beginTime, type Life, type Time } from '../../world/machine/time.ts';

/** Longer than anything takes that is waited for. */
const LONGEST_MS = 10 * 60_000;
const MEMORY = '/dev/shm';
const KEY = Buffer.alloc(32, 28);

/** One process of the service. */
export interface Process {
  core: Core;
  life: Life;
}

export interface Batch {
  time: Time;
  store(): Store;
  /** Reads the file beside the store. */
  reader(): Database.Database;
  /** Told of each commit. */
  onCommit: () => void;
  /** Of the process that was started last. */
  newest: Life | undefined;
  /**
   * Starts a process over these; what an earlier one left open is recovered first. undefined where it was killed
   * meanwhile.
   */
  start(upstreams: readonly Upstream[]): Promise<Process | undefined>;
  /** Lets time pass until the work of a process is done; undefined where it is killed before. */
  await<T>(life: Life, work: () => Promise<T>): Promise<T | undefined>;
  /** What processes logged as errors since the last look. */
  takeErrors(): string[];
  makeBackup(): Promise<void>;
  /** Goes back to the backup that was made last. No process may run. */
  goBack(): Promise<void>;
  /** The rules of conservation that are broken. */
  check(): string[];
  close(): Promise<void>;
}

export function openBatch(): Batch {
  const time = beginTime();
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'upstreams-'));
  const path = join(folder, 'redemption.db');
  const errors: string[] = [];
  let backups = 0;
  const open = () =>
    createStore({ path, encryptionKey: KEY, exclusive: false, onCommit: () => batch.onCommit() });
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (about: unknown, words?: string) => void errors.push(`${words}: ${describe(about)}`),
  };
  const createProcess = (life: Life, upstreams: readonly Upstream[]) =>
    life.run(() =>
      createCore({
        ...{ store: guardStore(store, life), games: TEST_GAMES, clock: time.machine, ids: randomIds, log },
        upstreams: upstreams.map((each) => ({ ...each, platform: guardPlatform(each.platform, life) })),
        platformTimeoutMs: 45_000,
      }),
    );
  const batch: Batch = {
    time,
    store: () => store,
    reader: () => reader,
    onCommit: () => undefined,
    newest: undefined,
    async start(upstreams) {
      const life = time.beginLife();
      // What a process does by itself every half second is asked for where it matters: the recovery here, doubts by the
      // caller.
      batch.newest = life;
      const starting = createProcess(life, upstreams);
      await batch.await(life, () => starting.start().then(() => starting.stop(0)));
      return life.isOver() ? undefined : { core: createProcess(life, upstreams), life };
    },
    async await<T>(life: Life, work: () => Promise<T>): Promise<T | undefined> {
      let ended: { value: T } | { error: unknown } | undefined;
      life.run(work).then(
        (value) => (ended = { value }),
        (error: unknown) => (ended = { error }),
      );
      if (!(await time.passUntil(() => ended !== undefined || life.isOver(), LONGEST_MS)))
        throw new Error('Nothing comes of it in ten minutes.');
      if (!ended) return undefined;
      if ('error' in ended) throw ended.error;
      return ended.value;
    },
    takeErrors: () => errors.splice(0),
    async makeBackup() {
      backups += 1;
      const file = join(folder, `backup-${backups}`);
      await time.native(() => backup(path, file, { secrets: store.secrets, now: time.machine.now() }));
    },
    async goBack() {
      reader.close();
      const closing = store.close();
      await time.passUntil(() => false, 1_000);
      await closing;
      // The machine is lost with what it had.
      rmSync(path);
      const file = join(folder, `backup-${backups}`);
      restore({ file, databasePath: path, key: KEY, now: time.machine.now() });
      store = open();
      reader = new Database(path, { readonly: true });
    },
    check: () =>
      checkConservation(reader, { secrets: store.secrets }).rows.map(
        (row) => `check: ${JSON.stringify(row)}`,
      ),
    async close() {
      reader.close();
      const closing = store.close();
      await time.passUntil(() => false, 1_000);
      await closing;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  let store = open();
  let reader = new Database(path, { readonly: true });
  return batch;
}

const never = <T>() => new Promise<T>(() => undefined);

/** A dead process writes nothing and hears of no commit. */
function guardStore(store: Store, life: Life): Store {
  return {
    ...store,
    write: (work, options) => {
      if (life.isOver()) return never();
      const written = store.write((tables) => {
        if (life.isOver()) throw new Error('The process is dead.');
        return work(tables);
      }, options);
      return new Promise((resolve, reject) => {
        written.then(
          (value) => void (life.isOver() || resolve(value)),
          (error: Error) => void (life.isOver() || reject(error)),
        );
      });
    },
    markAlive: () => undefined,
  };
}

/** It asks nothing any more, and hears of nothing. */
function guardPlatform(platform: Platform, life: Life): Platform {
  const guard =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> =>
      new Promise((resolve, reject) => {
        if (life.isOver()) return;
        work(...args).then(
          (value) => void (life.isOver() || resolve(value)),
          (error: Error) => void (life.isOver() || reject(error)),
        );
      });
  const { findRecord } = platform;
  return {
    ...platform,
    redeem: guard(platform.redeem),
    findOrder: guard(platform.findOrder),
    findCharacter: guard(platform.findCharacter),
    findCode: guard(platform.findCode),
    ...(findRecord && { findRecord: guard(findRecord) }),
  };
}

function describe(about: unknown): string {
  const { err, redemptionId } = about as { err?: unknown; redemptionId?: number };
  const cause = err instanceof Error ? `${err.name} ${err.message}` : '';
  return `${redemptionId ?? ''} ${cause}`.trim();
}
