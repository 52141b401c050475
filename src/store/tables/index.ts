// Every table of the store, over one connection. Each is made when it is first asked for: most work needs a few, and to
// write and prepare the statements of all is a tenth of a start.
import type { Database as Connection } from 'better-sqlite3';

import { createCodeSeals, type Secrets } from '../engine/secrets.ts';
import { createSql } from '../sql.ts';
import { createAccountsTable } from './accounts.ts';
import { createApiKeysTable } from './api-keys.ts';
import { createAttemptFiguresTable } from './attempt-figures.ts';
import { createAttemptsTable } from './attempts.ts';
import { createAuditLogTable } from './audit-log.ts';
import { createBatchesTable } from './batches.ts';
import { createChargeNotesTable, createPurchaseOrdersTable, createPurchasesTable } from './purchases.ts';
import { createClaimsTable } from './claims.ts';
import { createCodesTable } from './codes.ts';
import { createConsoleLinksTable, createConsoleSessionsTable } from './console.ts';
import { createConversationsTable } from './conversations.ts';
import { createCredentialsTable } from './credentials.ts';
import { createDoubtsTable } from './doubts.ts';
import {
  createBotsTable,
  createHostAlertsTable,
  createStarPlaceTable,
  createUpstreamPausesTable,
} from './meta.ts';
import { createConfirmationsTable } from './confirmations.ts';
import { createExtractionsTable } from './extractions.ts';
import { createForgettingTable } from './forgetting.ts';
import { createHistoryTable } from './history.ts';
import { createIdempotencyKeysTable } from './idempotency-keys.ts';
import { createImportsTable, createPastedMessagesTable } from './imports.ts';
import { createInboxTable } from './inbox.ts';
import { createInvitationsTable } from './invitations.ts';
import { createJobSlicesTable, createJobsTable } from './jobs.ts';
import { createLostTable, createTakeoverTable } from './takeover.ts';
import { createMembersTable } from './members.ts';
import { createOrderItemsTable } from './order-items.ts';
import { createOrdersTable } from './orders.ts';
import { createPreferencesTable } from './preferences.ts';
import { createQuotaTable } from './quota.ts';
import { createReceiptDetailsTable } from './receipt-details.ts';
import { createRedemptionsTable } from './redemptions.ts';
import { createStockPausesTable, createStockTable } from './stock.ts';
import { createTasksTable } from './tasks.ts';
import { createWebhookDeliveriesTable } from './webhook-deliveries.ts';
import { createWebhooksTable } from './webhooks.ts';

export type Tables = ReturnType<typeof createTables>;

/**
 * `onQueued` is told of each queue of tasks in which something comes to wait, `onChanged` of what people and programs
 * may wait for (`order:ord_…`, `redemption:811`), each in the transaction of that.
 */
export function createTables(
  connection: Connection,
  secrets: Secrets,
  onQueued: (queue: string) => void = () => undefined,
  onChanged: (name: string) => void = () => undefined,
) {
  const [sql, seals] = [createSql(connection), createCodeSeals(secrets)];
  const tasks = makeOnce(() => createTasksTable(sql, secrets, { onQueued, onChanged }));
  return lazily({
    accounts: () => createAccountsTable(sql),
    apiKeys: () => createApiKeysTable(sql),
    attempts: () => createAttemptsTable(sql, secrets, seals),
    attemptFigures: () => createAttemptFiguresTable(sql, secrets, seals),
    auditLog: () => createAuditLogTable(sql),
    batches: () => createBatchesTable(sql, seals),
    chargeNotes: () => createChargeNotesTable(sql),
    claims: () => createClaimsTable(sql, secrets),
    codes: () => createCodesTable(sql, seals),
    consoleLinks: () => createConsoleLinksTable(sql),
    consoleSessions: () => createConsoleSessionsTable(sql),
    conversations: () => createConversationsTable(sql, secrets),
    credentials: () => createCredentialsTable(sql),
    doubts: () => createDoubtsTable(sql),
    bots: () => createBotsTable(sql),
    confirmations: () => createConfirmationsTable(sql, secrets),
    extractions: () => createExtractionsTable(sql, seals),
    forgetting: () => createForgettingTable(sql, secrets),
    hostAlerts: () => createHostAlertsTable(sql),
    history: () => createHistoryTable(sql, secrets, seals),
    idempotencyKeys: () => createIdempotencyKeysTable(sql, secrets),
    imports: () => createImportsTable(sql, secrets),
    inbox: () => createInboxTable(sql, secrets),
    invitations: () => createInvitationsTable(sql),
    jobs: () => createJobsTable(sql, (waitsFor, now) => void tasks().release(waitsFor, now)),
    jobSlices: () => createJobSlicesTable(sql, secrets),
    lost: () => createLostTable(sql),
    members: () => createMembersTable(sql),
    orders: () => createOrdersTable(sql, secrets, (name) => onChanged(`order:${name}`)),
    orderItems: () => createOrderItemsTable(sql, secrets),
    pastedMessages: () => createPastedMessagesTable(sql),
    preferences: () => createPreferencesTable(sql),
    purchaseOrders: () => createPurchaseOrdersTable(sql),
    purchases: () => createPurchasesTable(sql),
    quota: () => createQuotaTable(sql),
    receiptDetails: () => createReceiptDetailsTable(sql),
    redemptions: () => createRedemptionsTable(sql, secrets, seals),
    starPlace: () => createStarPlaceTable(sql),
    upstreamPauses: () => createUpstreamPausesTable(sql),
    stock: () => createStockTable(sql),
    stockPauses: () => createStockPausesTable(sql),
    takeover: () => createTakeoverTable(sql, seals),
    tasks,
    webhookDeliveries: () => createWebhookDeliveriesTable(sql),
    webhooks: () => createWebhooksTable(sql, secrets),
  });
}

function makeOnce<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

type Made<M extends Record<string, () => unknown>> = { readonly [Name in keyof M]: ReturnType<M[Name]> };

/** Each property is made once, when it is first read. */
function lazily<M extends Record<string, () => unknown>>(makers: M): Made<M> {
  const made = {};
  for (const [name, make] of Object.entries(makers))
    Object.defineProperty(made, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = make();
        Object.defineProperty(made, name, { value, enumerable: true });
        return value;
      },
    });
  return made as Made<M>;
}
