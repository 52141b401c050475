// A receiver takes nothing for days, or never some of it: where nothing goes through its address is switched off, once
// three days are over and no sooner; its program switches it on again (people/switching-on.ts), and it has its three
// days anew.
import { registerFor } from '../people/integrating.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';

const HOUR_MS = 60 * 60_000;
const DEAF_MS = 110 * HOUR_MS;

export const deadReceiver: Fault = {
  name: 'dead receiver',
  weight: 2,
  async happen(world, random) {
    const { receivers, shops, time, diary } = world;
    const shop = random.pick(shops);
    if (!shop) return;
    if (findListening(world, shop.accountId) === undefined) {
      const name = `a program of shop ${shop.number}`;
      await registerFor(world, { name, shop, random }, ['redemption.settled']);
    }
    const path = findListening(world, shop.accountId);
    if (path === undefined) return;
    receivers.moods.set(path, {
      mood: random.pick(['failing', 'refusing', 'picky'] as const),
      until: time.clock.now() + DEAF_MS,
    });
    diary.note(`${path} takes nothing for days, or not all`);
  },
};

/** An address of its programs that hears of every redemption, and takes it. */
function findListening({ receivers, time }: World, accountId: number): string | undefined {
  const [path] =
    [...receivers.extra].find(
      ([each, extra]) =>
        extra.accountId === accountId &&
        extra.offAt === undefined &&
        extra.removedAt === undefined &&
        extra.events.has('redemption.settled') &&
        (receivers.moods.get(each)?.until ?? 0) < time.clock.now(),
    ) ?? [];
  return path;
}
