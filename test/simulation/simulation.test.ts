// A month of the world of one seed, and that a seed is a world: two processes that live its first days write the same.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const SEED = '20260302';

it('keeps every promise for a month, and is the same world again from the same seed', async () => {
  const [month, again] = await Promise.all([live(30), live(3)]);
  expect(month.last).toContain('nothing found');
  expect(month.days).toHaveLength(30);
  expect(again.days).toEqual(month.days.slice(0, 3));
}, 360_000);

/** The digest of each day, and the last line. */
async function live(days: number): Promise<{ days: string[]; last: string }> {
  const args = [MAIN, '--seed', SEED, '--days', String(days), '--people', '16', '--verbose'];
  const failed = (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' });
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 }).catch(failed);
  const lines = stdout.trim().split('\n');
  return {
    days: lines.flatMap((line) => /^day \d+: (\w+)/.exec(line)?.[1] ?? []),
    last: lines.at(-1) ?? '',
  };
}
