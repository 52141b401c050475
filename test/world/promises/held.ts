// Who somebody was in the course of the day: what they did, read or paid was theirs if any of it allows that.
import type { Role } from '../../../src/core/index.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

export interface Held {
  accountId?: number;
  role: Role | undefined;
}

/** Whoever opened an account is its owner, also where they opened it today. */
const OPENED = `select m.account_id as accountId, m.role from members m join accounts a on a.id = m.account_id
  where m.telegram_id = ? and m.role = 'owner' and m.joined_at = a.created_at`;

/**
 * As they were this morning, what they became today by somebody's word, and the account that they opened themselves.
 */
export function listHeld(
  { disk, members, diary }: Pick<World, 'disk' | 'members' | 'diary'>,
  id: number,
): Held[] {
  const member = members.get(id);
  const opened = look(disk.databasePath(), (file) => file.prepare(OPENED).get(id)) as Held | undefined;
  const became = diary.staffing
    .filter((order) => order.id === id)
    .map(({ role, accountId = member?.accountId }) => ({
      role,
      ...(accountId !== undefined && { accountId }),
    }));
  return [...(member ? [member] : []), ...became, ...(opened ? [opened] : [])];
}
