// What a past must not lose is decided in it: owners decide about people and keys, one thing after another, while others do what they do.
// What an owner was told in the first of two pasts, and the second did not touch, holds when they are one again.
import { join } from 'node:path';
import Database from 'better-sqlite3';

import type { Seeded } from '../../torture/seeded.ts';
import { selvesOf } from '../people/index.ts';
import { DECISIONS } from '../people/owner.ts';
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const EACH = 3;
const ROLE = 'select role from members where telegram_id = ? and account_id = ?';

export async function decideAsOwners(world: World, random: Seeded): Promise<void> {
  const owners = selvesOf(world, 'owner');
  await Promise.all(
    owners.map(async (self) => {
      for (let count = 0; count < EACH; count += 1) await random.pick(DECISIONS)(world, self);
    }),
  );
}

/** What they were told is done, from then on, as far as it is about somebody of a shop; the last of each person. */
export function listDecisions({ diary }: World, since: number): World['diary']['staffing'] {
  const from = diary.staffing.findIndex(({ at = 0 }) => at >= since);
  const last = new Map(diary.staffing.slice(from < 0 ? Infinity : from).map((order) => [order.id, order]));
  return [...last.values()].filter(({ isDone }) => isDone === true);
}

const JOINED = 'select joined_at from members where telegram_id = ?';
const MADE_AT = "select cast(cast(value as text) as integer) from meta where key = 'backed_up_at'";

/**
 * Who had been removed when that backup was made, and works here now since an older one brought them back: of two pasts that become
 * one, the one in which somebody was removed decides.
 */
export function listRemoved(
  { disk }: World,
  people: World['diary']['staffing'],
  backup: string,
): Set<number> {
  const old = new Database(join(disk.backups, backup), { readonly: true });
  try {
    const madeAt = old.prepare(MADE_AT).pluck().get() as number;
    const joined = old.prepare(JOINED).pluck();
    return look(disk.databasePath(), (file) => {
      const find = file.prepare(JOINED).pluck();
      const removed = people.filter(
        ({ id }) => joined.get(id) === undefined && ((find.get(id) as number | undefined) ?? madeAt) < madeAt,
      );
      return new Set(removed.map(({ id }) => id));
    });
  } finally {
    old.close();
  }
}

/** Of the first past; `touched`: whom the second decided about, or anything happened to. */
export function compareDecisions(
  { diary, disk }: World,
  first: World['diary']['staffing'],
  touched: ReadonlySet<number>,
): void {
  look(disk.databasePath(), (file) => {
    const find = file.prepare(ROLE).pluck();
    for (const { id, role, accountId } of first) {
      if (touched.has(id)) continue;
      const now = find.get(id, accountId) as string | undefined;
      // Who owns what two pasts handed over is told by the later of them.
      if (now === 'owner' || role === 'owner') continue;
      if (now !== role)
        diary.amiss.push(
          `${id} is ${now ?? 'nobody'} after two pasts, and the owner was told ${role ?? 'nobody'} in the first`,
        );
    }
  });
}
