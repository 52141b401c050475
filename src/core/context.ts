// Actors, a surface's part of a transaction, and the one table of who may do what: bot, HTTP and tests read it, nothing
// else decides. Every verb of the core takes an Actor first; nothing in the core asks anybody else who it is.
import type { Tables } from '../store/index.ts';
import { CoreError } from './errors.ts';

export const ROLES = ['owner', 'admin', 'operator', 'support'] as const;
export type Role = (typeof ROLES)[number];

/** A Telegram user in an account, with the role looked up for this very call. */
export interface MemberActor {
  kind: 'member';
  accountId: number;
  telegramId: number;
  role: Role;
  /** In the console; in the chat where it is left out. */
  door?: 'page';
}

/** A program with an API key of an account. It may do what HTTP offers, and nothing else. */
export interface ApiKeyActor {
  kind: 'apiKey';
  accountId: number;
  apiKeyId: number;
}

/** Whoever opened a claim link: they have what it is of redeemed, by the right of the account that gave it out. */
export interface ClaimActor {
  kind: 'claim';
  accountId: number;
  claimId: number;
}

/** The host. `by`: one of the Telegram ids of HOST_IDS, or the command line. */
export interface HostActor {
  kind: 'host';
  by: number | 'cli';
  /** In the console; in the chat or at the command line where it is left out. */
  door?: 'page';
}

/** The payment provider, telling of a refund that it has made by itself. */
export interface PaymentSystem {
  kind: 'paymentSystem';
}

export type AccountActor = MemberActor | ApiKeyActor | ClaimActor;
export type Actor = AccountActor | HostActor;

/**
 * A synchronous function of a surface that the core calls inside the transaction of an action: it writes that its
 * confirmation is used up, and what somebody is to be told. It runs last and only where the action is done, or was done
 * by the same confirmation before; what it throws rolls the action back. The core knows nothing of what it writes.
 */
export type InTransaction<Result> = (tables: Tables, result: Result) => void;

/**
 * The actor as it is written beside an action: `member:5170925570`, `apiKey:3`, `claim:12`, `host:5170925570`,
 * `host:cli`.
 */
export function nameActor(actor: Actor | PaymentSystem): string {
  switch (actor.kind) {
    case 'member':
      return `member:${actor.telegramId}`;
    case 'apiKey':
      return `apiKey:${actor.apiKeyId}`;
    case 'claim':
      return `claim:${actor.claimId}`;
    case 'host':
      return `host:${actor.by}`;
    case 'paymentSystem':
      return actor.kind;
  }
}

/** Whether what is written beside an action names a host. */
export const isByHost = (actor: string): boolean => actor.startsWith('host:');

/** `own` limits the action to what the member did themselves. */
type Grant = 'yes' | 'own' | 'no';
type Row = readonly [owner: Grant, admin: Grant, operator: Grant, support: Grant, apiKey: Grant];

const TABLE = {
  //                        owner   admin   operator support apiKey
  redeem: ['yes', 'yes', 'yes', 'no', 'yes'],
  lookUpCharacter: ['yes', 'yes', 'yes', 'no', 'yes'],
  lookUpCode: ['yes', 'yes', 'yes', 'no', 'yes'],
  addCodes: ['yes', 'yes', 'yes', 'no', 'yes'],
  seeStock: ['yes', 'yes', 'yes', 'yes', 'yes'],
  seeQuota: ['yes', 'yes', 'yes', 'yes', 'yes'],
  readReceipts: ['yes', 'yes', 'own', 'yes', 'yes'],
  searchHistory: ['yes', 'yes', 'own', 'yes', 'yes'],
  undoImport: ['yes', 'yes', 'own', 'no', 'no'],
  extractCodes: ['yes', 'yes', 'no', 'no', 'yes'],
  seeStatistics: ['yes', 'yes', 'no', 'no', 'yes'],
  exportReceipts: ['yes', 'yes', 'no', 'no', 'no'],
  exportCredentials: ['yes', 'no', 'no', 'no', 'no'],
  purchase: ['yes', 'yes', 'no', 'no', 'no'],
  manageClaims: ['yes', 'yes', 'no', 'no', 'yes'],
  manageStaff: ['yes', 'yes', 'no', 'no', 'no'],
  manageAdmins: ['yes', 'no', 'no', 'no', 'no'],
  manageApiKeys: ['yes', 'no', 'no', 'no', 'no'],
  manageWebhooks: ['yes', 'no', 'no', 'no', 'yes'],
  handOver: ['yes', 'no', 'no', 'no', 'no'],
  handleBadCodes: ['yes', 'yes', 'no', 'no', 'no'],
  setAlerts: ['yes', 'yes', 'no', 'no', 'no'],
  setTimeZone: ['yes', 'yes', 'no', 'no', 'no'],
  renameAccount: ['yes', 'no', 'no', 'no', 'no'],
  readLog: ['yes', 'no', 'no', 'no', 'no'],
} as const satisfies Record<string, Row>;

/** Of whoever opened a link, on top of that. */
const OF_CLAIM: Partial<Record<keyof typeof TABLE, Grant>> = {
  redeem: 'yes',
  lookUpCharacter: 'yes',
  readReceipts: 'own',
};

export type Permission = keyof typeof TABLE;
export const PERMISSIONS = Object.keys(TABLE) as Permission[];

/**
 * What the actor may do under this permission: all of the account's, only their own, or nothing. A host has no
 * account's rights.
 */
export function grantOf(actor: Actor, permission: Permission): Grant {
  const row = TABLE[permission];
  switch (actor.kind) {
    case 'member':
      return row[ROLES.indexOf(actor.role)] ?? 'no';
    case 'apiKey':
      return row[4];
    case 'claim':
      return OF_CLAIM[permission] ?? 'no';
    case 'host':
      return 'no';
  }
}

/** Throws CoreError FORBIDDEN unless the table grants it, in full or for one's own. */
export function requirePermission(actor: Actor, permission: Permission): Exclude<Grant, 'no'> {
  const grant = grantOf(actor, permission);
  if (grant === 'no')
    throw new CoreError('FORBIDDEN', 'Your role may not do this. Ask the owner of the account.');
  return grant;
}

/**
 * Throws FORBIDDEN for anybody but the host: no role of an account reaches these verbs, whatever the caller was told.
 */
export function requireHost(actor: Actor): void {
  if (actor.kind !== 'host') throw new CoreError('FORBIDDEN', 'Only the host of the service may do this.');
}
