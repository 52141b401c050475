// What a sender needs: what is due to which address now, what it is told, and what becomes of it after an attempt.
// Delivered at least once; repeated with growing pauses for three days; an address that takes nothing for three days is
// switched off.
import type { DeliveryRow, Store, Tables, WebhookRow } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { writeNotice } from '../notices/notices.ts';
import { readClaimRecord, type ClaimRecord } from '../claim-record.ts';
import { getOrderRecord, ownReference, type OrderRecord } from '../order-record.ts';
import type { StoredEvent } from '../notices/pending-webhooks.ts';
import type { Redemption } from '../receipts/receipts.ts';
import { momentOf, type CoreClock, type Moment, DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock.ts';
import { nameMessage } from './webhooks.ts';

/** After the first attempt, the second, …; the last one for every further one. */
const PAUSES_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
];
const LONGEST_PAUSE_MS = 12 * HOUR_MS;
const TRIED_FOR_MS = 3 * DAY_MS;
/** A first attempt comes a little after its fact: the last one of three days still finds three days of failure. */
const OFF_AFTER_MS = TRIED_FOR_MS - HOUR_MS;
/** What was told, and how it went, can be read for so long. */
const KEPT_MS = 7 * DAY_MS;
const PRUNED_AT_ONCE = 100;

/** What a message says. */
export type EventPayload =
  | Exclude<
      StoredEvent,
      { type: 'redemption.settled' | 'order.settled' | 'order.waiting' | 'claim.settled' | 'claim.stuck' }
    >
  | {
      type: 'redemption.settled';
      redemption: Redemption;
      idempotencyKey?: string;
      order?: { orderId: string; reference?: string };
    }
  | { type: 'order.settled' | 'order.waiting'; order: OrderRecord; idempotencyKey?: string }
  | { type: 'claim.settled' | 'claim.stuck'; claim: ClaimRecord };

export interface DueDelivery {
  id: number;
  webhookId: number;
  /** The header `webhook-id`: the same for every attempt and address. */
  messageId: string;
  /** When the fact came about. */
  at: number;
  fact: EventPayload;
}

/** An address with something due. */
export interface DueWebhook {
  id: number;
  url: string;
  /** Never logged. */
  secret: string;
  /** Its last attempt failed. */
  isFailing: boolean;
}

/** How an attempt went: no `problem` where it went through. `status`: what was answered. */
export interface Attempt {
  startedAt: number;
  status?: number;
  /** A sentence for the owner of the address. */
  problem?: string;
}

/** The verbs of the sender. */
export function createWebhookDeliveries({ store, clock }: { store: Store; clock: CoreClock }) {
  return {
    /**
     * Addresses after this one that have something due now and are not switched off; so many are looked at. `next`:
     * after which one to go on, undefined where all were looked at.
     */
    listDueWebhooks: (afterId: number, limit: number): { due: DueWebhook[]; next: number | undefined } =>
      store.read((tables) => {
        const due: DueWebhook[] = [];
        let after = afterId;
        for (let looked = 0; looked < limit; looked += 1) {
          const id = tables.webhookDeliveries.findPending(after);
          if (id === undefined) return { due, next: undefined };
          after = id;
          const webhook = listDue(tables, id, clock.now(), 1).length > 0 ? findOn(tables, id) : undefined;
          if (webhook) due.push(toDueWebhook(webhook));
        }
        return { due, next: after };
      }),
    /** What is due to one address, the longest due first, beside what is under way. */
    listDue: (webhookId: number, limit: number, underWay: ReadonlySet<number>): DueDelivery[] =>
      store.read((tables) => {
        if (!findOn(tables, webhookId)) return [];
        return listDue(tables, webhookId, clock.now(), limit + underWay.size)
          .filter(({ id }) => !underWay.has(id))
          .slice(0, limit)
          .map((row) => toDue(tables, row));
      }),
    /**
     * Writes down how an attempt went. Safe to repeat: the second time it changes nothing, unless the delivery still
     * waits.
     */
    report: (delivery: { id: number; webhookId: number }, attempt: Attempt): Promise<void> =>
      store.write((tables) => report(tables, delivery, attempt, momentOf(clock)), { bulk: true }),
  };
}

function findOn(tables: Tables, id: number): WebhookRow | undefined {
  const webhook = tables.webhooks.find(id);
  return webhook?.disabledAt === null ? webhook : undefined;
}

const listDue = (tables: Tables, webhookId: number, now: number, limit: number): DeliveryRow[] =>
  tables.webhookDeliveries.listDue(webhookId, now, LONGEST_PAUSE_MS, limit);

