// What the service does in threads and processes of its own, done here on the one loop at a simulated moment: the
// copying of the log (store/engine/checkpoint-worker.ts) and the drawing of pictures
// (bot/statistics/render-picture.ts).
import childProcess from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';

import Database from 'better-sqlite3';

import type { Time } from './time.ts';

const COPYING_EVERY_MS = 50;
const DRAWING_MS = 300;

const RealWorker = threads.Worker;
const realFork = childProcess.fork;

export function giveThreadsBack(): void {
  Object.assign(threads, { Worker: RealWorker });
  Object.assign(childProcess, { fork: realFork });
  syncBuiltinESMExports();
}

/**
 * Stands in place of every thread and forked process from now on, but for those that read a spreadsheet: with `native`
 * they run, and no time passes meanwhile; without they answer nothing.
 */
export function bindThreads(native?: Time['native']): void {
  const begin = function (program: URL, options: WorkerOptions & { workerData: { path: string } }) {
    if (!native || program.href.endsWith('/checkpoint-worker.ts')) return new CopyingThread(program, options);
    const worker = new RealWorker(program, options);
    native(() => once(worker, 'exit')).catch(() => undefined);
    return worker;
  };
  Object.assign(threads, { Worker: begin });
  Object.assign(childProcess, { fork: () => new Drawer() });
  syncBuiltinESMExports();
}

/** A thread that copies the log of the file in its `workerData` until it is told to end. */
class CopyingThread extends EventEmitter {
  readonly #connection: Database.Database | undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(_program: URL, { workerData }: { workerData: { path: string } }) {
    super();
    // Begun by a process that was killed in that very turn: its files are gone.
    if (!existsSync(workerData.path)) return;
    const connection = new Database(workerData.path, { timeout: 0 });
    this.#connection = connection;
    connection.pragma('synchronous = FULL');
    const copy = () => {
      if (!connection.open) return;
      connection.pragma('wal_checkpoint(PASSIVE)');
      this.emit('message', 'copied');
    };
    this.#timer = setInterval(copy, COPYING_EVERY_MS);
  }

  ref(): void {}
  unref(): void {}

  postMessage(): void {
    clearInterval(this.#timer);
    setTimeout(() => {
      this.#connection?.close();
      this.emit('exit', 0);
    });
  }
}

/** A PNG of 800 by 600, as far as anybody looks. */
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d4948445200000320000002580806000000', 'hex');

/** A process that answers every picture with the same few bytes. */
class Drawer extends EventEmitter {
  connected = true;
  readonly channel = { ref(): void {}, unref(): void {} };

  ref(): void {}
  unref(): void {}

  send(): void {
    setTimeout(() => this.emit('message', new Uint8Array(PICTURE)), DRAWING_MS);
  }

  kill(): void {
    this.connected = false;
  }
}
