// The message of an order of several codes: under way, stopping, and how it ended.
import { expect, test } from 'vitest';

import { KEYS_FOR_WORDS, wordButtons } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import type { StoredBulkOrder } from '../../store/bot-store.ts';
import type { Outgoing } from '../outgoing.ts';
import { createBulkOrderView, renderUnderWay } from './bulk-order-text.ts';

const ITEMS = [
  { n: 1, denomination: 60, redemptionId: 7, state: 'redeemed' },
  { n: 2, denomination: 60, redemptionId: 8, state: 'failed' },
  { n: 3, denomination: 325, redemptionId: 9, state: 'in_doubt' },
  { n: 4, denomination: 325, redemptionId: 10, state: 'pending' },
  { n: 5, denomination: 660, redemptionId: null, state: null },
  { n: 6, denomination: 660, redemptionId: null, state: null },
].map((item) => ({ ...item, playerId: '5170925570', playerName: 'Player' }));
const LINES = [
  '✅ 60 UC · /receipt_7',
  '❌ 60 UC · /receipt_8',
  '❔ 325 UC · /receipt_9',
  '⏳ 325 UC · /receipt_10',
  '▫️ 660 UC',
  '▫️ 660 UC',
];
const ORDER: StoredBulkOrder = {
  ...{ id: 'order', accountId: 1, telegramId: 5, chatId: 5, messageId: 8, language: null },
  ...{ gameId: 'game_id_1', warnedOf: 0 },
  ...{ state: 'stopped', stopRequested: false, reason: null, items: ITEMS },
};
const facts = (done: number, all: number) =>
  ` {"name":"Player","player":"5170925570","players":1,"done":${done},"all":${all}}`;

interface World {
  order?: Partial<StoredBulkOrder>;
  role?: string;
  isSandbox?: boolean;
}

const depsOf = ({ order, role = 'operator', isSandbox = false }: World) =>
  ({
    texts: KEYS_FOR_WORDS,
    store: { orders: { find: () => ({ ...ORDER, ...order }) } },
    core: {
      games: TEST_GAMES,
      health: { isSandbox },
      codes: { countAvailable: () => new Map([[60, 16]]) },
      members: { findActor: () => ({ kind: 'member', accountId: 1, telegramId: 5, role }) },
    },
  }) as never;

test.each([
  [false, 'bulk-order-running', [['button-stop -> bulk-order-stop:order']]],
  [true, 'bulk-order-stopping', []],
])('under way, to be stopped: %s', (stopRequested, key, rows) => {
  const { html, keyboard } = renderUnderWay(depsOf({}), { ...ORDER, stopRequested }, 'en');
  expect(html.replace(/[\u2068\u2069]/g, '').split('\n')).toEqual([key + facts(1, 6), ...LINES]);
  expect(wordButtons(keyboard ?? {})).toEqual(rows);
});

const STOCK = ['', 'receipt-left {"what":"60 UC","count":16}'];
const LEFT = 'bulk-order-left {"what":"660 UC × 2"}';
const RECEIPTS = [
  'button-bulk-order-logins -> bulk-order-logins:order',
  'button-for-customer -> bulk-order-customer:order',
];
const REST = [RECEIPTS, ['button-bulk-order-rest -> bulk-order-rest:order']];
const AGAIN = [
  RECEIPTS,
  ['button-again {"name":"Player","player":"5170925570","done":1,"all":1} -> bulk-order-again:order'],
];
const DONE: Partial<StoredBulkOrder> = { state: 'done', items: ITEMS.slice(0, 1) };

test.each<[what: string, World, lines: string[], rows: string[][]]>([
  ['stopped', {}, ['bulk-order-stopped' + facts(1, 6), ...LINES, ...STOCK, LEFT], REST],
  [
    'stopped for a reason',
    { order: { reason: 'doubt' } },
    ['bulk-order-stopped' + facts(1, 6), ...LINES, ...STOCK, '', 'bulk-order-because-doubt', LEFT],
    REST,
  ],
  ['done', { order: DONE }, ['bulk-order-done' + facts(1, 1), LINES[0]!, ...STOCK], AGAIN],
  [
    'done in the sandbox',
    { order: DONE, isSandbox: true },
    ['bulk-order-done' + facts(1, 1), 'receipt-sandbox', LINES[0]!, ...STOCK],
    AGAIN,
  ],
  [
    'of a game that is gone',
    { order: { ...DONE, gameId: 'gone' } },
    ['bulk-order-done' + facts(1, 1), '✅ 60 · /receipt_7'],
    AGAIN,
  ],
  [
    'read by whoever may not redeem',
    { order: DONE, role: 'support' },
    ['bulk-order-done' + facts(1, 1), LINES[0]!, ...STOCK],
    [],
  ],
])('an order %s', (_what, world, lines, rows) => {
  const shown = createBulkOrderView(depsOf(world))({
    of: { id: 'order' },
    telegramId: 5,
    language: 'en',
  }) as Outgoing;
  expect(shown.html.split('\n')).toEqual(lines);
  expect(wordButtons(shown.keyboard ?? {})).toEqual(rows);
});

test('of several players each has a line of his own above his codes, and all of it can be had again', () => {
  const items = [ITEMS[0]!, { ...ITEMS[0]!, playerId: '5170925571', playerName: 'Other' }];
  const deps = depsOf({ order: { ...DONE, items } });
  const shown = createBulkOrderView(deps)({ of: { id: 'order' }, telegramId: 5, language: 'en' }) as Outgoing;
  expect(shown.html.split('\n')).toEqual([
    'bulk-order-done {"name":"Player","player":"5170925570","players":2,"done":2,"all":2}',
    ...['', 'bulk-order-player {"name":"Player","player":"5170925570"}', LINES[0]],
    ...['', 'bulk-order-player {"name":"Other","player":"5170925571"}', LINES[0]],
    ...STOCK,
  ]);
  expect(wordButtons(shown.keyboard ?? {}).at(-1)).toEqual([
    expect.stringMatching(/^button-again-all .* -> bulk-order-again:order$/),
  ]);
});
