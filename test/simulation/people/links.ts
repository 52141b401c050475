// Links that were followed before, or that nobody followed in time: they let nobody in.
import { says } from '../phone.ts';
import { look } from '../rest.ts';
import type { World } from '../world.ts';
import type { Person } from './index.ts';
import type { Shop } from './shop.ts';

interface Link {
  token: string;
  at: number;
  /** Somebody came in by it. */
  isUsed: boolean;
}

const links = new WeakMap<Shop, Link[]>();
const DEAD_AFTER_MS = 30 * 60 * 60_000;
const KEPT = 8;

export function keepLink(
  world: World,
  shop: Shop,
  { token, userId }: { token: string; userId: number },
): void {
  const { disk, time } = world;
  const role = look(disk.databasePath(), (file) =>
    file
      .prepare('select 1 from members where telegram_id = ? and account_id = ?')
      .get(userId, shop.accountId),
  );
  const kept = links.get(shop) ?? [];
  links.set(shop, [...kept, { token, at: time.clock.now(), isUsed: role !== undefined }].slice(-KEPT));
}

/** Somebody who is not in the shop any more tries the link that they, or others, once had. */
export async function followOldLink(
  { time, diary }: World,
  { shop, random }: { shop: Shop; random: { pick<T>(items: readonly T[]): T } },
  person: Person,
): Promise<void> {
  const now = time.clock.now();
  const old = (links.get(shop) ?? []).filter(
    ({ at, isUsed }) => at > diary.lostAt && (isUsed || now - at > DEAD_AFTER_MS),
  );
  const link = old.length > 0 ? random.pick(old) : undefined;
  if (link) await person.phone?.ask(`/start ${link.token}`, says(/./));
}
