// Members of an account: who they are, how they change and go; how they come is invitations.ts. A person is a member of
// one account at most. Every change looks the one who asks up again in its own transaction: a role lost a moment ago
// decides nothing.
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Store, Tables } from '../../store/index.ts';
import {
  type AccountActor,
  type Actor,
  type InTransaction,
  type MemberActor,
  type Role,
  requirePermission,
} from '../context.ts';
import { CoreError } from '../errors.ts';
import { record } from '../audit-log.ts';
import {
  getCurrentActor,
  passOwnership,
  permissionFor,
  requireGivenRole,
  toActor,
  toMember,
  trimName,
  type GivenRole,
  type Member,
  type Person,
} from '../members.ts';
import { wakeWaiting } from '../promises.ts';

/** The member is not in this account (any more), or somebody else's change came first: nothing was done. */
type NothingDone = { status: 'notMember' } | { status: 'changedMeanwhile' };
export type ChangeRoleAnswer = { status: 'changed'; from: Role } | { status: 'unchanged' } | NothingDone;
export type RemoveAnswer = { status: 'removed' } | { status: 'left' } | NothingDone;
export type HandOverAnswer = { status: 'handedOver' } | { status: 'alreadyOwner' } | { status: 'notMember' };

interface Deps {
  store: Store;
  clock: Clock;
  ids: Ids;
}

/** The verbs about members. */
export function createMembers(deps: Deps) {
  const { store } = deps;
  return {
    /** The person's rights at this moment; undefined for a stranger. To be asked anew for every update. */
    findActor(telegramId: number): MemberActor | undefined {
      const row = store.read((tables) => tables.members.find(telegramId));
      return row && toActor(row);
    },

    /** The members of the account, longest there first. */
    list(actor: AccountActor): Member[] {
      requirePermission(actor, 'manageStaff');
      return store.read((tables) => tables.members.list(actor.accountId)).map(toMember);
    },

    /**
     * What somebody is called now, as every message of theirs tells: kept of a member. The name that a stranger has is
     * no member's any more; where two members say that they have it, both are shown. Safe to repeat.
     */
    saveName: (person: Person): Promise<void> => saveName(store, person),

    /** Gives a member another role, unless somebody changes it in the same moment. */
    changeRole: (
      actor: AccountActor,
      telegramId: number,
      role: GivenRole,
      inTransaction?: InTransaction<ChangeRoleAnswer>,
    ) => changeRole(deps, actor, telegramId, { role, inTransaction }),

    /** Removes a member; everybody but the owner may remove themselves. */
    remove: (actor: AccountActor, telegramId: number, inTransaction?: InTransaction<RemoveAnswer>) =>
      remove(deps, actor, telegramId, inTransaction),

    /** Makes another member the owner and the owner an admin, both or neither. */
    handOver: (actor: AccountActor, telegramId: number, inTransaction?: InTransaction<HandOverAnswer>) =>
      handOver(deps, actor, telegramId, inTransaction),
  };
}

async function saveName(store: Store, person: Person): Promise<void> {
  const { telegramId } = person;
  const username = person.username ?? null;
  const name = trimName(person.name) || String(telegramId);
  const isKept = store.read((tables) => {
    const row = tables.members.find(telegramId);
    if (row) return row.name === name && row.username === username;
    return username === null || tables.members.listByUsername(username).length === 0;
  });
  if (isKept) return;
  await store.write((tables) => {
    if (tables.members.find(telegramId)) return tables.members.setName({ telegramId, name, username });
    for (const former of tables.members.listByUsername(username ?? ''))
      tables.members.setName({ telegramId: former.telegramId, name: former.name, username: null });
  });
}

