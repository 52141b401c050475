// Accounts (subscribers): opened by the host or by a stranger's first /start, and their subscription.
import type { Ids } from '../../ids.ts';
import type { AuditValue, Store, Tables } from '../../store/index.ts';
import { insertApiKey } from './api-keys.ts';
import {
  nameActor,
  type InTransaction,
  type HostActor,
  type MemberActor,
  requireHost,
  requirePermission,
} from '../context.ts';
import { CoreError } from '../errors.ts';
import { record } from '../audit-log.ts';
import {
  getCurrentActor,
  insertMember,
  isSubscribed,
  requireAccount,
  toActor,
  trimName,
  type Person,
} from '../members.ts';
import { momentOf, type CoreClock, DAY_MS } from '../../clock.ts';

export interface Account {
  id: number;
  name: string;
  createdAt: number;
  /** undefined when there never was a subscription; in the past when it ended. */
  subscriptionExpiresAt: number | undefined;
}

/** A line of the host's list. */
export interface AccountSummary extends Account {
  /** undefined for an account used by programs alone, or left by its only member. */
  owner: Person | undefined;
  memberCount: number;
  /** Purchased activations left. */
  purchased: number;
}

/** Which accounts a list tells of: by the number of one that was told. */
export interface AccountPage {
  after?: number;
  before?: number;
  /** 100 when not told. */
  limit?: number;
}

export interface NewAccount {
  name: string;
  /** Of subscription; none when 0 or absent. */
  days?: number | undefined;
  /** Activations beside the daily quota. */
  purchased?: number | undefined;
}

export interface GrantRequest {
  accountId: number;
  /** Of subscription, added to what is left or to now; less than nothing takes what is left back, down to now. */
  days?: number | undefined;
  /** Activations beside the daily quota. */
  purchased?: number | undefined;
  /** The same order again grants nothing again. */
  orderId?: string | undefined;
  inTransaction?: InTransaction<Granted>;
}

/** What an account has after a grant. */
export interface Granted {
  /** undefined where there never was a subscription. */
  subscriptionExpiresAt: number | undefined;
}

/** `alreadyMember`: of this account or another; nothing was opened. */
export type OpenOwnAnswer = { status: 'opened' | 'alreadyMember'; actor: MemberActor };

const MAX_NAME_LENGTH = 200;
const MAX_DAYS = 3650;
const MAX_PURCHASED = 1_000_000;
/** What stands where a payment's currency would, for what a host gave. */
export const HOST_CURRENCY = 'HOST';

interface Deps {
  store: Store;
  clock: CoreClock;
  ids: Ids;
}

/** The verbs about accounts. */
export function createAccounts(deps: Deps) {
  const { store, clock } = deps;
  return {
    /** Opens an account with its first API key, all in one transaction; the key is shown here only. Not safe to repeat. */
    create: (actor: HostActor, request: NewAccount) => create(deps, actor, request),

    /** Adds days of subscription, activations, or both. Safe to repeat under the same `orderId` only. */
    grant: (actor: HostActor, request: GrantRequest) => grant(deps, actor, request),

    /** Calls the account something else; its new name, without blanks around it. For hosts, and its owner. Safe to repeat. */
    rename: (
      actor: HostActor | MemberActor,
      accountId: number,
      name: string,
      inTransaction?: InTransaction<string>,
    ): Promise<string> =>
      store.write((tables) => {
        if (actor.kind === 'member' && actor.accountId === accountId)
          requirePermission(getCurrentActor(tables, actor), 'renameAccount');
        else requireHost(actor);
        const known = requireAccountName(name);
        const { name: before } = requireAccount(tables, accountId);
        tables.accounts.rename(accountId, known);
        const renamed = { accountId, before: { name: before }, after: { name: known } };
        if (before !== known) record(tables, actor, 'accountRenamed', renamed, clock.now());
        inTransaction?.(tables, known);
        return known;
      }),

    /** A page of accounts by number, the next after one or the nearest before one; the first without either. */
    list: (actor: HostActor, page: AccountPage = {}) => listAccounts(store, actor, page),

    find(accountId: number): Account | undefined {
      const row = store.readOne((tables) => tables.accounts.find(accountId));
      return row && toAccount(row);
    },

    /** Opens an account of the person's own, without a subscription. Safe to repeat: a member gets no second one. */
    openOwn: (person: Person, inTransaction?: InTransaction<OpenOwnAnswer>) =>
      openOwn(deps, person, inTransaction),

    /** Whether the account may redeem and look up at this moment; false for an unknown one. */
    isSubscriptionActive(accountId: number): boolean {
      const row = store.readOne((tables) => tables.accounts.find(accountId));
      return isSubscribed(row, momentOf(clock));
    },
  };
}

