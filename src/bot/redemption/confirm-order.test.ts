// The last confirmation: what it orders, what it says, and of what it warns.
import { expect, test } from 'vitest';

import { createRecordedContext, KEYS_FOR_WORDS, soon } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { BotDeps } from '../context.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import type { OrderItem } from '../../core/index.ts';
import { askToRedeem, toAsked, type RedeemSelection } from './confirm-order.ts';

const MINUTE_MS = 60_000;
const NOW = 1_000 * MINUTE_MS;
const PLAYER = { playerId: '5170925570', name: 'Player' };
const GAME = { gameId: 'game_id_1' };
const linesOf = (...items: OrderItem[]) => ({ lines: [{ player: PLAYER, items }] });
const DOER = { kind: 'member', telegramId: 6, name: 'Staff' };

interface World {
  /** Redemptions of the same, by denomination. */
  same?: Record<number, { redemptionId: number; createdAt: number; state: string }>;
  /** Those that this person may see. */
  visible?: number[];
  actorLabel?: object;
}

async function ask(
  asked: RedeemSelection,
  { same = {}, visible = [], actorLabel = DOER }: World = {},
  place?: object,
) {
  const kept: Confirmation[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(NOW),
    ids: { secret: () => 'id' },
    store: {
      confirmations: { save: (confirmation: Confirmation) => soon(() => void kept.push(confirmation)) },
    },
    core: {
      games: TEST_GAMES,
      members: { findActor: () => undefined },
      findRecentDuplicate: (_actor: object, { denomination }: { denomination: number }) =>
        same[denomination] && { ...same[denomination], actorLabel },
      receipts: { find: (_actor: object, id: number) => (visible.includes(id) ? {} : undefined) },
    },
  };
  const { ctx, said } = createRecordedContext();
  await askToRedeem(fake(deps) satisfies BotDeps, ctx, asked, place);
  const [confirmation] = kept;
  const order = JSON.parse(confirmation?.payload ?? '{}') as Record<string, unknown>;
  delete order['madeIn'];
  return { said, action: confirmation?.action, order };
}

const TITLE = 'redeem-confirm {"game":"game_id_1","name":"Player","player":"5170925570"}';
const costOf = (count: number) => `redeem-confirm-cost {"count":${count}}`;
const rowOf = (action: string, label = 'button-redeem') => [
  `${label} -> ${action}:id`,
  `button-cancel -> no:${action}:id`,
];

test.each<[what: string, wanted: object, action: string, order: object, line: string, count: number]>([
  [
    'one of the stock',
    linesOf({ denomination: 60, count: 1 }),
    'redeem-now',
    { player: PLAYER, denomination: 60, warnedOf: 0 },
    'redeem-confirm-stock {"what":"60 UC","count":1}',
    1,
  ],
  [
    'two of the stock',
    linesOf({ denomination: 60, count: 2 }),
    'redeem-all',
    { ...linesOf({ denomination: 60, count: 2 }), warnedOf: 0 },
    'redeem-confirm-stock {"what":"60 UC × 2","count":2}',
    2,
  ],
  [
    'different ones',
    linesOf({ denomination: 60, count: 1 }, { denomination: 325, count: 1 }),
    'redeem-all',
    { ...linesOf({ denomination: 60, count: 1 }, { denomination: 325, count: 1 }), warnedOf: 0 },
    'redeem-confirm-stock {"what":"60 UC, 325 UC","count":2}',
    2,
  ],
  [
    'a code',
    { player: PLAYER, code: '60SABC' },
    'redeem-now',
    { player: PLAYER, code: '60SABC' },
    'redeem-confirm-code {"code":"60SABC"}',
    1,
  ],
])('%s is asked for once more', async (_what, wanted, action, order, line, count) => {
  const asked = { ...GAME, ...wanted } as RedeemSelection;
  expect(await ask(asked)).toEqual({
    said: [['reply', [TITLE, line, costOf(count)].join('\n'), rowOf(action)]],
    action,
    order: { ...GAME, ...order },
  });
  expect(toAsked(fake({ ...GAME, ...order }))).toEqual(asked);
});

test('it takes the place of a message, with rows below its own', async () => {
  const more = [[{ text: 'other', callback_data: 'card:id:g' }]];
  const { said } = await ask({ ...GAME, player: PLAYER, code: 'x' }, {}, { messageId: 8, more });
  expect(said.map(([how, , ...rows]) => [how, rows])).toEqual([
    ['edit 8', [rowOf('redeem-now'), ['other -> card:id:g']]],
  ]);
});

