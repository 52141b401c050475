// What the host gives back: what is asked of Telegram first, what is booked, and what everybody reads of it.
import { GrammyError } from 'grammy';
import { expect, test } from 'vitest';

import type { SaidWords } from '../../../test/harness/bot-words.ts';
import { DAY_MS, NOW } from '../../../test/harness/host-menus.ts';
import { createHost, confirmationOf, toldIn, type HostWorld } from '../../../test/harness/host-giving.ts';
import { BotCallError } from '../telegram/telegram-errors.ts';
import { formatCancelledRefund } from './refund.ts';

const TAP: SaidWords = ['tap', undefined];

const PAYMENT = {
  ...{ id: 3, chargeId: 'c', currency: 'XTR', amount: 770, paidBy: 'member:70', accountName: 'Shop' },
  isAdjustment: false,
  ...{ kind: 'activations', activations: 1_000, days: 0, left: { activations: 400, days: 0 } },
};
/** The question, and the button that names what it does. */
function ask(way: string, [price, payer, account]: string[], number = '3 · ', ...more: string[]): SaidWords {
  const facts = JSON.stringify({ price, payer, account, number, charge: 'c' });
  return [
    'reply',
    [`host-ask-refund-${way} ${facts}`, ...more].join('\n'),
    [`host-button-refund-${way} ${facts} -> host-refund:confirmation-id`],
    ['button-cancel -> no:host-refund:confirmation-id'],
  ];
}
const TAKES = 'host-refund-takes {"left":"400","all":"1000"}';

const BOT = { id: '1', username: 'bot', since: 0 };

test.each<[what: string, HostWorld, said: SaidWords]>([
  ['of nothing', {}, ['reply', 'host-refund-unknown']],
  ['that went back', { payment: { ...PAYMENT, refunded: {} } }, ['reply', 'host-refund-already']],
  [
    'that was never booked and went back',
    { notes: ['unbooked', 'refunded'] },
    ['reply', 'host-refund-already'],
  ],
  ['in Stars', { payment: PAYMENT }, ask('stars', ['770 ⭐', '70', 'Shop'], '3 · ', TAKES)],
  [
    'of days by card',
    {
      payment: {
        ...PAYMENT,
        currency: 'USD',
        kind: 'subscription',
        days: 30,
        left: { days: 12 },
        paidBy: 'host',
      },
    },
    ask('booked', ['$7.70', '0', 'Shop'], '3 · ', 'host-refund-takes-days {"left":"12","all":"30"}'),
  ],
  [
    'of what the host gave',
    { payment: { ...PAYMENT, currency: 'HOST', amount: 0, isAdjustment: true, paidBy: 'host' } },
    ask('adjustment', ['0.00 HOST', '0', 'Shop'], '3 · ', TAKES),
  ],
  ['that was never booked', { notes: ['unbooked'] }, ask('stars', ['770 ⭐', '70', '—'], '')],
])('a refund %s is asked about', async (_what, world, said) => {
  const { handle, did } = createHost(world);
  expect([await handle('/refund c'), did]).toEqual([[said], []]);
});

test('which payment, it must be told; an old button is one', async () => {
  expect(await createHost({}).handle('/refund')).toEqual([['reply', 'host-refund-usage']]);
  expect(await createHost({}).handle('host-refund-ask:id')).toEqual([['alert', 'confirmation-unknown']]);
  const { handle } = createHost({ confirmation: confirmationOf('host-refund-ask', { chargeId: 'c' }) });
  expect(await handle('host-refund-ask:id')).toEqual([TAP, ['reply', 'host-refund-unknown']]);
});

const refusal = (error_code: number, description: string) =>
  new GrammyError('refused', { ok: false, error_code, description }, 'refundStarPayment', {});
const STARS = ['stars', 70, 'c'];
const BOOKED = ['refund', 'c'];
const LEFT = {
  status: 'refunded',
  activations: 1_000,
  purchased: 5,
  subscriptionExpiresAt: undefined,
};
const REFUNDED = 'host-refunded {"price":"770 ⭐","count":1000,"balance":"5"}';

const REFUSED = ['CHARGE_NOT_FOUND', 'CHARGE_ID_EMPTY', 'USER_ID_INVALID'];
type Refunding = [what: string, HostWorld, did: unknown[], told: string[] | undefined, said: SaidWords[]];

