// People of an account as records: what stands in a row, and the actor that a person is at this moment.
// What happens to them is in members.ts and invitations.ts.
import type { MemberRow, Tables } from '../store/index.ts';
import {
  requirePermission,
  type AccountActor,
  type Actor,
  type MemberActor,
  type Role,
  type Permission,
} from './context.ts';
import { CoreError } from './errors.ts';
import { type Moment } from '../clock.ts';

/** A Telegram user, as Telegram tells of them. */
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

const NAME_LENGTH = 200;
const GIVEN_ROLES: readonly string[] = ['admin', 'operator', 'support'] satisfies GivenRole[];

/** Throws CoreError NOT_FOUND where there is none of this number. */
export function requireAccount(
  tables: Tables,
  accountId: number,
): NonNullable<ReturnType<Tables['accounts']['find']>> {
  const account = tables.accounts.find(accountId);
  if (account) return account;
  throw new CoreError('NOT_FOUND', `There is no account ${accountId}.`);
}

/**
 * What spends or hands out. Throws CoreError SUBSCRIPTION_EXPIRED for an account that a host has paused or closed, or
 * NOT_FOUND.
 */
export function requireUnpaused(tables: Tables, accountId: number) {
  const account = tables.accounts.find(accountId);
  if (!account) throw new CoreError('NOT_FOUND', 'This account does not exist any more.');
  if (account.pausedAt === null && account.closedAt === null) return account;
  const [state, because] = [account.closedAt === null ? 'paused' : 'closed', 'paused'] as const;
  const message = `This account is ${state}. Ask whoever runs this service.`;
  throw new CoreError('SUBSCRIPTION_EXPIRED', message, { because });
}

/**
 * Whether a subscription runs. It is over when both scales of time say so: a calendar that jumps forward locks nobody
 * out.
 */
export function isSubscribed(
  account: { subscriptionExpiresAt: number | null } | undefined,
  moment: Pick<Moment, 'safeNow'>,
): boolean {
  return (account?.subscriptionExpiresAt ?? 0) > moment.safeNow;
}

/**
 * The actor as they stand in this transaction. Throws FORBIDDEN for a member who is in the account no more, KEY_REVOKED
 * for a key that was ended: its request may have been half a minute on the way since the key was looked at.
 */
export function getCurrentActor(tables: Tables, actor: Actor): Actor {
  // A link is of the account, whatever became of who made it.
  if (actor.kind === 'host' || actor.kind === 'claim') return actor;
  if (actor.kind === 'apiKey') {
    if (!tables.apiKeys.isRevoked(actor.apiKeyId)) return actor;
    throw new CoreError(
      'KEY_REVOKED',
      'This API key is not valid any more: it was revoked. Send another one.',
    );
  }
  const row = tables.members.find(actor.telegramId);
  if (row?.accountId === actor.accountId) return { ...toActor(row), ...(actor.door && { door: actor.door }) };
  throw new CoreError('FORBIDDEN', 'You are not a member of this account any more.');
}

/**
 * Whoever is written beside what they ordered, who may redeem at this moment. Throws CoreError FORBIDDEN, KEY_REVOKED.
 */
export function getRedeemer(
  tables: Tables,
  { actor, accountId }: { actor: string; accountId: number },
): AccountActor {
  const redeemer = readRedeemer(tables, { actor, accountId });
  if (redeemer?.accountId !== accountId)
    throw new CoreError('FORBIDDEN', 'Whoever ordered is in the account no more.');
  requirePermission(getCurrentActor(tables, redeemer), 'redeem');
  return redeemer;
}

function readRedeemer(
  tables: Tables,
  { actor, accountId }: { actor: string; accountId: number },
): AccountActor | undefined {
  const [kind, written] = actor.split(':');
  const id = Number(written);
  if (kind === 'apiKey') return { kind, accountId, apiKeyId: id };
  if (kind === 'claim') return { kind, accountId, claimId: id };
  const row = tables.members.find(id);
  return row && toActor(row);
}

/** Makes a stranger a member inside a transaction under way. Throws when they are a member somewhere. */
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

/**
 * Makes one of its members the owner of an account, and the owner an admin. Throws where either is not what was seen. In
 * this order: the index lets an account have no owner for a moment, but never two.
 */
export function passOwnership(
  tables: Tables,
  { accountId, owner, heir, now }: { accountId: number; owner: number; heir: Heir; now: number },
): void {
  const { members } = tables;
  const isFree = members.setRole({ accountId, telegramId: owner, from: 'owner', role: 'admin', now });
  const { telegramId, role: from } = heir;
  if (!isFree || !members.setRole({ accountId, telegramId, from, role: 'owner', now }))
    throw new Error('The ownership changed inside its own transaction.');
}

type Heir = { telegramId: number; role: Role };

/** Blanks and marks, and letters that are drawn as nothing. */
const UNSEEN = /^[\s\p{C}\p{M}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** A name that fits its column, cut between characters; '' for one of which nothing is seen. */
export function trimName(name: string): string {
  if (UNSEEN.test(name)) return '';
  return [...name.trim()].slice(0, NAME_LENGTH).join('');
}

/** Who may give or take this role. */
export function permissionFor(role: GivenRole): Permission {
  return role === 'admin' ? 'manageAdmins' : 'manageStaff';
}

/** Throws CoreError INVALID_INPUT for what is no role, or is handed over instead. */
export function requireGivenRole(role: GivenRole): GivenRole {
  if (!GIVEN_ROLES.includes(role)) {
    throw new CoreError('INVALID_INPUT', `The role must be one of ${GIVEN_ROLES.join(', ')}.`);
  }
  return role;
}

/** The rights that a stored member has. */
export function toActor(row: MemberRow): MemberActor {
  return { kind: 'member', accountId: row.accountId, telegramId: row.telegramId, role: row.role };
}

/** A stored member as others see them. */
export function toMember({ telegramId, name, username, role, joinedAt }: MemberRow): Member {
  return { telegramId, name, username: username ?? undefined, role, joinedAt };
}
