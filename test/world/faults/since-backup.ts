// What people did since the backup that is about to be put in place, at the last moment: an invoice that is paid after
// it, money that goes back, an address that is told nothing more.
import type { Seeded } from '../../harness/seeded.ts';
import { refundByTelegram } from '../people/host.ts';
import { removeAddress } from '../people/integrating.ts';
import { orderInvoice } from '../people/payer.ts';
import type { Person, Self } from '../people/index.ts';
import type { World } from '../run/world.ts';

const someOf = (world: World, random: Seeded, kind: string): (Person & { self: Self }) | undefined => {
  const people = world.people.flatMap((person) =>
    person.kind === kind && person.self ? [{ ...person, self: person.self }] : [],
  );
  return people.length > 0 ? random.pick(people) : undefined;
};

/** What it returns is done once the backup is in place. */
export async function actAtTheLastMoment(world: World, random: Seeded): Promise<() => Promise<void>> {
  const [payer, client] = [someOf(world, random, 'payer'), someOf(world, random, 'client')];
  await Promise.all([
    random.chance(0.5) ? payer && orderInvoice(world, payer.self) : undefined,
    random.chance(0.4) ? giveBack(world) : undefined,
    random.chance(0.5) ? client && removeAddress(world, client.self) : undefined,
  ]);
  return async () => payer?.act(world);
}

/** Of what was paid within a day; the backup may know it as paid. */
async function giveBack(world: World): Promise<void> {
  refundByTelegram(world, () => true);
  await world.time.sleep(HEARD_MS);
}

const HEARD_MS = 2_000;
