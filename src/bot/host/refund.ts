// /refund <charge>: the host gives money back. Stars go back through Telegram first and are booked after: a crash between is
// finished by repeating, since a charge that is refunded already is success. A provider's payment is booked here alone.
import { Composer, GrammyError } from 'grammy';

import type { HostActor } from '../../core/index.ts';
import { requiresHost } from '../actor.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { keepDraft, takeDraft } from '../talk/drafts.ts';
import { describeError } from '../errors.ts';
import { confirmKeyboard } from '../talk/confirm-keyboard.ts';
import { findUnbooked, tellOfRefund, type UnbookedCharge } from '../quota/booking.ts';
import { STARS } from '../quota/orders.ts';
import { formatPrice } from '../quota/prices.ts';
import { answerTap, editHtml, isRefusal, reply } from '../replies.ts';
import { name } from '../texts.ts';

const HOST: HostActor = { kind: 'host' };
const REFUND = 'host-refund';

/** A charge as it was taken: booked or not. */
interface Found {
  charge: UnbookedCharge;
  account: string;
  isRefunded: boolean;
}

export function createHostRefund(deps: BotDeps): Composer<BotContext> {
  const handlers = new Composer<BotContext>();
  handlers.command('refund', requiresHost(), async (ctx) => {
    const chargeId = ctx.match.trim();
    if (chargeId === '') return void (await reply(ctx, ctx.say('host-refund-usage')));
    const found = findCharge(deps, chargeId);
    if (!found) return void (await reply(ctx, ctx.say('host-refund-unknown')));
    if (found.isRefunded) return void (await reply(ctx, ctx.say('host-refund-already')));
    const userId = ctx.from?.id ?? 0;
    const payload = { chargeId };
    const data = await keepDraft(deps, { chatId: userId, userId }, { action: REFUND, payload });
    const { charge, account } = found;
    const key = charge.currency === STARS ? 'host-ask-refund' : 'host-ask-refund-booked';
    const facts = { price: formatPrice(charge), payer: String(charge.payerId), account: name(account) };
    await reply(ctx, ctx.say(key, facts), confirmKeyboard(ctx, data));
  });
  handlers.callbackQuery(new RegExp(`^${REFUND}:`), requiresHost(), (ctx) => refund(deps, ctx));
  return handlers;
}

async function refund(deps: BotDeps, ctx: BotContext): Promise<void> {
  const taken = await takeDraft<{ chargeId: string }>(deps, ctx, REFUND);
  if (taken.status === 'refused') return answerTap(ctx, ctx.label(taken.key), true);
  await answerTap(ctx);
  const { chargeId } = taken.payload;
  const found = findCharge(deps, chargeId);
  if (!found) return editHtml(ctx, ctx.say('host-refund-unknown'));
  const { charge } = found;
  if (charge.currency === STARS) {
    const failure = await sendStarsBack(deps, ctx, charge);
    if (failure !== undefined) return editHtml(ctx, ctx.say(failure));
  }
  const answer = await deps.core.purchases.refund(HOST, chargeId);
  const standing = answer.status === 'unknownCharge' ? undefined : answer;
  await tellOfRefund(deps, charge, standing);
  const price = formatPrice(charge);
  const html = standing
    ? ctx.say('host-refunded', { price, count: standing.activations, balance: String(standing.purchased) })
    : ctx.say('host-refunded-plain', { price });
  await editHtml(ctx, html);
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
    return error instanceof GrammyError ? 'host-refund-refused' : 'host-refund-unsure';
  }
}

function findCharge(deps: BotDeps, chargeId: string): Found | undefined {
  const { core } = deps;
  const purchase = core.purchases.find(HOST, chargeId);
  if (!purchase) {
    const charge = findUnbooked(deps, chargeId);
    return charge && { charge, account: '', isRefunded: false };
  }
  const { currency, amount, paidBy, accountId, refunded } = purchase;
  const payerId = Number(/^member:(\d+)$/.exec(paidBy)?.[1] ?? 0);
  const account = core.accounts.find(accountId)?.name ?? '';
  return { charge: { chargeId, currency, amount, payerId }, account, isRefunded: refunded !== undefined };
}
