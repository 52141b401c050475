// Lives of a shop by orders, as many as it takes to find the bugs that are planted for them.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../world/run/main.ts', import.meta.url));

test('orders, promises and codes are what the plain model says, after every step', async () => {
  const args = [MAIN, '--gear', 'core', '--only', 'orders', '--seed', '1', '--steps', '1200'];
  const told = (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' });
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 }).catch(told);
  expect(stdout).toContain('nothing found');
}, 180_000);
