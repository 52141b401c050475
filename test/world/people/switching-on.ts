// A program whose address was switched off switches it on again. One that had been dead for days
// (faults/dead-receiver.ts) is not right for some hours more, has its three days anew, and asks once more for a
// delivery that was given up.
import type { World } from '../run/world.ts';
import { look } from '../run/rest.ts';
import { call } from './client.ts';
import type { Self } from './index.ts';

/** Its program is still not right when it is switched on. */
const HOPED_FOR_MS = 20 * 60 * 60_000;

const OFF = 'select 1 from webhooks where id = ? and disabled_at is not null and removed_at is null';

export async function switchOnAgain(world: World, self: Self): Promise<void> {
  const { receivers, time, diary, disk } = world;
  const { hookId, accountId } = self.shop;
  // Failing while days passed in a moment, it was switched off.
  if (look(disk.databasePath(), (file) => file.prepare(OFF).get(hookId))) await enable(world, self, hookId);
  const dead = [...receivers.extra].find(
    ([, extra]) => extra.accountId === accountId && extra.offAt !== undefined,
  );
  if (!dead) return;
  const [path, address] = dead;
  if (!(await enable(world, self, address.id))) return;
  delete address.offAt;
  receivers.moods.set(path, { mood: 'failing', until: time.clock.now() + HOPED_FOR_MS });
  address.hopedSince = time.clock.now();
  await askOnceMore(world, self, address.id);
  diary.note(`${path} is switched on again`);
}

const enable = async (world: World, self: Self, id: number): Promise<boolean> =>
  (await call(world, self, `/webhooks/${id}/enable`, { body: {} }))?.status === 200;

/** What was given up. */
async function askOnceMore(world: World, self: Self, id: number): Promise<void> {
  const { json } = (await call(world, self, `/webhooks/${id}/deliveries`)) ?? {};
  const failed = Array.isArray(json)
    ? (json as { id: number; state: string }[]).filter(({ state }) => state === 'failed')
    : [];
  if (failed.length === 0) return;
  const one = self.random.pick(failed);
  const answer = await call(world, self, `/webhooks/${id}/deliveries/${one.id}/retry`, { body: {} });
  if (answer?.status === 202) world.receivers.retried.set(one.id, world.time.clock.now());
}
