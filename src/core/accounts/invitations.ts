// Invitations: a link for one person and for a day, and what becomes of whoever follows it.
import { createHash } from 'node:crypto';

import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { MemberRow, Store, Tables } from '../../store/index.ts';
import {
  isByHost,
  nameActor,
  type AccountActor,
  type InTransaction,
  type HostActor,
  type MemberActor,
  grantOf,
  requireHost,
  requirePermission,
} from '../context.ts';
import { record } from '../audit-log.ts';
import { writeNotice } from '../notices/notices.ts';
import { requireAccountName } from './accounts.ts';
import { giveDays } from './grants.ts';
import {
  getCurrentActor,
  insertMember,
  passOwnership,
  permissionFor,
  requireGivenRole,
  toActor,
  type GivenRole,
  type Person,
} from '../members.ts';

export interface Invitation {
  /** For `start=join_<token>`; known here and now only. */
  token: string;
  expiresAt: number;
}

export type JoinAnswer =
  | { status: 'joined'; actor: MemberActor; accountName: string }
  | { status: 'expiredOrUsed' }
  /** The one that replaces an owner works from `opensAt` on. */
  | { status: 'notYet'; accountName: string; opensAt: number }
  | { status: 'alreadyMemberHere'; actor: MemberActor; accountName: string }
  /** Nothing changed, and the invitation stands: it can be used after `mustFirst` is done. */
  | { status: 'memberElsewhere'; accountName: string; mustFirst: 'leave' | 'handOverAndLeave' };

/** An account to be opened; `days`: of subscription, none where absent. */
export interface OrderedAccount {
  name: string;
  orderId: string;
  days?: number;
}

/** What was opened for somebody, and the link that makes them its owner. */
export interface OpenedForOwner extends Invitation {
  accountId: number;
  name: string;
}

/** An owner who is there has a day to say so. */
export interface Replacement extends Invitation {
  opensAt: number;
}

export const INVITATION_MS = 24 * 60 * 60 * 1000;
const OWNER_HAS_MS = 24 * 60 * 60 * 1000;
const TOKEN_BYTES = 24;

interface Deps {
  store: Store;
  clock: Clock;
  ids: Ids;
}

/** The verbs about invitations. */
export function createInvitations(deps: Deps) {
  return {
    /**
     * Makes a link for one person. It dies with its day, its use, or its maker's right to make it.
     * The same `orderId` again is the same link.
     */
    invite: (actor: AccountActor, role: GivenRole, orderId?: string) => invite(deps, actor, role, orderId),

    /**
     * An invitation to own an account that has no owner: the host's, whose command line opens accounts without people.
     * undefined when there is an owner, or no such account. The same `orderId` again is the same link.
     */
    inviteOwner: (host: HostActor, accountId: number, orderId: string) =>
      inviteOwner(deps, host, accountId, orderId),

    /**
     * An invitation to own an account in its owner's place, who is told at once, and becomes an admin when it is used: a
     * day after it was made at the earliest, for a day. undefined where there is no owner. The same `orderId` again is
     * the same link.
     */
    replaceOwner: (
      host: HostActor,
      accountId: number,
      orderId: string,
      inTransaction?: InTransaction<Replacement | undefined>,
    ) => replaceOwner(deps, host, { accountId, orderId }, inTransaction),

    /** The owner is there: ends what would replace them; how many invitations. */
    stayOwner: (actor: AccountActor) => stayOwner(deps, actor),

    /**
     * Opens an account without people and without a key, together with the invitation to own it. Safe to repeat where
     * `inTransaction` uses the order up. Throws CoreError INVALID_INPUT for a name that is empty or too long.
     */
    openForOwner: (host: HostActor, order: OrderedAccount, inTransaction?: InTransaction<OpenedForOwner>) =>
      openForOwner(deps, host, order, inTransaction),

    /** Uses an invitation. Safe to repeat: who is in already is told so. */
    join: (person: Person, token: string) => join(deps, person, token),
  };
}

/** How a token is kept. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Of an order: the same again for the same. */
const tokenOf = (store: Store, order: string): string =>
  store.secrets.hash('invitation', order).subarray(0, TOKEN_BYTES).toString('base64url');

