// Loaded into the real service by `node --import`: how long its event loop is held. A timer of a millisecond that comes
// late tells of the turn before it, in time of the clock and in time of the processor: where others use the machine,
// too, only the second is the service's own. The sources of the service know nothing of it.

import { isMainThread } from 'node:worker_threads';

/** Turns since the last time that anybody asked. */
export interface Turns {
  longestMs: number;
  longestCpuMs: number;
  /** Longer than 25 ms, by the clock and by the processor. */
  long: number;
  longCpu: number;
  /** When the longest of each ended, in microseconds, on the scale of a CPU profile. */
  longestAtUs: number;
  longestCpuAtUs: number;
}

const PROBED_EVERY_MS = 1;
const LONG_MS = 25;

// Importing it elsewhere, for the type above, does nothing; the threads of the service inherit it, and are not the
// loop.
if (process.env.FAIRNESS_PROBE === '1' && isMainThread) install();

function install(): void {
  let turns = nothing();
  let lastAt = performance.now();
  let lastCpu = process.threadCpuUsage();
  const probe = () => {
    const now = performance.now();
    const cpu = process.threadCpuUsage();
    observe(turns, now - lastAt - PROBED_EVERY_MS, cpuBetween(lastCpu, cpu));
    lastAt = now;
    lastCpu = cpu;
    setTimeout(probe, PROBED_EVERY_MS).unref();
  };
  probe();
  process.on('message', ({ id }: { id: number }) => {
    process.send?.({ ...turns, id });
    turns = nothing();
  });
  process.on('disconnect', () => process.exit(1));
  process.channel?.unref();
}

function nothing(): Turns {
  return { longestMs: 0, longestCpuMs: 0, long: 0, longCpu: 0, longestAtUs: 0, longestCpuAtUs: 0 };
}

function observe(turns: Turns, ms: number, cpuMs: number): void {
  if (ms > LONG_MS) turns.long += 1;
  if (cpuMs > LONG_MS) turns.longCpu += 1;
  const atUs = Number(process.hrtime.bigint() / 1000n);
  if (ms > turns.longestMs) Object.assign(turns, { longestMs: ms, longestAtUs: atUs });
  if (cpuMs > turns.longestCpuMs) Object.assign(turns, { longestCpuMs: cpuMs, longestCpuAtUs: atUs });
}

function cpuBetween(before: NodeJS.CpuUsage, after: NodeJS.CpuUsage): number {
  return (after.user + after.system - before.user - before.system) / 1000;
}
