// /redeem and the buttons of redemptions: where each leads, what is begun and kept, and what is told where nothing is begun.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
} from '../../../test/harness/bot-words.ts';
import { createManualClock } from '../../clock.ts';
import { CoreError } from '../../core/index.ts';
import { createGames } from '../../core/games.ts';
import type { Confirmation, KeptWithAction } from '../../store/bot-store.ts';
import { createRedeem } from './redeem.ts';
import { createBulkOrder } from './bulk-order.ts';

const gameOf = (id: string, denominations: number[], database = true) => ({
  ...{ id, currency: 'UC', denominations, database, receipts: 'account' as const },
  codePattern: '^[A-Za-z0-9]{12,32}$',
});
const STOCKED = gameOf('stocked', [60, 325]);
const SENT = gameOf('sent', [], false);
const CODE = '60SAAAAAAAAAAAAA';
const PLAYER = { playerId: '5170925570', name: 'Ann' };
const NOW = 15 * 60 * 1000;

interface World {
  games?: (typeof STOCKED)[];
  confirmation?: object;
  found?: object | undefined;
  facts?: object;
  begun?: object | Error;
  order?: object;
  isStopped?: boolean;
  role?: string;
  character?: object;
}

async function handle(event: string, world: World = {}) {
  const { games = [STOCKED, SENT], begun = { status: 'begun', redemptionId: 3 }, role = 'owner' } = world;
  const did: unknown[] = [];
  const note = (...what: unknown[]) => soon(() => void did.push(what));
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(NOW),
    ids: { secret: () => 'idididid' },
    store: {
      confirmations: {
        keep: ({ action, payload }: Confirmation) => {
          const { madeIn: _account, ...order } = JSON.parse(payload) as Record<string, unknown>;
          return note(action, order);
        },
        find: () => world.confirmation,
      },
      keepWithAction: (rows: KeptWithAction) => note('kept', rows),
      inTransaction: (rows: (what: object) => object) => rows({ redemptionId: 3, id: 3, state: 'failed' }),
      orders: {
        find: () => world.order,
        stop: (id: string) => note('stop', id).then(() => world.isStopped ?? true),
      },
    },
    core: {
      games: createGames(games),
      accounts: { timeZoneOf: () => 'UTC' },
      health: { isSandbox: false },
      members: { findActor: () => undefined },
      codes: { countAvailable: () => new Map([[60, 3]]) },
      findRecentDuplicate: () => undefined,
      findNamed: () => undefined,
      lastGame: () => undefined,
      findCharacter: () => soon(() => world.character ?? { status: 'found', name: 'Ann' }),
      receipts: { find: () => world.found },
      receiptDetails: () => world.facts ?? {},
      beginRedemption: (_actor: object, order: object) =>
        note('begin', order).then(() => {
          if (begun instanceof Error) throw begun;
          return begun;
        }),
    },
  };
  const liveMessages = { begin: (liveMessage: object) => void did.push(['liveMessage', liveMessage]) };
  const runner = { begin: (id: string) => void did.push(['run', id]) };
  const actor = { kind: 'member', accountId: 1, telegramId: 5, role };
  const conversation = {
    active: () => ({}),
    enter: (name: string, given: unknown) => note('enter', name, given),
  };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const { ctx, said } = create(event, { actor, conversation });
  for (const { handlers } of [
    createRedeem(deps as never, liveMessages as never),
    createBulkOrder(deps as never, runner as never),
  ])
    await handlers.middleware()(ctx, () => Promise.resolve());
  // Of each message its first words, and what its buttons carry.
  const told = said.map(([how, words, ...rows]) => [
    how,
    words?.split(/[ \n]/)[0],
    ...rows.flat().map((button) => button.split(' -> ').at(-1)),
  ]);
  return { told, did };
}

