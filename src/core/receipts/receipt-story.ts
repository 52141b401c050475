// The story of a redemption, told by the rows that are kept of it and never by a log: who asked, which code was taken,
// each attempt, the doubt, the end, what was charged, what programs were told, and what people did with it.
import type { Clock } from '../../clock.ts';
import type { AuditRow, Store, StoredRedemption, Tables } from '../../store/index.ts';
import { record, type AuditedAct } from '../audit-log.ts';
import {
  nameActor,
  requireHost,
  requirePermission,
  type AccountActor,
  type HostActor,
  type InTransaction,
} from '../context.ts';
import { CoreError } from '../errors.ts';
import { redemptionHold } from '../promises.ts';
import { getCurrentActor } from '../members.ts';
import { ownReference } from '../order-record.ts';
import { readLooks, type LooksTold } from './looks.ts';
import { toActorLabel, type ActorLabel, type Redemption } from './receipts.ts';

/**
 * What only the host is told of an attempt. `candidates`: the names of all it could be sent to, where there were more;
 * `answer`: as it came, without its secrets, for 30 days.
 */
interface UpstreamTold {
  upstream: string;
  candidates?: string;
  reference: string;
  witness?: string;
  httpStatus?: number;
  message?: string;
  theirId?: string;
  cost?: string;
  answer?: string;
}

/** Each with its moment, ms UTC. */
export type StoryEvent =
  | { kind: 'begun'; at: number; actorLabel: ActorLabel; order?: { id: string; reference?: string } }
  | { kind: 'codeTaken'; at: number; batch: { id: number; at: number; supplier?: string } }
  /** Charged; in quarters of an activation. */
  | { kind: 'charged' | 'chargeReturned'; at: number; quarters: number }
  | {
      kind: 'attempt';
      at: number;
      n: number;
      isResend: boolean;
      /** Absent while it runs. */
      tookMs?: number;
      state: 'open' | 'spent' | 'not_spent' | 'unknown';
      errorCode?: string;
      host?: UpstreamTold;
    }
  /** What was unknown of an attempt is known; `proof` as the ledger of attempts has it. */
  | { kind: 'proven'; at: number; n: number; isSpent: boolean; proof: string }
  /** `nextLookAt`: while it is in doubt and not held for a person. */
  | { kind: 'doubted'; at: number; looks: number; isHeld: boolean; nextLookAt?: number }
  /** Looks at it, in a row, that said the same and did not end it; `at`: of the first. */
  | ({ kind: 'looked'; at: number } & Pick<LooksTold, 'said' | 'times' | 'lastAt'>)
  | { kind: 'settled'; at: number; tookMs: number; state: 'redeemed' | 'failed'; errorCode?: string }
  | {
      kind: 'webhook';
      at: number;
      webhookId: number;
      state: 'waiting' | 'delivered' | 'failed';
      attempts: number;
      lastAt?: number;
      status?: number;
      problem?: string;
    }
  /** What the bot says of its end, in a chat; `person` is absent in a group. `failed`: it is not said any more. */
  | {
      kind: 'message';
      at: number;
      person?: ActorLabel;
      state: 'waiting' | 'sent' | 'failed';
      attempts: number;
    }
  | { kind: 'act'; at: number; what: AuditedAct; actorLabel: ActorLabel; reason?: string };

/** In the order of time; what came about at one moment in the order in which it had to. */
export interface ReceiptStory {
  redemption: Redemption;
  events: StoryEvent[];
}

const MOST_ACTS = 100;

export interface ReceiptStories {
  /**
   * undefined: no such receipt, or not this actor's to see. With a host, what upstreams were sent and answered, too.
   * Throws CoreError FORBIDDEN.
   */
  find(actor: AccountActor, id: number, host?: HostActor): ReceiptStory | undefined;
  /**
   * Writes down what somebody does with receipts: is shown their codes and credentials, or has receipts made for the
   * customer. Throws FORBIDDEN, NOT_FOUND, and what `inTransaction` throws.
   */
  note(
    actor: AccountActor,
    what: ReceiptUse,
    of: ReceiptsUsed,
    inTransaction?: InTransaction<undefined>,
  ): Promise<void>;
}

export type ReceiptUse = 'credentialsShown' | 'customerReceiptMade';

