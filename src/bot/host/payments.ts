// /payments: what was paid, of one account or of all, newest first, what of it is spent already, and a button that asks
// whether to give it back.
import { InlineKeyboard } from 'grammy';

import type { BookedPayment, HostActor, RefundAnswer } from '../../core/index.ts';
import type { Confirmation, OutgoingRow } from '../../store/bot-store.ts';
import { findLanguageOf, renderFor } from '../actor.ts';
import {
  findUnbooked,
  isRefundNoted,
  prepareRefund,
  toNote,
  type UnbookedCharge,
} from '../billing/book-payment.ts';
import { formatPrice, goodsLabel, STARS } from '../billing/invoices.ts';
import { ASK_REFUND } from '../billing/unmatched-payments.ts';
import { type BotContext, type BotDeps, hostOf } from '../context.ts';
import { describeError } from '../errors.ts';
import { among, button, confirmed, type Feature, perhaps, wholeNumber } from '../feature.ts';
import { formatDay } from '../moments.ts';
import { type Action, confirming } from '../outbox/actions.ts';
import { findConfirmation } from '../prompts/confirmations.ts';
import { addBack, addPages } from '../prompts/paging-keyboard.ts';
import { answerTap, editHtml, isRefusal, reply, show } from '../replies.ts';
import { readTelegramError } from '../telegram/telegram-errors.ts';
import { escapeHtml, type Language, name, type Variables, writeActivations } from '../texts.ts';
import { cutPage, findMeant, formatPayer, moment } from './host-menus.ts';

const PAGE = 5;

interface Page {
  accountId?: number | undefined;
  before?: number;
  after?: number;
}

export function createPaymentsList(deps: BotDeps): Feature {
  const run = async (ctx: BotContext, who: string): Promise<unknown> => {
    if (who === '') return showPayments(deps, ctx, {}, 'reply');
    const [accountId, another] = await findMeant(deps, ctx, who);
    if (accountId === undefined) return reply(ctx, ctx.say('host-no-account'));
    if (another !== undefined) return reply(ctx, ctx.say('host-grant-several', { text: who }));
    return showPayments(deps, ctx, { accountId }, 'reply');
  };
  const where = [wholeNumber(), among('first', 'before', 'after'), perhaps(wholeNumber())] as const;
  return {
    commands: { payments: { needs: 'hosts', run } },
    buttons: {
      'host:payments': button('hosts', where, (ctx, account, direction, id) =>
        showPayments(
          deps,
          ctx,
          { accountId: account || undefined, ...(direction !== 'first' && { [direction]: id ?? 0 }) },
          'edit',
        ),
      ),
      'host:refund': button('hosts', [wholeNumber()], (ctx, id) => {
        const payment = deps.core.purchases.findPayment(hostOf(ctx), { id });
        if (!payment) return answerTap(ctx, ctx.label('host-refund-unknown'), true);
        return askAboutPayment(deps, ctx, payment.chargeId);
      }),
    },
  };
}

async function showPayments(
  deps: BotDeps,
  ctx: BotContext,
  page: Page,
  how: 'reply' | 'edit',
): Promise<void> {
  const { accountId = 0, before, after } = page;
  const found = deps.core.purchases.listPayments(hostOf(ctx), { ...page, limit: PAGE + 1 });
  const from = { isBackwards: after !== undefined, isFirst: before === undefined };
  const { shown, hasPrevious, hasNext } = cutPage(found, PAGE, from);
  const [newest, oldest] = [shown[0], shown.at(-1)];
  const keyboard = new InlineKeyboard();
  for (const payment of shown) {
    // What was taken back by days is no adjustment to take back.
    if (payment.days < 0 || payment.refunded) continue;
    const facts = { number: String(payment.id), price: formatPrice(payment) };
    const label = ctx.label(
      payment.isAdjustment ? 'host-button-adjustment-back' : 'host-unmatched-payment-refund',
      facts,
    );
    keyboard.text(label, `host:refund:${payment.id}`).row();
  }
  const data = (direction: string, id: number) => `host:payments:${accountId}:${direction}:${id}`;
  addPages(keyboard, ctx, {
    previous: newest && hasPrevious && data('after', newest.id),
    next: oldest && hasNext && data('before', oldest.id),
  });
  if (accountId > 0) addBack(keyboard, ctx, `host:account:${accountId}`);
  const account = deps.core.accounts.find(accountId)?.name;
  const title =
    account === undefined
      ? ctx.say('host-payments')
      : ctx.say('host-payments-of', { account: name(account) });
  const lines = shown.map((payment) => formatPayment(deps, ctx, payment));
  const html = [title, ...(lines.length > 0 ? lines : [ctx.say('host-payments-none')])].join('\n\n');
  await show(ctx, html, keyboard, how);
}

