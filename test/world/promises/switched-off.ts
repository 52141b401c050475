// An address is switched off when it took nothing for three days, and no sooner; what is ordered once more has three
// days anew.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A first attempt comes a little after its fact. */
const LONG_MS = 3 * DAY_MS - 2 * 60 * 60_000;
const OFF =
  'select id, disabled_at as offAt from webhooks where disabled_at is not null and removed_at is null';
const GIVEN_UP = "select id from webhook_deliveries where state = 'failed'";

export function noAddressIsSwitchedOffTooSoon({ disk, receivers, time }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const off = new Map(
      (file.prepare(OFF).all() as { id: number; offAt: number }[]).map(({ id, offAt }) => [id, offAt]),
    );
    const failed = new Set(file.prepare(GIVEN_UP).pluck().all() as number[]);
    const early = [...receivers.extra].flatMap(([path, address]) => {
      const offAt = off.get(address.id);
      const wasOff = address.offAt !== undefined;
      if (offAt === undefined) delete address.offAt;
      else address.offAt = offAt;
      const since = Math.max(address.hopedSince, receivers.takenAt.get(path) ?? 0);
      if (offAt === undefined || wasOff) return [];
      return offAt - since < LONG_MS
        ? [
            `${path} was switched off ${Math.round((offAt - since) / 3_600_000)} hours after something went through`,
          ]
        : [];
    });
    const givenUp = [...receivers.retried].flatMap(([id, at]) => {
      if (time.clock.now() - at > LONG_MS) receivers.retried.delete(id);
      else if (failed.has(id))
        return [`delivery ${id} was ordered once more, and given up within three days`];
      return [];
    });
    return [...early, ...givenUp];
  });
}
