// API keys of an account: shown once, kept as a digest, told apart by their first characters.
// `authenticate` stands before every HTTP request: one read, and no write to wait for.
import { createHash } from 'node:crypto';

import type { Ids } from '../../ids.ts';
import type { KeyLimitsRow, Store, Tables } from '../../store/index.ts';
import {
  nameActor,
  type AccountActor,
  type Actor,
  type InTransaction,
  type ApiKeyActor,
  type HostActor,
  requireHost,
  requirePermission,
} from '../context.ts';
import { record } from '../audit-log.ts';
import { CoreError } from '../errors.ts';
import { removeWebhook } from './webhooks.ts';
import { getCurrentActor, isSubscribed, requireAccount } from '../members.ts';
import { DAY_MS, momentOf, type CoreClock } from '../../clock.ts';
import { writeNotice } from '../notices/notices.ts';
import { createAddressList } from '../../addresses.ts';
import { changeLimits, readLimits, type KeyLimits, type KeyLimitsChange } from './key-limits.ts';
import { wakeWaiting } from '../promises.ts';

/** A key at the only moment it is known. */
export interface IssuedApiKey {
  id: number;
  key: string;
  prefix: string;
}

/** `alreadyRevoked`: the order was carried out before, and its key has been ended since. */
export type OrderAnswer =
  ({ status: 'issued' } & IssuedApiKey) | { status: 'alreadyRevoked'; id: number; prefix: string };

/** A key as it is listed. */
export interface ApiKeySummary {
  id: number;
  prefix: string;
  /** What its owner calls it, where they do. */
  name: string | undefined;
  createdAt: number;
  /** To the minute; undefined when it was never used. */
  lastUsedAt: number | undefined;
  revoked: boolean;
  limits: KeyLimits;
}

/** Whose key it is. `refused`: it is good no longer, or not from there. */
export interface Authenticated {
  actor: ApiKeyActor;
  subscriptionActive: boolean;
  refused?: 'expired' | 'address';
}

/** `addresses`: webhooks that the key registered and that are told of events all the same, by their number and host. */
export type RevokeAnswer =
  { status: 'revoked' | 'alreadyRevoked'; addresses: KeyAddress[] } | { status: 'unknownKey' };

/** A webhook that a key registered. */
export interface KeyAddress {
  id: number;
  host: string;
}

const SCHEME = 'crs_';
const SECRET_BYTES = 32;
const PREFIX_LENGTH = 12;
const SHAPE = /^crs_[A-Za-z0-9_-]{43}$/;
const TOUCH_INTERVAL_MS = 60_000;
const LONGEST_NAME = 100;