function formatPayment(deps: BotDeps, ctx: BotContext, payment: BookedPayment): string {
  const { id, accountId, accountName, at, chargeId, isAdjustment, days } = payment;
  const facts = {
    number: String(id),
    price: isAdjustment
      ? ctx.label(days < 0 ? 'host-payment-taken' : 'host-payment-adjustment')
      : formatPrice(payment),
    goods: formatGoods(ctx, payment),
    when: moment(deps, ctx, at),
    account: name(accountName),
    id: String(accountId),
  };
  const lines = [ctx.say('host-payment', facts)];
  if (!isAdjustment) lines.push(ctx.say('host-payment-by', { person: formatPayer(deps, ctx, payment) }));
  if (days >= 0) lines.push(formatSpent(deps, ctx, payment));
  if (!isAdjustment) lines.push(`<code>${escapeHtml(chargeId)}</code>`);
  return lines.join('\n');
}

function formatGoods(ctx: BotContext, { kind, activations, days }: BookedPayment): string {
  return kind === 'activations'
    ? ctx.label('goods-activations', { count: activations })
    : goodsLabel(ctx, { kind, days: Math.abs(days) });
}

function formatSpent(deps: BotDeps, ctx: BotContext, { kind, refunded, ...payment }: BookedPayment): string {
  const { activations, days, left } = payment;
  if (refunded) return ctx.say('host-payment-refunded', { when: moment(deps, ctx, refunded.at) });
  return kind === 'activations'
    ? ctx.say('host-payment-spent', {
        spent: writeActivations(ctx.language, activations - left.activations),
        all: String(activations),
      })
    : ctx.say('host-payment-spent-days', { spent: String(days - left.days), all: String(days) });
}

// /refund <number>: the host gives money back, or takes an adjustment back. Stars go back through Telegram first and
// are booked after: a crash between is finished by repeating, since a charge that is refunded already is success. A
// provider's payment is booked here alone.

const REFUND = 'host-refund';
const UNSURE = 'host-refund-unsure';
const REFUSED = 'host-refund-refused';
/** Longer than anybody has a question about a refund in sight. */
const UNSURE_MS = 60 * 24 * 60 * 60 * 1000;

/** A charge as it was taken: booked or not. */
interface Found {
  charge: UnbookedCharge;
  account: string;
  isRefunded: boolean;
  /** undefined where nothing was booked for it. */
  payment?: BookedPayment;
}

export const createHostRefund = (deps: BotDeps): Feature => ({
  commands: {
    refund: {
      needs: 'hosts',
      run: (ctx, asked) =>
        asked === '' ? reply(ctx, ctx.say('host-refund-usage')) : askAboutPayment(deps, ctx, asked),
    },
  },
  buttons: {
    // Under a payment that belongs to no order: it asks, as often as it is pressed, and gives nothing back by itself.
    [ASK_REFUND]: confirmed('hosts', (ctx) => {
      const found = findConfirmation<{ chargeId: string }>(deps, ctx, ASK_REFUND);
      if (found.status === 'refused') return answerTap(ctx, ctx.label(found.key), true);
      return askAboutPayment(deps, ctx, found.payload.chargeId);
    }),
    ...refunding(deps).button,
  },
  formatCancelled: (asked) => formatCancelled(deps, asked),
});

