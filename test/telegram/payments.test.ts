import { Bot } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createManualClock } from '../../src/clock.ts';
import { createBotApi, type BotApi } from './telegram.ts';
import type { SeenMessage, User } from './types.ts';

const token = '42:test-token';
const DAY_MS = 86_400_000;
const clock = createManualClock(1_750_000_000_000);
let api: BotApi;
let bot: Bot;
let people: User[];
let invoice: SeenMessage;

beforeEach(async () => {
  api = createBotApi({ token, clock, flood: 'none' });
  const { url } = await api.listen();
  bot = new Bot(token, { client: { apiRoot: url } });
  people = ['Owner', 'Other'].map((first_name) => api.createUser({ first_name }));
  for (const person of people) api.send(person, person, '/start');
  const [owner] = people;
  await bot.api.sendInvoice(owner!.id, 'Pack', 'of 10', 'order-1', 'XTR', [{ label: 'Pack', amount: 77 }]);
  invoice = api.messages(owner!).at(-1)!;
});
afterEach(() => api.close());

/** Pays with the bot's consent; the charge's identifier. What was paid waits at Telegram. */
async function pay(person = people[0]!, overrides: object = {}): Promise<string> {
  const paid = api.pay(person, invoice, overrides);
  const { pre_checkout_query: query } = api.unconfirmed().findLast((one) => one['pre_checkout_query'])!;
  await bot.api.answerPreCheckoutQuery((query as { id: string }).id, true);
  const result = await paid;
  return 'chargeId' in result ? result.chargeId : '';
}

const listed = async (offset?: number, limit?: number) =>
  (await bot.api.getStarTransactions({ ...(offset !== undefined && { offset }), ...(limit && { limit }) }))
    .transactions;

test('every payment is listed, oldest first, under the identifier that its message had', async () => {
  const first = await pay();
  clock.advance(5_000);
  const second = await pay(people[1]);
  expect(await listed()).toEqual(
    [first, second].map((id, at) => ({
      id,
      amount: 77,
      date: expect.any(Number),
      source: {
        type: 'user',
        transaction_type: 'invoice_payment',
        user: expect.objectContaining({ id: people[at]!.id }),
        invoice_payload: 'order-1',
      },
    })),
  );
});

test('a refund is a transaction of its own with the same identifier, whoever gave the money back', async () => {
  const [byBot, byTelegram] = [await pay(), await pay()];
  await bot.api.refundStarPayment(people[0]!.id, byBot);
  api.refund(byTelegram);
  const back = (await listed(2)).map(({ id, source, receiver }) => [id, source, receiver?.type]);
  expect(back).toEqual([
    [byBot, undefined, 'user'],
    [byTelegram, undefined, 'user'],
  ]);
  expect(() => api.refund(byTelegram)).toThrow('nothing to give back');
  const told = api
    .unconfirmed()
    .filter(
      (one) => (one['message'] as object | undefined) && 'refunded_payment' in (one['message'] as object),
    );
  expect(told).toHaveLength(2);
});

test('pages follow each other without a gap', async () => {
  const ids = [];
  for (let count = 0; count < 5; count += 1) ids.push(await pay());
  const pages = [await listed(0, 2), await listed(2, 2), await listed(4, 2), await listed(6, 2)];
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1, 0]);
  expect(pages.flat().map(({ id }) => id)).toEqual(ids);
  await expect(listed(0, 101)).rejects.toThrow('invalid limit');
});

test('what was paid while nobody listened for a day is in the list alone', async () => {
  const chargeId = await pay();
  clock.advance(DAY_MS);
  expect(api.unconfirmed()).toEqual([]);
  expect((await listed()).map(({ id }) => id)).toEqual([chargeId]);
});

test('money that a provider moved is no transaction in Stars', async () => {
  await pay(people[0], { currency: 'USD' });
  expect(await listed()).toEqual([]);
});

test('refunds that cannot be are refused in the documented words', async () => {
  const chargeId = await pay();
  const refund = (userId: number, id: string) =>
    bot.api.refundStarPayment(userId, id).then(
      () => 'done',
      (error: unknown) => (error as { description: string }).description,
    );
  const [owner, other] = people.map(({ id }) => id);
  expect([
    await refund(1, chargeId),
    await refund(owner!, ''),
    await refund(other!, chargeId),
    await refund(owner!, chargeId),
    await refund(owner!, chargeId),
  ]).toEqual([
    'Bad Request: USER_ID_INVALID',
    'Bad Request: CHARGE_ID_EMPTY',
    'Bad Request: CHARGE_NOT_FOUND',
    'done',
    'Bad Request: CHARGE_ALREADY_REFUNDED',
  ]);
});
