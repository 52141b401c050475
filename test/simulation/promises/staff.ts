// Who works in a shop, and as what, is what its owner said: nobody comes, goes, or is given a role by anything else.
import type { Role } from '../../../src/core/index.ts';
import { look } from '../rest.ts';
import type { World } from '../world.ts';

interface Row {
  id: number;
  accountId: number;
  role: Role;
  /** Not as one of those who were there from the first day. */
  cameLater: 0 | 1;
}

const MEMBERS = `
  select telegram_id as id, account_id as accountId, role, joined_at > (select min(joined_at) from members) + 24 * 60 * 60000 as cameLater
  from members`;

export function everybodyIsWhatTheirOwnerSaid(world: World): string[] {
  const { disk, diary, members, shops } = world;
  // What nobody knows any more, nobody can keep.
  if (diary.lostAt > diary.judgedUntil) return [];
  // A backup of a past that was lost brings back what was decided there.
  if (diary.isPastLost && diary.restoredAt > diary.judgedUntil) return [];
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

/** Who was told that it is done can rely on it, whatever comes back from a backup. */
export function whatAnOwnerWasToldOfTheirStaffIsSo({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(MEMBERS).all() as Row[]);
  const orders = diary.staffing.filter(({ isHeld }) => isHeld !== true);
  const last = new Map(orders.map((order) => [order.id, order]));
  return [...last.values()].flatMap(({ id, role, accountId, isDone, at = 0 }) => {
    // What was decided in a past that is lost, nobody knows.
    if (at <= diary.lostAt) return [];
    const held = rows.find((row) => row.id === id);
    const now = held?.role;
    // Whoever was removed in a past that comes back is out, whatever the other past made of them.
    if (now === undefined && diary.isPastLost && at < diary.restoredAt && role !== undefined) return [];
    // Whoever was removed may work elsewhere; of two shops that one person went to in two pasts it is the one they came to last.
    const isElsewhere = held !== undefined && accountId !== undefined && held.accountId !== accountId;
    if (isElsewhere && (role === undefined || diary.isPastLost)) return [];
    // Who came back in one past, by an invitation that the other did not know, is what that invitation made of them.
    if (held?.cameLater && diary.isPastLost && at < diary.restoredAt) return [];
    // Whoever owns a shop in one past keeps it, where the other past's owner, who gave them another role, is out of the one.
    const isOnlyOwner = now === 'owner' && !rows.some((row) => row !== held && isOwnerOf(row, held));
    if (isOnlyOwner && diary.isPastLost && at < diary.restoredAt && role !== undefined) return [];
    const isOut = (heir: Heir) => !rows.some((row) => row.id === heir.id && row.accountId === heir.accountId);
    if (now === 'owner' && isVoid(diary, { role, at }, isOut)) return [];
    return !isDone || now === role
      ? []
      : [`${id} is ${now ?? 'nobody'}, and the owner was told ${role ?? 'nobody'}`];
  });
}

const isOwnerOf = (row: Row, of: Row | undefined) => row.accountId === of?.accountId && row.role === 'owner';

type Heir = World['diary']['staffing'][number];

/** A shop was handed over to somebody who in another past had left it: whoever owned it owns it again. */
function isVoid(
  { staffing, isPastLost }: World['diary'],
  { role, at }: { role: Role | undefined; at: number },
  isOut: (heir: Heir) => boolean,
): boolean {
  const heir = staffing.find((order) => order.at === at && order.role === 'owner');
  return isPastLost && role === 'admin' && heir !== undefined && isOut(heir);
}

const OWNERLESS = `
  select a.id from accounts a where exists (select 1 from members m where m.account_id = a.id and m.telegram_id in (
      select value from json_each(?)))
    and not exists (select 1 from members m where m.account_id = a.id and m.role = 'owner')`;

/** As long as whoever owned it is there. */
export function everyShopHasAnOwner({ disk, people, diary }: World): string[] {
  if (diary.restoredAt <= diary.judgedUntil && diary.staffing.length === 0) return [];
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