const toDueWebhook = ({ id, url, secret, failingSince }: WebhookRow): DueWebhook => ({
  id,
  url,
  secret,
  isFailing: failingSince !== null,
});

function toDue(tables: Tables, { id, webhookId, messageId, type, subject, at }: DeliveryRow): DueDelivery {
  const fact = { type, ...(JSON.parse(subject) as object) } as StoredEvent;
  return { id, webhookId, messageId: nameMessage(messageId), at, fact: toTold(tables, fact) };
}

function toTold(tables: Tables, fact: StoredEvent): EventPayload {
  const withKey = (key: string | undefined) => key !== undefined && { idempotencyKey: key };
  switch (fact.type) {
    case 'redemption.settled': {
      const { type, redemptionId, order } = fact;
      const redemption = tables.redemptions.get(redemptionId);
      const key = withKey(tables.redemptions.findIdempotencyKey(redemptionId));
      const row = order && tables.orders.findByName(order.orderId);
      return {
        type,
        redemption,
        ...key,
        order: order && { ...order, ...ownReference(row?.reference ?? null) },
      };
    }
    case 'order.settled':
    case 'order.waiting': {
      const { type, orderId, order } = fact;
      const { playerId, playerName, reference } = getOrderRecord(tables, orderId);
      const whole = { ...order, playerId, playerName, reference };
      return { type, order: whole, ...withKey(tables.orders.findKey(order.id)) };
    }
    case 'claim.settled':
    case 'claim.stuck': {
      const { type, claimId, claim } = fact;
      const row = tables.claims.find(claimId);
      const { playerId, playerName, reference } = row
        ? readClaimRecord(tables, row)
        : ({} as Partial<ClaimRecord>);
      return { type, claim: { ...claim, playerId, playerName, reference } };
    }
    default:
      return fact;
  }
}

function report(
  tables: Tables,
  { id, webhookId }: { id: number; webhookId: number },
  { startedAt, status, problem }: Attempt,
  moment: Moment,
): void {
  const { now } = moment;
  const delivery = tables.webhookDeliveries.find(id, webhookId);
  const webhook = tables.webhooks.find(webhookId);
  if (!delivery || !webhook) return;
  const attempt = { at: now, status: status ?? null, problem: problem ?? null };
  if (problem === undefined) {
    tables.webhookDeliveries.settle(id, attempt);
    if (webhook.failingSince !== null) tables.webhooks.noteFailing(webhookId, null);
    return;
  }
  tables.webhookDeliveries.fail(id, { ...attempt, nextAt: planNext(delivery, moment) });
  const since = webhook.failingSince ?? Math.min(startedAt, now);
  if (webhook.failingSince === null) tables.webhooks.noteFailing(webhookId, since);
  // Where nothing was due for days, nothing was asked: only what has been repeated as long tells of a silence.
  const askedSince = Math.max(since, delivery.pendingSince);
  if (moment.safeNow - askedSince < OFF_AFTER_MS || !tables.webhooks.disable(webhookId, now)) return;
  const { host } = new URL(webhook.url);
  const { accountId } = webhook;
  const off = { accountId, object: `webhook:${webhookId}`, after: { host } };
  record(tables, { kind: 'service' }, 'webhookDisabled', off, now);
  writeNotice(tables, { kind: 'webhookOff', accountId, host }, now);
}

/**
 * null: three days are over, by both scales: a calendar that jumps forward gives up nothing. The last attempt is made
 * when they are.
 */
function planNext({ attempts, pendingSince }: DeliveryRow, moment: Moment): number | null {
  const leftMs = pendingSince + TRIED_FOR_MS - moment.safeNow;
  if (leftMs <= 0) return null;
  // A clock that went back makes nobody wait longer.
  return moment.now + Math.min(PAUSES_MS[attempts] ?? LONGEST_PAUSE_MS, leftMs);
}

/** Prunes what is old, and addresses that were removed; a few at a time, true while there may be more. */
export function pruneDeliveries(tables: Tables, moment: Moment): boolean {
  const pruned = tables.webhookDeliveries.prune(moment.safeNow - KEPT_MS, PRUNED_AT_ONCE);
  const [removed] = tables.webhooks.listRemoved(1);
  if (removed === undefined) return pruned === PRUNED_AT_ONCE;
  if (tables.webhookDeliveries.removeOf(removed, PRUNED_AT_ONCE) === 0) tables.webhooks.purge(removed);
  return true;
}