const refunding = (deps: BotDeps) =>
  confirming<{ chargeId: string }>(deps, REFUND, {
    needs: 'hosts',
    asks: (ctx, { chargeId }) => formatQuestion(deps, ctx, chargeId),
    does: (ctx, action) => refund(deps, ctx, action),
  });

/** Says what was paid, what of it is spent, and asks once more. By the number of the payment, or by its charge. */
async function askAboutPayment(deps: BotDeps, ctx: BotContext, asked: string): Promise<void> {
  const found = findCharge(deps, hostOf(ctx), asked);
  if (!found) return void (await reply(ctx, ctx.say('host-refund-unknown')));
  if (found.isRefunded) return void (await reply(ctx, ctx.say('host-refund-already')));
  await refunding(deps).ask(ctx, { chargeId: found.charge.chargeId });
}

function formatQuestion(deps: BotDeps, ctx: BotContext, chargeId: string) {
  const found = findCharge(deps, hostOf(ctx), chargeId);
  if (!found) throw new Error('A charge is asked about that nobody knows.');
  const { charge, account, payment } = found;
  const way = payment?.isAdjustment ? 'adjustment' : charge.currency === STARS ? 'stars' : 'booked';
  const facts = {
    price: formatPrice(charge),
    payer: payment && !payment.isAdjustment ? formatPayer(deps, ctx, payment) : String(charge.payerId),
    account: name(account),
    number: payment ? `${payment.id} · ` : '',
    charge: charge.chargeId,
  };
  const spent = payment ? `\n${formatTakenBack(ctx, payment)}` : '';
  return {
    html: `${ctx.say(`host-ask-refund-${way}`, facts)}${spent}`,
    label: ctx.label(`host-button-refund-${way}`, facts),
    style: 'danger' as const,
  };
}

function formatTakenBack(ctx: BotContext, { kind, activations, days, left }: BookedPayment): string {
  return kind === 'activations'
    ? ctx.say('host-refund-takes', {
        left: writeActivations(ctx.language, left.activations),
        all: String(activations),
      })
    : ctx.say('host-refund-takes-days', { left: String(left.days), all: String(days) });
}

/**
 * What tells whoever owns the account, who has been told of the adjustment; looked up before, and worded in the
 * transaction.
 */
function prepareAdjustmentBack(
  deps: BotDeps,
  { chargeId, accountId, kind }: BookedPayment,
): (taken: RefundAnswer) => OutgoingRow[] {
  const owner = deps.core.members.findOwner(accountId);
  const known = owner && findLanguageOf(deps, owner.telegramId);
  const zone = deps.core.accounts.timeZoneOf(accountId);
  return (taken) => {
    if (!owner || taken.status !== 'refunded') return [];
    const { activations: count, subscriptionExpiresAt: end = 0 } = taken;
    const word = (language: Language) => ({
      html:
        kind === 'activations'
          ? deps.texts.say(language, 'taken-activations', { count })
          : deps.texts.say(language, 'taken-days', { until: formatDay(language, end, zone) }),
    });
    return [renderFor(deps, `refund:${chargeId}`, owner.telegramId, word, known)];
  };
}

/**
 * Stars go back before anything is booked: where that is not certain the button stays, and pressing it again asks
 * Telegram once more.
 */
async function refund(
  deps: BotDeps,
  ctx: BotContext,
  { payload: { chargeId }, confirmation: taken, result }: Action<{ chargeId: string }>,
): Promise<unknown> {
  const found = findCharge(deps, hostOf(ctx), chargeId);
  if (!found) return editHtml(ctx, ctx.say('host-refund-unknown'));
  const { charge, payment } = found;
  const failure = charge.currency === STARS ? await sendStarsBack(deps, ctx, charge) : undefined;
  if (failure === UNSURE) await noteUnsure(deps, ctx, chargeId);
  if (failure !== undefined) return reply(ctx, sayNotBack(deps, ctx, failure, payment));
  const price = formatPrice(charge);
  const formatRefund = prepareRefund(deps, charge);
  const formatAdjustmentBack = payment?.isAdjustment ? prepareAdjustmentBack(deps, payment) : undefined;
  const chargeNotes = [toNote(deps, 'refunded', charge)];
  const inTransaction = ctx.turn.ends((answer: RefundAnswer) => {
    const balance = answer.status === 'unknownCharge' ? undefined : answer;
    const html = balance
      ? ctx.say(formatAdjustmentBack ? 'host-adjustment-back' : 'host-refunded', {
          price,
          count: balance.activations,
          balance: writeActivations(ctx.language, balance.purchased),
        })
      : ctx.say('host-refunded-plain', { price });
    const told = formatAdjustmentBack ? formatAdjustmentBack(answer) : formatRefund(balance);
    return { confirmation: taken, chargeNotes, messages: [result({ html }), ...told] };
  });
  return deps.core.purchases.refund(hostOf(ctx), chargeId, inTransaction);
}

