// What the machine can do, so that figures of different days can be told apart; and which core does what.
import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';

import { makeFolder } from './folders.ts';
import { percent } from './figures.ts';
import { watchMachine } from './machine-load.ts';

const MEASURED_MS = 1_000;
const PAGE = Buffer.alloc(4096, 1);

/** Cores, Node, how many fsyncs a second the disk under the temporary folder takes, and what others do meanwhile. */
export function machineLine(): string {
  const machine = watchMachine();
  const fsyncs = Math.round(measureFsyncs()).toLocaleString('en');
  const { others, stolen } = machine.stop();
  const told = [
    `${availableParallelism()} cores`,
    cpus()[0]?.model.trim() ?? 'unknown',
    `Node ${process.version}`,
  ];
  return [...told, `${fsyncs} fsyncs/s`, `others ${percent(others)}`, `stolen ${percent(stolen)}`].join(', ');
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

/**
 * Gives the last core to a process, and the others to this one with all its threads. Returns how to take it back;
 * undefined where there is one core only, or no taskset.
 */
export function giveOwnCore(pid: number): (() => void) | undefined {
  const cores = cpus().length;
  if (cores < 2) return undefined;
  const pin = (list: string, process: number) =>
    execFileSync('taskset', ['-a', '-p', '-c', list, String(process)], { stdio: 'ignore' });
  try {
    pin(String(cores - 1), pid);
    pin(cores === 2 ? '0' : `0-${cores - 2}`, process.pid);
    return () => void pin(`0-${cores - 1}`, process.pid);
  } catch {
    return undefined;
  }
}
