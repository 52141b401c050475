// The buttons under a receipt: what is copied, what comes next, and in a group nothing but the way to the private chat.
import { expect, test } from 'vitest';

import { KEYS_FOR_WORDS, formatButtons } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { receiptKeyboard } from './show-receipt.ts';
import type { ReceiptPlace } from './receipt-text.ts';

const PLACE: ReceiptPlace = { texts: KEYS_FOR_WORDS, language: 'en', group: undefined, mayRedeem: true };

function rowsOf(redemption: object, { code = 'none', game = {}, place = {} }: Record<string, unknown> = {}) {
  const of = { id: 7, mode: 'database', state: 'redeemed', playerId: '5170925570', ...redemption };
  const view = { redemption: of, facts: { code }, game };
  return formatButtons(receiptKeyboard(fake(view), { ...PLACE, ...(place as object) }));
}

const CUSTOMER = ['button-for-customer -> receipt:customer:7'];
const AGAIN = ['button-again {"name":"5170925570"} -> redeem:again:7'];
const OTHER = 'button-other-denomination -> redeem:change:7';
const OTHER_CODE = 'button-other-code -> redeem:change:7';
const copy = (label: string, text: string) => `${label} -> {"text":"${text}"}`;

test.each<[what: string, redemption: object, beside: Record<string, unknown>, rows: string[][]]>([
  ['redeemed from the stock', {}, {}, [CUSTOMER, AGAIN, [OTHER]]],
  ['redeemed from a code', { mode: 'direct' }, {}, [CUSTOMER, AGAIN]],
  [
    'of a player with a name',
    { mode: 'direct', playerName: 'Player' },
    {},
    [CUSTOMER, ['button-again {"name":"Player"} -> redeem:again:7']],
  ],
  ['of a player who was forgotten', { playerId: 'forgotten-abcdefghijklmnop' }, {}, [CUSTOMER, [OTHER]]],
  ['read by whoever may not redeem', {}, { place: { mayRedeem: false } }, [CUSTOMER]],
  ['under way', { state: 'pending' }, {}, [CUSTOMER]],
  ['in doubt', { state: 'in_doubt' }, {}, [CUSTOMER]],
  [
    'failed for want of codes',
    { state: 'failed', errorCode: 'NO_CODES_AVAILABLE' },
    {},
    [CUSTOMER, [OTHER], ['button-stock -> go:stock']],
  ],
  [
    'failed for its player',
    { state: 'failed', errorCode: 'CHARACTER_NOT_FOUND' },
    {},
    [CUSTOMER, ['button-other-player -> redeem:player:7']],
  ],
  [
    'failed for the code that was sent',
    { state: 'failed', errorCode: 'CODE_USED', mode: 'direct' },
    { code: 'used' },
    [CUSTOMER, [OTHER_CODE]],
  ],
  [
    'failed for a code of the stock',
    { state: 'failed', errorCode: 'INVALID_CODE' },
    { code: 'invalid' },
    [CUSTOMER, ['button-try-again -> redeem:again:7'], [OTHER]],
  ],
  [
    'failed for something else',
    { state: 'failed', errorCode: 'LOGIN_FAILED' },
    {},
    [CUSTOMER, ['button-try-again -> redeem:again:7'], [OTHER]],
  ],
  [
    'with a login',
    { mode: 'direct', credentials: { email: 'a@b', password: 'p' } },
    {},
    [
      [
        copy('button-copy-login', 'a@b'),
        copy('button-copy-password', 'p'),
        copy('button-copy-both', 'a@b\\np'),
      ],
      CUSTOMER,
      AGAIN,
    ],
  ],
  [
    'with its code',
    { mode: 'direct', code: '60SABC' },
    {},
    [[copy('button-copy-code', '60SABC'), ...CUSTOMER], AGAIN],
  ],
  [
    'with a session',
    { mode: 'direct', credentials: { email: 'a', password: 'p' } },
    { game: { receipts: 'session' } },
    [
      [
        copy('button-copy-account-id', 'a'),
        copy('button-copy-session-token', 'p'),
        copy('button-copy-both', 'a\\np'),
      ],
      CUSTOMER,
      AGAIN,
    ],
  ],
  [
    'with blanks for a login',
    { mode: 'direct', credentials: { email: ' ', password: '' } },
    {},
    [CUSTOMER, AGAIN],
  ],
  [
    'in a group',
    { credentials: { email: 'a', password: 'p' } },
    { place: { group: { botUsername: 'shop_bot' } } },
    [['button-receipt-private -> https://t.me/shop_bot?start=receipt_7']],
  ],
])('a receipt %s', (_what, redemption, beside, rows) => {
  expect(rowsOf(redemption, beside)).toEqual(rows);
});

test.each([
  [256, [copy('button-copy-password', 'x'.repeat(256))]],
  [257, []],
  [2_800, []],
  [2_801, ['button-receipt-file -> receipt:file:7']],
])('a secret of %i characters', (length, row) => {
  const rows = rowsOf({ mode: 'direct', credentials: { password: 'x'.repeat(length) } });
  expect(rows).toEqual([...(row.length > 0 ? [row] : []), CUSTOMER, AGAIN]);
});
