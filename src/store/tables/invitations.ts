// Invitations, each a link that makes one person a member. The token is kept as a hash alone.
import { bound, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { invitations } from '../schema/index.ts';

export function createInvitationsTable(orm: Orm) {
  const insert = orm
    .insert(invitations)
    .values({
      tokenHash: ph('tokenHash'),
      accountId: ph('accountId'),
      role: ph('role'),
      createdBy: ph('createdBy'),
      createdAt: ph('now'),
      expiresAt: ph('expiresAt'),
    })
    .prepare();
  const find = orm
    .select()
    .from(invitations)
    .where(eq(invitations.tokenHash, ph('tokenHash')))
    .prepare();
  const use = orm
    .update(invitations)
    .set({ usedBy: bound('telegramId') })
    .where(sql`token_hash = ${ph('tokenHash')} and used_by is null and expires_at > ${ph('now')}`)
    .returning({
      accountId: invitations.accountId,
      role: invitations.role,
      createdBy: invitations.createdBy,
    })
    .prepare();

  return {
    insert(invitation: {
      tokenHash: Buffer;
      accountId: number;
      role: string;
      createdBy: string;
      now: number;
      expiresAt: number;
    }) {
      insert.run(invitation);
    },
    find: (tokenHash: Buffer) => find.get({ tokenHash }),
    /** Uses an invitation up, once and before it expires. */
    use: (tokenHash: Buffer, telegramId: number, now: number) => use.get({ tokenHash, telegramId, now }),
  };
}