const enters = (given: object) => ['enter', 'redeem', given];
const TAP = ['tap', undefined];
const LAST = (action: string) => ['reply', 'redeem-confirm', `${action}:idididid`, `no:${action}:idididid`];
test.each<[command: string, world: World, told: unknown[], did: unknown[]]>([
  ['/redeem', {}, [], [enters({})]],
  ['/redeem 5170925570', {}, [], [enters({ playerId: '5170925570' })]],
  ['/redeem 517-092-55-70', {}, [], [enters({ playerId: '5170925570' })]],
  ['/redeem Ann', {}, [['reply', 'redeem-usage']], []],
  ['/redeem 517x 60', {}, [['reply', 'redeem-usage']], []],
  [`/redeem 5170925570 ${CODE}`, {}, [], [enters({ playerId: '5170925570', wanted: CODE })]],
  [
    '/redeem 5170925570 what',
    { games: [STOCKED] },
    [],
    [enters({ gameId: 'stocked', playerId: '5170925570', wanted: 'what' })],
  ],
  [
    '/redeem 5170925570 60',
    {},
    [LAST('redeem-now')],
    [['redeem-now', { gameId: 'stocked', player: PLAYER, denomination: 60, warnedOf: 0 }]],
  ],
  [
    `/redeem 5170925570 ${CODE}`,
    { games: [SENT] },
    [LAST('redeem-now')],
    [['redeem-now', { gameId: 'sent', player: PLAYER, code: CODE }]],
  ],
  [
    '/redeem 5170925570 60',
    { character: { status: 'notFound' } },
    [['reply', 'redeem-player-unknown', 'go:redeem']],
    [],
  ],
  ['/redeem', { role: 'support' }, [['reply', 'refusal-for-operator']], []],
])('%s at %j', async (command, world, told, did) => {
  expect(await handle(command, world)).toEqual({ told, did });
});

test('several denominations behind the command are one order', async () => {
  const { told, did } = await handle('/redeem 5170925570 60 60', { games: [STOCKED] });
  expect(told).toEqual([LAST('redeem-all')]);
  const items = [{ denomination: 60, count: 2 }];
  expect(did).toEqual([
    ['redeem-all', { gameId: 'stocked', lines: [{ player: PLAYER, items }], warnedOf: 0 }],
  ]);
});

const confirmationOf = (action: string, payload: object, changes: object = {}) => ({
  ...{ id: 'idididid', chatId: 5, userId: 5, action, expiresAt: NOW + 1, takenBy: null },
  payload: JSON.stringify({ ...payload, madeIn: 1 }),
  ...changes,
});
const ORDER = { gameId: 'stocked', player: PLAYER, denomination: 60, warnedOf: 2 };
const CONFIRMATION = confirmationOf('redeem-now', ORDER);
const USED = { id: 'idididid', updateId: 77 };
const LIVE = {
  ...{ chatId: 5, messageId: 8, telegramId: 5, language: 'en', orderKey: 'idididid', redemptionId: 3 },
};
const SHOWS = {
  ...{ key: 'result:idididid', chatId: 5, redemptionId: 3 },
  content: JSON.stringify({
    ...{ view: 'redemption', of: { id: 3 }, telegramId: 5, language: 'en', messageId: 8 },
  }),
};
const BEGIN = (changes: object = {}) => [
  'begin',
  {
    ...{ gameId: 'stocked', playerId: '5170925570', playerName: 'Ann', denomination: 60 },
    ...{ idempotencyKey: { scope: 'chat', key: 'idididid' }, unlessDuplicate: { warnedOf: 2 } },
    inTransaction: { confirmation: USED, messages: [SHOWS] },
    ...changes,
  },
];

test('the last button begins it once, and it is watched', async () => {
  const press = (confirmation: object) => handle('redeem-now:idididid', { confirmation });
  expect(await press(CONFIRMATION)).toEqual({ told: [TAP], did: [BEGIN(), ['liveMessage', LIVE]] });
  expect(await press({ ...CONFIRMATION, takenBy: 77 })).toEqual({ told: [TAP], did: [] });
  const { warnedOf: _warnedOf, ...older } = ORDER;
  expect((await press(confirmationOf('redeem-now', older))).did[0]).toEqual(
    BEGIN({ unlessDuplicate: { warnedOf: 0 } }),
  );
});

test.each<[what: string, begun: object | Error, told: unknown[]]>([
  [
    'no activation',
    { status: 'quotaExceeded', retryAfterSeconds: 60 },
    ['edit 8', 'redeem-quota', 'go:buy_activations'],
  ],
  [
    'too many refusals',
    { status: 'tooManyBadRequests', retryAfterSeconds: 9 },
    ['edit 8', 'redeem-refused-too-often'],
  ],
  [
    'no subscription',
    new CoreError('SUBSCRIPTION_EXPIRED', 'It has ended.'),
    ['edit 8', 'subscription-needed', 'go:subscribe'],
  ],
  ['no such right', new CoreError('FORBIDDEN', 'Not for this role.'), ['edit', 'refusal-role']],
])('where there is %s nothing is begun', async (_what, begun, told) => {
  const answer = await handle('redeem-now:idididid', { confirmation: CONFIRMATION, begun });
  expect(answer).toEqual({ told: [TAP, told], did: [BEGIN()] });
});

