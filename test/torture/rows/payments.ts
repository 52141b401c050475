// Row 7: people pay, pay the same invoice again, pay for the account they belong to by now, and get money back, while each
// update arrives up to three times and the service is killed. What Telegram took and gave back is what every account has.
import { grantDays } from '../../harness/host.ts';
import { check, query } from '../books.ts';
import { createTalker, findButton, longestWaitMs, openChat, type Chat, type Talker } from '../chat.ts';
import { deliverByPolling, deliverByWebhook } from '../delivery.ts';
import { merge, type Findings, type TortureOptions } from '../findings.ts';
import { keepKilling, type Kills } from '../kills.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import { openShop, type Shop } from '../shop.ts';

const PAYMENTS_A_SHOP = 250;
const OWNERS = 8;
const MOST_TIMES = 3;
const HOST_ID = 900_001;
const DAYS_GIVEN = 10;
const SETTINGS = {
  OPEN_SIGNUP: 'true',
  HOST_IDS: String(HOST_ID),
  SUBSCRIPTION_PRICE_USD: '15.00',
};
/** Of some shops a provider takes the money, not Telegram. */
const PROVIDER = { STARS_PER_USD: '0', PAYMENT_PROVIDER_TOKEN: 'provider' };

/** What Telegram took of somebody. */
interface Taken {
  chargeId: string;
  accountId: number;
  payer: Talker;
  thousands: number;
  days: number;
  refunded: boolean;
}

/** Whoever pays, and the account of theirs. */
interface Payer {
  talker: Talker;
  accountId: number;
  seeded: Seeded;
}

/** `count` payments, each told to the service from one to three times. */
export async function payRepeatedly({ count, seed, tell }: TortureOptions): Promise<Findings> {
  let findings: Findings = { tried: { payments: 0 }, violations: [] };
  for (let round = 0; (findings.tried.payments ?? 0) < count; round += 1) {
    const wanted = Math.min(PAYMENTS_A_SHOP, count - (findings.tried.payments ?? 0));
    const found = await payInOneShop(seed + round, wanted);
    findings = merge(findings, found);
    tell?.([JSON.stringify(findings.tried), ...found.violations].join('\n'));
  }
  return findings;
}

async function payInOneShop(seed: number, wanted: number): Promise<Findings> {
  const violations: string[] = [];
  const chat = await openChat();
  const deliver = seed % 2 === 0 ? deliverByWebhook : deliverByPolling;
  const delivery = await deliver({ api: chat.api, seeded: createSeeded(seed + 1), most: MOST_TIMES });
  const shop = await openShop(seed, {
    ...SETTINGS,
    ...(seed % 3 === 0 && PROVIDER),
    ...chat.env,
    ...delivery.env,
  });
  delivery.follow(shop.service().url);
  const taken: Taken[] = [];
  const tried = { payments: 0, refused: 0, refunds: 0, deliveries: 0, kills: 0, points: 0, askedAgain: 0 };
  let kills: Kills | undefined;
  try {
    const host = createTalker(chat.api, 'Host', HOST_ID);
    // Told of new accounts, and Telegram takes no message to who never wrote.
    await enter(host);
    const payers = await openAccounts(shop, chat, seed);
    kills = keepKilling(shop, {
      everyMs: { least: 900, most: 3_000 },
      onStart: delivery.follow,
      longestWaitMs: () => longestWaitMs(chat.api),
    });
    const isEnough = () => taken.length >= wanted && (kills?.count() ?? 0) > 0;
    const row: Row = { folder: shop.folder, chat, taken, violations, tried, isEnough };
    await Promise.all([
      ...payers.map((payer) => keepPaying(row, payer)),
      giveBack(row, host, createSeeded(seed)),
    ]);
    await kills.stop();
    await delivery.quiet();
    await waitUntilTold(shop, violations);
    violations.push(...compareMoney(shop, taken), ...compareWords(taken, payers, kills.count()));
    violations.push(...(await check(shop.folder)));
    tried.payments = taken.length;
    tried.refunds = taken.filter(({ refunded }) => refunded).length;
    tried.deliveries = delivery.handedOver();
    tried.kills = kills.count();
    tried.points = kills.reached.size;
  } finally {
    await kills?.stop().catch(() => undefined);
    await shop.close();
    await delivery.close();
    await chat.close();
  }
  return { tried, violations: violations.map((violation) => `seed ${seed}: ${violation}`) };
}

interface Row {
  folder: string;
  chat: Chat;
  taken: Taken[];
  violations: string[];
  tried: { refused: number; askedAgain: number };
  isEnough(): boolean;
}

