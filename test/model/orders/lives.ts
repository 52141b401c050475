// Random days of a shop that lives by orders: commands of one seed, compared with the model after every one.
import fc from 'fast-check';

import { ORDER_COMMANDS } from './commands.ts';
import { checkDrift, openOrderWorld } from './world.ts';

const STEPS = 20;

/** Throws what fast-check has found, with its seed and path. */
export async function liveByOrders(runs: number, seed?: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.commands(ORDER_COMMANDS, { maxCommands: STEPS, size: 'max' }), async (commands) => {
      const world = await openOrderWorld();
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
        checkDrift(world);
      } finally {
        await world.close();
      }
    }),
    { numRuns: runs, ...(seed !== undefined && { seed }) },
  );
}