test('what the player has just got is asked once more', async () => {
  const { told, did } = await handle('redeem-now:idididid', {
    confirmation: CONFIRMATION,
    begun: { status: 'recentDuplicate' },
  });
  expect(told).toEqual([TAP, ['edit 8', ...LAST('redeem-now').slice(1)]]);
  expect(did).toEqual([BEGIN(), ['redeem-now', { ...ORDER, warnedOf: 0 }]]);
});

test.each([new CoreError('STOPPING', 'Stopping.'), new Error('no disk')])(
  '%s is not met here',
  async (begun) => {
    await expect(handle('redeem-now:idididid', { confirmation: CONFIRMATION, begun })).rejects.toThrow(
      begun.message,
    );
  },
);

test.each<[what: string, payload: object, told: unknown[], kept: unknown[]]>([
  ['one', ORDER, ['edit 8', ...LAST('redeem-now').slice(1)], ['redeem-now', { ...ORDER, warnedOf: 0 }]],
  [
    'a code',
    { gameId: 'sent', player: PLAYER, code: CODE },
    ['edit 8', ...LAST('redeem-now').slice(1)],
    ['redeem-now', { gameId: 'sent', player: PLAYER, code: CODE }],
  ],
])('a confirmation of %s that is too old becomes a fresh one', async (_what, payload, told, kept) => {
  const confirmation = confirmationOf('redeem-now', payload, { expiresAt: NOW });
  expect(await handle('redeem-now:idididid', { confirmation })).toEqual({
    told: [['alert', 'redeem-expired-tap'], told],
    did: [kept],
  });
});

test.each<[what: string, confirmation: object | undefined, words: string]>([
  ['that nobody knows', undefined, 'confirmation-unknown'],
  ['of another', { ...CONFIRMATION, userId: 6 }, 'confirmation-not-yours'],
])('a confirmation %s stays as it is', async (_what, confirmation, words) => {
  const world = confirmation ? { confirmation } : {};
  expect(await handle('redeem-now:idididid', world)).toEqual({ told: [['alert', words]], did: [] });
});

const REDEMPTION = {
  id: 7,
  gameId: 'stocked',
  playerId: '5170925570',
  playerName: 'Ann',
  mode: 'database',
  denomination: 60,
};
const { playerName: _name, ...NAMELESS } = REDEMPTION;
const DIRECT = { ...REDEMPTION, mode: 'direct', denomination: undefined, code: CODE };
const UNTOUCHED = { code: 'untouched' };
const KNOWN = { gameId: 'stocked', direct: false, player: PLAYER };

test.each<[data: string, found: object | undefined, facts: object, told: unknown[], did: unknown[]]>([
  ['redeem:again:7', undefined, {}, [['alert', 'receipt-unknown']], []],
  ['redeem:again:7', { ...REDEMPTION, gameId: 'gone' }, {}, [['alert', 'receipt-unknown']], []],
  ['redeem:player:7', REDEMPTION, {}, [TAP], [enters({ gameId: 'stocked', wanted: '60' })]],
  ['redeem:player:7', { ...REDEMPTION, denomination: undefined }, {}, [TAP], [enters({ gameId: 'stocked' })]],
  ['redeem:player:7', DIRECT, UNTOUCHED, [TAP], [enters({ gameId: 'stocked', wanted: CODE })]],
  ['redeem:player:7', DIRECT, {}, [TAP], [enters({ gameId: 'stocked' })]],
  ['redeem:change:7', REDEMPTION, {}, [TAP], [enters(KNOWN)]],
  ['redeem:change:7', DIRECT, {}, [TAP], [enters({ ...KNOWN, direct: true })]],
  [
    'redeem:change:7',
    NAMELESS,
    {},
    [TAP],
    [enters({ gameId: 'stocked', direct: false, playerId: '5170925570' })],
  ],
  ['redeem:again:7', DIRECT, {}, [TAP], [enters({ ...KNOWN, direct: true })]],
  [
    'redeem:again:7',
    NAMELESS,
    {},
    [TAP],
    [enters({ gameId: 'stocked', direct: false, playerId: '5170925570', wanted: '60' })],
  ],
  [
    'redeem:again:7',
    DIRECT,
    UNTOUCHED,
    [TAP, LAST('redeem-now')],
    [['redeem-now', { gameId: 'stocked', player: PLAYER, code: CODE }]],
  ],
  [
    'redeem:again:7',
    REDEMPTION,
    {},
    [TAP, LAST('redeem-now')],
    [['redeem-now', { gameId: 'stocked', player: PLAYER, denomination: 60, warnedOf: 0 }]],
  ],
])('%s of %j', async (data, found, facts, told, did) => {
  expect(await handle(data, { found, facts })).toEqual({ told, did });
});

