// What others do on the machine while something is measured: processes that are neither ours nor our children's, and
// the hypervisor. From /proc; where there is none, nobody is seen.
import { readdirSync, readFileSync } from 'node:fs';

/** Shares of all cores. */
export interface Load {
  others: number;
  stolen: number;
  /** Over how many ticks of all cores: what the shares weigh. */
  ticks: number;
}

interface Ticks {
  /** Of everybody, but what interrupts take: those of our own disk and sockets are among them. */
  busy: number;
  stolen: number;
  all: number;
  /** Of this process and all it started. */
  ours: number;
}

/** Watches until stopped. */
export function watchMachine(): { stop: () => Load } {
  const before = readTicks();
  return {
    stop() {
      const after = readTicks();
      const ticks = after.all - before.all;
      if (ticks <= 0) return { others: 0, stolen: 0, ticks: 0 };
      const others = after.busy - before.busy - (after.ours - before.ours);
      return { others: Math.max(0, others / ticks), stolen: (after.stolen - before.stolen) / ticks, ticks };
    },
  };
}

export function sumLoads(loads: readonly Load[]): Load {
  const ticks = loads.reduce((sum, load) => sum + load.ticks, 0);
  const share = (of: 'others' | 'stolen') =>
    ticks === 0 ? 0 : loads.reduce((sum, load) => sum + load[of] * load.ticks, 0) / ticks;
  return { others: share('others'), stolen: share('stolen'), ticks };
}

function readTicks(): Ticks {
  try {
    const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).map(Number);
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, stolen = 0] = fields;
    const busy = user + nice + system;
    return { busy, stolen, all: busy + idle + wait + irq + soft + stolen, ours: sumOurs() };
  } catch {
    return { busy: 0, stolen: 0, all: 0, ours: 0 };
  }
}

/** Of this process, its living descendants, and those of them that were waited for. */
function sumOurs(): number {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // What follows the name of the program, which may hold anything: state, parent, …
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      processes.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // It ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => {
    for (let current = pid; current > 1; current = processes.get(current)?.parent ?? 0) {
      if (current === process.pid) return true;
    }
    return false;
  };
  return [...processes].reduce((sum, [pid, { ticks }]) => sum + (isOurs(pid) ? ticks : 0), 0);
}
