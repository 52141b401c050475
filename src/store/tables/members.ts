// Members of accounts: Telegram users with a role.
import { asc, bound, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { members } from '../schema/index.ts';

export type MemberRow = typeof members.$inferSelect;
type Naming = Pick<MemberRow, 'telegramId' | 'name' | 'username'>;

export function createMembersTable(orm: Orm) {
  const insert = orm
    .insert(members)
    .values({
      telegramId: ph('telegramId'),
      accountId: ph('accountId'),
      role: ph('role'),
      name: ph('name'),
      username: ph('username'),
      joinedAt: ph('now'),
      roleAt: ph('now'),
    })
    .prepare();
  const find = orm
    .select()
    .from(members)
    .where(eq(members.telegramId, ph('telegramId')))
    .prepare();
  const list = orm
    .select()
    .from(members)
    .where(eq(members.accountId, ph('accountId')))
    .orderBy(asc(members.joinedAt))
    .prepare();
  const findOwner = orm
    .select()
    .from(members)
    .where(sql`account_id = ${ph('accountId')} and role = 'owner'`)
    .prepare();
  const listByUsername = orm
    .select()
    .from(members)
    .where(sql`username = ${ph('username')} collate nocase`)
    .orderBy(asc(members.telegramId))
    .prepare();
  const { setRole, setName, remove } = prepareMemberChanges(orm);

  return {
    /** Throws when the person is a member already: look with `find` in the same transaction. */
    insert(member: {
      telegramId: number;
      accountId: number;
      role: string;
      name: string;
      username: string | null;
      now: number;
    }) {
      insert.run(member);
    },
    find: (telegramId: number) => find.get({ telegramId }),
    /**
     * Everybody who was last heard of under this Telegram name; who lost it and has not written since is among them.
     */
    listByUsername: (username: string) => listByUsername.all({ username }),
    findOwner: (accountId: number) => findOwner.get({ accountId }),
    list: (accountId: number) => list.all({ accountId }),
    /** Changes the role from the one that was seen; false when it changed meanwhile. */
    setRole: (change: { accountId: number; telegramId: number; from: string; role: string; now: number }) =>
      setRole.run(change).changes === 1,
    /** What a member is called from now on. */
    setName: (change: Naming) => void setName.run(change),
    /** Removes the member in the role that was seen; false when it changed meanwhile. */
    remove: (accountId: number, telegramId: number, role: string) =>
      remove.run({ accountId, telegramId, role }).changes === 1,
  };
}

/** Both name the role that was seen, so that of two racing changes one wins. */
function prepareMemberChanges(orm: Orm) {
  return {
    setRole: orm
      .update(members)
      .set({ role: bound('role'), roleAt: bound('now') })
      .where(
        sql`telegram_id = ${ph('telegramId')} and account_id = ${ph('accountId')} and role = ${ph('from')}`,
      )
      .prepare(),
    setName: orm
      .update(members)
      .set({ name: bound('name'), username: bound('username') })
      .where(sql`telegram_id = ${ph('telegramId')}`)
      .prepare(),
    remove: orm
      .delete(members)
      .where(
        sql`telegram_id = ${ph('telegramId')} and account_id = ${ph('accountId')} and role = ${ph('role')}`,
      )
      .prepare(),
  };
}