/** A receipt, or those of all that orders, by their names, have redeemed. */
export type ReceiptsUsed = { receipt: number } | { orders: readonly string[] };

export function createReceiptStories({ store, clock }: { store: Store; clock: Clock }): ReceiptStories {
  return {
    find(actor, id, host) {
      if (host) requireHost(host);
      return store.read((tables) => {
        const row = tables.redemptions.find(id);
        if (!row || !isTheirs(actor, row)) return undefined;
        return { redemption: row, events: toEvents(tables, row, host !== undefined) };
      });
    },
    note: (actor, what, of, inTransaction) =>
      store.write((tables) => {
        const current = getCurrentActor(tables, actor);
        for (const { object, row } of listUsed(tables, of)) {
          if (current.kind === 'host' || !row || !isTheirs(current, row))
            throw new CoreError('NOT_FOUND', `There is no ${object}.`);
          record(tables, actor, what, { object }, clock.now());
        }
        inTransaction?.(tables, undefined);
      }),
  };
}

/** Throws CoreError FORBIDDEN. */
function isTheirs(actor: AccountActor, row: { accountId: number; actor: string }): boolean {
  const grant = requirePermission(actor, 'readReceipts');
  return row.accountId === actor.accountId && (grant === 'yes' || row.actor === nameActor(actor));
}

const ofReceipt = (id: number): string => `redemption:${id}`;
const ofOrder = (name: string): string => `order:${name}`;

const listUsed = (tables: Tables, of: ReceiptsUsed) =>
  'receipt' in of
    ? [{ object: ofReceipt(of.receipt), row: tables.redemptions.find(of.receipt) }]
    : of.orders.map((name) => ({ object: ofOrder(name), row: tables.orders.findByName(name) }));

function toEvents(tables: Tables, row: StoredRedemption, isForHost: boolean): StoryEvent[] {
  const usage = tables.receiptDetails.findUsage(row.id);
  const order = tables.orderItems.findOrder(row.id);
  const events = [
    ...toBeginning(tables, row, { usage, order }),
    ...toAttempts(tables, row.id, isForHost),
    ...toDoubt(tables, row),
    ...toEnd(row),
    ...toReturn(usage),
    ...toWebhooks(tables, row),
    ...toMessages(tables, row),
    ...toActs(tables, row, order?.name),
  ];
  // A stable sort: what is of one moment stays in the order above.
  return events.sort((a, b) => a.at - b.at);
}

type Usage = ReturnType<Tables['receiptDetails']['findUsage']>;
type OrderOfReceipt = ReturnType<Tables['orderItems']['findOrder']>;

function toBeginning(
  tables: Tables,
  { accountId, id, actor, createdAt }: StoredRedemption,
  { usage, order }: { usage: Usage; order: OrderOfReceipt },
): StoryEvent[] {
  const batch = tables.receiptDetails.findBatch(id);
  const named = order && { order: { id: order.name, ...ownReference(order.reference) } };
  const { supplier } = batch ?? {};
  const taken = batch && { id: batch.id, at: batch.at, ...(typeof supplier === 'string' && { supplier }) };
  return [
    { kind: 'begun', at: createdAt, actorLabel: toActorLabel(tables, accountId, actor), ...named },
    ...(usage ? [{ kind: 'charged', at: createdAt, quarters: usage.quarters } as const] : []),
    ...(taken ? [{ kind: 'codeTaken', at: createdAt, batch: taken } as const] : []),
  ];
}

type AttemptRow = ReturnType<Tables['attempts']['listWhole']>[number];

function toAttempts(tables: Tables, id: number, isForHost: boolean): StoryEvent[] {
  return tables.attempts.listWhole(id).flatMap((row): StoryEvent[] => {
    const { n, kind, state, proof, begunAt, endedAt, resolvedAt, errorCode } = row;
    const attempt: StoryEvent = {
      ...{ kind: 'attempt', at: begunAt, n, isResend: kind === 'resend' },
      // What it had come to when it was answered: what became known later is told at its time.
      state: resolvedAt === null ? state : 'unknown',
      ...(endedAt !== null && { tookMs: Math.max(0, endedAt - begunAt) }),
      ...(errorCode !== null && { errorCode }),
      ...(isForHost && { host: toUpstream(row) }),
    };
    if (resolvedAt === null || proof === null) return [attempt];
    return [attempt, { kind: 'proven', at: resolvedAt, n, isSpent: state === 'spent', proof }];
  });
}

