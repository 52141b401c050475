import { describe, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { holdsCodes, readOrder } from './code-order.ts';

describe('what stands behind the command', () => {
  const code = 'ABCD1234EFGH';
  test.each([
    ['', undefined, ''],
    ['60', 60, ''],
    ['60 UC', 60, ''],
    ['60uc', 60, ''],
    [`60 UC: ${code}`, 60, code],
    [`60: ${code}`, 60, code],
    [`60 ${code}`, 60, code],
    [`60\n${code}`, 60, code],
    ['60 20', 60, '20'],
    ['60 ABCDEFGHIJKL', 60, 'ABCDEFGHIJKL'],
    [code, undefined, code],
    ['123456789012', undefined, '123456789012'],
    ['1800ABCD12345', undefined, '1800ABCD12345'],
    ['sixty', undefined, 'sixty'],
  ])('%j', (text, amount, rest) => {
    expect(readOrder(text, TEST_GAMES.managed)).toEqual({ amount, rest });
  });
});

test('a text with a code is told from one without', () => {
  expect(holdsCodes('here: ABCD1234EFGH, thanks', TEST_GAMES.managed)).toBe(true);
  expect(holdsCodes('thank you very much indeed', TEST_GAMES.managed)).toBe(false);
  expect(holdsCodes('5170925570', TEST_GAMES.managed)).toBe(false);
});
