// The services behind the shops of a step: which there are and how they fail, and each as an upstream of a process,
// which reads it by its own wire.
import type { Upstream } from '../../../../src/platform/port.ts';
import { createProfiledPlatform } from '../../../../src/platform/profiles/profiled-platform.ts';
import { createUpstream } from '../../../../src/platform/upstream/upstream.ts';
import { createSeeded, type Seeded } from '../../../harness/seeded.ts';
import { reachedOver, sendToSide, type FarSide } from '../../machine/network.ts';
import type { Life } from '../../machine/time.ts';
import type { CoreWorld } from '../world.ts';
import { createStandIn, GAME, type Fault, type Faults, type StandIn } from './stand-in.ts';
import { WIRE_NAMES, WIRES, type WireName } from './wires.ts';

/** What happens in a world: some kinds break promises that the others keep. */
export const KINDS = {
  /** Whatever fails certainly spends nothing, and one service is healthy. */
  provable: 3,
  /** Things get lost, and nobody lies. */
  losing: 5,
  /** People redeem the codes that they bring without us, too. */
  elsewhere: 2,
  /** Now and then a service says of what it has spent that it has not. */
  lying: 1,
  /** Minutes are lost with the machine. */
  restored: 1,
};
export type Kind = keyof typeof KINDS;

export interface Service {
  wire: WireName;
  tier: number;
  /** The settings may name what it hears all of. */
  witness: boolean | readonly string[];
  standIn: StandIn;
}

const TOKEN = 'token-of-the-stand-ins';
const PROVABLE: readonly Fault[] = ['neverSent', 'refusedUs', 'noAccount', 'login'];
const LOSING: readonly Fault[] = [
  'requestLost',
  'replyLost',
  'late',
  'cut',
  'garbled',
  'maintenance',
  'gateway',
];
const DAY_MS = 24 * 60 * 60 * 1000;

export function drawServices(world: CoreWorld, random: Seeded, kind: Kind): Service[] {
  const { time, platform } = world;
  const step = world.next();
  const isProvable = kind === 'provable';
  const wires = shuffle(random, WIRE_NAMES).slice(0, 1 + random.below(WIRE_NAMES.length));
  // So many tries has a redemption.
  const faulty = isProvable ? Math.min(random.below(3), wires.length - 1) : wires.length;
  return wires.map((name, index) => {
    const wire = WIRES[name];
    const faults = isProvable ? provableFaults(random) : anyFaults(random, name, kind);
    const isRegional = wire.hasLookUp && random.chance(0.15);
    const witness = random.chance(0.6) && (isRegional || random.chance(0.7) || [GAME]);
    const standIn = createStandIn({
      ...{ time, platform, wire, name: `${name.toLowerCase()}-${step}` },
      random: createSeeded(random.below(2 ** 31)),
      faults: index >= faulty ? { none: 1 } : faults,
      lookFaults: random.pick([0, 0.1, 0.1, 0.5, isProvable ? 0 : 1]),
      skewMs: random.chance(0.3) ? random.below(2 * DAY_MS) - DAY_MS : random.below(4_000) - 2_000,
      isRegional,
      flapsMs: !isProvable && random.chance(0.1) ? 5_000 + random.below(60_000) : 0,
    });
    return { wire: name, tier: 1 + random.below(2), witness, standIn };
  });
}

const provableFaults = (random: Seeded): Faults => ({
  none: 1,
  [random.pick(PROVABLE)]: 1 + random.below(5),
});

function anyFaults(random: Seeded, wire: WireName, kind: Kind): Faults {
  const jobs: Fault[] = WIRES[wire].hasJobs ? ['jobTwice', 'jobCrossed'] : [];
  const all: Fault[] = [...PROVABLE, ...LOSING, ...jobs, 'dawdles', 'risk'];
  const drawn = Array.from({ length: 1 + random.below(4) }, () => random.pick(all));
  const faults = Object.fromEntries(drawn.map((fault) => [fault, 1 + random.below(3)]));
  const lies = kind === 'lying' && random.chance(0.3);
  return { none: 2 + random.below(5), ...faults, ...(lies && { lie: 1 }) };
}

function shuffle<T>(random: Seeded, items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0] as T);
}

/** As a process has them. */
export const connect = ({ time }: CoreWorld, services: readonly Service[], life: Life): Upstream[] =>
  services.map(({ wire, tier, witness, standIn }) => {
    const { url } = standIn;
    const { profile } = WIRES[wire];
    const name = new URL(url).hostname.replace('.invalid', '');
    const asked = { url, token: TOKEN, clock: time.machine, send: sendToSide };
    const platform =
      profile === 'interface' ? createUpstream(asked) : createProfiledPlatform({ ...asked, name, profile });
    return {
      ...{ name, profile: wire, tier, witness, platform: reachedOver(platform, whileAlive(standIn, life)) },
      knows: (gameId) => gameId === GAME,
    };
  });

/** A dead process asks nothing, and hears of nothing. */
const whileAlive = (far: StandIn, life: Life): FarSide => ({
  ...far,
  async answer(...asked) {
    if (life.isOver()) return undefined;
    try {
      const response = await far.answer(...asked);
      return life.isOver() ? undefined : response;
    } catch (error) {
      if (life.isOver()) return undefined;
      throw error;
    }
  },
});
