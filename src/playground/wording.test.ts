// What the panel says of each step of a redemption.
import { expect, test } from 'vitest';

import type { RedemptionSnapshot } from './database-view.ts';
import { formatBatch, formatLookUp, formatPurchase, formatRedemption } from './wording.ts';

const row = (fields: Partial<RedemptionSnapshot>): RedemptionSnapshot => ({
  id: 12,
  state: 'pending',
  mode: 'database',
  errorCode: null,
  playerId: '5170925571',
  amount: null,
  warning: 0,
  createdAt: 0,
  doubtedAt: null,
  code: '…4jEocU',
  codeState: 'reserved',
  charged: 1,
  returned: 0,
  ...fields,
});
const words = (
  ...[before, fields, interrupted = false]: [
    RedemptionSnapshot['state'] | undefined,
    Partial<RedemptionSnapshot>,
    boolean?,
  ]
) => formatRedemption(before, row(fields), interrupted).map(({ text }) => text.en);

test('a beginning names the code by its end, the usage and the redemption', () => {
  expect(words(undefined, {})).toEqual([
    'Code …4jEocU reserved, 1 activation charged, redemption 12 on disk — then the platform is asked',
  ]);
});

test('what did not change is not told again', () => {
  expect(words('in_doubt', { state: 'in_doubt' })).toEqual([]);
});

test('a redemption that began and ended between two looks is told whole', () => {
  expect(words(undefined, { state: 'redeemed' })).toHaveLength(2);
});

test('a doubt says whether the platform was silent or the process gone', () => {
  const fields = { state: 'in_doubt', codeState: 'in_doubt', errorCode: 'UNKNOWN' } as const;
  expect(words('pending', fields)[0]).toMatch(
    /^The platform did not answer in time: redemption 12 is in doubt/,
  );
  expect(words('pending', fields, true)[0]).toMatch(/^Nobody knows what the killed process still did: /);
});

test('a failure says what became of the code and of the activation', () => {
  const failed = {
    state: 'failed',
    errorCode: 'NO_ACCOUNTS_AVAILABLE',
    codeState: 'available',
    returned: 1,
  } as const;
  expect(words('pending', failed)).toEqual([
    'Redemption 12 failed (NO_ACCOUNTS_AVAILABLE). Returned: code …4jEocU is in the stock again, 1 activation given back',
  ]);
  const used = { state: 'failed', errorCode: 'CODE_USED', codeState: 'used' } as const;
  expect(words('in_doubt', used)).toEqual([
    'Settled: redemption 12 did not happen (CODE_USED). Kept: code …4jEocU is put aside as used, 1 activation stays charged',
  ]);
  expect(words(undefined, { ...used, charged: null, code: null, codeState: null })).toEqual([
    'Refused at once (CODE_USED): nothing taken, nothing charged',
  ]);
});

test('a look-up and a payment are told with what they cost and gave', () => {
  expect(formatLookUp({ id: 1, kind: 'character', activations: 0.25, returned: 0 }).text.en).toMatch(
    /0\.25 activations charged$/,
  );
  expect(formatLookUp({ id: 1, kind: 'character', activations: 0.25, returned: 1 }).text.en).toMatch(
    /given back$/,
  );
  const paid = {
    id: 1,
    chargeId: 'stxAb100001_1',
    kind: 'activations',
    activations: 1000,
    days: 0,
    refundedAt: null,
  } as const;
  expect(formatPurchase(paid).text.en).toBe('1,000 activations credited (charge …100001_1), exactly once');
});

test('Russian says the same, with its own plurals', () => {
  expect(formatRedemption(undefined, row({}), false)[0]?.text.ru).toBe(
    'Код …4jEocU зарезервирован, списание: 1 активация, активация 12 на диске — и только потом запрос к платформе',
  );
  const added = (count: number) => formatBatch({ id: 2, added: count, undoneAt: null }).text.ru;
  expect([1, 3, 5].map((count) => added(count).split(' на складе')[0])).toEqual([
    '1 код',
    '3 кода',
    '5 кодов',
  ]);
  expect(formatLookUp({ id: 1, kind: 'character', activations: 0.25, returned: 0 }).text.ru).toMatch(
    /0,25 активации$/,
  );
});

test('what concerns a redemption names it, so that its rows can be shown', () => {
  expect(formatRedemption(undefined, row({}), false)[0]?.redemption).toBe(12);
});
