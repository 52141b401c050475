// The testimony of another past of the same database, as a host orders it: what that past has closed is closed here.
// Recovered redemptions get their receipts, payments are booked by their charge; nothing is opened, begun or added.
import type { OtherPast, Store, StoredReceipt, StoredRedemption, Tables } from '../../store/index.ts';
import type { Moment } from '../../clock.ts';
import { record } from '../audit-log.ts';
import type { HostActor } from '../context.ts';
import { watchStock } from '../notices/notices.ts';
import { creditPayment, refundPayment } from '../quota/purchases.ts';
import { bookRecovered, notifyOfSecond } from './record-recovered.ts';

/** How much of each was closed; all 0 where it is repeated. */
export interface Testimony {
  /** Codes that are in other hands, and those that the platform refused. */
  extracted: number;
  undone: number;
  used: number;
  invalid: number;
  /** Redemptions that are recovered, and those that were and have their receipt now. */
  recovered: number;
  completed: number;
  keysEnded: number;
  membersEnded: number;
  webhooksEnded: number;
  payments: number;
  refunds: number;
}

interface Court extends Pick<Store, 'lost' | 'seals'> {
  tables: Tables;
  past: OtherPast;
  host: HostActor;
  moment: Pick<Moment, 'now' | 'monotonicNow'>;
}

/**
 * Call it in a transaction over a file that nobody serves. `until`: when the other past ends, in ms UTC. Safe to
 * repeat.
 */
export function hearTestimony(court: Court, until: number): Testimony {
  const { tables, past, host, moment } = court;
  const { now, monotonicNow } = moment;
  const receipts = recoverAll(court);
  const { counts, stockKeys } = past.closeCodes(now);
  for (const stockKey of stockKeys) watchStock(tables, stockKey, now);
  past.insertIdempotencyKeys(now, monotonicNow);
  const count = (ends: string) => counts.get(ends) ?? 0;
  const testimony: Testimony = {
    ...{
      extracted: count('extracted'),
      undone: count('undone'),
      used: count('used'),
      invalid: count('invalid'),
    },
    ...receipts,
    ...endAccess(court),
    ...bookAll(court),
  };
  const after = Object.fromEntries(Object.entries(testimony).filter(([, number]) => number > 0));
  if (Object.keys(after).length > 0)
    record(tables, host, 'pastTestified', { accountId: null, before: { until }, after }, now);
  return testimony;
}

function recoverAll(court: Court): Pick<Testimony, 'recovered' | 'completed'> {
  const { tables, past, seals } = court;
  const counts = { recovered: 0, completed: 0 };
  for (const { id, code } of past.listLostRedemptions()) {
    const told = past.tables.redemptions.get(id);
    const live =
      told.code === null
        ? undefined
        : tables.redemptions.findLive(told.gameId, seals.hash(told.gameId, told.code));
    if (live) counts.completed += complete(court, live.id, told) ? 1 : 0;
    else counts.recovered += recover(court, told, code) ? 1 : 0;
  }
  return counts;
}

/** With what the platform tells once alone; who it was for, where it was found by its code. */
function complete({ tables, moment }: Court, id: number, told: StoredRedemption): boolean {
  const { state, credentials, openid, nextLookAt } = tables.redemptions.get(id);
  const isRecovered = tables.takeover.namePlayer(id, told.playerId);
  if (state !== 'redeemed' || credentials || !told.credentials || openid !== told.openid) return false;
  if (!isRecovered && nextLookAt === null) return false;
  tables.lateLogins.wait(id, moment.now);
  return tables.lateLogins.complete(id, toReceipt(told));
}

type StockCode = NonNullable<ReturnType<OtherPast['listLostRedemptions']>[number]['code']>;