function create(
  { store, clock, ids }: Deps,
  actor: HostActor,
  request: NewAccount,
): Promise<{ accountId: number; apiKey: string }> {
  return store.write((tables) => {
    requireHost(actor);
    const { name, days, purchased } = parseNewAccount(request);
    const now = clock.now();
    const subscriptionExpiresAt = days > 0 ? now + days * DAY_MS : null;
    const accountId = tables.accounts.insert({ name, now, subscriptionExpiresAt });
    record(tables, actor, 'accountOpened', { accountId, after: { name, days } }, now);
    if (purchased > 0) bookGift(tables, { accountId, purchased, chargeId: `host:${ids.uuid()}`, actor, now });
    return { accountId, apiKey: insertApiKey(tables, { accountId, issuer: actor, ids, now }).key };
  });
}

function grant(
  { store, clock, ids }: Deps,
  actor: HostActor,
  { accountId, days = 0, purchased = 0, orderId, inTransaction }: GrantRequest,
): Promise<Granted> {
  return store.write((tables) => {
    requireHost(actor);
    requireWhole('The number of days', days, -MAX_DAYS, MAX_DAYS);
    if (days === 0 && purchased === 0) throw new CoreError('INVALID_INPUT', 'Nothing is to be granted.');
    requireWhole('The number of purchased activations', purchased, 0, MAX_PURCHASED);
    const now = clock.now();
    const account = requireAccount(tables, accountId);
    const chargeId = `host:${orderId ?? ids.uuid()}`;
    let subscriptionExpiresAt = account.subscriptionExpiresAt ?? undefined;
    if (days < 0 && (subscriptionExpiresAt ?? 0) <= now && !tables.purchases.find(chargeId))
      throw new CoreError('CONFLICT', 'The account has no days of subscription left.');
    if (days !== 0)
      subscriptionExpiresAt =
        giveDays(tables, { accountId, days, chargeId, actor, now }) ?? subscriptionExpiresAt;
    if (purchased > 0) bookGift(tables, { accountId, purchased, chargeId: `${chargeId}:a`, actor, now });
    inTransaction?.(tables, { subscriptionExpiresAt });
    return { subscriptionExpiresAt };
  });
}

function openOwn(
  { store, clock }: Deps,
  person: Person,
  inTransaction: InTransaction<OpenOwnAnswer> | undefined,
): Promise<OpenOwnAnswer> {
  return store.write((tables): OpenOwnAnswer => {
    const current = tables.members.find(person.telegramId);
    if (current) return { status: 'alreadyMember', actor: toActor(current) };
    const now = clock.now();
    const name = trimName(person.name) || String(person.telegramId);
    const accountId = tables.accounts.insert({ name, now, subscriptionExpiresAt: null });
    const actor = insertMember(tables, { person, accountId, role: 'owner', now });
    record(tables, actor, 'accountOpened', { after: { name } }, now);
    const answer = { status: 'opened', actor } as const;
    inTransaction?.(tables, answer);
    return answer;
  });
}