/** Stars are sent back by the bot that got them. */
function sayNotBack({ store }: BotDeps, ctx: BotContext, failure: string, payment?: BookedPayment): string {
  const known = store.bots.list();
  const paid = payment && known.findLast(({ since }) => since <= payment.at);
  const isOther = failure === REFUSED && paid !== undefined && paid.id !== known.at(-1)?.id;
  return isOther ? ctx.say('host-refund-other-bot', { bot: paid.username }) : ctx.say(failure);
}

/** undefined when the Stars are back; else the sentence to say, with nothing booked. */
async function sendStarsBack(
  { log }: BotDeps,
  ctx: BotContext,
  { payerId, chargeId }: UnbookedCharge,
): Promise<string | undefined> {
  try {
    await ctx.api.refundStarPayment(payerId, chargeId);
    return undefined;
  } catch (error) {
    if (isRefusal(error, /CHARGE_ALREADY_REFUNDED/)) return undefined;
    log.error({ error: describeError(error) }, 'Stars could not be sent back');
    // An outage may have carried it out.
    return readTelegramError(error)?.kind === 'refused' ? REFUSED : UNSURE;
  }
}

/** The Stars may be back: no question about this charge is withdrawn as if nothing had been done from now on. */
async function noteUnsure({ store, clock }: BotDeps, ctx: BotContext, chargeId: string): Promise<void> {
  const userId = ctx.from?.id ?? 0;
  const expiresAt = clock.now() + UNSURE_MS;
  const id = unsureId(chargeId);
  await store.confirmations.save({ id, userId, chatId: userId, action: UNSURE, payload: '{}', expiresAt });
}

const unsureId = (chargeId: string) => `${UNSURE}:${chargeId}`;

/** What Cancel says under the question about a charge that Telegram did not answer about. */
function formatCancelled(
  deps: BotDeps,
  { action, payload, userId }: Pick<Confirmation, 'action' | 'payload' | 'userId'>,
): { key: string; facts?: Variables } | undefined {
  if (action !== REFUND) return undefined;
  const { chargeId } = JSON.parse(payload) as { chargeId: string };
  if (findCharge(deps, { kind: 'host', by: userId }, chargeId)?.isRefunded)
    return { key: 'host-refund-already' };
  if (!deps.store.confirmations.find(unsureId(chargeId))) return undefined;
  return { key: 'host-refund-cancelled-unsure', facts: { number: chargeId } };
}

function findCharge(deps: BotDeps, host: HostActor, asked: string): Found | undefined {
  const { core } = deps;
  const unbooked = findUnbooked(deps, asked);
  const [, number] = /^[#№]?\s*(\d{1,15})$/.exec(asked) ?? [];
  const payment =
    core.purchases.findPayment(host, { chargeId: asked }) ??
    (unbooked || number === undefined ? undefined : core.purchases.findPayment(host, { id: Number(number) }));
  if (!payment) return unbooked && { charge: unbooked, account: '', isRefunded: isRefundNoted(deps, asked) };
  const { chargeId, currency, amount, paidBy, accountName: account, refunded } = payment;
  const payerId = Number(/^member:(\d+)$/.exec(paidBy)?.[1] ?? 0);
  const charge = { chargeId, currency, amount, payerId };
  return { charge, account, isRefunded: refunded !== undefined, payment };
}
