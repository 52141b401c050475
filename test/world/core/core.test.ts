// The small size of the world by the verbs of the core; `npm run simulate -- --gear core` lives any other.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../run/main.ts', import.meta.url));

it('is what its models foretell, and loses and spends nothing twice, whatever befalls it', async () => {
  const args = [MAIN, '--gear', 'core', '--seed', SEED, '--steps', STEPS];
  const failed = (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' });
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 }).catch(failed);
  expect(stdout).toContain('nothing found');
  for (const lived of [
    'restores',
    'killed at a commit',
    'codes handed out',
    'power loss',
    'resends',
    'cancelled',
  ])
    expect(stdout).toContain(`"${lived}":`);
}, 180_000);

const SEED = '20260302';
const STEPS = '700';
