// The table of errorCodes of the interface, row by row: what becomes of the code, and whether the activation is
// charged.
import { expect, test } from 'vitest';

import type { ErrorCode } from '../store/index.ts';
import { ERROR_CODES, policyOf, type CodePolicy } from './error-policy.ts';

type Row = [ErrorCode, code: CodePolicy, isCharged: [asked: boolean, notAsked: boolean], stepsBack: boolean];

const ROWS: Row[] = [
  ['NO_CODES_AVAILABLE', 'none', [false, false], false],
  ['CHARACTER_NOT_FOUND', 'back', [true, false], false],
  ['INVALID_CODE', 'invalid', [true, false], false],
  ['CODE_USED', 'used', [true, true], false],
  ['NO_ACCOUNTS_AVAILABLE', 'back', [false, false], false],
  ['LOGIN_FAILED', 'back', [false, false], true],
  ['RISK_CONTROL', 'back', [true, true], true],
  ['NETWORK_ERROR', 'back', [false, false], false],
  ['INVALID_ACTIVATION_RESPONSE', 'held', [true, true], false],
  ['UNKNOWN', 'held', [true, true], false],
];

test.each(ROWS)(
  '%s: the code is %s, charged (asked, not asked) %j',
  (errorCode, code, charged, stepsBack) => {
    const [ifAsked, unasked] = charged;
    expect(policyOf(errorCode, true)).toEqual({ code, charged: ifAsked, stepsBack });
    expect(policyOf(errorCode, false)).toEqual({ code, charged: unasked, stepsBack });
  },
);

test('there are no others', () => expect(ERROR_CODES).toEqual(ROWS.map(([errorCode]) => errorCode)));
