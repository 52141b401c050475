// Accounts (subscribers): opened by the host or by a stranger's first /start, and their subscription.
import type { Ids } from '../../ids.ts';
import type { Store } from '../../store/index.ts';
import { insertApiKey } from './api-keys.ts';
import {
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
import { createSuspend, findOwnerId } from './suspensions.ts';
import { bookAdjustment, grant, MAX_DAYS, MAX_PURCHASED, requireWhole, type GrantRequest } from './grants.ts';

export interface Account {
  id: number;
  name: string;
  /** How the shop is reached, as the page of its claim links tells it. */
  contact?: string | undefined;
  createdAt: number;
  /** undefined when there never was a subscription; in the past when it ended. */
  subscriptionExpiresAt: number | undefined;
  /** By a host: it spends and hands out nothing, or is left by everybody. */
  state: 'open' | 'paused' | 'closed';
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

/** `alreadyMember`: of this account or another; nothing was opened. */
export type OpenOwnAnswer = { status: 'opened' | 'alreadyMember'; actor: MemberActor };

const MAX_NAME_LENGTH = 200;
export const LONGEST_CONTACT = 200;
const LINE_BREAK = /[\r\n\u2028\u2029]/;
interface Deps {
  store: Store;
  clock: CoreClock;
  ids: Ids;
}

/** The verbs about accounts. */
export function createAccounts(deps: Deps) {
  const { store, clock } = deps;
  return {
    /**
     * Opens an account with its first API key, all in one transaction; the key is shown here only. Not safe to repeat.
     */
    create: (actor: HostActor, request: NewAccount) => create(deps, actor, request),

    /** Adds days of subscription, activations, or both. Safe to repeat under the same `orderId` only. */
    grant: (actor: HostActor, request: GrantRequest) => grant(deps, actor, request),

    /**
     * Calls the account something else; its new name, without blanks around it. For hosts, and its owner. Safe to
     * repeat.
     */
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

    /**
     * How the shop is reached, as the page of its claim links tells it: a line of 200 characters at most, '' for none;
     * without blanks around it. Safe to repeat. Throws CoreError FORBIDDEN, INVALID_INPUT.
     */
    setContact: (actor: MemberActor, text: string, inTransaction?: InTransaction<string>): Promise<string> =>
      store.write((tables) => {
        requirePermission(getCurrentActor(tables, actor), 'renameAccount');
        const contact = requireContact(text);
        const before = requireAccount(tables, actor.accountId).contact ?? '';
        tables.accounts.setContact(actor.accountId, contact === '' ? null : contact);
        const set = {
          ...(before !== '' && { before: { contact: before } }),
          ...(contact !== '' && { after: { contact } }),
        };
        if (before !== contact) record(tables, actor, 'contactSet', set, clock.now());
        inTransaction?.(tables, contact);
        return contact;
      }),

    /** Pauses or closes an account, or undoes that: suspensions.ts. */
    suspend: createSuspend(deps),

    findOwnerId: (accountId: number) => findOwnerId(store, accountId),

    /** A page of accounts by number, the next after one or the nearest before one; the first without either. */
    list: (actor: HostActor, page: AccountPage = {}) => listAccounts(store, actor, page),

    find(accountId: number): Account | undefined {
      const row = store.read((tables) => tables.accounts.find(accountId));
      return row && toAccount(row);
    },

    /** Opens an account of the person's own, without a subscription. Safe to repeat: a member gets no second one. */
    openOwn: (person: Person, inTransaction?: InTransaction<OpenOwnAnswer>) =>
      openOwn(deps, person, inTransaction),

    /** Whether the account may redeem and look up at this moment; false for an unknown one. */
    isSubscriptionActive(accountId: number): boolean {
      const row = store.read((tables) => tables.accounts.find(accountId));
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
    if (purchased > 0)
      bookAdjustment(tables, { accountId, purchased, chargeId: `host:${ids.uuid()}`, actor, now });
    return { accountId, apiKey: insertApiKey(tables, { accountId, issuer: actor, ids, now }).key };
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

function requireContact(text: string): string {
  const trimmed = text.trim();
  if ([...trimmed].length <= LONGEST_CONTACT && !LINE_BREAK.test(trimmed)) return trimmed;
  throw new CoreError('INVALID_INPUT', `The contact is one line of ${LONGEST_CONTACT} characters at most.`);
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

interface AccountRow extends Pick<Account, 'id' | 'name' | 'createdAt'> {
  contact?: string | null;
  subscriptionExpiresAt: number | null;
  pausedAt: number | null;
  closedAt: number | null;
}

function toAccount({ id, name, contact, createdAt, ...row }: AccountRow): Account {
  const { subscriptionExpiresAt, pausedAt, closedAt } = row;
  const state = closedAt !== null ? 'closed' : pausedAt !== null ? 'paused' : 'open';
  return {
    ...{ id, name, createdAt, state, subscriptionExpiresAt: subscriptionExpiresAt ?? undefined },
    ...(typeof contact === 'string' && { contact }),
  };
}
