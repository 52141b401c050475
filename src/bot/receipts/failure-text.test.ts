// What a failed redemption says: why, what became of the code, what was charged, and what helps, with its button.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { receiptOf } from '../../../test/harness/receipt-of.ts';
import type { ErrorCode, Redemption } from '../../core/index.ts';
import { createTexts } from '../texts.ts';
import { receiptKeyboard } from './show-receipt.ts';
import { renderReceipt, type ReceiptPlace, type ReceiptView } from './receipt-text.ts';

type CodeEnd = ReceiptView['facts']['code'];

const PLACE: ReceiptPlace = {
  texts: createTexts(TEST_GAMES),
  language: 'en',
  group: undefined,
  mayRedeem: true,
};

function view(
  errorCode: ErrorCode | undefined,
  mode: Redemption['mode'],
  code: CodeEnd,
  charged: boolean,
): ReceiptView {
  const failed = { state: 'failed', errorCode: errorCode ?? null, amount: null, credentials: null } as const;
  const redemption = receiptOf({ ...failed, mode, codeReset: code === 'back' });
  const actorLabel = { kind: 'member', telegramId: 5, name: 'Staff' } as const;
  const game = TEST_GAMES.find('game_id_1');
  return {
    redemption,
    facts: { actorLabel, charged, code, isPaused: false },
    game,
    timeZone: 'UTC',
    isSandbox: false,
  };
}

const OTHER_CODE = ['Another code'];
const AGAIN = ['Try again', 'Another amount'];
const AGAIN_DIRECT = ['Try again', 'Another code'];
const USED = 'The code cannot be used any more.';
const BACK = 'The code went back into the stock.';
const UNTOUCHED = 'The code was not used: it is still good.';
const LATER = 'Next: wait a few minutes and try again.';

test.each<[ErrorCode | undefined, Redemption['mode'], CodeEnd, told: string[], buttons: string[]]>([
  [
    'NO_CODES_AVAILABLE',
    'database',
    'none',
    [
      'There was no code of this denomination left.',
      'Next: choose another denomination, or add codes with /add_codes.',
    ],
    ['Another amount', 'Stock'],
  ],
  [
    'CHARACTER_NOT_FOUND',
    'database',
    'back',
    [
      'The game does not know this player ID.',
      BACK,
      'Next: check the ID with the player and send the right one.',
    ],
    ['Another ID'],
  ],
  [
    'INVALID_CODE',
    'database',
    'invalid',
    [
      'The code is not valid.',
      'The code was put aside and is not offered again.',
      'Next: try again, I will take another code.',
    ],
    AGAIN,
  ],
  [
    'INVALID_CODE',
    'direct',
    'invalid',
    [
      'The code is not valid.',
      'The code was not accepted: check it for mistakes.',
      'Next: send another code.',
    ],
    OTHER_CODE,
  ],
  [
    'CODE_USED',
    'database',
    'used',
    ['The code had been used before.', USED, 'Next: try again, I will take another code.'],
    AGAIN,
  ],
  [
    'CODE_USED',
    'direct',
    'used',
    ['The code had been used before.', USED, 'Next: send another code.'],
    OTHER_CODE,
  ],
  [
    undefined,
    'direct',
    'elsewhere',
    ['Another redemption of this code is still under way.', 'Next: send another code.'],
    OTHER_CODE,
  ],
  [
    'NO_ACCOUNTS_AVAILABLE',
    'database',
    'back',
    ['The top-up platform had no account free for it.', BACK, LATER],
    AGAIN,
  ],
  [
    'LOGIN_FAILED',
    'direct',
    'untouched',
    ['The top-up platform could not log in.', UNTOUCHED, LATER],
    AGAIN_DIRECT,
  ],
  [
    'RISK_CONTROL',
    'database',
    'back',
    ["The game's protection stopped this redemption.", BACK, LATER],
    AGAIN,
  ],
  [
    'NETWORK_ERROR',
    'direct',
    'untouched',
    ['The top-up platform could not be reached.', UNTOUCHED, LATER],
    AGAIN_DIRECT,
  ],
  [
    'INVALID_ACTIVATION_RESPONSE',
    'database',
    'back',
    ["The top-up platform's answer could not be read, and nothing was redeemed.", BACK, LATER],
    AGAIN,
  ],
  [
    'UNKNOWN',
    'database',
    'back',
    ['The top-up platform did not answer, and nothing was redeemed.', BACK, LATER],
    AGAIN,
  ],
])('%s, %s, code %s', (errorCode, mode, code, told, buttons) => {
  for (const charged of [true, false]) {
    const one = view(errorCode, mode, code, charged);
    const words = renderReceipt(one, PLACE).split('\n\n').at(-2)?.split('\n');
    const usage = charged ? '1 activation was charged.' : 'Nothing was charged.';
    expect(words).toEqual([...told.slice(0, -1), usage, told.at(-1)]);
    const keyboard = receiptKeyboard(one, PLACE).inline_keyboard.flat();
    expect(keyboard.map(({ text }) => text)).toEqual(['Code', 'For the customer', ...buttons]);
  }
});
