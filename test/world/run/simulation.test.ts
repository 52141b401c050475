// Ten days of the world of one seed, and that a seed is a world: two processes that live its first days write the same.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const SEED = '20260302';

it('keeps every promise for ten days, and is the same world again from the same seed', async () => {
  const [lived, again] = await Promise.all([live(10), live(2)]);
  expect(lived.last).toContain('nothing found');
  expect(lived.days).toHaveLength(10);
  expect(again.days).toEqual(lived.days.slice(0, 2));
}, 360_000);

it('tells hosts nothing in a week in which nothing befalls it', async () => {
  expect(await live(7, '--people', '8', '--without', 'faults')).toMatchObject({
    days: { length: 7 },
    last: expect.stringContaining('nothing found') as string,
  });
}, 180_000);

/** The digest of each day, and the last line. */
async function live(days: number, ...options: string[]): Promise<{ days: string[]; last: string }> {
  const args = [MAIN, '--seed', SEED, '--days', String(days), '--people', '16', '--verbose', ...options];
  const failed = (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' });
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 }).catch(failed);
  const lines = stdout.trim().split('\n');
  return {
    days: lines.flatMap((line) => /^day \d+: (\w+)/.exec(line)?.[1] ?? []),
    last: lines.at(-1) ?? '',
  };
}
