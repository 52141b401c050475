// Invoices: what may be asked for, in which currency, and how the asking looks. Paying stands in payments.ts.
import { checkMarkup } from './markup.ts';
import { addBotMessage } from './messages.ts';
import type { Params } from './params.ts';
import { badRequest, type Invoice } from './types.ts';
import { wireMessage, type World } from './world.ts';

/** sendInvoice: an invoice message with its pay button. */
export function sendInvoice(world: World, params: Params): Record<string, unknown> {
  const chat = world.getWritableChat(params.text('chat_id'));
  const invoice = invoiceOf(params);
  const pay = { text: `Pay ${priceOf(invoice)}`, pay: true };
  const markup = checkMarkup(params.json('reply_markup'), true) ?? { inline_keyboard: [[pay]] };
  return wireMessage(world, addBotMessage(world, chat, params, { invoice, markup }));
}

/** What the parameters ask for. Throws the refusal that Telegram would answer. */
function invoiceOf(params: Params): Invoice {
  const currency = params.text('currency') ?? '';
  if (!/^[A-Z]{3}$/.test(currency)) throw badRequest('CURRENCY_INVALID');
  const prices = pricesOf(params);
  checkProvider(currency, params.text('provider_token') ?? '', prices.length);
  const payload = params.text('payload') ?? '';
  const bytes = Buffer.byteLength(payload);
  if (bytes < 1 || bytes > 128) throw badRequest('INVOICE_PAYLOAD_INVALID');
  const startParameter = params.text('start_parameter') ?? '';
  if (!/^[A-Za-z0-9_-]{0,64}$/.test(startParameter)) throw badRequest('START_PARAM_INVALID');
  const totalAmount = prices.reduce((sum, one) => sum + one, 0);
  if (totalAmount < 1) throw badRequest('CURRENCY_TOTAL_AMOUNT_INVALID');
  const title = worded(params, 'title', 32);
  const description = worded(params, 'description', 255);
  return { title, description, payload, currency, totalAmount, startParameter };
}

/** Stars need no provider and take one price; money needs a provider. */
function checkProvider(currency: string, provider: string, prices: number): void {
  if ((currency === 'XTR') !== (provider === '')) throw badRequest('PAYMENT_PROVIDER_INVALID');
  if (currency === 'XTR' && prices !== 1) throw badRequest('STARS_INVOICE_INVALID');
}

function priceOf({ currency, totalAmount }: Invoice): string {
  return currency === 'XTR' ? `⭐️${totalAmount}` : `${(totalAmount / 100).toFixed(2)} ${currency}`;
}

function worded(params: Params, name: string, limit: number): string {
  const text = (params.text(name) ?? '').trim();
  if (text.length < 1 || text.length > limit) throw badRequest(`INVOICE_${name.toUpperCase()}_INVALID`);
  return text;
}

function pricesOf(params: Params): number[] {
  const prices = params.json('prices');
  if (!Array.isArray(prices) || prices.length === 0) {
    throw badRequest("can't parse prices: non-empty array expected");
  }
  return (prices as { label?: unknown; amount?: unknown }[]).map((one) => {
    if (typeof one?.label !== 'string' || one.label === '' || !Number.isInteger(Number(one.amount))) {
      throw badRequest("can't parse prices: label and amount expected");
    }
    return Number(one.amount);
  });
}