test.each<[ago: number, state: string, words: string]>([
  [
    0,
    'pending',
    'redeem-same-pending {"what":"60 UC","who":"Staff","ago":"redeem-minutes-ago {\\"minutes\\":0}"}',
  ],
  [
    -MINUTE_MS,
    'redeemed',
    'redeem-same-redeemed {"what":"60 UC","who":"Staff","ago":"redeem-minutes-ago {\\"minutes\\":0}"}',
  ],
  [
    60 * MINUTE_MS - 1,
    'in_doubt',
    'redeem-same-in-doubt {"what":"60 UC","who":"Staff","ago":"redeem-minutes-ago {\\"minutes\\":59}"}',
  ],
  [
    60 * MINUTE_MS,
    'redeemed',
    'redeem-same-redeemed {"what":"60 UC","who":"Staff","ago":"redeem-hours-ago {\\"hours\\":1}"}',
  ],
  [
    179 * MINUTE_MS,
    'redeemed',
    'redeem-same-redeemed {"what":"60 UC","who":"Staff","ago":"redeem-hours-ago {\\"hours\\":2}"}',
  ],
])('of the same %i ms ago, %s by now, it warns', async (ago, state, words) => {
  const same = { 60: { redemptionId: 7, createdAt: NOW - ago, state } };
  const items = [{ denomination: 60, count: 1 }];
  const line = 'redeem-confirm-stock {"what":"60 UC","count":1}';
  for (const visible of [[], [7]]) {
    const { said, order } = await ask({ ...GAME, ...linesOf(...items) }, { same, visible });
    const warning = `\n${words}${visible.length > 0 ? ' /receipt_7' : ''}`;
    expect(said).toEqual([
      [
        'reply',
        [TITLE, line, costOf(1), warning].join('\n'),
        ...rowOf('redeem-now', 'button-redeem-again').map((button) => [button]),
      ],
    ]);
    expect(order).toMatchObject({ warnedOf: 7 });
  }
});

test('of several, each is warned of, and the newest is kept', async () => {
  const sameOf = (redemptionId: number) => ({ redemptionId, createdAt: NOW, state: 'redeemed' });
  const items = [60, 325, 660].map((denomination) => ({ denomination, count: 1 }));
  const { said, order } = await ask(
    { ...GAME, ...linesOf(...items) },
    { same: { 60: sameOf(9), 660: sameOf(7) } },
  );
  expect(said[0]?.[1]?.match(/redeem-same-redeemed \{"what":"[^"]*"/g)).toEqual([
    'redeem-same-redeemed {"what":"60 UC"',
    'redeem-same-redeemed {"what":"660 UC"',
  ]);
  expect(order).toMatchObject({ warnedOf: 9 });
});

test('of a code that was sent nothing is warned', async () => {
  const same = { 60: { redemptionId: 7, createdAt: NOW, state: 'redeemed' } };
  expect((await ask({ ...GAME, player: PLAYER, code: '60SABC' }, { same })).said[0]?.[1]).not.toContain(
    'redeem-same',
  );
});

const OTHER = { playerId: '5170925571', name: 'Other' };
const TWO = {
  ...GAME,
  lines: [
    { player: PLAYER, items: [{ denomination: 60, count: 2 }] },
    { player: OTHER, items: [{ denomination: 325, count: 1 }] },
  ],
};

test('for several players it has a line each, what each has just got under it, and is ordered at once or one by one', async () => {
  const lines = [
    'redeem-confirm-lines {"game":"game_id_1","players":2,"count":3}',
    '',
    'redeem-confirm-line {"name":"Player","player":"5170925570","what":"60 UC × 2"}',
    'redeem-confirm-line {"name":"Other","player":"5170925571","what":"325 UC"}',
    ...['', costOf(3)],
  ];
  const each = ['button-one-by-one -> one-by-one:redeem-all:id'];
  const asked = await ask(TWO);
  expect(asked).toEqual({
    said: [['reply', lines.join('\n'), rowOf('redeem-all', 'button-redeem-all'), each]],
    action: 'redeem-all',
    order: { ...TWO, warnedOf: 0 },
  });
  expect(toAsked({ ...TWO, warnedOf: 0 })).toEqual(TWO);
  const same = { 325: { redemptionId: 7, createdAt: NOW, state: 'redeemed' } };
  const warned = await ask(TWO, { same });
  expect(warned.said[0]?.[1]?.split('\n')[4]).toMatch(/^redeem-same-redeemed \{"what":"325 UC"/);
  expect(warned.said[0]?.[2]).toEqual(rowOf('redeem-all', 'button-redeem-all-again').slice(0, 1));
  expect(warned.order).toMatchObject({ warnedOf: 7 });
});

test('what has no room in one message is asked about for each player', async () => {
  const player = (n: number) => ({ playerId: `517092557${n}`, name: '"'.repeat(64) });
  const lines = Array.from({ length: 10 }, (_, n) => ({
    player: player(n),
    items: [{ denomination: 60, count: 1 }],
  }));
  const same = { 60: { redemptionId: 7, createdAt: NOW, state: 'redeemed' } };
  const { said } = await ask({ ...GAME, lines }, { same, actorLabel: { ...DOER, name: '"'.repeat(64) } });
  expect(said).toHaveLength(10);
  expect(said.every(([, , row]) => row?.[0] === 'button-redeem-again -> redeem-now:id')).toBe(true);
});
