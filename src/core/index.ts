// The public interface of the core: what the product can do. Surfaces take an Actor, call one verb, and word the
// answer.
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Upstream } from '../platform/port.ts';
import type { Store } from '../store/index.ts';
import type { CheckAddress } from './accounts/webhooks.ts';
import { createBackground, type BackgroundDeps } from './background.ts';
import type { Changes } from './changes.ts';
import { createActing } from './acting.ts';
import { createReading, type AuditReading, type ReceiptReading } from './reading.ts';
import { createContest, type Contest } from './contest.ts';
import { createCheckUnspent } from './redemption/check-unspent.ts';
import type { ClaimList } from './claims/claim-list.ts';
import type { Claims } from './claims/claims.ts';
import type { IssueClaims, QuoteClaims } from './claims/issue.ts';
import type { ClaimIssues } from './claims/issues.ts';
import type { RestoredClaims } from './claims/restored.ts';
import type { SetPlayer } from './claims/set-player.ts';
import type { Visits } from './claims/visits.ts';
import type { FindCharacter, FindRedemptionTime } from './redemption/look-ups.ts';
import type { BadCodes } from './stock/bad-codes.ts';
import type { ListSetAsideJobs } from './stock/jobs.ts';
import type { Suppliers } from './stock/suppliers.ts';
import type { Batches } from './stock/batches.ts';
import type { Codes } from './stock/codes.ts';
import type { Games } from './games.ts';
import type { ExtractionHistory } from './stock/extraction-history.ts';
import { createHealth, type Health } from './health.ts';
import type { Orders } from './orders/orders.ts';
import type { OrderList } from './orders/order-list.ts';
import type { Presses } from './orders/presses.ts';
import type { Imports } from './stock/imports.ts';
import { createStock } from './stock/stock.ts';
import type { Logger } from '../log.ts';
import type { FindLastGame, FindLastOrder, FindLastPlayers, FindNamed } from './receipts/last-players.ts';
import type { Notices } from './notices/notices.ts';
import { createHostAlerts, type HostAlerts } from './alerts/host-alerts.ts';
import { createRefusals } from './alerts/refusals.ts';
import type { Surroundings } from './alerts/known-to-host.ts';
import type { TaskHandler, TaskWorkerDeps } from './tasks/run-task.ts';
import { createTaskWorker, type TaskWorker } from './tasks/worker.ts';
import { createSubscribers, type Subscribers } from './quota/subscribers.ts';
import { createBadRequestLimit, type BadRequestLimit } from './bad-request-limit.ts';
import type { ReadRangeStatistics } from './receipts/range-statistics.ts';
import { createFindOwnKey, type FindOwnKey } from './quota/own-key.ts';
import type { FindProof } from './receipts/proof.ts';
import type { ReadReceiptDetails, Receipts } from './receipts/receipts.ts';
import { createRecovery, logNotRecovered } from './redemption/recover.ts';
import { createRecordLost } from './redemption/record-lost.ts';
import type { Redemptions } from './redemption/redeem.ts';
import { createInFlight, finishInFlight } from './redemption/in-flight.ts';
import { createOutcomeMetrics } from './redemption/outcome-metrics.ts';
import type { FindRecentDuplicate } from './redemption/duplicates.ts';
import type { Search } from './receipts/search.ts';
import { openCoreClock } from './monotonic-scale.ts';
import { createStockAlerts } from './stock/alerts.ts';
import type { ReadDayStatistics } from './receipts/day-statistics.ts';
import { createWatchSubscriptions } from './accounts/subscriptions.ts';
import { createHostVerbs, type HostVerbs } from './redemption/host-verbs.ts';
import { createUpstreams } from './upstreams/upstreams.ts';
import { createWitnesses } from './upstreams/witnesses.ts';

