// The service by the verbs of its core alone: one process after the other on the same files, killed, stopped, restored;
// no Telegram, no JSON. The disk, the platform and time are those of the whole world.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { CoreError, createCore, type Core, type Games } from '../../../src/core/index.ts';
import type { Platform, Upstream } from '../../../src/platform/port.ts';
import { alone } from '../../../src/platforms.ts';
import { backup } from '../../../src/store/backup/backup.ts';
import { restore, type Restored } from '../../../src/store/backup/restore.ts';
import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { createStore, StoreRefusal, type Store } from '../../../src/store/index.ts';
import { TEST_GAMES } from '../../harness/core.ts';
import type { Seeded } from '../../harness/seeded.ts';
import { createDisk, type Disk } from '../machine/disk.ts';
import { createIds, createLog, KEY } from '../machine/service.ts';
import type { Life, Time } from '../machine/time.ts';
import { closeBooks, newestOf } from '../run/rest.ts';

/** Whoever is told to repeat an order since a restore does, when the platform may be asked what was spent. */
const SWEPT_IN_MS = 25_000;
const ASKED_SINCE_A_RESTORE = 20;
export const isSinceRestore = (error: unknown) =>
  error instanceof CoreError && /^Since the restore/.test(error.message);
/** Longer than anything takes that is waited for. */
const LONGEST_MS = 10 * 60_000;
const ENDS_WITHIN_MS = 1_000;
const QUIET_MS = 1_000;
const secrets = createSecrets(KEY);

/** The process has ended before it answered. */
export class Gone extends Error {
  override readonly name = 'Gone';
}

/** As the platform is reached by a process. */
type Reach = (life: Life) => readonly Upstream[];

export interface CoreService {
  disk: Disk;
  core(): Core;
  store(): Store;
  isRunning(): boolean;
  /** Rejects with `Gone` where the process ends before it answers. */
  ask<T>(work: (core: Core) => Promise<T>): Promise<T>;
  /** The same, and what is to be repeated since a restore is not. */
  askOnce<T>(work: (core: Core) => Promise<T>): Promise<T>;
  start(): Promise<void>;
  kill(how?: 'killed' | 'power lost'): void;
  stop(graceMs: number): Promise<void>;
  /** Of the next processes. */
  games: Games;
  upstreams: Reach;
  /** How long they have for an answer. */
  platformTimeoutMs: number;
  /** It is killed at the so-manieth commit from now; 0: at none. */
  diesIn: number;
  /** Told of each commit, before the process dies of it. */
  onCommit: () => void;
  /** Resolves at the next commit, or where there is none for a second. */
  nextCommit(): Promise<unknown>;
  /** What it knows is what was there in this moment. */
  backUp(): Promise<{ number: number; wrong: string[] }>;
  /** What a restore over what lies there says; undefined where it is refused, since that is sound. */
  restore(backup: number): Restored | undefined;
  /** The machine is lost with what it had. */
  wipe(): void;
  copyBackup(backup: number, to: string): void;
  takeErrors(): string[];
  /** Lets time pass until it ends. */
  within<T>(work: Promise<T>): Promise<T>;
  /** The newest redemption when the process that runs began. */
  begunAfter(): number;
  close(): Promise<void>;
}