test.each<Refunding>([
  ['in Stars', { payment: PAYMENT, answer: LEFT }, [STARS, BOOKED], [REFUNDED, 'ru:refunded'], []],
  [
    'that Telegram sent back before',
    { payment: PAYMENT, answer: LEFT, stars: refusal(400, 'Bad Request: CHARGE_ALREADY_REFUNDED') },
    [STARS, BOOKED],
    [REFUNDED, 'ru:refunded'],
    [],
  ],
  [
    'by card',
    { payment: { ...PAYMENT, currency: 'USD' }, answer: LEFT },
    [BOOKED],
    [REFUNDED.replace('770 ⭐', '$7.70'), 'ru:refunded'],
    [],
  ],
  [
    'that was never booked',
    { notes: ['unbooked'], answer: { status: 'unknownCharge' } },
    [STARS, BOOKED],
    ['host-refunded-plain {"price":"770 ⭐"}', 'ru:refunded-plain'],
    [],
  ],
  [
    'of what the host gave',
    {
      payment: { ...PAYMENT, currency: 'HOST', isAdjustment: true },
      owner: { telegramId: 70 },
      answer: LEFT,
    },
    [BOOKED],
    ['host-adjustment-back {"price":"7.70 HOST","count":1000,"balance":"5"}', 'ru:taken-activations'],
    [],
  ],
  ['that is gone', {}, [], undefined, [['edit', 'host-refund-unknown']]],
  ...REFUSED.map((description): Refunding => [
    `that Telegram refuses: ${description}`,
    { payment: PAYMENT, stars: refusal(400, `Bad Request: ${description}`) },
    [STARS, 'error'],
    undefined,
    [['reply', 'host-refund-refused']],
  ]),
  ...(
    [
      [50, 'host-refund-other-bot {"bot":"old"}'],
      [250, 'host-refund-refused'],
      [10, 'host-refund-refused'],
    ] as const
  ).map(([at, words]): Refunding => [
    `that Telegram refuses where another bot got it: ${at}`,
    {
      payment: { ...PAYMENT, at },
      stars: refusal(400, 'Bad Request: CHARGE_NOT_FOUND'),
      bots: [BOT, { ...BOT, id: '2', username: 'old', since: 40 }, { ...BOT, since: 100 }],
    },
    [STARS, 'error'],
    undefined,
    [['reply', words]],
  ]),
  [
    'of which Telegram says nothing',
    { payment: PAYMENT, stars: new BotCallError('x', 'timeout') },
    [STARS, 'error'],
    undefined,
    [['reply', 'host-refund-unsure']],
  ],
])('a refund %s', async (_what, world, did, told, said) => {
  const confirmation = confirmationOf('host-refund', { chargeId: 'c' });
  const { handle, kept, confirmations, ...made } = createHost({ ...world, confirmation });
  expect([await handle('host-refund:id'), made.did]).toEqual([[TAP, ...said], did]);
  const [host, payer] = toldIn(kept) ?? [];
  expect(host && [host[2], String(payer?.[2]).split(' ')[0]]).toEqual(told);
  expect(kept.map(({ chargeNotes }) => chargeNotes?.map(({ kind, chargeId }) => [kind, chargeId]))).toEqual(
    told ? [[['refunded', 'c']]] : [],
  );
  const unsure = {
    id: 'host-refund-unsure:c',
    chatId: 5,
    userId: 5,
    action: 'host-refund-unsure',
    payload: '{}',
  };
  const isUnsure = said[0]?.[1] === 'host-refund-unsure';
  expect(confirmations).toEqual(isUnsure ? [{ ...unsure, expiresAt: NOW + 60 * DAY_MS }] : []);
});

test('done by this very update, it is not done again', async () => {
  const confirmation = confirmationOf('host-refund', { chargeId: 'c' }, 77);
  const { handle, did } = createHost({ confirmation, payment: PAYMENT });
  expect([await handle('host-refund:id'), did]).toEqual([[TAP], []]);
});

test.each<[action: string, HostWorld, words: object | undefined]>([
  ['other', { notes: ['host-refund-unsure:c'] }, undefined],
  ['host-refund', { payment: PAYMENT }, undefined],
  ['host-refund', { payment: { ...PAYMENT, refunded: {} } }, { key: 'host-refund-already' }],
  [
    'host-refund',
    { payment: PAYMENT, notes: ['host-refund-unsure:c'] },
    { key: 'host-refund-cancelled-unsure', facts: { number: 'c' } },
  ],
])('Cancel under the question %s at %j says %j', (action, world, words) => {
  const { host } = createHost(world);
  expect(formatCancelledRefund(host, { action, payload: '{"chargeId":"c"}', userId: 1 })).toEqual(words);
});
