// Members of an account: who they are, how they come, change and go. A person is a member of one account at most.
// Every change looks the one who asks up again in its own transaction: a role lost a moment ago decides nothing.
import { createHash } from 'node:crypto';

import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { MemberRow, Store, Tables } from '../store/index.ts';
import { nameActor, type AccountActor, type Actor, type MemberActor } from './context.ts';
import { CoreError } from './errors.ts';
import { grantOf, requirePermission, type Permission, type Role } from './permissions.ts';

/** A Telegram user, as Telegram tells of him. */
export interface Person {
  telegramId: number;
  name: string;
  username?: string | undefined;
}

export interface Member extends Person {
  role: Role;
  joinedAt: number;
}

/** The roles that are given; ownership is handed over. */
export type GivenRole = Exclude<Role, 'owner'>;

export interface Invitation {
  /** For `start=join_<token>`; known here and now only. */
  token: string;
  expiresAt: number;
}

export type JoinAnswer =
  | { status: 'joined'; actor: MemberActor; accountName: string }
  | { status: 'expiredOrUsed' }
  | { status: 'alreadyMemberHere'; actor: MemberActor; accountName: string }
  /** Nothing changed, and the invitation stands: it can be used after `mustFirst` is done. */
  | { status: 'memberElsewhere'; accountName: string; mustFirst: 'leave' | 'handOverAndLeave' };

/** The member is not in this account (any more), or somebody else's change came first: nothing was done. */
type NothingDone = { status: 'notMember' } | { status: 'changedMeanwhile' };
export type ChangeRoleAnswer = { status: 'changed'; from: Role } | { status: 'unchanged' } | NothingDone;
export type RemoveAnswer = { status: 'removed' } | { status: 'left' } | NothingDone;
export type HandOverAnswer = { status: 'handedOver' } | { status: 'alreadyOwner' } | { status: 'notMember' };

export const INVITATION_MS = 24 * 60 * 60 * 1000;
const TOKEN_BYTES = 24;
const NAME_LENGTH = 200;
const GIVEN_ROLES: readonly string[] = ['admin', 'operator', 'support'] satisfies GivenRole[];

interface Deps {
  store: Store;
  clock: Clock;
  ids: Ids;
}

/** The verbs about members and invitations. */
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
     * Makes a link for one person. It dies with its day, its use, or its maker's right to make it.
     * The same `orderId` again is the same link.
     */
    invite: (actor: AccountActor, role: GivenRole, orderId?: string) => invite(deps, actor, role, orderId),

    /** Uses an invitation. Safe to repeat: who is in already is told so. */
    join: (person: Person, token: string) => join(deps, person, token),

    /** Gives a member another role, unless somebody changes it in the same moment. */
    changeRole: (actor: AccountActor, telegramId: number, role: GivenRole) =>
      changeRole(deps, actor, telegramId, role),

    /** Removes a member; everybody but the owner may remove himself. */
    remove: (actor: AccountActor, telegramId: number) => remove(deps, actor, telegramId),

    /** Makes another member the owner and the owner an admin, both or neither. */
    handOver: (actor: AccountActor, telegramId: number) => handOver(deps, actor, telegramId),
  };
}

/** The actor as he stands in this transaction. Throws FORBIDDEN for a member who is in the account no more. */
export function getCurrentActor(tables: Tables, actor: Actor): Actor {
  if (actor.kind !== 'member') return actor;
  const row = tables.members.find(actor.telegramId);
  if (row?.accountId === actor.accountId) return toActor(row);
  throw new CoreError('FORBIDDEN', 'You are not a member of this account any more.');
}

/** Makes a stranger a member inside a transaction under way. Throws when he is a member somewhere. */
export function insertMember(
  tables: Tables,
  member: { person: Person; accountId: number; role: Role; now: number },
): MemberActor {
  const { person, accountId, role, now } = member;
  const { telegramId } = person;
  const name = trimName(person.name) || String(telegramId);
  tables.members.insert({ telegramId, accountId, role, name, username: person.username ?? null, now });
  return { kind: 'member', accountId, telegramId, role };
}

/** A name that fits its column, cut between characters. */
export function trimName(name: string): string {
  return [...name.trim()].slice(0, NAME_LENGTH).join('');
}

function invite(
  { store, clock, ids }: Deps,
  actor: AccountActor,
  role: GivenRole,
  orderId?: string,
): Promise<Invitation> {
  const order = `${nameActor(actor)}:${actor.accountId}:${role}:${orderId}`;
  const ordered = () =>
    store.secrets.hash('invitation', order).subarray(0, TOKEN_BYTES).toString('base64url');
  const token = orderId === undefined ? ids.secret(TOKEN_BYTES) : ordered();
  return store.write((tables) => {
    requirePermission(getCurrentActor(tables, actor), permissionFor(requireGivenRole(role)));
    const now = clock.now();
    const tokenHash = digestOf(token);
    const earlier = tables.invitations.find(tokenHash);
    if (earlier) return { token, expiresAt: earlier.expiresAt };
    const expiresAt = now + INVITATION_MS;
    tables.invitations.insert({
      tokenHash,
      accountId: actor.accountId,
      role,
      createdBy: nameActor(actor),
      now,
      expiresAt,
    });
    return { token, expiresAt };
  });
}