export type { ClaimRecord } from './claim-record.ts';
export type { ClaimDetail } from './claims/claim-list.ts';
export {
  MOST_CLAIMS,
  type ClaimQuote,
  type ClaimRequest,
  type ClaimTerms,
  type IssueAnswer,
  type IssuedClaim,
} from './claims/issue.ts';
export type { ClaimIssue } from './claims/issues.ts';
export { LOGIN_SHOWN_MS, MOST_LOOKS, type ClaimVisit } from './claims/visits.ts';
export { findBrokenRule, isPlayerId, readPlayerId } from './redemption/request.ts';
export type { CharacterAnswer, RedemptionTimeAnswer } from './redemption/look-ups.ts';
export type { BadCode, BadStockKey } from './stock/bad-codes.ts';
export type { StockTotal } from './stock/stock-totals.ts';
export type { ExtractionBegun } from './stock/extract-codes.ts';
export type { ExtractionSummary } from './stock/extraction-history.ts';
export type { AddedCodes } from './stock/add-codes.ts';
export { AUDITED_ACTS, type AuditedAct } from './audit-log.ts';
export type { AuditFilter } from './accounts/audit-log-list.ts';
export { formatAct } from './accounts/format-act.ts';
export { isDayLimit, MOST_PER_DAY, type KeyLimits } from './accounts/key-limits.ts';
export type { AuditEntry } from './accounts/audit-log-list.ts';
export { ROLES } from './context.ts';
export type { AccountActor, InTransaction, ApiKeyActor, HostActor, MemberActor, Role } from './context.ts';
export { CoreError, type CoreErrorCode } from './errors.ts';
export { FULL_RECEIPT_COLUMNS, RECEIPT_COLUMNS } from './receipts/receipt-list.ts';
export { MOST_EXPORT_DAYS, MOST_EXPORTED, type ExportedRedemption } from './receipts/receipt-list.ts';
export { createGames, formatAmount, type Game, type Games } from './games.ts';
export { MAX_PACKS } from './quota/purchases.ts';
export type { CreditAnswer, RefundAnswer, SubscriptionBalance } from './quota/purchases.ts';
export type { BookedPayment } from './quota/payments.ts';
export type { OpenedForOwner, Replacement } from './accounts/invitations.ts';
export { HOST_CURRENCY } from './accounts/grants.ts';
export type { ConsoleSession } from './accounts/console.ts';
export {
  LONGEST_CONTACT,
  type Account,
  type AccountSummary,
  type OpenOwnAnswer,
} from './accounts/accounts.ts';
export type { SellByVerificationAnswer } from './redemption/sweep.ts';
export type { SuspendAnswer, Suspension } from './accounts/suspensions.ts';
export type { KeyStatus } from './quota/own-key.ts';
export type { ApiKeySummary, OrderAnswer } from './accounts/api-keys.ts';
export type { AddAnswer, AddressFlaw, CheckAddress, Delivery, Webhook } from './accounts/webhooks.ts';
export { readWebhookProblem, formatHookProblem, type WebhookProblem } from './accounts/webhook-problems.ts';
export type { Attempt, DueDelivery, DueWebhook, EventPayload } from './accounts/webhook-deliveries.ts';
export { WEBHOOK_EVENTS, WEBHOOK_TEST, type WebhookEvent } from './notices/pending-webhooks.ts';
export type { GivenRole, Member } from './members.ts';
export { MAX_THRESHOLD, type StockAlert } from './stock/alerts.ts';
export type { BulkBegun, ImportProgress } from './stock/imports.ts';
export { LONGEST_SUPPLIER, type SupplierFigures } from './stock/suppliers.ts';
export { BATCH_FATES, type BatchSummary, type ListedBatch } from './stock/batch-list.ts';
export type { SetAsideJob } from './stock/jobs.ts';
export { UNDO_WITHIN_MS } from './stock/undo-batch.ts';
export type { ImportPreview } from './stock/import-codes.ts';
export { NOT_UNDERSTOOD } from './stock/import-sections.ts';
export { createSpreadsheetReader, isSpreadsheetName, readListFile } from './paste/files.ts';
export { countCodes, MOST_CODES, type OrderItem } from './order-texts/items.ts';
export { COST_QUARTERS, type QuotaStatus } from './quota/usage.ts';
export { addsUp, makeUp } from './order-texts/composition.ts';
export { ORDER_STOP_REASONS } from './order-record.ts';
export type { OrderItemRecord, OrderRecord } from './order-record.ts';
export {
  LARGEST_ORDER_AMOUNT,
  LONGEST_ORDER_REFERENCE,
  MOST_ORDER_CODES,
  MOST_ORDER_ENTRIES,
} from './orders/place.ts';
export type { OrderEntry, OrderRefused, OrderRequest } from './orders/place.ts';
export type { ResumeAnswer } from './orders/resume.ts';
export type { SeenOrder } from './orders/standing.ts';
export type { NotPressed, OrderOfPress, Press } from './orders/presses.ts';
export { readPlainMessage } from './order-texts/message.ts';
export type { Candidate, OrderForm, PlainMessage } from './order-texts/message.ts';
export type { IdempotencyKey } from './idempotency.ts';
export type { TaskEnd, TaskHandler, TaskTools } from './tasks/run-task.ts';
export { HOST_CONDITIONS, type HostAlert } from './alerts/host-conditions.ts';
export type { BackupFailure, BackupStatus, DiskRoom } from './alerts/known-to-host.ts';
export { MEMBER_NOTICES, type Notice, type WaitingNotice } from './notices/notices.ts';
export { ERROR_CODES } from './error-policy.ts';
export type { ErrorCode } from '../store/index.ts';
export { grantOf, type Permission } from './context.ts';
export { DAILY_LIMIT, WINDOW_MS } from './quota/usage.ts';
export { foldWritten, readCode } from './folding.ts';
export {
  addDays,
  type Day,
  dayAt,
  formatIsoDay,
  isDay,
  parseIsoDay,
  rangeOfDays,
  parseTimeZone,
  toIsoTime,
} from './zones.ts';
export { BAD_REQUESTS_PER_MINUTE } from './bad-request-limit.ts';
export { MOST_DAYS, type RangeStatistics } from './receipts/range-statistics.ts';
export type { ActorLabel, ReceiptDetails } from './receipts/receipts.ts';
export { LISTED_STATES, type ReceiptFilter } from './receipts/receipt-filter.ts';
export type { ListCursor, ListPage, ListRequest, ListTotal } from './list-walk.ts';
export type { ReceiptStory, ReceiptsUsed, ReceiptUse, StoryEvent } from './receipts/receipt-story.ts';
export type { Redemption } from './receipts/receipts.ts';
export type { NotBegun, NotBegunCode, RedeemRequest } from './redemption/request.ts';
export type { KnownDuplicates, RecentDuplicate } from './redemption/duplicates.ts';
export type { Found, MatchReason } from './receipts/search.ts';
export { tailOf, type DayPage, type HistoryLine } from './receipts/history.ts';
export type { UpstreamSummary } from './redemption/host-verbs.ts';
export type { DecideAnswer, DoubtDetail } from './redemption/doubts.ts';
export type { DayStatistics } from './receipts/day-statistics.ts';

