// Money as it is booked: for the very order that asked for it, once by its charge, and told in the transaction that
// books it.
import { expect, test } from 'vitest';

import { KEYS_FOR_WORDS, soon, formatButtons } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import { CoreError } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import type { ChargeNote, ActionRows } from '../../store/bot-store.ts';
import { bookPayment, bookRefund, findUnbooked, prepareRefund, type PaymentCharge } from './book-payment.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = 365 * DAY_MS;
const CHARGE: PaymentCharge = {
  chargeId: 'c',
  payload: 'order-id',
  payerId: 70,
  currency: 'XTR',
  amount: 1_540,
};
const ORDER = { id: 'order-id', accountId: 3, kind: 'activations', count: 2, currency: 'XTR', amount: 1_540 };

interface World {
  order?: object | undefined;
  notes?: string[];
  purchase?: object;
  balance?: object;
  failure?: Error;
  refund?: object;
}

/** What was credited, given back, and kept beside it. */
function createWorld(world: World = {}) {
  const { notes = [], purchase, balance = { purchased: 2_000 }, failure } = world;
  const done: unknown[] = [];
  const kept: ActionRows[] = [];
  const order = 'order' in world ? world.order : ORDER;
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(NOW),
    store: {
      findChargeNote: (chargeId: string, kind: ChargeNote['kind']) =>
        notes.includes(kind) ? { chargeId, kind } : undefined,
      findPurchaseOrder: (id: string) => (id === 'order-id' && order ? { at: 0, ...order } : undefined),
      preferences: { find: () => ({ language: 'ru', menu: '' }) },
      inTransaction: (rows: unknown) => rows,
    },
    core: {
      accounts: { find: () => ({ name: 'Shop' }), timeZoneOf: () => 'UTC' },
      members: { findActor: () => undefined },
      purchases: {
        find: () => purchase,
        credit: (payment: object, rows: (balance: object) => ActionRows) => {
          if (failure) return Promise.reject(failure);
          done.push(payment);
          return soon(() => void kept.push(rows({ id: 7, ...balance })));
        },
        refund: (actor: object, chargeId: string, rows: (answer: object) => ActionRows) => {
          return soon(() => {
            done.push([actor, chargeId]);
            kept.push(rows(world.refund ?? { status: 'unknownCharge' }));
          });
        },
      },
    },
  };
  return { deps: fake(deps) satisfies BotDeps, done, kept };
}

const toldIn = (kept: readonly ActionRows[]) =>
  kept.flatMap(({ messages = [] }) =>
    messages.map(({ key, chatId, content }) => [key, chatId, (JSON.parse(content) as { html: string }).html]),
  );

test('a payment is credited for its order, and told of with it', async () => {
  const { deps, done, kept } = createWorld();
  expect(await bookPayment(deps, CHARGE)).toBe('booked');
  const bought = { kind: 'activations', thousands: 2 };
  const by = { accountId: 3, chargeId: 'c', currency: 'XTR', amount: 1_540, paidBy: 'member:70' };
  expect(done).toEqual([{ ...by, ...bought }]);
  expect(kept.map(({ paid }) => paid)).toEqual([{ orderId: 'order-id', chargeId: 'c' }]);
  const facts =
    '{"account":"Shop","count":2000,"number":"7","balance":"2000","subscription":"none","until":""}';
  expect(toldIn(kept)).toEqual([['paid:c', 70, `ru:paid-activations ${facts}`]]);
  expect(kept[0]?.messages?.[0]?.content).not.toContain('keyboard');
});

test.each([
  [NOW + 1, 'active'],
  [NOW, 'ended'],
])('a subscription until %i is %s, and its message leads on', async (subscriptionExpiresAt, subscription) => {
  const order = { ...ORDER, kind: 'subscription', count: 30 };
  const { deps, done, kept } = createWorld({ order, balance: { purchased: 0, subscriptionExpiresAt } });
  expect(await bookPayment(deps, { ...CHARGE, language: 'en' })).toBe('booked');
  expect(done).toMatchObject([{ kind: 'subscription', days: 30 }]);
  const facts = `"count":30,"number":"7","balance":"0","subscription":"${subscription}","until":"1 Jan 1971"`;
  expect(toldIn(kept)).toEqual([['paid:c', 70, `paid-subscription {"account":"Shop",${facts}}`]]);
  const { keyboard } = JSON.parse(kept[0]?.messages?.[0]?.content ?? '{}') as { keyboard: object };
  expect(formatButtons(keyboard)).toEqual([
    ['start-button-redeem -> go:redeem', 'start-button-add-codes -> go:add_codes'],
  ]);
});

