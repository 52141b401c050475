// Who works in a shop, and as what, is what its owner said: nobody comes, goes, or is given a role by anything else.
import type { Role } from '../../../src/core/index.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

interface Row {
  id: number;
  accountId: number;
  role: Role;
}

const MEMBERS = 'select telegram_id as id, account_id as accountId, role from members';

export function everybodyIsWhatTheirOwnerSaid(world: World): string[] {
  const { disk, diary, members, shops } = world;
  const ours = new Set(shops.map(({ accountId }) => accountId));
  const rows = look(disk.databasePath(), (file) => file.prepare(MEMBERS).all() as Row[]);
  const now = new Map(rows.filter(({ accountId }) => ours.has(accountId)).map((row) => [row.id, row]));
  const known = [...members].filter(([, { accountId }]) => ours.has(accountId));
  return [...new Set([...known.map(([id]) => id), ...now.keys()])].flatMap((id) => {
    const [before, after] = [members.get(id)?.role, now.get(id)?.role];
    const isOrdered = diary.staffing.some((order) => order.id === id && order.role === after);
    return before === after || isOrdered
      ? []
      : [`${id} is ${after ?? 'nobody'} now, was ${before ?? 'nobody'}, and no owner said so`];
  });
}

/** Who was told that it is done can rely on it. */
export function whatAnOwnerWasToldOfTheirStaffIsSo({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(MEMBERS).all() as Row[]);
  const last = new Map(diary.staffing.map((order) => [order.id, order]));
  return [...last.values()].flatMap(({ id, role, accountId, isDone }) => {
    const held = rows.find((row) => row.id === id);
    const now = held?.role;
    // Whoever was removed may work elsewhere.
    const isElsewhere = held !== undefined && accountId !== undefined && held.accountId !== accountId;
    if (isElsewhere && role === undefined) return [];
    return !isDone || now === role
      ? []
      : [`${id} is ${now ?? 'nobody'}, and the owner was told ${role ?? 'nobody'}`];
  });
}

const OWNERLESS = `
  select a.id from accounts a where exists (select 1 from members m where m.account_id = a.id and m.telegram_id in (
      select value from json_each(?)))
    and not exists (select 1 from members m where m.account_id = a.id and m.role = 'owner')`;

/** As long as whoever owned it is there. */
export function everyShopHasAnOwner({ disk, people }: World): string[] {
  const owners = JSON.stringify(people.filter(({ kind }) => kind === 'owner').map(({ userId }) => userId));
  const ids = look(disk.databasePath(), (file) => file.prepare(OWNERLESS).pluck().all(owners)) as number[];
  return ids.map((id) => `account ${id} has members, and nobody owns it`);
}

/** In the evening: who works here from now on. */
export function learnWhoWorksHere({ disk, members }: World): void {
  const rows = look(disk.databasePath(), (file) => file.prepare(MEMBERS).all() as Row[]);
  members.clear();
  for (const { id, accountId, role } of rows) members.set(id, { accountId, role });
}
