// The question before a payment: yes for the very order at the price of this moment, and the reason otherwise.
import { expect, test } from 'vitest';

import { createRecordedContext } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { BotDeps } from '../context.ts';
import { answerCheckout } from './checkout.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OWNER = { kind: 'member', accountId: 1, telegramId: 5, role: 'owner' };
const ORDER = { id: 'order-id', accountId: 1, kind: 'activations', count: 2, currency: 'XTR', amount: 1_540 };

interface Asked {
  actor?: object | undefined;
  order?: object;
  query?: object;
  quote?: object | Error;
  refusal?: Error;
}

async function check({ order, query, quote, refusal, ...asked }: Asked) {
  const answers: unknown[] = [];
  const errors: unknown[] = [];
  const sold = quote ?? { status: 'sold', kind: 'activations', priceUsdCents: 2_000 };
  const deps: BotDeps = fake({
    clock: createManualClock(DAY_MS - 1),
    log: { error: (fields: object, words: string) => void errors.push([fields, words]) },
    settings: { starsPerUsd: 77 },
    store: {
      findPurchaseOrder: (id: string) => (id === 'order-id' ? { ...ORDER, at: 0, ...order } : undefined),
    },
    core: {
      purchases: {
        quote: () => {
          if (sold instanceof Error) throw sold;
          return sold;
        },
      },
    },
  });
  const preCheckoutQuery = { invoice_payload: 'order-id', currency: 'XTR', total_amount: 1_540, ...query };
  const answerPreCheckoutQuery = (...given: unknown[]) => {
    answers.push(given);
    return refusal ? Promise.reject(refusal) : Promise.resolve(true);
  };
  const actor = 'actor' in asked ? asked.actor : OWNER;
  const { ctx } = createRecordedContext({ actor, preCheckoutQuery, answerPreCheckoutQuery });
  await answerCheckout(deps, ctx as never);
  return { answers, errors };
}

test('an order that holds is paid', async () => {
  expect(await check({})).toEqual({ answers: [[true]], errors: [] });
});

test.each<[why: string, Asked]>([
  ['checkout-old', { query: { invoice_payload: 'forged' } }],
  ['checkout-old', { order: { at: -1 } }],
  ['checkout-not-yours', { actor: undefined }],
  ['checkout-not-yours', { actor: { ...OWNER, accountId: 2 } }],
  ['checkout-role', { actor: { ...OWNER, role: 'operator' } }],
  ['checkout-role', { actor: { ...OWNER, role: 'support' } }],
  ['checkout-price', { query: { total_amount: 1_539 } }],
  ['checkout-price', { query: { currency: 'USD' } }],
  ['checkout-price', { query: { currency: 'USD', total_amount: 2_000 } }],
  ['checkout-price', { order: { amount: 1_000 } }],
  ['checkout-price', { order: { currency: 'USD' } }],
  ['checkout-price', { quote: { status: 'sold', kind: 'activations', priceUsdCents: 2_001 } }],
  ['checkout-price', { quote: { status: 'notSold' } }],
])('%s: %j', async (why, asked) => {
  expect(await check(asked)).toEqual({ answers: [[false, { error_message: why }]], errors: [] });
});

test('what cannot be checked is not paid, and is an error', async () => {
  const { answers, errors } = await check({ quote: new Error('no disk') });
  expect(answers).toEqual([[false, { error_message: 'checkout-later' }]]);
  expect(errors).toHaveLength(1);
});

test('an answer that came too late is forgiven, any other refusal is not', async () => {
  const refused = (description: string) => Object.assign(new Error('refused'), { description });
  expect((await check({ refusal: refused('Bad Request: query is too old') })).answers).toEqual([[true]]);
  await expect(check({ refusal: refused('Bad Request: other') })).rejects.toThrow('refused');
});