test.each<[what: string, world: World, charge: Partial<PaymentCharge>, answer: string]>([
  ['of no order', { order: undefined }, {}, 'unmatched'],
  ['of less than the order', {}, { amount: 1_539 }, 'unmatched'],
  ['in another currency', {}, { currency: 'USD' }, 'unmatched'],
  ['of an account that is gone', { failure: new CoreError('NOT_FOUND', 'x') }, {}, 'unmatched'],
  ['that is with the hosts', { notes: ['unbooked'] }, {}, 'known'],
  ['that is booked', { purchase: {} }, {}, 'known'],
  ['that went back and is booked so', { purchase: { refunded: {} }, notes: ['refunded'] }, {}, 'known'],
])('nothing is booked of a payment %s', async (_what, world, charge, answer) => {
  const { deps, done } = createWorld(world);
  expect([await bookPayment(deps, { ...CHARGE, ...charge }), done]).toEqual([answer, []]);
});

test('what breaks while it is booked is not taken for a stranger', async () => {
  for (const failure of [new CoreError('FORBIDDEN', 'x'), new Error('no disk')])
    await expect(bookPayment(createWorld({ failure }).deps, CHARGE)).rejects.toThrow(failure);
});

test.each<[World, unknown]>([
  [{ notes: ['refunded'] }, 'booked'],
  [{ notes: ['refunded'], purchase: {} }, 'known'],
])('a refund that was told before is booked with the payment: %j', async (world, answer) => {
  const { deps, done } = createWorld(world);
  expect(await bookPayment(deps, CHARGE)).toBe(answer);
  expect(done.at(-1)).toEqual([{ kind: 'paymentSystem' }, 'c']);
});

const PLAIN = [['refund:c', 70, 'ru:refunded-plain {"price":"1540 ⭐"}']];
const FACTS =
  '{"price":"1540 ⭐","count":2000,"balance":"-500","subscription":"ended","until":"2 января 1970"}';
const REFUNDED = {
  status: 'refunded',
  activations: 2_000,
  purchased: -500,
  subscriptionExpiresAt: DAY_MS,
};

test.each<[what: string, World, Partial<PaymentCharge>, told: unknown[]]>([
  ['of what was booked', { refund: REFUNDED }, {}, [['refund:c', 70, `ru:refunded ${FACTS}`]]],
  [
    'in the language of the update',
    { refund: REFUNDED },
    { language: 'en' },
    [['refund:c', 70, `refunded ${FACTS.replace('января', 'Jan')}`]],
  ],
  ['of what is with the hosts', { notes: ['unbooked'] }, {}, PLAIN],
  ['before its payment', {}, {}, []],
  ['of what the host gave', { refund: REFUNDED }, { payerId: 0 }, []],
])('a refund %s is noted, and told of or not', async (_what, world, charge, told) => {
  const { deps, kept } = createWorld(world);
  await bookRefund(deps, { ...CHARGE, ...charge });
  expect(toldIn(kept).map(([key, id, html]) => [key, id, String(html).replace('−', '-')])).toEqual(told);
  const { payload: _payload, language: _language, ...note } = { ...CHARGE, ...charge };
  expect(kept[0]?.chargeNotes).toEqual([{ ...note, kind: 'refunded', at: NOW }]);
});

test('an unbooked charge is found by its note, and words of a refund without a balance are plain', () => {
  expect(findUnbooked(createWorld({ notes: ['refunded'] }).deps, 'c')).toBeUndefined();
  const { deps } = createWorld({ notes: ['unbooked'] });
  expect(findUnbooked(deps, 'c')).toEqual({ chargeId: 'c', kind: 'unbooked' });
  expect(toldIn([{ messages: prepareRefund(deps, CHARGE)(undefined) }])).toEqual(PLAIN);
});
