// Row 7: people pay, pay the same invoice again, pay for the account they belong to by now, and get money back, while each
// update arrives up to three times and the service is killed. What Telegram took and gave back is what every account has.
import { pause } from '../../../src/waiting.ts';
import { grantDays } from '../../harness/host.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import { check, query } from '../books.ts';
import { createTalker, findButton, type Chat, type Talker } from '../chat.ts';
import { count, inParts, type Findings, type TortureOptions } from '../findings.ts';
import { playUnderKills, type Scene } from '../kills.ts';
import type { Shop } from '../shop.ts';

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
const SEND_BACK = /^(Send .* back|Book as sent back)$/;
const QUARTERS_A_PACK = 4_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What Telegram took of somebody. */
interface Taken {
  chargeId: string;
  payer: Payer;
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

interface Cast {
  host: Talker;
  payers: Payer[];
  taken: Taken[];
}

interface Till extends Scene {
  taken: Taken[];
  isEnough(): boolean;
}

/** `count` payments, each told to the service from one to three times. */
export const payRepeatedly = (options: TortureOptions): Promise<Findings> =>
  inParts(options, { most: PAYMENTS_A_SHOP, of: 'payments' }, (wanted, seed) =>
    playUnderKills(seed, {
      env: { ...SETTINGS, ...(seed % 3 === 0 && PROVIDER) },
      most: MOST_TIMES,
      hire: (shop, chat) => hire(shop, chat, seed),
      live({ host, payers, taken }, scene) {
        const isEnough = () => taken.length >= wanted && scene.kills() > 0;
        const till: Till = { ...scene, taken, isEnough };
        const paying = payers.map((payer) => keepPaying(till, payer));
        return Promise.all([...paying, giveBack(till, host, createSeeded(seed))]);
      },
      compare,
    }),
  );

/** Everybody owns an account, by saying /start, with a subscription: without one it is asked about before anything is sold. */
async function hire({ folder }: Shop, { api }: Chat, seed: number): Promise<Cast> {
  const host = createTalker(api, 'Host', HOST_ID);
  // Told of new accounts, and Telegram takes no message to who never wrote.
  await enter(host);
  const talkers = Array.from({ length: OWNERS }, (_, index) => createTalker(api, `Owner ${index}`));
  await Promise.all(talkers.map(enter));
  const members = query(folder, 'select telegram_id as id, account_id as accountId from members') as {
    id: number;
    accountId: number;
  }[];
  for (const { accountId } of members) await grantDays(folder, accountId, DAYS_GIVEN);
  const payers = talkers.map((talker, index) => {
    const accountId = members.find(({ id }) => id === talker.user.id)?.accountId ?? 0;
    return { talker, accountId, seeded: createSeeded(seed * 1_000 + index) };
  });
  return { host, payers, taken: [] };
}

async function enter(talker: Talker): Promise<void> {
  talker.says('/start');
  if (await talker.sees(({ text }) => text.includes('you are the owner'))) return;
  throw new Error(`${talker.user.first_name} was never welcomed`);
}

async function keepPaying(till: Till, payer: Payer): Promise<void> {
  const { shop, chat, taken } = till;
  const { talker, seeded } = payer;
  while (!till.isEnough()) {
    const thousands = seeded.chance(0.8) ? 1 + seeded.below(5) : 0;
    const invoice = await askForInvoice(till, talker, thousands);
    if (!invoice) return;
    for (let times = seeded.chance(0.3) ? 3 : 1; times > 0; times -= 1) {
      const paid = await chat.api.pay(talker.user, invoice);
      if (!paid.ok) {
        count(shop, 'refused');
        const late = 'error' in paid && paid.error === 'BOT_PRECHECKOUT_TIMEOUT';
        if (!late) shop.violations.push(`${talker.user.first_name}: refused ${JSON.stringify(paid)}`);
        continue;
      }
      const { chargeId } = paid;
      const charge = { chargeId, payer, thousands, days: thousands > 0 ? 0 : 30, refunded: false };
      taken.push(charge);
      if (invoice.invoice?.currency !== 'XTR' || !seeded.chance(0.1)) continue;
      // Telegram gives Stars back by itself, without asking the bot.
      charge.refunded = true;
      try {
        chat.api.refund(chargeId);
      } catch {
        // The host was faster.
      }
    }
  }
}

/** A person who sees nothing for a minute asks once more; how often is told. */
async function askForInvoice({ shop, isEnough }: Till, talker: Talker, thousands: number) {
  const known = talker.newest();
  // Killed before it could write down that it had sent one, it sends an invoice again: not any is the one asked for.
  const title = thousands > 0 ? `${thousands * 1000} activations` : 'Subscription, 30 days';
  const command = thousands > 0 ? `/buy_activations ${thousands}` : '/subscribe';
  for (let tries = 0; tries < 2; tries += 1) {
    if (tries > 0) count(shop, 'askedAgain');
    talker.says(command);
    const offered = await talker.sees(({ id, invoice }) => id > known && invoice?.title === title);
    if (offered || isEnough()) return offered;
  }
  // What a reader of a failure wants to know: was it late, set aside, or lost.
  const left = query(
    shop.folder,
    `select update_id as id, state, attempts, received_at as at from inbox where state <> 'done'
      union all select id, task, 0, queued_at from tasks where done_at is null`,
  );
  const words = talker
    .read()
    .flatMap(({ id, text, invoice }) => (id > known ? (invoice?.title ?? text) : []));
  const seen = JSON.stringify({ now: Date.now(), left, words });
  shop.violations.push(`${talker.user.first_name}: an invoice never came after ${command}: ${seen}`);
  return undefined;
}

/** The host gives back one payment in a few, some of them twice. */
async function giveBack(till: Till, host: Talker, seeded: Seeded): Promise<void> {
  const { taken, isEnough } = till;
  for (let next = 0; !isEnough(); next += 1 + seeded.below(5)) {
    while (taken.length <= next && !isEnough()) await pause(50);
    const charge = taken[next];
    if (!charge) return;
    for (let times = seeded.chance(0.2) ? 2 : 1; times > 0; times -= 1)
      await refundByHost(till, host, charge);
  }
}

async function refundByHost({ shop: { violations } }: Till, host: Talker, charge: Taken): Promise<void> {
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

interface Booked {
  chargeId: string;
  accountId: number;
  quarters: number;
  days: number;
  refundedAt: number | null;
  refundedQuarters: number;
}

/** Credited is charged: each charge booked once and as it was paid; that balances are their sum `check` holds. */
async function compare({ payers, taken }: Cast, { shop, kills }: Scene): Promise<string[]> {
  count(shop, 'payments', taken.length);
  count(shop, 'refunds', taken.filter(({ refunded }) => refunded).length);
  const booked = query(
    shop.folder,
    `select charge_id as chargeId, account_id as accountId, activations_quarters as quarters, subscription_days as days,
      refunded_at as refundedAt, refunded_quarters as refundedQuarters from purchases where charge_id not like 'host:%'`,
  ) as Booked[];
  const wrong = taken.flatMap(({ chargeId, payer: { accountId }, thousands, days, refunded }) => {
    const row = booked.find((one) => one.chargeId === chargeId);
    const quarters = thousands * QUARTERS_A_PACK;
    const same =
      row?.accountId === accountId &&
      row.quarters === quarters &&
      row.days === days &&
      (row.refundedAt !== null) === refunded &&
      row.refundedQuarters === (refunded ? quarters : 0);
    const paid = JSON.stringify({ chargeId, accountId, thousands, refunded });
    return same ? [] : [`paid ${paid}, booked ${JSON.stringify(row)}`];
  });
  return [
    ...(booked.length === taken.length ? [] : [`${taken.length} charges, ${booked.length} are booked`]),
    ...wrong,
    ...compareDays(shop, taken),
    ...payers.flatMap((payer) => compareWords(taken, payer, kills())),
    ...(await check(shop.folder)),
  ];
}

function compareDays({ folder }: Shop, taken: readonly Taken[]): string[] {
  const rows = query(folder, 'select id, subscription_expires_at as until from accounts') as {
    id: number;
    until: number | null;
  }[];
  return [...Map.groupBy(taken, ({ payer }) => payer.accountId)].flatMap(([accountId, charges]) => {
    const days = charges.reduce((sum, charge) => sum + (charge.refunded ? 0 : charge.days), DAYS_GIVEN);
    const until = rows.find(({ id }) => id === accountId)?.until ?? Date.now();
    const left = Math.max(0, until - Date.now()) / DAY_MS;
    return Math.abs(left - days) <= 0.1 ? [] : [`account ${accountId}: paid ${days} days, has ${left}`];
  });
}

/** Each payment and each refund is told; a kill may have had one told twice. */
function compareWords(taken: readonly Taken[], payer: Payer, kills: number): string[] {
  const { talker } = payer;
  const own = taken.filter((charge) => charge.payer === payer);
  const refunds = own.filter(({ refunded }) => refunded);
  const told = (pattern: RegExp) => talker.read().filter(({ text }) => pattern.test(text)).length;
  const payments = told(/^Thank you! Paid for/);
  const sentBack = told(/^Your payment of .* was sent back/);
  const surplus = Math.max(0, payments - own.length) + Math.max(0, sentBack - refunds.length);
  const facts: [boolean, string][] = [
    [payments >= own.length, `${own.length} payments, ${payments} were told`],
    [sentBack >= refunds.length, `${refunds.length} refunds, ${sentBack} were told`],
    // A chat's messages go one after the other: of each a kill repeats one at most.
    [surplus <= kills, `${surplus} messages were told again, ${kills} kills`],
  ];
  return facts.flatMap(([holds, what]) => (holds ? [] : [`${talker.user.first_name}: ${what}`]));
}
