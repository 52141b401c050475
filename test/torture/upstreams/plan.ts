// What a seed is: which services there are and how they behave, who orders what and when, who redeems a code without
// us, when the process is killed and the database restored.
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import type { Fault, Faults } from './stand-in.ts';
import { WIRE_NAMES, WIRES, type WireName } from './wires.ts';

interface PlannedService {
  wire: WireName;
  tier: number;
  witness: boolean;
  faults: Faults;
  lookFaults: number;
  skewMs: number;
  isRegional: boolean;
  flapsMs: number;
}

export interface PlannedOrder {
  /** Milliseconds after the phase has begun. */
  at: number;
  shop: number;
  playerId: string;
  /** Of the stock, or which of the given codes. */
  given: number | undefined;
  /** Its key, where it is repeated after an answer that lets it. */
  hasKey: boolean;
}

/** Somebody redeems a given code without us. */
interface PlannedElsewhere {
  at: number;
  given: number;
  playerId: string;
}

export interface Plan {
  seed: number;
  /** Whatever fails certainly spends nothing, and one service is healthy. */
  isProvable: boolean;
  services: PlannedService[];
  shops: number;
  /** Codes in the stock of each shop. */
  stock: number;
  /** Codes that people bring. */
  given: number;
  phases: { orders: PlannedOrder[]; elsewhere: PlannedElsewhere[] }[];
  /** At which commits of the seed the process is killed. */
  kills: ReadonlySet<number>;
  /** Whether what happened since the middle of the seed is lost. */
  restores: boolean;
}

const PROVABLE: readonly Fault[] = ['neverSent', 'refusedUs', 'noAccount', 'login'];
const DAY_MS = 24 * 60 * 60 * 1000;
const PLAYERS = ['5170925570', '5170925571', '5170925572'];
/** One seed in so many is restored in between: it costs as much as many others. */
const RESTORED_EVERY = 50;

export function planSeed(seed: number): Plan {
  const random = createSeeded(seed * 7919 + 28);
  const isProvable = random.chance(0.3);
  const services = planServices(random, isProvable);
  const [shops, given] = [1 + random.below(2), isProvable ? 0 : random.below(4)];
  const phases = Array.from({ length: 1 + random.below(3) }, () =>
    planPhase(random, { shops, given, isProvable }),
  );
  const killed = !isProvable && random.chance(0.4) ? 1 + random.below(3) : 0;
  const kills = new Set(Array.from({ length: killed }, () => 1 + random.below(14)));
  const restores = !isProvable && random.below(RESTORED_EVERY) === 0;
  return { seed, isProvable, services, shops, stock: 9, given, phases, kills, restores };
}

function planServices(random: Seeded, isProvable: boolean): PlannedService[] {
  const wires = shuffle(random, WIRE_NAMES).slice(0, 1 + random.below(WIRE_NAMES.length));
  // So many tries has a redemption.
  const faulty = isProvable ? Math.min(random.below(3), wires.length - 1) : wires.length;
  return wires.map((wire, index) => ({
    wire,
    tier: 1 + random.below(2),
    witness: random.chance(0.6),
    faults: index >= faulty ? { none: 1 } : isProvable ? provableFaults(random) : anyFaults(random, wire),
    lookFaults: random.pick([0, 0.1, 0.1, 0.5, isProvable ? 0 : 1]),
    skewMs: random.chance(0.3) ? random.below(2 * DAY_MS) - DAY_MS : random.below(4_000) - 2_000,
    isRegional: WIRES[wire].hasLookUp && random.chance(0.15),
    flapsMs: !isProvable && random.chance(0.1) ? 5_000 + random.below(60_000) : 0,
  }));
}

const provableFaults = (random: Seeded): Faults => ({
  none: 1,
  [random.pick(PROVABLE)]: 1 + random.below(5),
});

function anyFaults(random: Seeded, wire: WireName): Faults {
  const lost: Fault[] = ['requestLost', 'replyLost', 'late', 'cut', 'garbled', 'maintenance', 'gateway'];
  const jobs: Fault[] = WIRES[wire].hasJobs ? ['jobTwice', 'jobCrossed'] : [];
  const all: Fault[] = [...PROVABLE, ...lost, ...jobs, 'dawdles', 'risk'];
  const drawn = Array.from({ length: 1 + random.below(4) }, () => random.pick(all));
  const faults = Object.fromEntries(drawn.map((fault) => [fault, 1 + random.below(3)]));
  return { none: 2 + random.below(5), ...faults, ...(random.chance(0.08) && { lie: 1 }) };
}

function planPhase(
  random: Seeded,
  { shops, given, isProvable }: { shops: number; given: number; isProvable: boolean },
): Plan['phases'][number] {
  const spread = random.pick([1_000, 20_000, 120_000]);
  const orders = Array.from({ length: 1 + random.below(3) }, () => ({
    at: random.below(spread),
    shop: random.below(shops),
    playerId: random.pick(PLAYERS),
    given: given > 0 && random.chance(0.5) ? random.below(given) : undefined,
    hasKey: random.chance(0.5),
  }));
  const elsewhere = Array.from({ length: given > 0 && random.chance(0.3) ? 1 : 0 }, () => ({
    at: random.below(spread * 2),
    given: random.below(given),
    playerId: random.pick(PLAYERS),
  }));
  return { orders, elsewhere: isProvable ? [] : elsewhere };
}

function shuffle<T>(random: Seeded, items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0] as T);
}
