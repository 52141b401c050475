// Which faults a world has at all, drawn from its seed: of three seeds in a row one has neither restores nor wrong
// calendars, one restores alone, one whatever it may be in combination. So a promise is strict, or it is not held.
import { createSeeded } from '../../harness/seeded.ts';
import { backingUp } from './backup.ts';
import { seedOf } from '../run/seeds.ts';
import type { Suspended } from '../promises/index.ts';
import { FAULTS, SUSPENDED, type Fault, type FaultClass } from './index.ts';

const WORLDS = ['steady', 'restores alone', 'combined'] as const;
type WorldName = (typeof WORLDS)[number];

/** Of whatever it may have. */
const CLASS_IN = { restore: 0.5, calendar: 0.3, end: 0.5, night: 0.5, disk: 0.5 } as const;
const FAULT_IN = 0.75;

interface Drawn {
  world: WorldName;
  faults: readonly Fault[];
}

interface Choice {
  seed: number;
  /** Names of faults that are there whatever is drawn, and of those that are not; `faults`: all. */
  with?: ReadonlySet<string> | undefined;
  without?: ReadonlySet<string> | undefined;
}

export function drawFaults({ seed, with: also = new Set(), without = new Set() }: Choice): Drawn {
  const world = WORLDS[Math.abs(seed) % WORLDS.length] ?? 'steady';
  const random = createSeeded(seedOf(seed, 'which faults'));
  const classes = new Set(
    (Object.keys(CLASS_IN) as FaultClass[]).filter((name) => random.chance(CLASS_IN[name])),
  );
  // Drawn for each, so that one that is added changes nothing of the others before it.
  const drawn = FAULTS.filter((fault) => {
    const isIn = random.chance(FAULT_IN);
    return (isIn || world === 'restores alone') && mayBeIn(world, fault, classes);
  });
  const faults = FAULTS.filter((fault) => drawn.includes(fault) || also.has(fault.name));
  return { world, faults: without.has('faults') ? [] : faults.filter(({ name }) => !without.has(name)) };
}

/** Each once, by itself or by its class. */
export const suspendedBy = (faults: readonly Fault[]): Suspended[] =>
  faults.flatMap(({ of, suspends = [] }) => [...suspends, ...(of ? SUSPENDED[of] : [])]);

function mayBeIn(world: WorldName, { of, name }: Fault, classes: ReadonlySet<FaultClass>): boolean {
  if (world === 'restores alone') return of === 'restore' || name === backingUp.name;
  if (world === 'steady' && (of === 'restore' || of === 'calendar')) return false;
  return of === undefined || classes.has(of);
}
