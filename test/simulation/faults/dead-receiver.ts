// A receiver takes nothing for days: its address is switched off, once three days are over and no sooner; its program switches it on
// again, and it has its three days anew.
import type { Seeded } from '../../torture/seeded.ts';
import { call } from '../people/client.ts';
import { registerFor } from '../people/integrating.ts';
import type { World } from '../world.ts';
import type { Fault } from './index.ts';

const HOUR_MS = 60 * 60_000;
const DEAF_MS = 110 * HOUR_MS;
/** Its program is still not right when it is switched on. */
const HOPED_FOR_MS = 20 * HOUR_MS;

export const deadReceiver: Fault = {
  name: 'dead receiver',
  weight: 2,
  async happen(world, random) {
    const { receivers, shops, time, diary } = world;
    // Mostly it is the turn of a program whose address is off.
    const waiting = shops.filter(({ accountId }) => findOff(world, accountId).length > 0);
    const shop = random.pick(waiting.length > 0 && random.chance(0.7) ? waiting : shops);
    if (!shop) return;
    const name = `a program of shop ${shop.number}`;
    for (const [path, address] of findOff(world, shop.accountId).slice(0, 1)) {
      const answer = await call(world, { name, shop }, `/webhooks/${address.id}/enable`, { body: {} });
      if (answer?.status !== 200) continue;
      delete address.offAt;
      receivers.moods.set(path, { mood: 'failing', until: time.clock.now() + HOPED_FOR_MS });
      address.hopedSince = time.clock.now();
      await retryOne(world, random, name, shop, address.id);
      diary.note(`${path} is switched on again`);
    }
    if (findListening(world, shop.accountId) === undefined)
      await registerFor(world, { name, shop, random }, ['redemption.settled']);
    const path = findListening(world, shop.accountId);
    if (path === undefined) return;
    receivers.moods.set(path, {
      mood: random.pick(['failing', 'refusing'] as const) ?? 'failing',
      until: time.clock.now() + DEAF_MS,
    });
    diary.note(`${path} takes nothing for days`);
  },
};

/** Addresses of its programs that are switched off. */
const findOff = ({ receivers }: World, accountId: number) =>
  [...receivers.extra].filter(([, extra]) => extra.accountId === accountId && extra.offAt !== undefined);

/** An address of its programs that hears of every redemption, and takes it. */
function findListening({ receivers, time }: World, accountId: number): string | undefined {
  const [path] =
    [...receivers.extra].find(
      ([each, extra]) =>
        extra.accountId === accountId &&
        extra.offAt === undefined &&
        extra.events.has('redemption.settled') &&
        (receivers.moods.get(each)?.until ?? 0) < time.clock.now(),
    ) ?? [];
  return path;
}

/** What was given up is ordered once more. */
async function retryOne(
  world: World,
  random: Seeded,
  name: string,
  shop: World['shops'][number],
  id: number,
): Promise<void> {
  const { json } = (await call(world, { name, shop }, `/webhooks/${id}/deliveries`)) ?? {};
  const failed = Array.isArray(json)
    ? (json as { id: number; state: string }[]).filter(({ state }) => state === 'failed')
    : [];
  const one = failed.length > 0 ? random.pick(failed) : undefined;
  if (!one) return;
  const answer = await call(world, { name, shop }, `/webhooks/${id}/deliveries/${one.id}/retry`, {
    body: {},
  });
  if (answer?.status === 202) world.receivers.retried.set(one.id, world.time.clock.now());
}