export interface Core extends Subscribers, HostVerbs, ReceiptReading, AuditReading {
  games: Games;
  /** Redeems one code for a player. Once a code is taken it never throws: what is not certain is in doubt. */
  redeem: Redemptions['redeem'];
  /** The same without waiting for its end, for a surface that watches it. */
  beginRedemption: Redemptions['begin'];
  /** Several codes for one player, carried out by themselves. */
  orders: Orders;
  /** Links that an account gives out, each for an order of whoever opens it. */
  claims: Claims &
    ClaimIssues &
    RestoredClaims & { quote: QuoteClaims; issue: IssueClaims; setPlayer: SetPlayer };
  /** The same as a list, filtered: pages, and all of them. */
  claimList: ClaimList;
  /** What the page of such a link does. */
  visits: Visits;
  /** The orders as a list, filtered: pages, and all of them. */
  orderList: OrderList;
  /** What one press in the chat orders. */
  presses: Presses;
  /** Waiting for what changes. */
  changes: Changes;
  findCharacter: FindCharacter;
  findRedemptionTime: FindRedemptionTime;
  receipts: Receipts;
  /** What a receipt tells beside the record. */
  receiptDetails: ReadReceiptDetails;
  /** The key that asks, with its own window. */
  findOwnKey: FindOwnKey;
  /** What the picture of a redeemed receipt tells. */
  findProof: FindProof;
  /** The players redeemed for last, to be offered again. */
  lastPlayers: FindLastPlayers;
  /** The game that a person redeemed in last. */
  lastGame: FindLastGame;
  /** What a person redeemed last from the code database, to be offered again. */
  lastOrder: FindLastOrder;
  /** A player whom a message names, and what it wants for them. */
  findNamed: FindNamed;
  /** Whether a player has just got the same, or has it under way. */
  findRecentDuplicate: FindRecentDuplicate;
  dayStatistics: ReadDayStatistics;
  rangeStatistics: ReadRangeStatistics;
  search: Search;
  notices: Notices;
  /** The troubles that the host is told of. */
  hostAlerts: Pick<HostAlerts, 'list' | 'listDirect'>;
  codes: Codes;
  imports: Imports;
  batches: Batches;
  badCodes: BadCodes;
  suppliers: Suppliers;
  extractionHistory: ExtractionHistory;
  /** Bulk work that waits for a person. */
  listSetAsideJobs: ListSetAsideJobs;
  /** What is refused without a usage, bounded per account; surfaces count here what they refuse by themselves. */
  badRequestLimit: BadRequestLimit;
  stockAlerts: ReturnType<typeof createStockAlerts>;
  /** Notes whether another process fetches the updates of the bot: what that stops. */
  noteContest: Contest['note'];
  /** What runs tasks by these handlers, once it is started. */
  workOn(
    handlers: Readonly<Record<string, TaskHandler>>,
    tools: Pick<TaskWorkerDeps, 'log' | 'describe'>,
  ): TaskWorker;
  /** For `/readyz` and `/metrics`. */
  health: Health;
  /** Puts what an earlier process left open in doubt, and goes on settling doubts until stopped. Never rejects. */
  start(): Promise<void>;
  /** Runs every task that is due: looks at doubts, steps of orders; what `start` has done by itself. */
  settleDoubts(): Promise<void>;
  /** Refuses new redemptions, gives those running `graceMs`, leaves the rest in doubt. Never rejects. */
  stop(graceMs: number): Promise<void>;
}