/** Everybody owns an account, by saying /start, with a subscription: without one it is asked about before anything is sold. */
async function openAccounts(shop: Shop, { api }: Chat, seed: number): Promise<Payer[]> {
  const talkers = Array.from({ length: OWNERS }, (_, index) => createTalker(api, `Owner ${index}`));
  await Promise.all(talkers.map(enter));
  const members = query(shop.folder, 'select telegram_id as id, account_id as accountId from members') as {
    id: number;
    accountId: number;
  }[];
  for (const { accountId } of members) await grantDays(shop.folder, accountId, DAYS_GIVEN);
  return talkers.map((talker, index) => {
    const accountId = members.find(({ id }) => id === talker.user.id)?.accountId ?? 0;
    return { talker, accountId, seeded: createSeeded(seed * 1_000 + index) };
  });
}

async function enter(talker: Talker): Promise<void> {
  talker.says('/start');
  if (await talker.sees(({ text }) => text.includes('you are the owner'))) return;
  throw new Error(`${talker.user.first_name} was never welcomed`);
}

/** A person who sees nothing for a minute asks once more; how often is told. */
async function ask<T>(row: Row, say: () => void, look: () => Promise<T | undefined>): Promise<T | undefined> {
  say();
  const seen = await look();
  if (seen !== undefined || row.isEnough()) return seen;
  row.tried.askedAgain += 1;
  say();
  return look();
}

async function keepPaying(row: Row, payer: Payer): Promise<void> {
  const { talker, seeded } = payer;
  while (!row.isEnough()) {
    const thousands = seeded.chance(0.8) ? 1 + seeded.below(5) : 0;
    const known = talker.newest();
    // Killed before it could write down that it had sent one, it sends an invoice again: not any is the one asked for.
    const title = thousands > 0 ? `${thousands * 1000} activations` : 'Subscription, 30 days';
    const command = thousands > 0 ? `/buy_activations ${thousands}` : '/subscribe';
    const offered = () => talker.sees(({ id, invoice: sent }) => id > known && sent?.title === title);
    const invoice = await ask(row, () => talker.says(command), offered);
    if (!invoice) return void row.violations.push(tellUnanswered(row, talker, command, known));
    for (let times = seeded.chance(0.3) ? 3 : 1; times > 0; times -= 1) {
      const paid = await row.chat.api.pay(talker.user, invoice);
      if (!paid.ok) {
        row.tried.refused += 1;
        const late = 'error' in paid && paid.error === 'BOT_PRECHECKOUT_TIMEOUT';
        if (!late) row.violations.push(`${talker.user.first_name}: refused ${JSON.stringify(paid)}`);
        continue;
      }
      const { chargeId } = paid;
      const isStars = invoice.invoice?.currency === 'XTR';
      const bought = { thousands, days: thousands > 0 ? 0 : 30, isStars };
      const charge = { chargeId, accountId: payer.accountId, payer: talker, ...bought, refunded: false };
      row.taken.push(charge);
      if (isStars && seeded.chance(0.1)) await refundByTelegram(row.chat, charge);
    }
  }
}

/** What a reader of a failure wants to know: was it late, set aside, or lost. */
function tellUnanswered({ folder }: Row, talker: Talker, command: string, known: number): string {
  const left = query(
    folder,
    `select update_id as id, state, attempts, received_at as at from inbox where state <> 'done'
      union all select id, task, 0, queued_at from tasks where done_at is null`,
  );
  const seen = talker.read().filter(({ id }) => id > known);
  const words = seen.map(({ text, invoice }) => invoice?.title ?? text);
  const now = Date.now();
  return `${talker.user.first_name}: an invoice never came after ${command}: ${JSON.stringify({ now, left, words })}`;
}

/** Telegram gives Stars back by itself, without asking the bot. */
async function refundByTelegram({ apiUrl }: Chat, charge: Taken): Promise<void> {
  charge.refunded = true;
  const body = JSON.stringify({
    user_id: charge.payer.user.id,
    telegram_payment_charge_id: charge.chargeId,
  });
  const headers = { 'content-type': 'application/json' };
  // The host may have been faster.
  await (await fetch(`${apiUrl}/refundStarPayment`, { method: 'POST', headers, body })).arrayBuffer();
}

/** The host gives back one payment in a few, some of them twice. */
async function giveBack(row: Row, host: Talker, seeded: Seeded): Promise<void> {
  for (let next = 0; !row.isEnough(); next += 1 + seeded.below(5)) {
    while (row.taken.length <= next && !row.isEnough()) await pause(50);
    const charge = row.taken[next];
    if (!charge) return;
    for (let times = seeded.chance(0.2) ? 2 : 1; times > 0; times -= 1) await refundByHost(row, host, charge);
  }
}

const SEND_BACK = /^(Send .* back|Book as sent back)$/;

