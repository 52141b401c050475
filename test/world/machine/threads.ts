// What the service does in threads, done here on the one loop at a simulated moment: the copying of the log
// (store/engine/checkpoint-worker.ts) and the drawing of pictures (pictures/render.ts).
import resvg from '@resvg/resvg-js';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';
import zlib from 'node:zlib';

import Database from 'better-sqlite3';

import type { Time } from './time.ts';

const COPYING_EVERY_MS = 1_000;
const DRAWING_MS = 300;

const RealWorker = threads.Worker;
const realRender = resvg.renderAsync;
const realDeflate = zlib.deflate;

export function giveThreadsBack(): void {
  Object.assign(threads, { Worker: RealWorker });
  Object.assign(resvg, { renderAsync: realRender });
  Object.assign(zlib, { deflate: realDeflate });
  syncBuiltinESMExports();
}

/**
 * Stands in place of every thread from now on, but for those that read a spreadsheet: with `native`
 * they run, and no time passes meanwhile; without they answer nothing.
 */
export function bindThreads(native?: Time['native']): void {
  const begin = function (program: string, options: WorkerOptions & { workerData: { path: string } }) {
    if (!native || program.endsWith('/checkpoint-worker.ts')) return new CopyingThread(program, options);
    const worker = new RealWorker(program, options);
    native(() => once(worker, 'exit')).catch(() => undefined);
    return worker;
  };
  Object.assign(threads, { Worker: begin });
  Object.assign(resvg, { renderAsync: draw });
  Object.assign(zlib, { deflate: packNothing });
  syncBuiltinESMExports();
}

/** A thread that copies the log of the file in its `workerData` until it is told to end. */
class CopyingThread extends EventEmitter {
  readonly #connection: Database.Database | undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(_program: string, { workerData }: { workerData: { path: string } }) {
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

/** Every picture is this one, as far as anybody looks. */
const PICTURE = { width: 800, height: 600, pixels: Buffer.alloc(800 * 600 * 4) };

const draw = () =>
  new Promise((resolve) => {
    setTimeout(() => resolve(PICTURE), DRAWING_MS);
  });

const packNothing = (_rows: Buffer, then: (error: null, packed: Buffer) => void) =>
  then(null, Buffer.from('packed'));