/** False where its code does not open, or something here is under way with it. */
function recover(
  { tables, past, lost, seals, moment }: Court,
  told: StoredRedemption,
  held: StockCode | undefined,
): boolean {
  const { accountId, gameId, denomination, playerId, createdAt } = told;
  const sent = past.tables.attempts.findSpent(told.id);
  if (!sent || told.code === null || (held && !tables.codes.recoverTold(held.id, moment.now))) return false;
  const isOfStock =
    told.mode === 'database' && held?.accountId === accountId && held.denomination === denomination;
  const code = { text: told.code, ...seals.seal(gameId, told.code) };
  const order = { accountId, gameId, denomination, playerId, codeId: held?.id ?? null, code };
  const isPaid = isCharged(tables, accountId, gameId, told.code);
  const mode = isOfStock ? 'database' : 'direct';
  const id = bookRecovered(tables, { ...order, mode, now: createdAt }, sent, toReceipt(told), moment, isPaid);
  // There its login was still asked for.
  if (told.nextLookAt !== null) tables.lateLogins.wait(id, moment.now);
  if (held) watchStock(tables, held, moment.now);
  if (!isOfStock) return true;
  const { id: _code, state: _state, ...stockKey } = held;
  const found = { ...stockKey, playerId, openid: told.openid ?? playerId, now: moment.now };
  tables.takeover.insertRecovered(id, found);
  if (lost) notifyOfSecond(lost, tables, { ...stockKey, id, playerId }, moment.now);
  return true;
}

/** It was tried here since, and was used. */
function isCharged(tables: Tables, accountId: number, gameId: string, code: string): boolean {
  const tried = tables.redemptions.findOfCode(accountId, gameId, code);
  const usageId = tried ? tables.redemptions.get(tried.id).usageId : null;
  return usageId !== null && !tables.quota.isReturned(usageId);
}

function toReceipt({ openid, playerName, playerId, ...told }: StoredRedemption): StoredReceipt {
  const { region, productName, amount, warning, credentials } = told;
  const [who, name] = [openid ?? playerId, playerName ?? playerId];
  return { openid: who, playerName: name, region, productName, amount, warning, credentials };
}

function endAccess({
  tables,
  past,
  host,
  moment: { now },
}: Court): Pick<Testimony, 'keysEnded' | 'membersEnded' | 'webhooksEnded'> {
  const [keys, members, webhooks] = [past.listEndedKeys(), past.listEndedMembers(), past.listEndedWebhooks()];
  for (const { id, accountId, prefix } of keys) {
    tables.apiKeys.revoke(accountId, id, now);
    record(tables, host, 'keyRevoked', { accountId, object: `key:${id}`, after: { key: prefix } }, now);
  }
  for (const { telegramId, accountId, role } of members) {
    tables.members.remove(accountId, telegramId, role);
    const gone = { accountId, object: `member:${telegramId}`, before: { role } };
    record(tables, host, 'memberRemoved', gone, now);
  }
  for (const { id, accountId } of webhooks) {
    const url = tables.webhooks.find(id)?.url;
    tables.webhooks.remove(accountId, id, now);
    const after = { host: url === undefined ? '' : new URL(url).host };
    record(tables, host, 'webhookRemoved', { accountId, object: `webhook:${id}`, after }, now);
  }
  return { keysEnded: keys.length, membersEnded: members.length, webhooksEnded: webhooks.length };
}

function bookAll({ tables, past, host, moment }: Court): Pick<Testimony, 'payments' | 'refunds'> {
  const counts = { payments: 0, refunds: 0 };
  for (const { chargeId, orderId, isBooked, isRefunded } of past.listPayments()) {
    if (isBooked === 0) {
      counts.payments += 1;
      const paid = past.tables.purchases.find(chargeId);
      if (!paid) throw new Error(`The payment ${chargeId} is not there any more.`);
      creditPayment(tables, paid, moment.now);
      if (orderId !== null) tables.purchaseOrders.markPaid(orderId, chargeId);
    }
    if (isRefunded === 0) continue;
    counts.refunds += 1;
    refundPayment(tables, host, chargeId, moment.now);
  }
  return counts;
}