function invite(
  { store, clock, ids }: Deps,
  actor: AccountActor,
  role: GivenRole,
  orderId?: string,
): Promise<Invitation> {
  const order = `${nameActor(actor)}:${actor.accountId}:${role}:${orderId}`;
  const token = orderId === undefined ? ids.secret(TOKEN_BYTES) : tokenOf(store, order);
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
    record(tables, actor, 'memberInvited', { after: { role } }, now);
    return { token, expiresAt };
  });
}

function inviteOwner(
  { store, clock }: Deps,
  host: HostActor,
  accountId: number,
  orderId: string,
): Promise<Invitation | undefined> {
  requireHost(host);
  const token = tokenOf(store, `${nameActor(host)}:${accountId}:owner:${orderId}`);
  return store.write((tables) => {
    const account = tables.accounts.find(accountId);
    if (account?.closedAt !== null || hasOwner(tables, accountId)) return undefined;
    const now = clock.now();
    const expiresAt = now + INVITATION_MS;
    const tokenHash = digestOf(token);
    const earlier = tables.invitations.find(tokenHash);
    if (earlier) return { token, expiresAt: earlier.expiresAt };
    insertOwnersInvitation(tables, { token, accountId, host, now });
    return { token, expiresAt };
  });
}

function replaceOwner(
  { store, clock }: Deps,
  host: HostActor,
  { accountId, orderId }: { accountId: number; orderId: string },
  inTransaction: InTransaction<Replacement | undefined> | undefined,
): Promise<Replacement | undefined> {
  requireHost(host);
  const token = tokenOf(store, `${nameActor(host)}:${accountId}:replacement:${orderId}`);
  return store.write((tables) => {
    const replacement = write(tables);
    inTransaction?.(tables, replacement);
    return replacement;
  });

  function write(tables: Tables): Replacement | undefined {
    const owner = tables.members.findOwner(accountId);
    if (!owner) return undefined;
    const { telegramId: replaces } = owner;
    const earlier = tables.invitations.find(digestOf(token));
    const now = earlier?.createdAt ?? clock.now();
    const opensAt = now + OWNER_HAS_MS;
    if (!earlier) {
      insertOwnersInvitation(tables, { token, accountId, host, now, replaces });
      writeNotice(tables, { kind: 'ownerToBeReplaced', accountId, opensAt }, now);
    }
    return { token, opensAt, expiresAt: opensAt + INVITATION_MS };
  }
}

function stayOwner({ store, clock }: Deps, actor: AccountActor): Promise<number> {
  return store.write((tables) => {
    requirePermission(getCurrentActor(tables, actor), 'handOver');
    const { accountId } = actor;
    const now = clock.now();
    const count = tables.invitations.endReplacing(accountId, now);
    if (count > 0) {
      record(tables, actor, 'ownerStayed', {}, now);
      writeNotice(tables, { kind: 'ownerStayed', accountId: null, ofAccount: accountId }, now);
    }
    return count;
  });
}

function openForOwner(
  { store, clock }: Deps,
  host: HostActor,
  { orderId, days = 0, ...order }: OrderedAccount,
  inTransaction: InTransaction<OpenedForOwner> | undefined,
): Promise<OpenedForOwner> {
  requireHost(host);
  const name = requireAccountName(order.name);
  const token = tokenOf(store, `${nameActor(host)}:new:owner:${orderId}`);
  return store.write((tables) => {
    const now = clock.now();
    const expiresAt = now + INVITATION_MS;
    const accountId = tables.accounts.insert({ name, now, subscriptionExpiresAt: null });
    record(tables, host, 'accountOpened', { accountId, after: { name } }, now);
    if (days > 0) giveDays(tables, { accountId, days, chargeId: `host:${orderId}`, actor: host, now });
    insertOwnersInvitation(tables, { token, accountId, host, now });
    const opened = { accountId, name, token, expiresAt };
    inTransaction?.(tables, opened);
    return opened;
  });
}

