// What a finding looks like where it is printed, and how it is read again.
import type { Finding, WorldOptions } from './world.ts';

const PRINTED =
  /^FOUND seed (\d+), day (\d+): (\w+)\n {2}([\s\S]*?)\nlast steps:\n([\s\S]*?)^again: npm run simulate /m;

export function formatFinding(
  { seed, day, promise, what, steps }: Finding,
  { people, with: also, without }: Pick<WorldOptions, 'people' | 'with' | 'without'>,
): string {
  const added = [...(also ?? [])].map((name) => ` --with '${name}'`).join('');
  const left = [...(without ?? [])].map((name) => ` --without '${name}'`).join('');
  return [
    `FOUND seed ${seed}, day ${day}: ${promise}\n  ${what}\nlast steps:`,
    ...steps.map((step) => `  ${step}`),
    `again: npm run simulate -- --seed ${seed} --days ${day} --people ${people}${added}${left}`,
  ].join('\n');
}

/** The first one; undefined where there is none. */
export function readFinding(printed: string): Finding | undefined {
  const [, seed, day, promise = '', what = '', steps = ''] = PRINTED.exec(printed) ?? [];
  if (promise === '') return undefined;
  const lines = steps.split('\n').filter((line) => line !== '');
  return {
    seed: Number(seed),
    day: Number(day),
    promise,
    what,
    steps: lines.map((line) => line.replace(/^ {2}/, '')),
  };
}
