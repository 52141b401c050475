// Addresses that are told of events: registered, tried, switched on again, removed; and what became of each delivery.
// Sending is webhook-deliveries.ts and the sender's.
import type { Ids } from '../../ids.ts';
import { createRateLimit } from '../../rate-limit.ts';
import type { DeliveryPage, DeliveryRow, Store, Tables, WebhookRow } from '../../store/index.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { record } from '../audit-log.ts';
import { CoreError } from '../errors.ts';
import { writeNotice } from '../notices/notices.ts';
import {
  insertMessage,
  WEBHOOK_EVENTS,
  WEBHOOK_TEST,
  type WebhookEvent,
} from '../notices/pending-webhooks.ts';
import { getCurrentActor } from '../members.ts';
import type { CoreClock } from '../../clock.ts';

export const MOST_WEBHOOKS = 5;
/** Deliveries that are listed. */
const MOST_LISTED = 100;
/** Trials of one address, whatever else it is told meanwhile: whoever tries one makes this service call it. */
const TRIALS_PER_MINUTE = 10;
const SECRET_BYTES = 32;

/** Why nothing can be delivered to an address. */
export type AddressFlaw =
  'notAnAddress' | 'notHttps' | 'withPassword' | 'tooLong' | 'unknownHost' | 'notPublic' | 'unresolved';

/** Looks whether an address can be told anything now; the address as it is kept. Never rejects. */
export type CheckAddress = (url: string) => Promise<{ url: string } | { flaw: AddressFlaw }>;

export interface Webhook {
  id: number;
  url: string;
  events: WebhookEvent[];
  createdAt: number;
  /** Since when every attempt failed. */
  failingSince?: number;
  /** When it was switched off. */
  disabledAt?: number;
}

/** `secret`: what deliveries are signed with; the answer is the only place where it stands. */
export type AddAnswer =
  | { status: 'added'; webhook: Webhook; secret: string }
  | { status: 'refused'; flaw: AddressFlaw }
  | { status: 'tooMany' }
  | { status: 'known' };

/** `tooOften`: more than ten within a minute. */
export type TestAnswer = { status: 'pending'; delivery: Delivery } | { status: 'tooOften' };

/** One message to one address, and how it went. */
export interface Delivery {
  id: number;
  /** As in the header `webhook-id`. */
  messageId: string;
  type: WebhookEvent | typeof WEBHOOK_TEST;
  createdAt: number;
  state: DeliveryRow['state'];
  attempts: number;
  nextAttemptAt?: number;
  lastAttemptAt?: number;
  /** What the address answered last. */
  status?: number;
  /** Why the last attempt failed. */
  problem?: string;
}

interface Deps {
  store: Store;
  clock: CoreClock;
  ids: Ids;
  /** Without it no address is taken. */
  checkWebhookAddress?: CheckAddress | undefined;
}

/**
 * The verbs about addresses. Throw CoreError FORBIDDEN, NOT_FOUND for what the account does not have, CONFLICT for one
 * that is switched off.
 */
export function createWebhooks(deps: Deps) {
  const { store, clock } = deps;
  const trials = createRateLimit({ clock, perMinute: TRIALS_PER_MINUTE });
  const change = <T>(actor: AccountActor, id: number, work: (tables: Tables, webhook: WebhookRow) => T) =>
    store.write((tables) => {
      requirePermission(getCurrentActor(tables, actor), 'manageWebhooks');
      return work(tables, requireWebhook(tables, actor, id));
    });

  return {
    /** Registers an address. Not safe to repeat by itself: the second time it is known. */
    add: (actor: AccountActor, asked: NewWebhook) => addWebhook(deps, actor, asked),
    /** Oldest first. */
    list(actor: AccountActor): Webhook[] {
      requirePermission(actor, 'manageWebhooks');
      return store.read((tables) => tables.webhooks.list(actor.accountId)).map(toWebhook);
    },
    /** It is told nothing more, what is pending included. */
    remove: (actor: AccountActor, id: number): Promise<Webhook> =>
      change(actor, id, (tables, webhook) => {
        removeWebhook(tables, actor, webhook, clock.now());
        return toWebhook(webhook);
      }),
    /** Owes it a message of no meaning. */
    test: (actor: AccountActor, id: number): Promise<TestAnswer> =>
      change(actor, id, (tables, webhook): TestAnswer => {
        requireOn(webhook);
        if (trials.count(String(id)) > 0) return { status: 'tooOften' };
        const now = clock.now();
        const messageId = insertMessage(tables, actor.accountId, { type: WEBHOOK_TEST }, now);
        const delivery = tables.webhookDeliveries.enqueue({ webhookId: id, messageId, now });
        return { status: 'pending', delivery: requireDelivery(tables, id, delivery) };
      }),
    /** It is told again from now on, first of what is still pending. Safe to repeat. */
    enable: (actor: AccountActor, id: number): Promise<Webhook> =>
      change(actor, id, (tables, webhook) => {
        tables.webhooks.enable(id);
        if (webhook.disabledAt !== null) recordWebhook(tables, actor, 'webhookEnabled', webhook, clock.now());
        return toWebhook(requireWebhook(tables, actor, id));
      }),
    /** A hundred of them, the newest first. */
    listDeliveries(actor: AccountActor, id: number, page: DeliveryPage = {}, most = MOST_LISTED): Delivery[] {
      requirePermission(actor, 'manageWebhooks');
      return store.read((tables) => {
        requireWebhook(tables, actor, id);
        return tables.webhookDeliveries.list(id, most, page).map(toDelivery);
      });
    },
    /** Tries a delivery once more, now and for another three days, whatever became of it. Safe to repeat. */
    retry: (actor: AccountActor, id: number, deliveryId: number): Promise<Delivery> =>
      change(actor, id, (tables, webhook) => {
        requireOn(webhook);
        requireDelivery(tables, id, deliveryId);
        tables.webhookDeliveries.retry(deliveryId, clock.now());
        return requireDelivery(tables, id, deliveryId);
      }),
  };
}

