// /payments: what was paid, of one account or of all, newest first, what of it is spent already, and a button that asks
// whether to give it back.
import { InlineKeyboard } from 'grammy';

import type { BookedPayment } from '../../core/index.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { among, button, perhaps, wholeNumber, type Feature } from '../feature.ts';
import { goodsLabel } from '../billing/invoices.ts';
import { formatPrice } from '../billing/prices.ts';
import { answerTap, reply, show } from '../replies.ts';
import { escapeHtml, name, writeActivations } from '../texts.ts';
import { cutPage, findMeant, moment, formatPayer } from './host-menus.ts';
import { askAboutPayment } from './refund.ts';
import { addBack, addPages } from '../prompts/paging-keyboard.ts';

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
