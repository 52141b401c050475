// People who act while something befalls the service.
import type { Seeded } from '../../harness/seeded.ts';
import type { Person } from '../people/index.ts';
import type { World } from '../run/world.ts';

/** So many acts of such people, side by side; resolves when the last of them has come to its end. */
export async function actSome(
  world: World,
  random: Seeded,
  { count, by = () => true }: { count: number; by?: (person: Person) => boolean },
): Promise<void> {
  const people = world.people.filter(by);
  await Promise.all(Array.from({ length: count }, () => random.pick(people)?.act(world)));
}

/** Who orders what is done once. */
const ORDERING = new Set(['admin', 'owner', 'operator', 'several', 'host']);

/** So many of them. */
export const orderSome = (world: World, random: Seeded, count: number): Promise<void> =>
  actSome(world, random, { count, by: ({ kind }) => ORDERING.has(kind) });