function toUpstream(row: AttemptRow): UpstreamTold {
  const { upstream, reference, ...others } = row;
  const { candidates, witness, httpStatus, message, theirId, cost, answer } = others;
  const told = { candidates, witness, httpStatus, message, theirId, cost, answer };
  const known = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null));
  return { upstream, reference, ...known };
}

function toDoubt(tables: Tables, { id, doubtedAt, looks, looksTold }: StoredRedemption): StoryEvent[] {
  if (doubtedAt === null) return [];
  const nextLookAt = tables.doubts.find(id)?.nextLookAt;
  const isHeld = nextLookAt === null;
  const next = typeof nextLookAt === 'number' && { nextLookAt };
  const looked = readLooks(looksTold).map(({ firstAt, ...look }): StoryEvent => ({
    kind: 'looked',
    at: firstAt,
    ...look,
  }));
  return [{ kind: 'doubted', at: doubtedAt, looks, isHeld, ...next }, ...looked];
}

function toEnd({ state, settledAt, tookMs, errorCode }: StoredRedemption): StoryEvent[] {
  if (settledAt === null || (state !== 'redeemed' && state !== 'failed')) return [];
  const why = state === 'failed' && errorCode !== null && { errorCode };
  return [{ kind: 'settled', at: settledAt, tookMs, state, ...why }];
}

function toReturn(usage: Usage): StoryEvent[] {
  if (usage?.returnedAt === undefined) return [];
  return [{ kind: 'chargeReturned', at: usage.returnedAt, quarters: usage.quarters }];
}

/** A message has the moment of its fact. */
function toWebhooks(tables: Tables, { accountId, id, settledAt }: StoredRedemption): StoryEvent[] {
  if (settledAt === null) return [];
  return tables.webhookDeliveries
    .listAt(accountId, settledAt)
    .filter(({ subject }) => (JSON.parse(subject) as { redemptionId?: number }).redemptionId === id)
    .map(({ webhookId, at, state, attempts, lastAt, status, problem }) => ({
      ...{ kind: 'webhook', at, webhookId, state, attempts },
      ...(lastAt !== null && { lastAt }),
      ...(status !== null && { status }),
      ...(problem !== null && { problem }),
    }));
}

/** As long as the outbox keeps them. */
function toMessages(tables: Tables, { accountId, id }: StoredRedemption): StoryEvent[] {
  return tables.receiptDetails.listMessages(redemptionHold(id)).flatMap((task): StoryEvent[] => {
    const { queue, doneAt, deadAt, runAt, queuedAt, attempts } = task;
    // What is held is not to be said yet.
    if (doneAt === null && deadAt === null && runAt === null) return [];
    const [, person] = /^chat:(\d{1,15})(?::|$)/.exec(queue) ?? [];
    return [
      {
        ...{ kind: 'message', at: doneAt ?? deadAt ?? queuedAt, attempts },
        state: doneAt !== null ? 'sent' : deadAt !== null ? 'failed' : 'waiting',
        ...(person !== undefined && { person: toActorLabel(tables, accountId, `member:${person}`) }),
      },
    ];
  });
}

/** What was done with the receipts of its order was done with it once it was redeemed. */
function toActs(
  tables: Tables,
  { accountId, id, state, settledAt }: StoredRedemption,
  order: string | undefined,
): StoryEvent[] {
  const list = (object: string) => tables.auditLog.listOfObject(accountId, object, MOST_ACTS);
  const redeemedAt = state === 'redeemed' ? settledAt : null;
  const together =
    order === undefined || redeemedAt === null
      ? []
      : list(ofOrder(order)).filter(({ at }) => at >= redeemedAt);
  return [...list(ofReceipt(id)), ...together].map((act) => toAct(tables, accountId, act));
}

function toAct(tables: Tables, accountId: number, { at, actor, what, reason }: AuditRow): StoryEvent {
  const actorLabel = toActorLabel(tables, accountId, actor);
  return { kind: 'act', at, what: what as AuditedAct, actorLabel, ...(reason !== null && { reason }) };
}