const itemOf = (denomination: number, redemptionId: number | null) => ({
  ...{ playerId: '5170925570', playerName: 'Ann', denomination, redemptionId },
  state: redemptionId === null ? null : 'redeemed',
});
const BULK_ORDER = {
  ...{
    id: 'idididid',
    telegramId: 5,
    accountId: 1,
    gameId: 'stocked',
    playerId: '5170925570',
    playerName: 'Ann',
  },
  items: [itemOf(60, 1), itemOf(60, null), itemOf(325, null)],
};

const SHORT = ['d60', 'code', 'gsent', 'other']
  .map((choice) => `card:idididid:${choice}`)
  .concat('no:card:idididid');
const CARD_OF = (count: number) => [
  'card',
  {
    ...{ gameId: 'stocked', player: PLAYER },
    items: [
      { denomination: 60, count },
      { denomination: 325, count: 1 },
    ],
  },
];

const ANN = { playerId: '5170925570', playerName: 'Ann' };

test('an order of several is kept with its taken confirmation, once, and carried out', async () => {
  const items = [
    { denomination: 60, count: 2 },
    { denomination: 325, count: 1 },
  ];
  const lines = [{ player: PLAYER, items }];
  const confirmation = confirmationOf('redeem-all', { gameId: 'stocked', lines, warnedOf: 4 });
  const order = {
    ...{ id: 'idididid', accountId: 1, telegramId: 5, language: 'en', chatId: 5, messageId: 8 },
    ...{ gameId: 'stocked', warnedOf: 4 },
    items: [60, 60, 325].map((denomination) => ({ ...ANN, denomination })),
  };
  const run = ['run', 'idididid'];
  expect(await handle('redeem-all:idididid', { confirmation })).toEqual({
    told: [TAP],
    did: [['kept', { confirmation: USED, order }], run],
  });
  expect(
    (await handle('redeem-all:idididid', { confirmation: { ...confirmation, takenBy: 77 } })).did,
  ).toEqual([run]);
  const old = await handle('redeem-all:idididid', { confirmation: { ...confirmation, expiresAt: NOW } });
  expect(old.told.map(([how, words]) => [how, words])).toEqual([
    ['alert', 'redeem-expired-tap'],
    ['edit 8', 'redeem-card'],
  ]);
});

test.each<[data: string, world: World, told: unknown[], did: unknown[]]>([
  [
    'bulk-order-stop:idididid',
    { order: BULK_ORDER },
    [['tap', 'bulk-order-stop-tap']],
    [
      ['stop', 'idididid'],
      ['run', 'idididid'],
    ],
  ],
  [
    'bulk-order-stop:idididid',
    { order: BULK_ORDER, isStopped: false },
    [['tap', 'bulk-order-over-tap']],
    [
      ['stop', 'idididid'],
      ['run', 'idididid'],
    ],
  ],
  ['bulk-order-stop:idididid', {}, [['alert', 'confirmation-unknown']], []],
  [
    'bulk-order-stop:idididid',
    { order: { ...BULK_ORDER, telegramId: 6 } },
    [['alert', 'confirmation-not-yours']],
    [],
  ],
  [
    'bulk-order-stop:idididid',
    { order: { ...BULK_ORDER, accountId: 2 } },
    [['alert', 'confirmation-not-yours']],
    [],
  ],
  ['bulk-order-rest:idididid', {}, [['alert', 'confirmation-unknown']], []],
  [
    'bulk-order-rest:idididid',
    { order: BULK_ORDER, role: 'support' },
    [['alert', 'refusal-for-operator']],
    [],
  ],
  // There are three of 60 and none of 325.
  [
    'bulk-order-rest:idididid',
    { order: BULK_ORDER },
    [TAP, ['reply', 'redeem-card', ...SHORT]],
    [CARD_OF(1)],
  ],
  [
    'bulk-order-again:idididid',
    { order: BULK_ORDER },
    [TAP, ['reply', 'redeem-card', ...SHORT]],
    [CARD_OF(2)],
  ],
])('%s at %j', async (data, world, told, did) => {
  expect(await handle(data, world)).toEqual({ told, did });
});