/** The verbs about API keys. */
export function createApiKeys({ store, clock, ids }: { store: Store; clock: CoreClock; ids: Ids }) {
  const touch = createTouch(store);
  const tellRefused = createTellRefused({ store, clock });

  return {
    /** Issues one more key; the answer is the only place where it stands in full. */
    issue(actor: AccountActor): Promise<IssuedApiKey> {
      return store.write((tables) => {
        requirePermission(getCurrentActor(tables, actor), 'manageApiKeys');
        return insertApiKey(tables, { accountId: actor.accountId, issuer: actor, ids, now: clock.now() });
      });
    },

    /**
     * Issues the key of an order, safe to repeat: the same order (an id that nobody can guess) has the same key,
     * so that a surface that crashed before showing it shows it again, and no second one is left behind.
     */
    issueOrdered: (
      actor: AccountActor,
      orderId: string,
      inTransaction?: InTransaction<OrderAnswer>,
      name?: string,
    ) => issueOrdered(store, clock, { actor, orderId, inTransaction, name }),

    /** Every key the account ever had, oldest first. */
    list(actor: AccountActor): ApiKeySummary[] {
      requirePermission(actor, 'manageApiKeys');
      return listKeys(store, actor.accountId);
    },

    /** Sets limits of a key, or takes them away. Safe to repeat. NOT_FOUND for a key that the account does not have. */
    limit(actor: AccountActor, id: number, change: KeyLimitsChange): Promise<KeyLimits> {
      return store.write((tables) => {
        requirePermission(getCurrentActor(tables, actor), 'manageApiKeys');
        return limitKey(tables, actor, { id, accountId: actor.accountId }, change, clock.now());
      });
    },

    /** The webhooks that a key registered: they outlive it. */
    listAddresses(actor: AccountActor, id: number): KeyAddress[] {
      requirePermission(actor, 'manageApiKeys');
      return store.read((tables) => listAddresses(tables, actor.accountId, id));
    },

    /**
     * Ends a key at once, and removes the webhooks of these numbers that it registered. Safe to repeat; another account's key is
     * as unknown as none.
     */
    revoke(
      actor: AccountActor,
      id: number,
      inTransaction?: InTransaction<RevokeAnswer>,
      removed: readonly number[] = [],
    ): Promise<RevokeAnswer> {
      return store.write((tables): RevokeAnswer => {
        requirePermission(getCurrentActor(tables, actor), 'manageApiKeys');
        const isNew = tables.apiKeys.revoke(actor.accountId, id, clock.now());
        const isOurs = isNew || tables.apiKeys.list(actor.accountId).some((key) => key.id === id);
        if (!isOurs) return { status: 'unknownKey' };
        if (isNew) recordRevoked(tables, actor, { accountId: actor.accountId, id }, clock.now());
        for (const webhook of listRegistered(tables, actor.accountId, id))
          if (removed.includes(webhook.id)) removeWebhook(tables, actor, webhook, clock.now());
        const answer = endedKey(tables, actor.accountId, id, isNew);
        inTransaction?.(tables, answer);
        return answer;
      });
    },

    /** Keys as the host makes and ends them, of any account. Throws CoreError FORBIDDEN, NOT_FOUND, INVALID_INPUT. */
    forHost: createHostKeys({ store, clock, ids }),

    /**
     * Who holds this key, asking from this address; undefined for an unknown or revoked one. Does not refuse for want of
     * a subscription, only tells.
     */
    authenticate(key: string, address?: string): Authenticated | undefined {
      if (!SHAPE.test(key)) return undefined;
      const row = store.read((tables) => tables.apiKeys.findByDigest(digestOf(key)));
      if (!row || row.revokedAt !== null) return undefined;
      const now = clock.now();
      const actor = { kind: 'apiKey', accountId: row.accountId, apiKeyId: row.id } as const;
      const caller = { actor, subscriptionActive: isSubscribed(row, momentOf(clock)) };
      if (row.expiresAt !== null && row.expiresAt <= now) return { ...caller, refused: 'expired' };
      const { addresses } = readLimits({ ...row, dayLimit: null });
      // In process nobody comes from elsewhere.
      if (addresses && address !== undefined && !createAddressList(addresses)(address)) {
        tellRefused(row, address);
        return { ...caller, refused: 'address' };
      }
      touch(row.id, row.lastUsedAt, now);
      return caller;
    },
  };
}

