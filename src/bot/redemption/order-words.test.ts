// The message of an order of several codes: under way, waiting, stopping, and how it ended.
import { expect, test } from 'vitest';

import { KEYS_FOR_WORDS, formatButtons } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { MemberActor, OrderOfPress, OrderRecord } from '../../core/index.ts';
import { renderEnd, renderUnderWay } from './order-words.ts';

const ITEMS: OrderRecord['items'] = [
  { n: 1, denomination: 60, redemptionId: 7, state: 'redeemed', amount: 60 },
  { n: 2, redemptionId: 8, state: 'failed' },
  { n: 3, denomination: 325, redemptionId: 9, state: 'inDoubt' },
  { n: 4, denomination: 325, redemptionId: 10, state: 'running' },
  { n: 5, denomination: 660, redemptionId: 11, state: 'waiting' },
  { n: 6, denomination: 660, redemptionId: 12, state: 'missing' },
  { n: 7, denomination: 660, state: 'missing' },
];
const LINES = [
  '✅ 60 UC · /receipt_7',
  '❌ order-given-code {"n":2} · /receipt_8',
  '❔ 325 UC · /receipt_9',
  '⏳ 325 UC · /receipt_10',
  '▫️ 660 UC',
  '❌ 660 UC · /receipt_12',
  '▫️ 660 UC',
];
const RECORD: OrderRecord = {
  ...{ id: 'ord_1', state: 'running', gameId: 'game_id_1', playerId: '5170925570', playerName: 'Player' },
  ...{
    createdAt: 0,
    run: 1,
    standing: '1',
    wanted: { codes: 7 },
    redeemed: { codes: 1, amount: 60 },
    open: 2,
    failed: 1,
  },
  items: ITEMS,
};
const of = (order: Partial<OrderRecord> = {}, isStopping = false): OrderOfPress => ({
  order: { ...RECORD, ...order },
  ...{ isStopping, isOwn: true, actorLabel: { kind: 'host' } },
});
const facts = (done: number, all: number, players = 1) =>
  ` {"name":"Player","player":"5170925570","players":${players},"done":${done},"all":${all}}`;

const depsOf = ({ isSandbox = false } = {}) =>
  ({
    texts: KEYS_FOR_WORDS,
    core: {
      games: TEST_GAMES,
      health: { isSandbox },
      codes: { countAvailable: () => new Map([[60, 16]]) },
    },
  }) as never;
const linesOf = (html: string) => html.replace(/[\u2068\u2069]/g, '').split('\n');

test.each<[OrderOfPress, key: string, more: string[], rows: string[][]]>([
  [of(), 'order-running', [], [['button-stop -> order-stop:ord_1']]],
  [
    of({ state: 'waiting', waitsFor: 'quota' }),
    'order-running',
    ['', 'order-waits-quota'],
    [['button-stop -> order-stop:ord_1']],
  ],
  [of({}, true), 'order-stopping', [], []],
])('under way: %j', (order, key, more, rows) => {
  const { html, keyboard } = renderUnderWay(depsOf(), [order], 'en');
  expect(linesOf(html)).toEqual([key + facts(1, 7), ...LINES, ...more]);
  expect(formatButtons(keyboard ?? {})).toEqual(rows);
});

const DONE: Partial<OrderRecord> = {
  ...{ state: 'done', endedAt: 5, wanted: { codes: 1 }, items: ITEMS.slice(0, 1) },
};
const STOPPED: Partial<OrderRecord> = {
  ...{ state: 'stopped', reason: 'CODE_USED', endedAt: 5 },
  missing: [{ denomination: 660, count: 2 }, { n: 2 }],
};
const STOCK = ['', 'receipt-left {"what":"60 UC","count":16}'];
const LEFT = 'order-left {"what":"660 UC × 2, order-given {\\"count\\":1}"}';
const RECEIPTS = ['button-order-logins -> order-logins:ord_1', 'button-for-customer -> order-buyers:ord_1'];
const REST = [RECEIPTS, ['button-order-rest -> order-rest:ord_1']];
const AGAIN = [
  RECEIPTS,
  ['button-again {"name":"Player","player":"5170925570","done":1,"all":1} -> order-again:ord_1'],
];

test.each<[what: string, Partial<OrderRecord>, role: string, lines: string[], rows: string[][]]>([
  [
    'stopped',
    STOPPED,
    'operator',
    ['order-stopped' + facts(1, 7), ...LINES, ...STOCK, '', 'order-because-code-used', LEFT],
    REST,
  ],
  [
    'stopped by hand',
    { ...STOPPED, state: 'cancelled' },
    'operator',
    ['order-stopped' + facts(1, 7), ...LINES, ...STOCK, '', 'order-because-cancelled', LEFT],
    REST,
  ],
  [
    'stopped without a subscription, before whoever may not pay',
    { ...STOPPED, reason: 'SUBSCRIPTION_EXPIRED' },
    'operator',
    ['order-stopped' + facts(1, 7), ...LINES, ...STOCK, '', 'order-because-subscription-expired-ask', LEFT],
    REST,
  ],
  ['done', DONE, 'operator', ['order-done' + facts(1, 1), LINES[0] ?? '', ...STOCK], AGAIN],
  [
    'of a game that is gone',
    { ...DONE, gameId: 'gone' },
    'operator',
    ['order-done' + facts(1, 1), '✅ 60 · /receipt_7'],
    AGAIN,
  ],
  [
    'read by whoever may not redeem',
    DONE,
    'support',
    ['order-done' + facts(1, 1), LINES[0] ?? '', ...STOCK],
    [],
  ],
])('an order %s', (_what, order, role, lines, rows) => {
  const actor: MemberActor = fake({ kind: 'member', accountId: 1, telegramId: 5, role });
  const { html, keyboard } = renderEnd(depsOf(), [of(order)], { actor, language: 'en' });
  expect(linesOf(html)).toEqual(lines);
  expect(formatButtons(keyboard ?? {})).toEqual(rows);
});

test('of several players each has a line of his own above his codes, and all of it can be had again', () => {
  const orders = [of(DONE), of({ ...DONE, id: 'ord_2', playerId: '5170925571', playerName: 'Other' })];
  const actor = { kind: 'member', accountId: 1, telegramId: 5, role: 'operator' } as const;
  const { html, keyboard } = renderEnd(depsOf({ isSandbox: true }), orders, { actor, language: 'en' });
  expect(linesOf(html)).toEqual([
    'order-done' + facts(2, 2, 2),
    'receipt-sandbox',
    ...['', 'order-player {"name":"Player","player":"5170925570"}', LINES[0]],
    ...['', 'order-player {"name":"Other","player":"5170925571"}', LINES[0]],
    ...STOCK,
  ]);
  expect(formatButtons(keyboard ?? {}).at(-1)).toEqual([
    expect.stringMatching(/^button-again-all .* -> order-again:ord_1$/),
  ]);
});
