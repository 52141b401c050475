// The payments as the host sees them: a page at a time, what of each is spent, and which can be given back.
import { expect, test } from 'vitest';

import type { SaidWords } from '../../../test/harness/bot-words.ts';
import { askHostMenu, createHostMenus, DAY_MS, NOW, range } from '../../../test/harness/host-menus.ts';
import { createPaymentsList } from './payments.ts';

const paymentOf = (id: number, changes: object = {}) => ({
  ...{
    id,
    accountId: 3,
    accountName: 'Shop',
    at: NOW,
    chargeId: `c<${id}`,
    isAdjustment: false,
    paidBy: 'member:70',
  },
  ...{ currency: 'XTR', amount: 770, kind: 'activations', activations: 1_000, days: 0 },
  ...{ left: { activations: 400, days: 0 }, refunded: undefined },
  ...changes,
});
const wordsOf = (id: number, changes: object = {}) => {
  const facts = { number: String(id), price: '770 ⭐', goods: 'goods-activations {"count":1000}' };
  const rest = { when: '22 Nov 2026, 12:00 UTC', account: 'Shop', id: '3' };
  return `host-payment ${JSON.stringify({ ...facts, ...rest, ...changes })}`;
};
const SPENT = 'host-payment-spent {"spent":"600","all":"1000"}';
const refund = (id: number) =>
  `host-unmatched-payment-refund {"number":"${id}","price":"770 ⭐"} -> host:refund:${id}`;
const full = (id: number, person = '70') =>
  `${wordsOf(id)}\nhost-payment-by {"person":"${person}"}\n${SPENT}\n<code>c&lt;${id}</code>`;

function paying(payments: object[], core: Record<string, object> = {}) {
  const asked: unknown[] = [];
  const purchases = { listPayments: (_host: object, query: object) => (asked.push(query), payments) };
  return { ...createHostMenus({ ...core, purchases: { ...purchases, ...core['purchases'] } }), asked };
}

test.each<[event: string, ids: number[], query: object, shown: number[], rows: string[][]]>([
  ['/payments', [9, 8], { limit: 6 }, [9, 8], []],
  [
    'host:payments:0:before:10',
    range(1, 6).map((n) => 10 - n),
    { accountId: undefined, before: 10, limit: 6 },
    [9, 8, 7, 6, 5],
    [['page-previous -> host:payments:0:after:9', 'page-next -> host:payments:0:before:5']],
  ],
  [
    'host:payments:3:after:4',
    range(1, 6).map((n) => 11 - n),
    { accountId: 3, after: 4, limit: 6 },
    [9, 8, 7, 6, 5],
    [
      ['page-previous -> host:payments:3:after:9', 'page-next -> host:payments:3:before:5'],
      ['button-back -> host:account:3'],
    ],
  ],
  ['host:payments:3:first', [9], { accountId: 3, limit: 6 }, [9], [['button-back -> host:account:3']]],
])('%s, where the payments %j are found', async (event, ids, query, shown, rows) => {
  const { deps, asked } = paying(ids.map((id) => paymentOf(id)));
  const said = await askHostMenu(createPaymentsList(deps), event);
  const html = ['host-payments', ...shown.map((id) => full(id))].join('\n\n');
  const how = event.startsWith('/') ? 'reply' : 'edit';
  expect(said.at(-1)).toEqual([how, html, ...shown.map((id) => [refund(id)]), ...rows]);
  expect(asked).toEqual([query]);
});

test.each<[what: string, changes: object, lines: string[], rows: string[][]]>([
  [
    'a gift',
    { isAdjustment: true },
    [wordsOf(9, { price: 'host-payment-adjustment' }), SPENT],
    [['host-button-adjustment-back {"number":"9","price":"770 ⭐"} -> host:refund:9']],
  ],
  [
    'days that were taken back',
    { isAdjustment: true, kind: 'subscription', days: -7 },
    [wordsOf(9, { price: 'host-payment-taken', goods: 'goods-subscription {"days":7}' })],
    [],
  ],
  [
    'what went back',
    { refunded: { at: NOW - DAY_MS } },
    [
      ...[wordsOf(9), 'host-payment-by {"person":"70"}'],
      ...['host-payment-refunded {"when":"21 Nov 2026, 12:00 UTC"}', '<code>c&lt;9</code>'],
    ],
    [],
  ],
  [
    'a subscription',
    { kind: 'subscription', days: 30, left: { activations: 0, days: 12 } },
    [
      ...[wordsOf(9, { goods: 'goods-subscription {"days":30}' }), 'host-payment-by {"person":"70"}'],
      ...['host-payment-spent-days {"spent":"18","all":"30"}', '<code>c&lt;9</code>'],
    ],
    [[refund(9)]],
  ],
  [
    'what nobody of ours paid',
    { paidBy: 'host' },
    [wordsOf(9), 'host-payment-by {"person":"0"}', SPENT, '<code>c&lt;9</code>'],
    [[refund(9)]],
  ],
])('%s among the payments', async (_what, changes, lines, rows) => {
  const { deps } = paying([paymentOf(9, changes)]);
  const said = await askHostMenu(createPaymentsList(deps), '/payments');
  expect(said).toEqual([['reply', ['host-payments', lines.join('\n')].join('\n\n'), ...rows]]);
});

test('payments of one account are named by it, and whoever paid by name while they are in it', async () => {
  const members = { listOf: () => [{ telegramId: 70, name: 'Payer', username: 'pay' }, { telegramId: 71 }] };
  const accounts = { find: (id: number) => (id === 3 ? { name: 'Shop' } : undefined) };
  const named = paying([paymentOf(9)], { members, accounts });
  const said = await askHostMenu(createPaymentsList(named.deps), 'host:payments:3:first');
  expect(said[1]?.[1]).toBe(`host-payments-of {"account":"Shop"}\n\n${full(9, 'Payer @pay (70)')}`);
  const none = paying([]);
  expect((await askHostMenu(createPaymentsList(none.deps), '/payments'))[0]?.[1]).toBe(
    'host-payments\n\nhost-payments-none',
  );
});

test.each<[ids: number[], said: SaidWords[]]>([
  [[], [['reply', 'host-no-account']]],
  [[3, 4], [['reply', 'host-grant-several {"text":"Shop"}']]],
])('/payments of what means the accounts %j', async (ids, said) => {
  const search = () => Promise.resolve({ ids, isComplete: true });
  expect(
    await askHostMenu(createPaymentsList(paying([], { accounts: { search } }).deps), '/payments Shop'),
  ).toEqual(said);
});

test('a payment that is gone cannot be given back', async () => {
  const { deps } = paying([], { purchases: { findPayment: () => undefined } });
  expect(await askHostMenu(createPaymentsList(deps), 'host:refund:9')).toEqual([
    ['alert', 'host-refund-unknown'],
  ]);
});
