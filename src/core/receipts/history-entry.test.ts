// A redemption as a line of a list: what is known of it, and neither its credentials nor its code.
import { expect, test } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import type { StoredRedemption } from '../../store/index.ts';
import { tailOf, toLine } from './history-entry.ts';

test.each([
  ['', ''],
  ['A', ''],
  ['AB', 'B'],
  ['ABCDE', 'DE'],
  ['ABCDEFGHIJK', 'GHIJK'],
  ['ABCDEFGHIJKL', 'GHIJKL'],
  ['ABCDEFGHIJKLMNOP', 'KLMNOP'],
])('of %j no more than half is shown, and six at most: %j', (code, tail) => expect(tailOf(code)).toBe(tail));

const ROW: StoredRedemption = fake({
  id: 7,
  accountId: 1,
  createdAt: 1_000,
  gameId: 'game_id_1',
  playerId: '5170925570',
  playerName: null,
  amount: null,
  denomination: null,
  state: 'pending',
  errorCode: null,
  warning: false,
  code: null,
});
const LINE = {
  id: 7,
  createdAt: 1_000,
  gameId: 'game_id_1',
  playerId: '5170925570',
  state: 'pending',
  warning: false,
};

test.each<[what: string, row: Partial<StoredRedemption>, line: object]>([
  ['nothing more', {}, {}],
  ['a name', { playerName: 'Zoya' }, { playerName: 'Zoya' }],
  ['an amount', { amount: 66 }, { amount: 66 }],
  ['a denomination', { denomination: 60 }, { amount: 60 }],
  ['an amount before its denomination', { amount: 66, denomination: 60 }, { amount: 66 }],
  ['an error', { state: 'failed', errorCode: 'CODE_USED' }, { state: 'failed', errorCode: 'CODE_USED' }],
  ['a warning', { state: 'redeemed', warning: true }, { state: 'redeemed', warning: true }],
  ['the end of its code', { code: 'ABCDEFGHIJKLMNOP' }, { codeTail: 'KLMNOP' }],
])('tells %s where it is there', (_what, row, line) => {
  expect(toLine({ ...ROW, ...row })).toStrictEqual({ ...LINE, ...line });
});
