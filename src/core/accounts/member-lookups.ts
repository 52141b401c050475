// Who is to be told about a change of members: facts for the surfaces, not for deciding what anybody may do.
import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import { digestOf } from './invitations.ts';
import { type HostActor, requireHost } from '../context.ts';
import { toMember, type Member } from '../members.ts';

/** Look-ups that ask for no role in the account; what they tell is for addressing a message, and for the host. */
export function createMemberLookups({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /** The owner of an account; undefined when it has none. */
    findOwner(accountId: number): Member | undefined {
      const owner = store.read((tables) => tables.members.findOwner(accountId));
      return owner && toMember(owner);
    },

    /** The people of any account, longest there first. */
    listOf(actor: HostActor, accountId: number): Member[] {
      requireHost(actor);
      return store.read((tables) => tables.members.list(accountId)).map(toMember);
    },

    /**
     * Everybody who was last heard of under this Telegram name, with or without @, in any account: more than one where
     * it has changed hands, and who had it before has not written since.
     */
    listByUsername(actor: HostActor, username: string): (Member & { accountId: number })[] {
      requireHost(actor);
      const rows = store.read((tables) => tables.members.listByUsername(username.replace(/^@/, '')));
      return rows.map((row) => ({ ...toMember(row), accountId: row.accountId }));
    },

    /**
     * The Telegram id of whoever made the invitation that this person used; undefined for one used by others, or over.
     */
    findInviter(token: string, usedBy: number): number | undefined {
      const row = store.read((tables) => tables.invitations.find(digestOf(token)));
      if (row?.usedBy !== usedBy || row.expiresAt <= clock.now()) return undefined;
      const [, id] = /^member:(\d+)$/.exec(row.createdBy) ?? [];
      return id === undefined ? undefined : Number(id);
    },
  };
}
