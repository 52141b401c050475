// The sandbox holds the contract of the platform port, on simulated time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock } from '../../src/clock.ts';
import { createSandbox } from '../../src/platform/sandbox/sandbox.ts';
import { beginTime } from '../world/machine/time.ts';
import { describePlatform } from './platform.ts';

/** Time passes for as long as the suite takes. */
const LONG_MS = 1_000_000_000;

describePlatform('the sandbox', () => {
  const time = beginTime();
  let isOver = false;
  void time.passUntil(() => isOver, LONG_MS);
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-contract-'));
  const platform = createSandbox({ path: join(folder, 'sandbox.db'), latencyMs: 2, clock: systemClock });
  const close = () => {
    isOver = true;
    time.end();
    platform.close();
    rmSync(folder, { recursive: true });
    return Promise.resolve();
  };
  return Promise.resolve({ platform, close });
});
