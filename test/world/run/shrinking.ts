// A finding with fewer people and fewer faults: whoever can be left out, and it is found all the same, is.
import { liveApart } from './apart.ts';
import type { Finding, WorldOptions } from './world.ts';

/**
 * Lives again and again, each time without something more. Returns the smallest world in which the same promise is
 * broken.
 */
export async function shrink(
  finding: Finding,
  options: WorldOptions,
  names: readonly string[],
  tell: (line: string) => void,
): Promise<{ finding: Finding; without: ReadonlySet<string> }> {
  let smallest = { finding, without: new Set(options.without) };
  const tryWithout = async (left: readonly string[]): Promise<boolean> => {
    const without = new Set([...smallest.without, ...left]);
    const again = await liveApart({ ...options, days: smallest.finding.day, without });
    if (again?.promise !== finding.promise) return false;
    smallest = { finding: again, without };
    tell(`still found without ${left.join(', ')}`);
    return true;
  };
  // Halves first, as long as they can go; then one by one.
  for (let size = Math.ceil(names.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    const left = names.filter((name) => !smallest.without.has(name));
    for (let at = 0; at < left.length; at += size) await tryWithout(left.slice(at, at + size));
  }
  return smallest;
}
