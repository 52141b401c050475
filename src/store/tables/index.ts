// Every table of the store, over one connection. Each is made when it is first asked for: most work needs a few, and to
// write and prepare the statements of all is a tenth of a start.
import type { Database as Connection } from 'better-sqlite3';

import { createCodeSeals, type Secrets } from '../engine/secrets.ts';
import { openOrm } from '../engine/drizzle.ts';
import { createSql } from '../sql.ts';
import { createAccountsTable } from './accounts.ts';
import { createApiKeysTable } from './api-keys.ts';
import { createAttemptFiguresTable } from './attempt-figures.ts';
import { createAttemptsTable } from './attempts.ts';
import { createAuditLogTable } from './audit-log.ts';
import { createBatchesTable } from './batches.ts';
import { createChargeNotesTable } from './charge-notes.ts';
import { createCodesTable } from './codes.ts';
import { createConsoleLinksTable, createConsoleSessionsTable } from './console.ts';
import { createConversationsTable } from './conversations.ts';
import { createCredentialsTable } from './credentials.ts';
import { createDoubtsTable } from './doubts.ts';
import { createBotsTable } from './bots.ts';
import { createConfirmationsTable } from './confirmations.ts';
import { createExtractionsTable } from './extractions.ts';
import { createForgettingTable } from './forgetting.ts';
import { createHistoryTable } from './history.ts';
import { createIdempotencyKeysTable } from './idempotency-keys.ts';
import { createImportsTable } from './imports.ts';
import { createInboxTable } from './inbox.ts';
import { createInvitationsTable } from './invitations.ts';
import { createJobSlicesTable, createJobsTable } from './jobs.ts';
import { createLateLoginsTable } from './late-logins.ts';
import { createMembersTable } from './members.ts';
import { createOrderItemsTable } from './order-items.ts';
import { createOrdersTable } from './orders.ts';
import { createPastedMessagesTable } from './pasted-messages.ts';
import { createPreferencesTable } from './preferences.ts';
import { createPurchaseOrdersTable } from './purchase-orders.ts';
import { createPurchasesTable } from './purchases.ts';
import { createQuotaTable } from './quota.ts';
import { createReceiptDetailsTable } from './receipt-details.ts';
import { createRedemptionsTable } from './redemptions.ts';
import { createHostAlertsTable, createStarPlaceTable, createUpstreamPausesTable } from './meta.ts';
import { createStockPausesTable } from './stock-pauses.ts';
import { createStockTable } from './stock.ts';
import { createTakeoverTable } from './takeover.ts';
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
  const [orm, sql, seals] = [openOrm(connection), createSql(connection), createCodeSeals(secrets)];
  const tasks = makeOnce(() => createTasksTable(orm, secrets, { onQueued, onChanged }));
  return lazily({
    accounts: () => createAccountsTable(orm),
    apiKeys: () => createApiKeysTable(sql),
    attempts: () => createAttemptsTable(orm, secrets, seals),
    attemptFigures: () => createAttemptFiguresTable(orm, secrets, seals),
    auditLog: () => createAuditLogTable(orm),
    batches: () => createBatchesTable(orm, seals),
    chargeNotes: () => createChargeNotesTable(sql),
    codes: () => createCodesTable(orm, seals),
    consoleLinks: () => createConsoleLinksTable(sql),
    consoleSessions: () => createConsoleSessionsTable(sql),
    conversations: () => createConversationsTable(orm, secrets),
    credentials: () => createCredentialsTable(sql),
    doubts: () => createDoubtsTable(orm),
    bots: () => createBotsTable(sql),
    confirmations: () => createConfirmationsTable(orm, secrets),
    extractions: () => createExtractionsTable(orm, seals),
    forgetting: () => createForgettingTable(orm, secrets),
    hostAlerts: () => createHostAlertsTable(sql),
    history: () => createHistoryTable(orm, secrets, seals),
    idempotencyKeys: () => createIdempotencyKeysTable(orm, secrets),
    imports: () => createImportsTable(orm, secrets),
    inbox: () => createInboxTable(orm, secrets),
    invitations: () => createInvitationsTable(sql),
    jobs: () => createJobsTable(orm, (waitsFor, now) => void tasks().release(waitsFor, now)),
    jobSlices: () => createJobSlicesTable(orm, secrets),
    lateLogins: () => createLateLoginsTable(orm, secrets),
    members: () => createMembersTable(sql),
    orders: () => createOrdersTable(orm, secrets, (name) => onChanged(`order:${name}`)),
    orderItems: () => createOrderItemsTable(orm, secrets),
    pastedMessages: () => createPastedMessagesTable(sql),
    preferences: () => createPreferencesTable(sql),
    purchaseOrders: () => createPurchaseOrdersTable(orm),
    purchases: () => createPurchasesTable(orm),
    quota: () => createQuotaTable(sql),
    receiptDetails: () => createReceiptDetailsTable(orm),
    redemptions: () => createRedemptionsTable(orm, secrets, seals),
    starPlace: () => createStarPlaceTable(sql),
    upstreamPauses: () => createUpstreamPausesTable(sql),
    stock: () => createStockTable(orm),
    stockPauses: () => createStockPausesTable(sql),
    takeover: () => createTakeoverTable(orm, seals),
    tasks,
    webhookDeliveries: () => createWebhookDeliveriesTable(orm),
    webhooks: () => createWebhooksTable(orm, secrets),
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