export interface CoreDeps extends Surroundings, Pick<BackgroundDeps, 'keepCredentialsMs'> {
  store: Store;
  /** At least one. */
  upstreams: readonly Upstream[];
  games: Games;
  clock: Clock;
  ids: Ids;
  log: Logger;
  platformTimeoutMs: number;
  /** Of 30 days; without it the subscription is not for sale. */
  subscriptionPriceUsdCents?: number | undefined;
  /** Looks whether webhooks may go to an address; without it none is taken. */
  checkWebhookAddress?: CheckAddress | undefined;
}

/** Assembles the core. Nothing runs by itself before `start`. */
export function createCore(given: CoreDeps): Core {
  const clock = openCoreClock(given.store, given.clock);
  const refusals = createRefusals(clock);
  const watched = { ...given, clock, upstreams: createUpstreams({ ...given, clock }, refusals.watch) };
  const taking = { ...watched, contest: createContest(), witnesses: createWitnesses(watched) };
  const asking = { checkUnspent: createCheckUnspent(taking), recordLost: createRecordLost(taking) };
  const deps = { ...taking, ...asking };
  const { games, log } = deps;
  const inFlight = createInFlight();
  let [stopping, recovered] = [false, 0];
  const counts = { outcomeMetrics: createOutcomeMetrics(log), badRequestLimit: createBadRequestLimit(deps) };
  const withInFlight = { ...deps, ...counts, inFlight };
  const recover = createRecovery(withInFlight);
  const ends = { signal: inFlight.giveUp.signal, waitedFor: inFlight.lookUps };
  const { jobs, ...stock } = createStock({ ...deps, ...ends });
  const health = createHealth(withInFlight, () => stopping);
  const hostAlerts = createHostAlerts({ ...deps, health, refusals, countRecovered: () => recovered });
  const { verbs, ...acting } = createActing(withInFlight, () => stopping);
  const background = createBackground({
    ...deps,
    hostAlerts,
    recover,
    watchSubscriptions: createWatchSubscriptions(deps),
    imports: stock.imports,
    jobs,
  });

  return {
    games,
    ...verbs,
    ...createReading(deps),
    ...stock,
    badRequestLimit: withInFlight.badRequestLimit,
    ...createSubscribers(deps),
    findOwnKey: createFindOwnKey(deps),
    ...createHostVerbs(deps),
    stockAlerts: createStockAlerts(deps),
    noteContest: deps.contest.note,
    workOn: (handlers, tools) => createTaskWorker({ ...deps, ...tools }, handlers),
    health,
    hostAlerts,
    async start() {
      recovered = await recover().catch(logNotRecovered(log));
      await acting.start();
      background.start();
    },
    settleDoubts: acting.rest,
    async stop(graceMs) {
      stopping = true;
      const stepsEnded = acting.stop();
      await finishInFlight(inFlight, graceMs);
      await stepsEnded;
      await background.stop();
      await jobs.settled();
    },
  };
}
