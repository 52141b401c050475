// Row 20 of the scorecard: every moment of a backup, every restore, whatever happened since; over a database that is
// sound, that is damaged, that is gone; and restores of restores. In one process, over the real store, core and
// sandbox.
import { audit, auditEnd, auditNumbers, auditRestored } from './epochs/audit.ts';
import { doSomething, redeem } from './epochs/actions.ts';
import { repeatLost } from './epochs/repeats.ts';
import { count as tally, goBack, makeBackup, openWorld, type World } from './epochs/world.ts';
import { merge, type Findings, type TortureOptions } from './findings.ts';

const MOST_RESTORES = 5;
const ACTIONS_BETWEEN = 14;
/** How many restores lose minutes alone. */
const SHORT = 0.4;
const ORDERS = 4;
const MINUTE_MS = 60_000;

/** Lives of a service, each with a few restores, until there were `count`. */
export async function beginEpochs({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const lives: Findings[] = [];
  // What waits for the platform alone keeps no process alive.
  const awake = setInterval(() => undefined, 1000);
  for (let life = 0, restores = 0; restores < count; life += 1) {
    const findings = await liveOnce(seed + life, Math.min(MOST_RESTORES, count - restores));
    restores += findings.tried.restores ?? 0;
    lives.push(findings);
    if (life % 20 === 19) tell?.(`${restores} of ${count} restores`);
  }
  clearInterval(awake);
  return merge(...lives);
}

/** One life; the same seed is the same life. */
async function liveOnce(seed: number, mostRestores: number): Promise<Findings> {
  const world = openWorld(seed);
  try {
    const restores = 1 + world.seeded.below(mostRestores);
    for (let round = 0; round < restores; round += 1) {
      await liveOn(world);
      if (world.backups.length === 0) continue;
      const over = world.seeded.weigh({ sound: 3, unreadable: 4, missing: 1, 'by hand': 2 });
      tally(world, 'restores');
      tally(world, over);
      const isShort = world.seeded.chance(SHORT);
      if (isShort) await orderAfterBackup(world);
      await goBack(world, over, { isShort, look: (restored) => auditRestored(world, restored) });
      if (isShort) await repeatLost(world);
      audit(world);
      if (world.violations.length > 0) break;
    }
    await liveOn(world);
    if (world.violations.length === 0) await auditEnd(world);
  } finally {
    await world.close();
  }
  return {
    tried: world.tried,
    violations: world.violations.map((violation) => `seed ${seed}: ${violation}`),
  };
}

async function orderAfterBackup(world: World): Promise<void> {
  await makeBackup(world);
  for (let order = 0; order < ORDERS; order += 1) {
    world.clock.advance(1 + world.seeded.below(MINUTE_MS));
    await redeem(world);
  }
}

async function liveOn(world: World): Promise<void> {
  for (let action = 0; action < ACTIONS_BETWEEN && world.violations.length === 0; action += 1) {
    await doSomething(world);
    auditNumbers(world, (violation) => world.violations.push(violation));
  }
}
