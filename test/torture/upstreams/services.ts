// The services of a seed as upstreams: each a stand-in, reached by its wire over the network of this process.
import type { Upstream } from '../../../src/platform/port.ts';
import { createProfiledPlatform } from '../../../src/platform/profiles/profiled-platform.ts';
import { createUpstream } from '../../../src/platform/upstream/upstream.ts';
import type { Time } from '../../world/machine/time.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import { reachedByFetch } from './network.ts';
import type { Plan } from './plan.ts';
import { createStandIn } from './stand-in.ts';
import type { Truth } from './truth.ts';
import { WIRES } from './wires.ts';

export const GAME = 'game_id_1';
const TOKEN = 'token-of-the-stand-ins';

/** Well-formed, and of this seed alone. */
export const codeOf = ({ seed }: Plan, name: string) => `60S${name}X${String(seed).padStart(12, '0')}`;

/** In the order of the plan. */
export function openServices({
  time,
  plan,
  truth,
  random,
}: {
  time: Time;
  plan: Plan;
  truth: Truth;
  random: Seeded;
}): Upstream[] {
  const { machine: clock } = time;
  return plan.services.map((service) => {
    const wire = WIRES[service.wire];
    const name = `${service.wire.toLowerCase()}-${plan.seed}`;
    const url = `https://${name}.invalid`;
    const seeded = createSeeded(random.below(2 ** 31));
    const exchange = createStandIn({ ...service, name, wire, time, truth, random: seeded });
    const { profile } = wire;
    const wired =
      profile === 'interface'
        ? createUpstream({ url, token: TOKEN, clock })
        : createProfiledPlatform({ name, profile, url, token: TOKEN, clock });
    const platform = reachedByFetch(url, exchange, wired);
    const { tier, witness } = service;
    return { name, profile: service.wire, tier, witness, platform, knows: (gameId) => gameId === GAME };
  });
}