interface NewWebhook {
  url: string;
  events: readonly WebhookEvent[];
}

interface NamedAddress {
  id: number;
  url: string;
}

/** Ends what an address of the account is told, in a transaction under way. */
export function removeWebhook(tables: Tables, actor: AccountActor, webhook: NamedAddress, now: number): void {
  tables.webhooks.remove(actor.accountId, webhook.id, now);
  recordWebhook(tables, actor, 'webhookRemoved', webhook, now);
}

/** By its host alone: a path may hold a secret. */
function recordWebhook(
  tables: Tables,
  actor: AccountActor,
  what: 'webhookAdded' | 'webhookRemoved' | 'webhookEnabled',
  { id, url }: NamedAddress,
  now: number,
): void {
  record(tables, actor, what, { object: `webhook:${id}`, after: { host: new URL(url).host } }, now);
}

async function addWebhook(deps: Deps, actor: AccountActor, { url, events }: NewWebhook): Promise<AddAnswer> {
  const { store, clock, ids } = deps;
  requirePermission(actor, 'manageWebhooks');
  const checked = await checkAddress(deps, url);
  if ('flaw' in checked) return { status: 'refused', flaw: checked.flaw };
  const secret = `whsec_${Buffer.from(ids.secret(SECRET_BYTES), 'base64url').toString('base64')}`;
  const reference = ids.uuid();
  return store.write((tables): AddAnswer => {
    requirePermission(getCurrentActor(tables, actor), 'manageWebhooks');
    const { accountId } = actor;
    const known = tables.webhooks.list(accountId);
    if (known.some((each) => each.url === checked.url)) return { status: 'known' };
    if (known.length >= MOST_WEBHOOKS) return { status: 'tooMany' };
    const inOrder = WEBHOOK_EVENTS.filter((event) => events.includes(event));
    const createdBy = nameActor(actor);
    const kept = { reference, accountId, url: checked.url, secret, events: inOrder, createdBy };
    const id = tables.webhooks.insert({ ...kept, now: clock.now() });
    recordWebhook(tables, actor, 'webhookAdded', { id, url: checked.url }, clock.now());
    const answer: AddAnswer = {
      status: 'added',
      webhook: toWebhook(requireWebhook(tables, actor, id)),
      secret,
    };
    notifyOwner(tables, actor, checked.url, clock.now());
    return answer;
  });
}

/** Of what a program registers: nobody may see it do so. */
function notifyOwner(tables: Tables, actor: AccountActor, url: string, now: number): void {
  if (actor.kind !== 'apiKey') return;
  const { accountId, apiKeyId } = actor;
  const { prefix: key = '' } = tables.apiKeys.find(apiKeyId) ?? {};
  writeNotice(tables, { kind: 'webhookAdded', accountId, host: new URL(url).host, key }, now);
}

function checkAddress({ checkWebhookAddress }: Deps, url: string): ReturnType<CheckAddress> {
  return checkWebhookAddress?.(url) ?? Promise.resolve({ flaw: 'unresolved' });
}

function requireWebhook(tables: Tables, { accountId }: AccountActor, id: number): WebhookRow {
  const found = tables.webhooks.find(id, accountId);
  if (found) return found;
  throw new CoreError('NOT_FOUND', 'There is no such webhook in this account.');
}

function requireOn({ disabledAt }: WebhookRow): void {
  if (disabledAt === null) return;
  throw new CoreError('CONFLICT', 'This webhook is switched off. Enable it first.');
}

function requireDelivery(tables: Tables, webhookId: number, id: number): Delivery {
  const found = tables.webhookDeliveries.find(id, webhookId);
  if (found) return toDelivery(found);
  throw new CoreError('NOT_FOUND', 'There is no such delivery of this webhook.');
}

function toWebhook({ id, url, events, createdAt, failingSince, disabledAt }: WebhookRow): Webhook {
  return {
    id,
    url,
    events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
    createdAt,
    ...(failingSince !== null && { failingSince }),
    ...(disabledAt !== null && { disabledAt }),
  };
}

/** How a message is named in the header: its number grows, and the text orders as the number does. */
export const nameMessage = (messageId: number) => `msg_${String(messageId).padStart(12, '0')}`;

function toDelivery(row: DeliveryRow): Delivery {
  const { id, messageId, state, attempts, nextAt, lastAt, status, problem } = row;
  return {
    id,
    messageId: nameMessage(messageId),
    type: row.type as Delivery['type'],
    createdAt: row.at,
    state,
    attempts,
    ...(nextAt !== null && { nextAttemptAt: nextAt }),
    ...(lastAt !== null && { lastAttemptAt: lastAt }),
    ...(status !== null && { status }),
    ...(problem !== null && { problem }),
  };
}
