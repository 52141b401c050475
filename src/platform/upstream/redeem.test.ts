// What every answer to an order is read as, to the word: what the platform's words become in a record, and what the
// host hears.
import { expect, test } from 'vitest';

import type { PlatformOrder } from '../port.ts';
import { readRedemption } from './redeem.ts';

const ORDER: PlatformOrder = {
  reference: 'reference',
  gameId: 'game_id_1',
  code: '60Sabcdefghijkl',
  playerId: '5123456789',
};
const RECEIPT = { type: 'ActivationReceipt', id: 41, warning: false, openid: '90', name: 'Zoë' };
const answered = (httpStatus: number, json?: unknown, whole = true) =>
  ({ kind: 'answered', httpStatus, whole, json }) as const;
const failed = (errorCode: string, more: object = {}) =>
  answered(503, { type: 'ActivationError', errorCode, ...more });

test('everything that a receipt has is passed on, and what it does not have is left out', () => {
  const more = {
    region: 'EU',
    productName: '60 UC',
    amount: 60,
    uid: '7',
    email: 'a@b.invalid',
    password: 'p',
  };
  expect(readRedemption(ORDER, answered(200, { ...RECEIPT, ...more, code: ORDER.code }))).toEqual({
    status: 'redeemed',
    receipt: { openid: '90', name: 'Zoë', ...more },
    fullReceipt: true,
  });
  expect(readRedemption(ORDER, answered(200, { ...RECEIPT, warning: true, region: null }))).toStrictEqual({
    status: 'redeemed',
    receipt: { openid: '90', name: 'Zoë' },
    fullReceipt: false,
  });
});

test('an openid of one character is one, and none is no receipt', () => {
  const read = (openid: string) => readRedemption(ORDER, answered(200, { ...RECEIPT, openid })).status;
  expect([read('9'), read('')]).toEqual(['redeemed', 'unknown']);
});

test.each([
  [answered(200, {}), 'The upstream service answered 200 without a receipt of this order.'],
  [answered(204), 'The upstream service answered 204 without a receipt of this order.'],
  [answered(299, RECEIPT), 'The upstream service answered 299 without a receipt of this order.'],
  [failed('RISK_CONTROL', { playerId: '1' }), 'The upstream service answered about another order.'],
  [failed('RISK_CONTROL', { gameId: 'other' }), 'The upstream service answered about another order.'],
  [failed('INVALID_ACTIVATION_RESPONSE'), 'The upstream service answered INVALID_ACTIVATION_RESPONSE.'],
])('unreadable: %j', (answer, message) => {
  expect(readRedemption(ORDER, answer)).toEqual({
    status: 'unknown',
    errorCode: 'INVALID_ACTIVATION_RESPONSE',
    message,
  });
});

test.each([
  [{ kind: 'lost', reason: 'no answer in time' } as const, 'did not answer (no answer in time).'],
  [failed('UNKNOWN'), 'answered UNKNOWN.'],
  [failed('A SECRET'), 'answered an error code that is not of the fixed set.'],
  [answered(300), 'answered 300.'],
  [answered(399, { type: 'ActivationError', errorCode: 'CODE_USED' }), 'answered 399.'],
  [answered(500), 'answered 500.'],
  [answered(401, undefined, false), 'answered 401.'],
])('unknown: %j', (answer, words) => {
  const message = `The upstream service ${words}`;
  expect(readRedemption(ORDER, answer)).toEqual({ status: 'unknown', errorCode: 'UNKNOWN', message });
});

test.each([
  'CHARACTER_NOT_FOUND',
  'INVALID_CODE',
  'CODE_USED',
  'NO_ACCOUNTS_AVAILABLE',
  'LOGIN_FAILED',
  'RISK_CONTROL',
])('refused by the platform: %s', (errorCode) => {
  const message = `The upstream service answered ${errorCode}.`;
  expect(readRedemption(ORDER, failed(errorCode))).toEqual({
    status: 'refused',
    errorCode,
    message,
    asked: true,
  });
});

test.each([
  [
    { kind: 'notSent', reason: 'ECONNREFUSED' } as const,
    'The upstream service could not be reached (ECONNREFUSED).',
  ],
  [failed('NETWORK_ERROR'), 'The upstream service answered NETWORK_ERROR.'],
  [
    failed('NO_CODES_AVAILABLE'),
    'The upstream service answered NO_CODES_AVAILABLE.',
    'The upstream service looked for a code in its own database although we sent one: it does not understand direct redemption.',
  ],
  ...(
    [
      [
        400,
        'rejected our request as malformed (400): check UPSTREAM_URL and that it knows our game identifiers.',
      ],
      [401, 'does not accept our key (401): check UPSTREAM_TOKEN.'],
      [403, 'says that our subscription there is not active (403): renew it.'],
      [404, 'has nothing at this address (404): check UPSTREAM_URL.'],
      [405, 'does not take this method (405): check UPSTREAM_URL.'],
      [413, 'found our request too large (413): check what stands between us and it.'],
      [415, 'did not take our request for JSON (415): check what stands between us and it.'],
    ] as const
  ).map(
    ([status, words]) =>
      [
        answered(status),
        `The upstream service rejected the request (${status}).`,
        `The upstream service ${words}`,
      ] as const,
  ),
  [
    answered(429),
    'The upstream service rejected the request (429).',
    'Our quota at the upstream service is used up (429): buy activations there or wait.',
  ],
] as const)('nothing was spent: %j', (answer, message, hostNotice?: string) => {
  expect(readRedemption(ORDER, answer)).toStrictEqual({
    status: 'refused',
    errorCode: 'NETWORK_ERROR',
    message,
    asked: false,
    ...(hostNotice !== undefined && {
      hostNotice,
      hostTrouble: hostNotice.includes('direct redemption')
        ? 'notDirect'
        : Number(/\d{3}/.exec(hostNotice)?.[0]),
    }),
    ...(answer.kind === 'notSent' && { neverSent: true }),
    ...(answer.kind === 'answered' && [401, 403, 429].includes(answer.httpStatus) && { refusedUs: true }),
  });
});
