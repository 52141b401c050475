// The world by the verbs of the core alone: what a seed is (who lives in it, what befalls them), its steps, and what is
// held after each. A world of its own begins every so many steps.
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import { createPlatform, type SimulatedPlatform } from '../machine/platform.ts';
import { beginTime, type Time } from '../machine/time.ts';
import { seedOf } from '../run/seeds.ts';
import { createCoreService, type CoreService } from './service.ts';
import { LIVES, type LifeName } from './lives.ts';

/**
 * Off by default. `slow platform`: in the lives of `orders` it answers in seconds. That breaks a promise today: an order
 * that is repeated under its own key after a restore has what the lost time has carried out for it, and spends no second
 * code. All of the search for that is given three seconds.
 */
export const CORE_FAULTS = ['slow platform'] as const;
type CoreFault = (typeof CORE_FAULTS)[number];

export interface CoreWorld {
  seed: number;
  fault: CoreFault | undefined;
  time: Time;
  /** For what is nobody's own. */
  random: Seeded;
  platform: SimulatedPlatform;
  service: CoreService;
  /** What is wrong, as soon as somebody notices it. */
  amiss: string[];
  note(step: string): void;
  count(what: string, many?: number): void;
  /** A number that is given once. */
  next(): number;
}

/** Somebody who lives in the world, one act after the other or many beside each other. */
export interface Living {
  /** One more step, of this stream of chance; false where it was none of those that are counted. */
  act(random: Seeded): Promise<void>;
  /** Whatever waits comes to its end, and all is held once more. */
  end(): Promise<void>;
}

export interface CoreOptions {
  seed: number;
  /** All of them together, over as many worlds as they take. */
  steps?: number;
  /** Who lives in every world; one after the other without it. */
  only?: LifeName | undefined;
  fault?: CoreFault | undefined;
  /** Goes on until so many of it were counted, however many steps that takes. */
  until?: { what: string; count: number } | undefined;
  tell?: ((line: string) => void) | undefined;
}

export interface CoreFinding {
  seed: number;
  life: LifeName;
  what: string;
  steps: readonly string[];
}

export interface CoreLived {
  tried: Record<string, number>;
  findings: CoreFinding[];
}

const STEPS_KEPT = 30;
const MOST_FINDINGS = 5;
const TOLD_EVERY = 100;

/** Lives in one world after the other. */
export async function liveByTheCore(options: CoreOptions): Promise<CoreLived> {
  const { seed, steps = Infinity, only, fault, until, tell } = options;
  const names = Object.keys(LIVES) as LifeName[];
  const lived: CoreLived = { tried: {}, findings: [] };
  const { tried, findings } = lived;
  const isOver = () =>
    findings.length >= MOST_FINDINGS ||
    (until ? (tried[until.what] ?? 0) >= until.count : (tried.steps ?? 0) >= steps);
  for (let world = 0; !isOver(); world += 1) {
    const life = only ?? names[(seed + world) % names.length]!;
    const most = steps - (tried.steps ?? 0);
    const found = await liveOnce({ seed: seed + world, life, most, tried, fault });
    if (found) findings.push(found);
    if (world % TOLD_EVERY === TOLD_EVERY - 1) tell?.(`${world + 1} worlds, ${JSON.stringify(tried)}`);
  }
  return lived;
}

/** The first thing that is wrong in the world of a seed. */
async function liveOnce({
  seed,
  life,
  most,
  tried,
  fault,
}: {
  seed: number;
  life: LifeName;
  most: number;
  tried: Record<string, number>;
  fault: CoreFault | undefined;
}): Promise<CoreFinding | undefined> {
  const steps: string[] = [];
  const count = (what: string, many = 1) => void (tried[what] = (tried[what] ?? 0) + many);
  const world = createWorld({ seed, steps, count, fault });
  const { service, amiss } = world;
  const hold = async (work: () => Promise<void>) => {
    await work();
    amiss.push(...service.takeErrors().map((error) => `logged: ${error}`));
    if (amiss[0] !== undefined) throw new Error(amiss.slice(0, 3).join('\n  '));
  };
  count('worlds');
  try {
    await service.start();
    const { open, steps: length } = LIVES[life];
    const living = await open(world);
    for (let step = 0; step < Math.min(length, most); step += 1) {
      count('steps');
      await hold(() => living.act(createSeeded(seedOf(seed, `step ${step}`))));
    }
    await hold(living.end);
    return undefined;
  } catch (error) {
    return { seed, life, what: (error as Error).message, steps };
  } finally {
    await service.close();
    world.time.end();
  }
}

interface Noted {
  seed: number;
  steps?: string[];
  count?: CoreWorld['count'];
  fault?: CoreFault | undefined;
}

/** Its service is not started yet. Whoever opens it closes its service, and ends its time. */
export function createWorld({ seed, steps = [], count = () => undefined, fault }: Noted): CoreWorld {
  const time = beginTime();
  const stream = (name: string) => createSeeded(seedOf(seed, name));
  const platform = createPlatform(time, stream('platform'));
  const service = createCoreService(time, stream('ids'), platform.reachedBy);
  let numbers = 0;
  return {
    ...{ seed, fault, time, platform, service, count },
    random: stream('world'),
    amiss: [],
    note(step) {
      steps.push(`${new Date(time.clock.now()).toISOString().slice(0, 23)} ${step}`);
      if (steps.length > STEPS_KEPT) steps.shift();
    },
    next: () => (numbers += 1),
  };
}

export const formatCoreFinding = ({ seed, life, what, steps }: CoreFinding): string =>
  [
    `FOUND seed ${seed}, ${life}:\n  ${what}\nlast steps:`,
    ...steps.map((step) => `  ${step}`),
    `again: npm run simulate -- --gear core --seed ${seed} --only ${life} --steps ${LIVES[life].steps}`,
  ].join('\n');
