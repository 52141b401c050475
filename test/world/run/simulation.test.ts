// Ten days of three worlds, one of each kind, and that a seed is a world: two processes that live its first day write
// the same.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
/** Three in a row: steady, restores alone, combined (faults/worlds.ts). */
const SEED = 20_260_302;

it.each([
  ['steady', SEED, 4],
  ['restores alone', SEED + 1, 3],
  ['combined', SEED + 2, 3],
])(
  'keeps every promise for days (%s), and is the same world again from the same seed',
  async (kind, seed, days) => {
    const [lived, again] = await Promise.all([live(seed, days), live(seed, 1)]);
    expect(lived).toMatchObject({
      first: expect.stringContaining(` is ${kind}, `) as string,
      days: { length: days },
    });
    expect(lived.last).toContain('nothing found');
    expect(again.days).toEqual(lived.days.slice(0, 1));
  },
  360_000,
);

it('tells hosts nothing in a week in which nothing befalls it', async () => {
  expect(await live(SEED, 7, '--people', '8', '--without', 'faults')).toMatchObject({
    days: { length: 7 },
    last: expect.stringContaining('nothing found') as string,
  });
}, 180_000);

/** The digest of each day, and the first and the last line. */
async function live(seed: number, days: number, ...options: string[]) {
  const args = [
    MAIN,
    '--seed',
    String(seed),
    '--days',
    String(days),
    '--people',
    '16',
    '--verbose',
    ...options,
  ];
  const failed = (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' });
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 }).catch(failed);
  const lines = stdout.trim().split('\n');
  return {
    days: lines.flatMap((line) => /^day \d+: (\w+)/.exec(line)?.[1] ?? []),
    first: lines[0] ?? '',
    last: lines.at(-1) ?? '',
  };
}