function createHostKeys({ store, clock, ids }: { store: Store; clock: CoreClock; ids: Ids }) {
  return {
    /** Issues one more key; the answer is the only place where it stands in full. Not safe to repeat. */
    issue(
      actor: HostActor,
      { accountId, name, limits = {} }: { accountId: number; name?: string; limits?: KeyLimitsChange },
    ): Promise<IssuedApiKey> {
      requireHost(actor);
      return store.write((tables) => {
        requireAccount(tables, accountId);
        const kept = name === undefined ? undefined : requireKeyName(name);
        const now = clock.now();
        const issued = insertApiKey(tables, { accountId, issuer: actor, ids, now, name: kept });
        limitKey(tables, actor, { id: issued.id }, limits, now);
        return issued;
      });
    },
    /** Every key the account ever had, oldest first. */
    list(actor: HostActor, accountId: number): ApiKeySummary[] {
      requireHost(actor);
      store.read((tables) => requireAccount(tables, accountId));
      return listKeys(store, accountId);
    },
    /** The numbers of the keys that begin like this, of any account: by the prefix that people see, or a whole key. */
    findByPrefix(actor: HostActor, beginning: string): number[] {
      requireHost(actor);
      return store
        .read((tables) => tables.apiKeys.findByPrefix(beginning.slice(0, PREFIX_LENGTH)))
        .map(({ id }) => id);
    },
    /** Sets limits of a key, or takes them away. Safe to repeat. NOT_FOUND for a number that no key has. */
    limit(actor: HostActor, id: number, change: KeyLimitsChange): Promise<KeyLimits> {
      requireHost(actor);
      return store.write((tables) => limitKey(tables, actor, { id }, change, clock.now()));
    },
    /** Ends a key at once. Safe to repeat. */
    revoke(actor: HostActor, id: number): Promise<RevokeAnswer> {
      requireHost(actor);
      return store.write((tables): RevokeAnswer => {
        const key = tables.apiKeys.find(id);
        if (!key) return { status: 'unknownKey' };
        const isNew = tables.apiKeys.revoke(key.accountId, id, clock.now());
        if (isNew) recordRevoked(tables, actor, { accountId: key.accountId, id }, clock.now());
        return endedKey(tables, key.accountId, id, isNew);
      });
    },
  };
}

function recordRevoked(
  tables: Tables,
  actor: Actor,
  { accountId, id }: { accountId: number; id: number },
  now: number,
): void {
  const { prefix = '' } = tables.apiKeys.find(id) ?? {};
  wakeWaiting(tables, accountId, `apiKey:${id}`, now);
  record(tables, actor, 'keyRevoked', { accountId, object: `key:${id}`, after: { key: prefix } }, now);
}

function endedKey(tables: Tables, accountId: number, id: number, isNew: boolean): RevokeAnswer {
  return { status: isNew ? 'revoked' : 'alreadyRevoked', addresses: listAddresses(tables, accountId, id) };
}

const listAddresses = (tables: Tables, accountId: number, apiKeyId: number): KeyAddress[] =>
  listRegistered(tables, accountId, apiKeyId).map(({ id, url }) => ({ id, host: new URL(url).host }));

function listRegistered(tables: Tables, accountId: number, apiKeyId: number) {
  const createdBy = nameActor({ kind: 'apiKey', accountId, apiKeyId });
  return tables.webhooks.list(accountId).filter((webhook) => webhook.createdBy === createdBy);
}

function requireKeyName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length >= 1 && trimmed.length <= LONGEST_NAME) return trimmed;
  throw new CoreError('INVALID_INPUT', `The name of a key must have 1 to ${LONGEST_NAME} characters.`);
}

const listKeys = (store: Store, accountId: number): ApiKeySummary[] =>
  store.read((tables) => tables.apiKeys.list(accountId)).map(toKeySummary);

type KeyRow = NonNullable<ReturnType<Tables['apiKeys']['find']>>;

export const toKeySummary = (row: KeyRow): ApiKeySummary => ({
  id: row.id,
  prefix: row.prefix,
  name: row.name ?? undefined,
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt ?? undefined,
  revoked: row.revokedAt !== null,
  limits: readLimits(row),
});

function limitKey(
  tables: Tables,
  actor: Actor,
  { id, accountId }: { id: number; accountId?: number },
  change: KeyLimitsChange,
  now: number,
): KeyLimits {
  const row = tables.apiKeys.find(id);
  if (!row || row.accountId !== (accountId ?? row.accountId))
    throw new CoreError('NOT_FOUND', 'This account has no such key.');
  const limits = changeLimits(row, change);
  tables.apiKeys.limit(id, limits);
  const [before, after] = [describeLimits(row), describeLimits(limits)];
  if (JSON.stringify(before) !== JSON.stringify(after))
    record(
      tables,
      actor,
      'keyLimited',
      { accountId: row.accountId, object: `key:${id}`, before, after: { key: row.prefix, ...after } },
      now,
    );
  return readLimits(limits);
}

/** As the audit log has them. */
function describeLimits(row: KeyLimitsRow) {
  const { dayLimit = '–', addresses = [], expiresAt } = readLimits(row);
  const until = expiresAt === undefined ? '–' : new Date(expiresAt).toISOString();
  return { dayLimit, addresses: addresses.join(' ') || '–', expiresAt: until };
}

