// What happens to money between two lines of a chat file (chat-file.ts): paid in Telegram and told of, or not; given
// back; and what Telegram answers the service about it.
import type { BotConfig } from '../../../src/config.ts';
import type { PaymentOverrides } from '../../telegram/payments.ts';
import type { SeenMessage, Update, User } from '../../telegram/types.ts';
import { API_ROOT, TOKEN } from '../machine/telegram.ts';
import { personOf } from './chat-doings.ts';
import type { Stage } from './stage.ts';

export const MONEY_DOINGS = {
  /**
   * `* pays owner`: the newest invoice; `* pays admin of owner`: that of somebody else; `* pays owner total_amount=1`:
   * asking the bot about something else than stands there. A refusal is what they read.
   */
  pays: async (t: Stage, rest: string) => {
    const { person, invoice, overrides } = readPayment(t, rest);
    const paid = await t.api.pay(person, invoice, overrides);
    return 'error' in paid ? `(refused) ${paid.error}` : undefined;
  },
  /** `* forwards owner admin`: the newest invoice, and its button is pressed there. */
  forwards: async (t: Stage, rest: string) => {
    const [who = '', to = ''] = rest.split(' ');
    await t.api.pay(personOf(t, to), t.api.forwarded(newestInvoice(t, personOf(t, who))));
  },
  /** `* unheard owner`, while the service is away: right after it answered the checkout; `* unheard 11 owner`. */
  unheard: async (t: Stage, rest: string) => {
    const [, count = '1', whose = ''] = /^(?:(\d+) )?(.*)$/.exec(rest) ?? [];
    const { person, invoice, overrides } = readPayment(t, whose);
    for (let n = 0; n < Number(count); n += 1) {
      const paying = t.api.pay(person, invoice, overrides);
      const query = t.api.updates().findLast((each) => 'pre_checkout_query' in each);
      const { id } = (query as { pre_checkout_query?: { id: string } }).pre_checkout_query ?? { id: '' };
      await t.api.answer({
        url: new URL(`${API_ROOT}/bot${TOKEN}/answerPreCheckoutQuery`),
        contentType: 'application/json',
        readBody: () => Promise.resolve(Buffer.from(JSON.stringify({ pre_checkout_query_id: id, ok: true }))),
        signal: new AbortController().signal,
      });
      await paying;
    }
  },
  /**
   * `* told owner successful_payment charge-a 1540 XTR gone`, or `refunded_payment`: Telegram tells of it, whatever it
   * knows; `ordered` is what the newest invoice is for.
   */
  told: (t: Stage, rest: string) => {
    const [who = '', kind = '', charge, amount, currency, payload = ''] = rest.split(' ');
    const from = personOf(t, who);
    const note = {
      ...{ currency, total_amount: Number(amount), telegram_payment_charge_id: charge },
      invoice_payload: payload === 'ordered' ? newestInvoice(t, from).invoice?.payload : payload,
      ...(kind === 'successful_payment' && { provider_payment_charge_id: '' }),
    };
    const date = t.api
      .updates()
      .flatMap((each) => ('message' in each ? [each.message as { date: number }] : []))
      .at(-1)?.date;
    const chat = { id: from.id, type: 'private', first_name: from.first_name };
    const before = t.api.updates().reduce((most, { update_id }) => Math.max(most, update_id), 0);
    const message = { message_id: 900_000, date, chat, from, [kind]: note };
    t.api.deliver({ update_id: before + 1, message });
  },
  /** `* retold`: Telegram delivers the newest message about money once more. */
  retold: (t: Stage) => {
    const newest = t.api.updates().findLast((each) => noteOf(each) !== undefined);
    t.api.redeliver(newest?.update_id ?? 0);
  },
  /** `* returns owner`: Telegram's support gives their newest payment back; `* returns owner 2`: the one before. */
  returns: (t: Stage, rest: string) => {
    const [who = '', back = '1'] = rest.split(' ');
    const { id } = personOf(t, who);
    const paid = t.api.updates().filter((each) => noteOf(each)?.from === id);
    t.api.refund(noteOf(paid.at(-Number(back)))?.chargeId ?? '');
  },
  /** `* count refundStarPayment`: how often Telegram has carried that out, or refused it. */
  count: (t: Stage, method: string) => `(called ${t.api.calls(method).length} times)`,
  /** `* settings {"starsPerUsd":50}`: the service starts again with these; null is none. */
  settings: (t: Stage, json: string) => {
    const settings = Object.entries(JSON.parse(json) as object).map(([name, value]) => [
      name,
      value ?? undefined,
    ]);
    return t.restart(undefined, Object.fromEntries(settings) as Partial<BotConfig>);
  },
};

const OVERRIDES = ['currency', 'total_amount', 'invoice_payload'];

function readPayment(t: Stage, rest: string) {
  const [who = '', ...more] = rest.split(' ');
  const whose = more[0] === 'of' ? (more[1] ?? '') : who;
  const pairs = more.map((each) => each.split('=')).filter(([name = '']) => OVERRIDES.includes(name));
  const overrides: PaymentOverrides = Object.fromEntries(
    pairs.map(([name, value]) => [name, name === 'total_amount' ? Number(value) : value]),
  );
  return { person: personOf(t, who), invoice: newestInvoice(t, personOf(t, whose)), overrides };
}

function newestInvoice(t: Stage, person: User): SeenMessage {
  const found = t.api.messages(person).findLast((message) => message.invoice);
  if (!found) throw new Error(`${person.first_name} has no invoice.`);
  return found;
}

/** Of a payment that went through Telegram. */
function noteOf(update: Update | undefined): { chargeId: string; from: number } | undefined {
  const { message } = (update ?? {}) as {
    message?: { from: User; successful_payment?: Record<string, string> };
  };
  const { telegram_payment_charge_id: chargeId = '', provider_payment_charge_id } =
    message?.successful_payment ?? {};
  return message && provider_payment_charge_id ? { chargeId, from: message.from.id } : undefined;
}
