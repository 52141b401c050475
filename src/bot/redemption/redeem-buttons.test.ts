// /redeem and the buttons of redemptions: where each leads, what is begun and kept, and what is told where nothing is begun.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import { CoreError } from '../../core/index.ts';
import { createGames } from '../../core/games.ts';
import type { Confirmation, ActionRows } from '../../store/bot-store.ts';
import { createRedeem } from './redeem.ts';
import { createSeveral } from './several.ts';

const gameOf = (id: string, denominations: number[], database = true) => ({
  ...{ id, currency: 'UC', denominations, database, receipts: 'account' as const },
  codePattern: '^[A-Za-z0-9]{12,32}$',
});
const STOCKED = gameOf('stocked', [60, 325]);
const SENT = gameOf('sent', [], false);
const CODE = '60SAAAAAAAAAAAAA';
const PLAYER = { playerId: '5170925570', name: 'Ann' };
const NOW = 15 * 60 * 1000;
const PRESS = { order: 'ord_12345678', news: 'order-news:1' };

interface World {
  games?: (typeof STOCKED)[];
  confirmation?: object;
  found?: object | undefined;
  facts?: object;
  begun?: object | Error;
  /** The orders of a press. */
  orders?: object[];
  pressed?: object;
  role?: string;
  character?: object;
}