async function changeRole(
  { store, clock }: Deps,
  actor: AccountActor,
  telegramId: number,
  { role, inTransaction }: { role: GivenRole; inTransaction?: InTransaction<ChangeRoleAnswer> | undefined },
): Promise<ChangeRoleAnswer> {
  // The role as it is seen when the change is ordered: of two orders at once, the second is told, not obeyed.
  const seen = findRole(store, actor, telegramId);
  return store.write((tables): ChangeRoleAnswer => {
    const current = getCurrentActor(tables, actor);
    requirePermission(current, permissionFor(requireGivenRole(role)));
    if (seen === undefined) return { status: 'notMember' };
    requireTouchable(current, seen);
    const missed = findMissed(tables, actor, telegramId, seen);
    if (missed) return missed;
    if (seen === role) return { status: 'unchanged' };
    const { accountId } = actor;
    const now = clock.now();
    tables.members.setRole({ accountId, telegramId, from: seen, role, now });
    wakeWaiting(tables, accountId, `member:${telegramId}`, now);
    const changed = { object: `member:${telegramId}`, before: { role: seen }, after: { role } };
    record(tables, current, 'roleChanged', changed, now);
    const answer = { status: 'changed', from: seen } as const;
    inTransaction?.(tables, answer);
    return answer;
  });
}

async function remove(
  { store, clock }: Deps,
  actor: AccountActor,
  telegramId: number,
  inTransaction: InTransaction<RemoveAnswer> | undefined,
): Promise<RemoveAnswer> {
  const seen = findRole(store, actor, telegramId);
  const isSelf = actor.kind === 'member' && actor.telegramId === telegramId;
  return store.write((tables): RemoveAnswer => {
    const current = getCurrentActor(tables, actor);
    if (!isSelf) requirePermission(current, 'manageStaff');
    if (seen === undefined) return { status: 'notMember' };
    if (!isSelf || seen === 'owner') requireTouchable(current, seen);
    const missed = findMissed(tables, actor, telegramId, seen);
    if (missed) return missed;
    const [object, now] = [`member:${telegramId}`, clock.now()];
    tables.members.remove(actor.accountId, telegramId, seen);
    wakeWaiting(tables, actor.accountId, object, now);
    record(tables, current, isSelf ? 'memberLeft' : 'memberRemoved', { object, before: { role: seen } }, now);
    const answer = { status: isSelf ? 'left' : 'removed' } as const;
    inTransaction?.(tables, answer);
    return answer;
  });
}

function handOver(
  { store, clock }: Deps,
  actor: AccountActor,
  telegramId: number,
  inTransaction: InTransaction<HandOverAnswer> | undefined,
): Promise<HandOverAnswer> {
  return store.write((tables): HandOverAnswer => {
    const current = getCurrentActor(tables, actor);
    requirePermission(current, 'handOver');
    const { accountId } = actor;
    const heir = tables.members.find(telegramId);
    if (heir?.accountId !== accountId) return { status: 'notMember' };
    if (current.kind !== 'member' || heir.role === 'owner') return { status: 'alreadyOwner' };
    const now = clock.now();
    passOwnership(tables, { accountId, owner: current.telegramId, heir, now });
    const given = { object: `member:${telegramId}`, before: { role: heir.role }, after: { role: 'owner' } };
    record(tables, current, 'handedOver', given, now);
    const answer = { status: 'handedOver' } as const;
    inTransaction?.(tables, answer);
    return answer;
  });
}

function findRole(store: Store, actor: AccountActor, telegramId: number): Role | undefined {
  const row = store.read((tables) => tables.members.find(telegramId));
  return row?.accountId === actor.accountId ? row.role : undefined;
}

/** What to answer when the member is not what was seen when the change was ordered; undefined when they are. */
function findMissed(
  tables: Tables,
  actor: AccountActor,
  telegramId: number,
  seen: Role,
): NothingDone | undefined {
  const row = tables.members.find(telegramId);
  if (row?.accountId !== actor.accountId) return { status: 'notMember' };
  return row.role === seen ? undefined : { status: 'changedMeanwhile' };
}

function requireTouchable(actor: Actor, role: Role): void {
  if (role === 'owner') {
    throw new CoreError('FORBIDDEN', 'The owner stays until the account is handed over to another member.');
  }
  requirePermission(actor, permissionFor(role));
}