/** Kept as an admin's; who made it says that it makes an owner. */
function insertOwnersInvitation(
  tables: Tables,
  {
    token,
    host,
    replaces,
    ...of
  }: { token: string; accountId: number; host: HostActor; now: number; replaces?: number },
): void {
  const { accountId, now } = of;
  const lastsMs = INVITATION_MS + (replaces === undefined ? 0 : OWNER_HAS_MS);
  const made = { tokenHash: digestOf(token), role: 'admin', createdBy: nameActor(host) };
  tables.invitations.insert({ ...made, ...of, expiresAt: now + lastsMs, replaces: replaces ?? null });
  const act = replaces === undefined ? 'ownerInvited' : 'ownerToBeReplaced';
  record(
    tables,
    host,
    act,
    { accountId, object: replaces === undefined ? undefined : `member:${replaces}` },
    now,
  );
}

function hasOwner(tables: Tables, accountId: number): boolean {
  return tables.members.findOwner(accountId) !== undefined;
}

function join({ store, clock }: Deps, person: Person, token: string): Promise<JoinAnswer> {
  const tokenHash = digestOf(token);
  return store.write((tables): JoinAnswer => {
    const now = clock.now();
    const invitation = tables.invitations.find(tokenHash);
    if (!invitation) return { status: 'expiredOrUsed' };
    const { accountId } = invitation;
    const role = invitation.role;
    const accountName = nameOf(tables, accountId);
    const current = tables.members.find(person.telegramId);
    const isHere = current?.accountId === accountId;
    const replaces = current?.role === 'owner' && isHere ? null : invitation.replaces;
    if (isHere && replaces === null) {
      return { status: 'alreadyMemberHere', actor: toActor(current), accountName };
    }
    const isClosed = tables.accounts.find(accountId)?.closedAt !== null;
    if (isClosed || !inviterStillMay(tables, { ...invitation, role })) return { status: 'expiredOrUsed' };
    if (invitation.usedBy !== null || invitation.expiresAt <= now) return { status: 'expiredOrUsed' };
    const opensAt = replaces === null ? now : invitation.createdAt + OWNER_HAS_MS;
    if (opensAt > now) return { status: 'notYet', accountName, opensAt };
    if (current && !isHere && !isAloneInEmptyAccount(tables, current, now))
      return memberElsewhere(tables, current);

    if (!tables.invitations.use(tokenHash, person.telegramId, now)) return { status: 'expiredOrUsed' };
    // The account left behind stays, without members: a payment still on its way to it keeps a place to be booked.
    if (current && !isHere) leave(tables, current, now);
    if (replaces !== null) {
      const here = isHere ? current : undefined;
      const actor = replace(tables, { accountId, owner: replaces, current: here, now }, person);
      return { status: 'joined', actor, accountName };
    }
    const given = isByHost(invitation.createdBy) ? 'owner' : role;
    const actor = insertMember(tables, { person, accountId, role: given, now });
    record(tables, actor, 'memberJoined', { after: { role: given } }, now);
    return { status: 'joined', actor, accountName };
  });
}

/** In the place of its owner: a member of the account, or whoever joins by it. */
function replace(
  tables: Tables,
  {
    accountId,
    owner,
    current,
    now,
  }: { accountId: number; owner: number; current: MemberRow | undefined; now: number },
  person: Person,
): MemberActor {
  const heir = current ? toActor(current) : insertMember(tables, { person, accountId, role: 'admin', now });
  passOwnership(tables, { accountId, owner, heir, now });
  const actor = { ...heir, role: 'owner' } as const;
  const object = `member:${heir.telegramId}`;
  const before = current && { role: current.role };
  record(tables, actor, 'handedOver', { object, before, after: { role: 'owner' } }, now);
  writeNotice(tables, { kind: 'ownerReplaced', accountId, telegramId: owner, owner: person.name }, now);
  return actor;
}

function leave(tables: Tables, member: MemberRow, now: number): void {
  tables.members.remove(member.accountId, member.telegramId, member.role);
  record(tables, toActor(member), 'memberLeft', { before: { role: member.role } }, now);
}

/** A link outlives neither its maker's membership nor their right to make it. */
function inviterStillMay(
  tables: Tables,
  invitation: { accountId: number; role: GivenRole; createdBy: string; replaces: number | null },
): boolean {
  if (isByHost(invitation.createdBy))
    return (tables.members.findOwner(invitation.accountId)?.telegramId ?? null) === invitation.replaces;
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
