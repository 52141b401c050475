// The core against a plain model of it: random days in the life of three accounts, compared after every step.
import fc from 'fast-check';
import { test } from 'vitest';

import { COMMANDS } from './model/commands.ts';
import { closeWorld, openWorld } from './model/world.ts';

/** `MODEL_RUNS=5000 npx vitest run test/model.test.ts` for a long one. */
const RUNS = Number(process.env.MODEL_RUNS ?? 60);
const STEPS = 60;

test(
  'stock, quota, receipts and codes are what the plain model says, after every step and at the end',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: STEPS, size: 'max' }), async (commands) => {
        const world = await openWorld();
        let failed = true;
        try {
          await fc.asyncModelRun(() => ({ model: world.model, real: world }), commands);
          failed = false;
        } finally {
          await (failed ? world.t.close() : closeWorld(world));
        }
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: 60_000 + RUNS * 1_000, endOnFailure: RUNS > 1_000 },
    );
  },
  120_000 + RUNS * 2_000,
);