export function createCoreService(
  time: Time,
  random: Seeded,
  platform: (life: Life) => Platform,
): CoreService {
  const disk = createDisk(KEY);
  const ids = createIds(random);
  const errors: string[] = [];
  const owed = new Set<Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let [backups, begunAfter, isClosing] = [0, 0, false];
  let running: { core: Core; store: Store; life: Life } | undefined;
  const now = () => {
    if (!running || isClosing) throw new Gone();
    return running;
  };
  const fileOf = (number: number) => join(disk.backups, `${number}.db`);

  function commit(life: Life): void {
    if (life.isOver()) return;
    for (const tell of waiting.splice(0)) tell();
    service.onCommit();
    service.diesIn -= 1;
    if (service.diesIn === 0) service.kill();
  }

  function askOnce<T>(work: (core: Core) => Promise<T>): Promise<T> {
    const { core, life } = now();
    const answer = new Promise<T>((resolve, reject) => {
      life.gone.addEventListener('abort', () => reject(new Gone()), { once: true });
      life
        .run(() => work(core))
        .then(
          (value) => void (life.isOver() || resolve(value)),
          (error: Error) => void (life.isOver() || reject(error)),
        );
    });
    owed.add(answer);
    answer.catch(() => undefined).finally(() => owed.delete(answer));
    return answer;
  }

  const service: CoreService = {
    disk,
    core: () => now().core,
    store: () => now().store,
    isRunning: () => running !== undefined,
    askOnce,
    async ask<T>(work: (core: Core) => Promise<T>): Promise<T> {
      for (let tries = ASKED_SINCE_A_RESTORE; ; tries -= 1) {
        try {
          return await askOnce(work);
        } catch (error) {
          if (tries === 0 || !isSinceRestore(error)) throw error;
        }
        await time.outside(() => time.sleep(SWEPT_IN_MS));
      }
    },
    async start() {
      const life = time.beginLife();
      const { games, upstreams, platformTimeoutMs } = service;
      const log = createLog(errors, () => life.isOver());
      await new Promise<void>((resolve, reject) => {
        life.gone.addEventListener('abort', () => resolve(), { once: true });
        life.run(() => {
          const path = disk.databasePath();
          const store = createStore({
            path,
            encryptionKey: KEY,
            exclusive: false,
            onCommit: () => commit(life),
          });
          const deps = { store, upstreams: upstreams(life), games, clock: time.machine, ids, log };
          const core = createCore({ ...deps, platformTimeoutMs });
          running = { core, store, life };
          begunAfter = newestOf(service, 'redemptions');
          core.start().then(resolve, reject);
        });
      });
    },
    kill(how = 'killed') {
      if (!running) return;
      closeBooks();
      running.life.end();
      running = undefined;
      if (how === 'killed') disk.afterKill();
      else disk.afterPowerLoss();
    },
    async stop(graceMs) {
      const { core, store, life } = now();
      closeBooks();
      // Nobody is let in any more; whoever was is answered before the file is closed.
      const answered = [...owed];
      isClosing = true;
      await untilGone(life, () => Promise.all([core.stop(graceMs), ...answered.map(settled)]));
      isClosing = false;
      if (life.isOver()) return;
      await untilGone(life, () => store.close(time.machine.now()));
      if (life.isOver()) return;
      life.end();
      running = undefined;
    },
    games: TEST_GAMES,
    upstreams: (life) => alone(platform(life)),
    platformTimeoutMs: 5_000,
    diesIn: 0,
    onCommit: () => undefined,
    nextCommit: () => Promise.race([new Promise<void>((tell) => waiting.push(tell)), time.sleep(QUIET_MS)]),
    async backUp() {
      backups += 1;
      const number = backups;
      const { rows } = await time.native(() =>
        backup(disk.databasePath(), fileOf(number), { secrets, now: time.machine.now() }),
      );
      return { number, wrong: rows.map((row) => `a backup: ${JSON.stringify(row)}`) };
    },
    restore(number) {
      const at = { databasePath: disk.databasePath(), key: KEY, now: time.machine.now() };
      try {
        return restore({ file: fileOf(number), ...at });
      } catch (error) {
        if (error instanceof StoreRefusal && error.message.includes('a sound database is never replaced'))
          return undefined;
        throw error;
      }
    },
    wipe() {
      for (const suffix of ['', '-wal', '-shm']) rmSync(disk.databasePath() + suffix, { force: true });
    },
    copyBackup: (number, to) => copyFileSync(fileOf(number), to),
    takeErrors: () => errors.splice(0),
    async within(work) {
      let isOver = false;
      const ended = work.finally(() => (isOver = true));
      ended.catch(() => undefined);
      if (!(await time.passUntil(() => isOver, LONGEST_MS))) throw new Error('Nothing comes of it.');
      return ended;
    },
    begunAfter: () => begunAfter,
    async close() {
      if (running) {
        const ended = service.ask(({ stop }) => stop(0)).catch(() => undefined);
        await Promise.race([service.within(ended), time.passUntil(() => false, ENDS_WITHIN_MS)]);
      }
      service.kill();
      closeBooks();
      disk.remove();
    },
  };
  return service;
}

const settled = (answer: Promise<unknown>) => answer.catch(() => undefined);

/** Resolves when it is done, or the process is gone. */
const untilGone = (life: Life, work: () => Promise<unknown>): Promise<unknown> =>
  Promise.race([
    life.run(work),
    new Promise((resolve) => life.gone.addEventListener('abort', resolve, { once: true })),
  ]);

export function rethrowUnlessGone(error: unknown): void {
  if (!(error instanceof Gone)) throw error;
}