/** A key that is used from elsewhere: its owner is told once a day. */
function createTellRefused({ store, clock }: { store: Store; clock: CoreClock }) {
  const toldAt = new Map<number, number>();

  return ({ id, accountId }: { id: number; accountId: number }, address: string): void => {
    const now = clock.now();
    const last = toldAt.get(id);
    if (last !== undefined && Math.abs(now - last) < DAY_MS) return;
    toldAt.set(id, now);
    const tell = (tables: Tables) => {
      const { prefix = '' } = tables.apiKeys.find(id) ?? {};
      writeNotice(tables, { kind: 'addressRefused', accountId, key: prefix, address }, now);
    };
    // Losing it harms nobody: what is refused is refused.
    store.write(tell).catch(() => undefined);
  };
}

function issueOrdered(
  store: Store,
  clock: CoreClock,
  order: {
    actor: AccountActor;
    orderId: string;
    inTransaction: InTransaction<OrderAnswer> | undefined;
    name: string | undefined;
  },
): Promise<OrderAnswer> {
  const { actor, orderId, inTransaction } = order;
  const name = order.name === undefined ? undefined : requireKeyName(order.name);
  const { accountId } = actor;
  const key = `${SCHEME}${store.secrets.hash('api-key', `${accountId}:${orderId}`).toString('base64url')}`;
  return store.write((tables): OrderAnswer => {
    requirePermission(getCurrentActor(tables, actor), 'manageApiKeys');
    const answer = findOrInsert(tables, key, { accountId, issuer: actor, now: clock.now(), name });
    inTransaction?.(tables, answer);
    return answer;
  });
}

function findOrInsert(tables: Tables, key: string, order: NewKey): OrderAnswer {
  const earlier = tables.apiKeys.findByDigest(digestOf(key));
  if (!earlier) return { status: 'issued', ...insertKey(tables, key, order) };
  const { id, revokedAt } = earlier;
  const prefix = key.slice(0, PREFIX_LENGTH);
  return revokedAt === null
    ? { status: 'issued', id, key, prefix }
    : { status: 'alreadyRevoked', id, prefix };
}

/** Makes a key inside a transaction under way; whoever calls has checked the permission. */
export function insertApiKey(tables: Tables, { ids, ...order }: NewKey & { ids: Ids }): IssuedApiKey {
  return insertKey(tables, `${SCHEME}${ids.secret(SECRET_BYTES)}`, order);
}

interface NewKey {
  accountId: number;
  issuer: Actor;
  now: number;
  name?: string | undefined;
}

function insertKey(
  tables: Tables,
  key: string,
  { accountId, issuer, now, name = undefined }: NewKey,
): IssuedApiKey {
  const prefix = key.slice(0, PREFIX_LENGTH);
  const digest = digestOf(key);
  const kept = { accountId, prefix, digest, name: name ?? null, createdBy: nameActor(issuer), now };
  const id = tables.apiKeys.insert(kept);
  const made = { key: prefix, ...(name !== undefined && { name }) };
  record(tables, issuer, 'keyIssued', { accountId, object: `key:${id}`, after: made }, now);
  return { id, key, prefix };
}

// The secret has 256 random bits: a plain digest is enough, and nothing slower would make it safer.
function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Notes the use of a key, at most once a minute each. What is under way is remembered here, so that a burst writes once. */
function createTouch(store: Store) {
  const touchedAt = new Map<number, number>();

  return (id: number, lastUsedAt: number | null, now: number): void => {
    const last = touchedAt.get(id) ?? lastUsedAt;
    // The distance counts, not the order: after a clock went back, keys would go unnoted for as long as it went.
    if (last !== null && Math.abs(now - last) < TOUCH_INTERVAL_MS) return;
    touchedAt.set(id, now);
    // Losing this note harms nobody: the next one comes in a minute.
    store.write((tables) => tables.apiKeys.touch(id, now)).catch(() => undefined);
  };
}