async function refundByHost({ violations }: Row, host: Talker, charge: Taken): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const known = host.newest();
    host.says(`/refund ${charge.chargeId}`);
    // Killed before it could write down that it had asked, it asks again: not any question is about this payment.
    const told = await host.sees(
      (message) =>
        message.id > known && (!findButton(message, SEND_BACK) || message.text.includes(charge.chargeId)),
    );
    if (!told) break;
    if (told.text.startsWith('This payment was sent back before')) return;
    if (told.text.startsWith('I know no payment')) {
      await pause(200);
      continue;
    }
    if (!findButton(told, SEND_BACK)) continue;
    charge.refunded = true;
    void host.presses(told, SEND_BACK);
    const done = await host.sees(({ id, text }) => id === told.id && text.startsWith('Done: '));
    if (!done) violations.push(`the refund of ${charge.chargeId} was never done`);
    return;
  }
  violations.push(`/refund ${charge.chargeId} was never answered`);
}

async function waitUntilTold(shop: Shop, violations: string[]): Promise<void> {
  const waiting = () =>
    query(
      shop.folder,
      `select 'updates' as what, state from inbox where state <> 'done'
        union all select 'messages', task from tasks where done_at is null`,
    ) as { what: string; state: string }[];
  const until = performance.now() + 60_000;
  while (waiting().some(({ state }) => state === 'waiting') && performance.now() < until) await pause(100);
  for (const { what, state } of waiting()) violations.push(`${what} are ${state} at the end`);
}

const QUARTERS_A_PACK = 4_000;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Booked {
  chargeId: string;
  accountId: number;
  quarters: number;
  days: number;
  refundedAt: number | null;
  refundedQuarters: number;
}

/** Credited is charged: each charge booked once and as it was paid, each balance their sum. */
function compareMoney(shop: Shop, taken: readonly Taken[]): string[] {
  const violations: string[] = [];
  const booked = query(
    shop.folder,
    `select charge_id as chargeId, account_id as accountId, activations_quarters as quarters, subscription_days as days,
      refunded_at as refundedAt, refunded_quarters as refundedQuarters from purchases where charge_id not like 'host:%'`,
  ) as Booked[];
  if (booked.length !== taken.length) violations.push(`${taken.length} charges, ${booked.length} are booked`);
  for (const charge of taken) {
    const row = booked.find(({ chargeId }) => chargeId === charge.chargeId);
    const quarters = charge.thousands * QUARTERS_A_PACK;
    const same =
      row?.accountId === charge.accountId &&
      row.quarters === quarters &&
      row.days === charge.days &&
      (row.refundedAt !== null) === charge.refunded &&
      row.refundedQuarters === (charge.refunded ? quarters : 0);
    const { chargeId, accountId, thousands, refunded } = charge;
    const paid = JSON.stringify({ chargeId, accountId, thousands, refunded });
    if (!same) violations.push(`paid ${paid}, booked ${JSON.stringify(row)}`);
  }
  return [...violations, ...compareBalances(shop, taken)];
}

function compareBalances(shop: Shop, taken: readonly Taken[]): string[] {
  const violations: string[] = [];
  const accounts = query(
    shop.folder,
    `select a.id, a.subscription_expires_at as until, coalesce(q.purchased, 0) as purchased
      from accounts a left join quotas q on q.account_id = a.id`,
  ) as { id: number; until: number | null; purchased: number }[];
  for (const [accountId, charges] of Map.groupBy(taken, (charge) => charge.accountId)) {
    const unrefunded = charges.filter(({ refunded }) => !refunded);
    const quarters = unrefunded.reduce((sum, { thousands }) => sum + thousands * QUARTERS_A_PACK, 0);
    const days = DAYS_GIVEN + unrefunded.reduce((sum, charge) => sum + charge.days, 0);
    const account = accounts.find(({ id }) => id === accountId);
    const left = ((account?.until ?? Date.now()) - Date.now()) / DAY_MS;
    if (account?.purchased !== quarters || Math.abs(Math.max(0, left) - days) > 0.1)
      violations.push(
        `account ${accountId}: paid ${quarters} quarters, ${days} days, has ${JSON.stringify(account)}`,
      );
  }
  return violations;
}

/** Each payment and each refund is told; a kill may have had one told twice. */
function compareWords(taken: readonly Taken[], payers: readonly Payer[], kills: number): string[] {
  const violations: string[] = [];
  for (const { talker } of payers) {
    const own = taken.filter(({ payer }) => payer === talker);
    const count = (pattern: RegExp) => talker.read().filter(({ text }) => pattern.test(text)).length;
    let surplus = 0;
    const told = [
      [count(/^Thank you! Paid for/), own.length, 'payments'],
      [count(/^Your payment of .* was sent back/), own.filter(({ refunded }) => refunded).length, 'refunds'],
    ] as const;
    for (const [times, expected, what] of told) {
      if (times < expected)
        violations.push(`${talker.user.first_name}: ${expected} ${what}, ${times} were told`);
      surplus += Math.max(0, times - expected);
    }
    // A chat's messages go one after the other: of each a kill repeats one at most.
    if (surplus > kills)
      violations.push(`${talker.user.first_name}: ${surplus} messages were told again, ${kills} kills`);
  }
  return violations;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
