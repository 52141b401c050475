// Invitations, each a link that makes one person a member. The token is kept as a hash alone.
import type { invitations } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type Invitation = typeof invitations.$inferSelect;

interface NewInvitation {
  tokenHash: Buffer;
  accountId: number;
  role: string;
  createdBy: string;
  now: number;
  expiresAt: number;
  /** The owner whom it replaces. */
  replaces?: number | null;
}

export function createInvitationsTable(sql: Sql) {
  const insert = sql.run<NewInvitation>(`
    insert into invitations (token_hash, account_id, role, created_by, created_at, expires_at, replaces)
    values (@tokenHash, @accountId, @role, @createdBy, @now, @expiresAt, @replaces)`);
  const find = sql.one<{ tokenHash: Buffer }, Invitation>(
    'select * from invitations where token_hash = @tokenHash',
  );
  const use = sql.one<
    { tokenHash: Buffer; telegramId: number; now: number },
    Pick<Invitation, 'accountId' | 'role' | 'createdBy'>
  >(`
    update invitations set used_by = @telegramId
    where token_hash = @tokenHash and used_by is null and expires_at > @now
    returning account_id, role, created_by`);
  const endReplacing = sql.run<{ accountId: number; now: number }>(`
    update invitations set expires_at = @now
    where account_id = @accountId + 0 and replaces is not null and used_by is null and expires_at > @now`);
  return {
    insert: (invitation: NewInvitation) => void insert({ replaces: null, ...invitation }),
    find: (tokenHash: Buffer) => find({ tokenHash }),
    /** Uses an invitation up, once and before it expires. */
    use: (tokenHash: Buffer, telegramId: number, now: number) => use({ tokenHash, telegramId, now }),
    /** Ends those that would replace the owner of an account; how many. */
    endReplacing: (accountId: number, now: number) => endReplacing({ accountId, now }),
  };
}