type Rows = (of: object) => object;

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
        save: ({ action, payload }: Confirmation) => {
          const { madeIn: _account, ...order } = JSON.parse(payload) as Record<string, unknown>;
          return note(action, order);
        },
        find: () => world.confirmation,
      },
      saveAction: (rows: ActionRows) => note('kept', rows),
      inTransaction: (rows: Rows) => rows,
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
      beginRedemption: (_actor: object, { inTransaction, ...order }: { inTransaction: Rows }) =>
        note('begin', { ...order, inTransaction: inTransaction({ redemptionId: 3 }) }).then(() => {
          if (begun instanceof Error) throw begun;
          return begun;
        }),
      orders: {
        cancel: (_actor: object, id: string) => note('cancel', id),
        find: (_actor: object, id: string) =>
          (world.orders as (typeof OF_PRESS)[] | undefined)?.find(({ order }) => order.id === id)?.order,
      },
      presses: {
        listOfPress: () => world.orders ?? [],
        findOfRedemption: () => (world.orders as (typeof OF_PRESS)[] | undefined)?.[0]?.order,
        placeTogether: (_actor: object, asked: object, rows: Rows) =>
          note('place', asked, rows(PRESS)).then(() => world.pressed ?? { status: 'pressed', press: PRESS }),
        resumeTogether: (_actor: object, asked: object) =>
          note('resume', asked).then(() => world.pressed ?? { status: 'pressed', press: PRESS }),
      },
    },
  };
  const liveMessages = { begin: (liveMessage: object) => void did.push(['liveMessage', liveMessage]) };
  const messages = { begin: (shown: object) => void did.push(['shows', shown]) };
  const actor = { kind: 'member', accountId: 1, telegramId: 5, role };
  const conversation = {
    active: () => ({}),
    enter: (name: string, given: unknown) => note('enter', name, given),
  };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const { ctx, said } = create(event, { actor, conversation });
  for (const { handlers } of [
    createRedeem(fake(deps), fake(liveMessages)),
    createSeveral(fake(deps), fake(messages)),
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

const ANN = { playerId: '5170925570', playerName: 'Ann' };
const OF_PRESS = {
  ...{ isStopping: false, isOwn: true },
  order: {
    ...{ id: 'ord_12345678', state: 'running', gameId: 'stocked', ...ANN },
    items: [60, 60, 325].map((denomination, index) => ({ n: index + 1, denomination, state: 'waiting' })),
  },
};
const endedAs = (state: string, missing: object[], more: object = {}) => ({
  ...OF_PRESS,
  order: { ...OF_PRESS.order, state, missing, endedAt: 5, standing: '1', ...more },
});
const MISSING = [
  { denomination: 60, count: 1 },
  { denomination: 325, count: 1 },
];

const SHORT = ['d60', 'code', 'gsent', 'other']
  .map((choice) => `card:idididid:${choice}`)
  .concat('no:card:idididid');
const CARD_OF = (count: number, more: object = {}) => [
  'card',
  {
    ...{ gameId: 'stocked', player: PLAYER },
    items: [
      { denomination: 60, count },
      { denomination: 325, count: 1 },
    ],
    ...more,
  },
];

const ITEMS = [
  { denomination: 60, count: 2 },
  { denomination: 325, count: 1 },
];
const CODES = { gameId: 'stocked', lines: [{ player: PLAYER, items: ITEMS }], warnedOf: 4 };
const ASKED = confirmationOf('redeem-all', CODES);
const READER = { telegramId: 5, language: 'en' };
const KEPT = {
  confirmation: USED,
  messages: [
    {
      ...{ key: 'result:idididid', chatId: 5, waitsFor: 'order-news:1' },
      content: JSON.stringify({ view: 'order', of: PRESS, ...READER, messageId: 8 }),
    },
    {
      ...{ key: 'result:idididid:codes', chatId: 5, waitsFor: 'order-news:1' },
      content: JSON.stringify({ view: 'order-codes', of: { ...PRESS, told: [] }, ...READER }),
    },
  ],
};
const PLACED = { id: 'idididid', gameId: 'stocked', lines: [{ ...ANN, items: ITEMS }], warnedOf: 4 };
const SHOWN = ['shows', { chatId: 5, messageId: 8, ...READER, order: 'ord_12345678' }];

test('an order of several is placed with its taken confirmation and its messages, once', async () => {
  expect(await handle('redeem-all:idididid', { confirmation: ASKED })).toEqual({
    told: [TAP],
    did: [['place', PLACED, KEPT], SHOWN],
  });
  const again = await handle('redeem-all:idididid', { confirmation: { ...ASKED, takenBy: 77 } });
  expect(again.did).toEqual([]);
  const old = await handle('redeem-all:idididid', { confirmation: { ...ASKED, expiresAt: NOW } });
  expect(old.told.map(([how, words]) => [how, words])).toEqual([
    ['alert', 'redeem-expired-tap'],
    ['edit 8', 'redeem-card'],
  ]);
});

test('what goes on is resumed under the id of its confirmation', async () => {
  const orders = [{ id: 'ord_12345678', seen: '1.ord_of_other.2' }];
  const rest = { orders, isResumed: true };
  const { did } = await handle('redeem-all:idididid', {
    confirmation: confirmationOf('redeem-all', { ...CODES, rest }),
  });
  expect(did).toEqual([['resume', { id: 'idididid', orders, warnedOf: 4 }], SHOWN]);
});

test.each<[pressed: object, words: string]>([
  [{ status: 'recentDuplicate' }, 'redeem-confirm'],
  [{ status: 'notEnoughStock', missing: [] }, 'redeem-card'],
  [{ status: 'quotaExceeded', retryAfterSeconds: 5 }, 'redeem-quota'],
  [{ status: 'tooManyOrders' }, 'order-too-many'],
  [{ status: 'notStopped' }, 'order-not-stopped'],
  [{ status: 'replaced', by: 'ord_of_other' }, 'redeem-confirm'],
])('where nothing was ordered, %j, it is said in place of the confirmation', async (pressed, words) => {
  const { told, did } = await handle('redeem-all:idididid', { confirmation: ASKED, pressed });
  expect(told.map(([how, said]) => [how, said])).toEqual([TAP, [expect.stringMatching(/^edit/), words]]);
  expect(did[0]).toEqual(['place', PLACED, KEPT]);
  expect(did).not.toContainEqual(SHOWN);
});

const resumed = { gameId: 'stocked', lines: [{ player: PLAYER, items: MISSING }], warnedOf: 0 };
const BESIDE = { replacedBy: 'ord_of_other', standing: '1.ord_of_other.2' };
/** The rest of an order that went on as another already. */
const restBeside = (isResumed: boolean) => [
  'redeem-all',
  {
    ...{ ...resumed, lines: [{ player: PLAYER, items: [MISSING[0]] }] },
    rest: { orders: [{ id: 'ord_12345678', seen: BESIDE.standing }], isResumed },
  },
];
test.each<[data: string, world: World, told: unknown[], did: unknown[]]>([
  ['stop', { orders: [OF_PRESS] }, [['tap', 'order-stop-tap']], [['cancel', 'ord_12345678']]],
  ['stop', { orders: [endedAs('done', [])] }, [['tap', 'order-over-tap']], []],
  ['stop', {}, [['alert', 'confirmation-unknown']], []],
  ['stop', { orders: [{ ...OF_PRESS, isOwn: false }] }, [['alert', 'confirmation-not-yours']], []],
  ['rest', {}, [['alert', 'confirmation-unknown']], []],
  ['rest', { orders: [OF_PRESS], role: 'support' }, [['alert', 'refusal-for-operator']], []],
  // There are three of 60 and none of 325: what stopped waits for them.
  [
    'rest',
    { orders: [endedAs('stopped', MISSING)] },
    [TAP, ['reply', 'order-rest-waits', ...LAST('redeem-all').slice(2)]],
    [['redeem-all', { ...resumed, rest: { orders: [{ id: 'ord_12345678', seen: '1' }], isResumed: true } }]],
  ],
  [
    'rest',
    { orders: [endedAs('stopped', [MISSING[0]!], BESIDE)] },
    [TAP, ['reply', 'order-replaced', ...LAST('redeem-all').slice(2)]],
    [restBeside(true)],
  ],
  [
    'rest',
    { orders: [endedAs('cancelled', MISSING)] },
    [TAP, ['reply', 'redeem-card', ...SHORT]],
    [CARD_OF(1, { rest: { orders: [{ id: 'ord_12345678' }], isResumed: false } })],
  ],
  [
    'rest',
    { orders: [endedAs('cancelled', [MISSING[0]!], BESIDE)] },
    [TAP, ['reply', 'order-replaced', ...LAST('redeem-all').slice(2)]],
    [restBeside(false)],
  ],
  ['again', { orders: [endedAs('done', [])] }, [TAP, ['reply', 'redeem-card', ...SHORT]], [CARD_OF(2)]],
])('order-%s at %j', async (what, world, told, did) => {
  expect(await handle(`order-${what}:ord_12345678`, world)).toEqual({ told, did });
});

const FAILED = { ...REDEMPTION, state: 'failed' };
test.each<[data: string, order: object, found: object, did: unknown[]]>([
  [
    'redeem:again:7',
    endedAs('stopped', [ITEMS[0]!]),
    FAILED,
    [
      'redeem-all',
      {
        ...{ gameId: 'stocked', lines: [{ player: PLAYER, items: [ITEMS[0]] }], warnedOf: 0 },
        rest: { orders: [{ id: 'ord_12345678', seen: '1' }], isResumed: true },
      },
    ],
  ],
  [
    'redeem:player:7',
    endedAs('stopped', [ITEMS[0]!]),
    FAILED,
    enters({
      ...{ gameId: 'stocked', wish: { items: [ITEMS[0]] } },
      rest: { orders: [{ id: 'ord_12345678' }], isResumed: false },
    }),
  ],
  ['redeem:change:7', endedAs('stopped', [ITEMS[0]!]), FAILED, enters(KNOWN)],
  // While it goes on, and of what it has redeemed, one alone.
  ['redeem:player:7', OF_PRESS, FAILED, enters({ gameId: 'stocked', wanted: '60' })],
  [
    'redeem:player:7',
    endedAs('stopped', [ITEMS[0]!]),
    { ...REDEMPTION, state: 'redeemed' },
    enters({ gameId: 'stocked', wanted: '60' }),
  ],
])('%s of a code of an order', async (data, order, found, did) => {
  expect((await handle(data, { found, orders: [order] })).did).toEqual([did]);
});
