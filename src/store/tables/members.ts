// Members of accounts: Telegram users with a role.
import type { members } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

export type MemberRow = typeof members.$inferSelect;
type Naming = Pick<MemberRow, 'telegramId' | 'name' | 'username'>;
type NewMember = Omit<MemberRow, 'role' | 'joinedAt' | 'roleAt'> & { role: string; now: number };
type OfAccount = { accountId: number };

export function createMembersTable(sql: Sql) {
  const insert = sql.run<NewMember>(`
    insert into members (telegram_id, account_id, role, name, username, joined_at, role_at)
    values (@telegramId, @accountId, @role, @name, @username, @now, @now)`);
  const find = sql.one<{ telegramId: number }, MemberRow>(
    'select * from members where telegram_id = @telegramId',
  );
  const list = sql.all<OfAccount, MemberRow>(
    'select * from members where account_id = @accountId order by joined_at',
  );
  const findOwner = sql.one<OfAccount, MemberRow>(
    "select * from members where account_id = @accountId and role = 'owner'",
  );
  const listByUsername = sql.all<{ username: string }, MemberRow>(
    'select * from members where username = @username collate nocase order by telegram_id',
  );
  // Both name the role that was seen, so that of two racing changes one wins.
  const setRole = sql.run<OfAccount & { telegramId: number; from: string; role: string; now: number }>(`
    update members set role = @role, role_at = @now
    where telegram_id = @telegramId and account_id = @accountId and role = @from`);
  const remove = sql.run<OfAccount & { telegramId: number; role: string }>(
    'delete from members where telegram_id = @telegramId and account_id = @accountId and role = @role',
  );
  const setName = sql.run<Naming>(
    'update members set name = @name, username = @username where telegram_id = @telegramId',
  );
  return {
    /** Throws when the person is a member already: look with `find` in the same transaction. */
    insert: (member: NewMember) => void insert(member),
    find: (telegramId: number) => find({ telegramId }),
    /**
     * Everybody who was last heard of under this Telegram name; who lost it and has not written since is among them.
     */
    listByUsername: (username: string) => listByUsername({ username }),
    findOwner: (accountId: number) => findOwner({ accountId }),
    list: (accountId: number) => list({ accountId }),
    /** Changes the role from the one that was seen; false when it changed meanwhile. */
    setRole: (change: Parameters<typeof setRole>[0]) => setRole(change) === 1,
    /** What a member is called from now on. */
    setName: (change: Naming) => void setName(change),
    /** Removes the member in the role that was seen; false when it changed meanwhile. */
    remove: (accountId: number, telegramId: number, role: string) =>
      remove({ accountId, telegramId, role }) === 1,
  };
}