// A gift is a purchase of nothing by the host, so that the ledger of purchases and charges balances; taken back, of less than nothing.
function bookGift(
  tables: Tables,
  gift: { accountId: number; purchased: number; chargeId: string; actor: HostActor; now: number },
): void {
  const { accountId, purchased, chargeId, actor, now } = gift;
  const activationsQuarters = purchased * 4;
  const isNew = tables.purchases.insert({
    accountId,
    chargeId,
    kind: 'activations',
    currency: HOST_CURRENCY,
    amount: 0,
    activationsQuarters,
    subscriptionDays: 0,
    paidBy: nameActor(actor),
    at: now,
  });
  if (!isNew) return;
  tables.quota.credit(accountId, activationsQuarters);
  recordGift(tables, actor, 'activationsGranted', { accountId, chargeId, after: { count: purchased } }, now);
}

/** Moves the end of the subscription, and books it; the new end, or undefined when the order was carried out before. */
export function giveDays(
  tables: Tables,
  gift: { accountId: number; days: number; chargeId: string; actor: HostActor; now: number },
): number | undefined {
  const { accountId, days, chargeId, actor, now } = gift;
  const isNew = tables.purchases.insert({
    accountId,
    chargeId,
    kind: 'subscription',
    currency: HOST_CURRENCY,
    amount: 0,
    activationsQuarters: 0,
    subscriptionDays: days,
    paidBy: nameActor(actor),
    at: now,
  });
  if (!isNew) return undefined;
  recordGift(tables, actor, 'daysGranted', { accountId, chargeId, after: { days } }, now);
  const { extendSubscription: extend, shortenSubscription: shorten } = tables.accounts;
  return (days > 0 ? extend : shorten)(accountId, Math.abs(days) * DAY_MS, now);
}

function recordGift(
  tables: Tables,
  actor: HostActor,
  what: 'daysGranted' | 'activationsGranted',
  { accountId, chargeId, after }: { accountId: number; chargeId: string; after: AuditValue },
  now: number,
): void {
  const object = `payment:${tables.purchases.find(chargeId)?.id}`;
  record(tables, actor, what, { accountId, object, after }, now);
}

function parseNewAccount({ name, days = 0, purchased = 0 }: NewAccount) {
  requireWhole('The number of days', days, 0, MAX_DAYS);
  requireWhole('The number of purchased activations', purchased, 0, MAX_PURCHASED);
  return { name: requireAccountName(name), days, purchased };
}

/** The name without blanks around it. Throws CoreError INVALID_INPUT for one that is empty or too long. */
export function requireAccountName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length >= 1 && trimmed.length <= MAX_NAME_LENGTH) return trimmed;
  throw new CoreError('INVALID_INPUT', `The name must have 1 to ${MAX_NAME_LENGTH} characters.`);
}

function requireWhole(what: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new CoreError('INVALID_INPUT', `${what} must be a whole number from ${min} to ${max}.`);
}

/** A page of accounts by number, read in one turn. */
export function listAccounts(
  store: Store,
  actor: HostActor,
  { after = 0, before, limit = 100 }: AccountPage,
): AccountSummary[] {
  requireHost(actor);
  return store.read(({ accounts }) => {
    const rows =
      before === undefined ? accounts.list(after, limit) : accounts.listBefore(before, limit).reverse();
    return rows.map(({ owner, memberCount, purchasedQuarters, ...row }) => ({
      ...toAccount(row),
      owner: owner ? { ...owner, username: owner.username ?? undefined } : undefined,
      memberCount,
      purchased: purchasedQuarters / 4,
    }));
  });
}

type AccountRow = Omit<Account, 'subscriptionExpiresAt'> & { subscriptionExpiresAt: number | null };

function toAccount({ id, name, createdAt, subscriptionExpiresAt }: AccountRow): Account {
  return { id, name, createdAt, subscriptionExpiresAt: subscriptionExpiresAt ?? undefined };
}
