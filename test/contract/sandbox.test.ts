// The sandbox holds the contract of the platform port.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock } from '../../src/clock.ts';
import { createSandbox } from '../../src/platform/sandbox/sandbox.ts';
import { describePlatform } from './platform.ts';

describePlatform('the sandbox', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-contract-'));
  const platform = createSandbox({ path: join(folder, 'sandbox.db'), latencyMs: 2, clock: systemClock });
  const close = () => {
    platform.close();
    rmSync(folder, { recursive: true });
    return Promise.resolve();
  };
  return Promise.resolve({ platform, close });
});