function join({ store, clock }: Deps, person: Person, token: string): Promise<JoinAnswer> {
  const tokenHash = digestOf(token);
  return store.write((tables): JoinAnswer => {
    const now = clock.now();
    const invitation = tables.invitations.find(tokenHash);
    if (!invitation) return { status: 'expiredOrUsed' };
    const { accountId } = invitation;
    const role = invitation.role as GivenRole;
    const accountName = nameOf(tables, accountId);
    const current = tables.members.find(person.telegramId);
    if (current?.accountId === accountId) {
      return { status: 'alreadyMemberHere', actor: toActor(current), accountName };
    }
    if (!inviterStillMay(tables, { ...invitation, role })) return { status: 'expiredOrUsed' };
    if (invitation.usedBy !== null || invitation.expiresAt <= now) return { status: 'expiredOrUsed' };
    if (current && !isAloneInEmptyAccount(tables, current, now)) return memberElsewhere(tables, current);

    if (!tables.invitations.use(tokenHash, person.telegramId, now)) return { status: 'expiredOrUsed' };
    // The account left behind stays, without members: a payment still on its way to it keeps a place to be booked.
    if (current) tables.members.remove(current.accountId, current.telegramId, current.role);
    return { status: 'joined', actor: insertMember(tables, { person, accountId, role, now }), accountName };
  });
}

async function changeRole(
  { store }: Deps,
  actor: AccountActor,
  telegramId: number,
  role: GivenRole,
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
    tables.members.setRole(actor.accountId, telegramId, seen, role);
    return { status: 'changed', from: seen };
  });
}

async function remove({ store }: Deps, actor: AccountActor, telegramId: number): Promise<RemoveAnswer> {
  const seen = findRole(store, actor, telegramId);
  const isSelf = actor.kind === 'member' && actor.telegramId === telegramId;
  return store.write((tables): RemoveAnswer => {
    const current = getCurrentActor(tables, actor);
    if (!isSelf) requirePermission(current, 'manageStaff');
    if (seen === undefined) return { status: 'notMember' };
    if (!isSelf || seen === 'owner') requireTouchable(current, seen);
    const missed = findMissed(tables, actor, telegramId, seen);
    if (missed) return missed;
    tables.members.remove(actor.accountId, telegramId, seen);
    return { status: isSelf ? 'left' : 'removed' };
  });
}

function handOver({ store }: Deps, actor: AccountActor, telegramId: number): Promise<HandOverAnswer> {
  return store.write((tables): HandOverAnswer => {
    const current = getCurrentActor(tables, actor);
    requirePermission(current, 'handOver');
    const { accountId } = actor;
    const heir = tables.members.find(telegramId);
    if (heir?.accountId !== accountId) return { status: 'notMember' };
    if (current.kind !== 'member' || heir.role === 'owner') return { status: 'alreadyOwner' };
    // In this order: the index lets an account have no owner for a moment, but never two.
    const stepped = tables.members.setRole(accountId, current.telegramId, 'owner', 'admin');
    const raised = stepped && tables.members.setRole(accountId, telegramId, heir.role, 'owner');
    if (!raised) throw new Error('The ownership changed inside its own transaction.');
    return { status: 'handedOver' };
  });
}

function findRole(store: Store, actor: AccountActor, telegramId: number): Role | undefined {
  const row = store.read((tables) => tables.members.find(telegramId));
  return row?.accountId === actor.accountId ? (row.role as Role) : undefined;
}

/** What to answer when the member is not what was seen when the change was ordered; undefined when he is. */
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

function permissionFor(role: GivenRole): Permission {
  return role === 'admin' ? 'manageAdmins' : 'manageStaff';
}

function requireTouchable(actor: Actor, role: Role): void {
  if (role === 'owner') {
    throw new CoreError('FORBIDDEN', 'The owner stays until the account is handed over to another member.');
  }
  requirePermission(actor, permissionFor(role));
}

function requireGivenRole(role: GivenRole): GivenRole {
  if (!GIVEN_ROLES.includes(role)) {
    throw new CoreError('INVALID_INPUT', `The role must be one of ${GIVEN_ROLES.join(', ')}.`);
  }
  return role;
}

/** A link outlives neither its maker's membership nor his right to make it. */
function inviterStillMay(
  tables: Tables,
  invitation: { accountId: number; role: GivenRole; createdBy: string },
): boolean {
  return tables.members
    .list(invitation.accountId)
    .map(toActor)
    .some(
      (actor) =>
        nameActor(actor) === invitation.createdBy && grantOf(actor, permissionFor(invitation.role)) === 'yes',
    );
}

function isAloneInEmptyAccount(tables: Tables, member: MemberRow, now: number): boolean {
  return member.role === 'owner' && tables.accounts.isEmpty(member.accountId, now);
}

function memberElsewhere(tables: Tables, member: MemberRow): JoinAnswer {
  const mustFirst = member.role === 'owner' ? 'handOverAndLeave' : 'leave';
  return { status: 'memberElsewhere', accountName: nameOf(tables, member.accountId), mustFirst };
}

function nameOf(tables: Tables, accountId: number): string {
  return tables.accounts.find(accountId)?.name ?? '';
}

/** The rights that a stored member has. */
export function toActor(row: MemberRow): MemberActor {
  return { kind: 'member', accountId: row.accountId, telegramId: row.telegramId, role: row.role as Role };
}

/** A stored member as others see him. */
export function toMember({ telegramId, name, username, role, joinedAt }: MemberRow): Member {
  return { telegramId, name, username: username ?? undefined, role: role as Role, joinedAt };
}

/** How a token is kept. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
