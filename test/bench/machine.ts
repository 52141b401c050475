// What the machine can do, so that figures of different days can be told apart.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { makeFolder } from './bench-core.ts';

const MEASURED_MS = 1_000;
const PAGE = Buffer.alloc(4096, 1);

/** Cores, Node, and how many fsyncs a second the disk under the temporary folder takes. */
export function machineLine(): string {
  const fsyncs = Math.round(measureFsyncs()).toLocaleString('en');
  return `${availableParallelism()} cores, Node ${process.version}, ${fsyncs} fsyncs/s\n`;
}

/** Appending a page and making it durable, over and over. */
function measureFsyncs(): number {
  const { folder, remove } = makeFolder();
  const descriptor = openSync(join(folder, 'log'), 'w');
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < MEASURED_MS; count += 1) {
    writeSync(descriptor, PAGE);
    fsyncSync(descriptor);
  }
  const elapsedMs = performance.now() - startedAt;
  closeSync(descriptor);
  remove();
  return (count * 1000) / elapsedMs;
}
