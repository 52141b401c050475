// What is asked of whoever takes codes out, and what each answer leads to.
import { expect, test } from 'vitest';

import { holdTalk, TALK_IDS, type Heard } from '../../../test/harness/bot-talk.ts';
import { soon } from '../../../test/harness/bot-words.ts';
import { createExtractCodesConversation, type ExtractOrder } from './extract-codes-conversation.ts';

const gameOf = (id: string) => ({ id, currency: 'UC', denominations: [60, 325, 660] });

interface World {
  games?: string[];
  stock?: [number, number][];
  isBroken?: boolean;
  actor?: object | undefined;
}

async function hold(given: object, hears: readonly Heard[], world: World = {}) {
  const { games = ['game_id_1'], isBroken = false } = world;
  const stock = world.stock ?? [
    [60, 5],
    [325, 0],
    [660, 120],
  ];
  const asked: ExtractOrder[] = [];
  const managed = games.map(gameOf);
  const core = {
    games: { managed, find: (id: string) => managed.find((game) => game.id === id) },
    codes: { countAvailable: () => new Map(stock) },
  };
  const entry = createExtractCodesConversation({ core, ids: TALK_IDS } as never, (_ctx, order) =>
    isBroken ? Promise.reject(new Error('no disk')) : soon(() => void asked.push(order)),
  );
  const fields = 'actor' in world ? { actor: world.actor } : {};
  return { ...(await holdTalk(entry, { given, hears, fields })), asked };
}

const orderOf = (denomination: number, amount: number, gameId = 'game_id_1') => ({
  gameId,
  denomination,
  amount,
});
const STOCK_KEY = (denomination: number) =>
  `codes-stock-key {\\"denomination\\":\\"${denomination}\\",\\"currency\\":\\"UC\\"}`;
const stockKeyButton = (denomination: number, available: number) => [
  `button-stock-key-available {"stockKey":"${STOCK_KEY(denomination)}","available":"${available}"} -> talk:n:denomination-${denomination}`,
];
const STOCK_KEYS = [stockKeyButton(60, 5), stockKeyButton(660, 120)];
const WHICH = ['reply', 'extract-which {"amount":""}', ...STOCK_KEYS];
/** The last of them is all that there are. */
const counts = (...proposed: number[]) =>
  proposed.map((count, at) => {
    const all = `button-take-all {"count":"${count}"}`;
    return `${at === proposed.length - 1 ? all : count} -> talk:n:count-${count}`;
  });
const HOW_MANY = (key: string, denomination: number, available: number, ...proposed: number[]) => [
  'reply',
  `${key} {"stockKey":"${STOCK_KEY(denomination)}","available":${available}}`,
  counts(...proposed),
];
const OF_60 = HOW_MANY('extract-how-many', 60, 5, 1, 5);
const TAP = ['tap', undefined];
const GAME = { gameId: 'game_id_1' };

test.each<[what: string, given: object, hears: Heard[], said: unknown[], asked: ExtractOrder]>([
  ['nothing, where all is known', { ...GAME, denomination: 60, amount: 9 }, [], [], orderOf(60, 9)],
  [
    'both by buttons',
    GAME,
    [{ choice: 'denomination-60' }, { choice: 'count-5' }],
    [WHICH, TAP, OF_60, TAP],
    orderOf(60, 5),
  ],
  [
    'both in words',
    GAME,
    [{ text: '660 UC' }, { text: ' 7 ' }],
    [WHICH, HOW_MANY('extract-how-many', 660, 120, 1, 10, 50, 100, 120)],
    orderOf(660, 7),
  ],
  [
    'all of them in words',
    { ...GAME, denomination: 660 },
    [{ text: ' Все' }],
    [HOW_MANY('extract-how-many', 660, 120, 1, 10, 50, 100, 120)],
    orderOf(660, 120),
  ],
  [
    'again, what is not there',
    GAME,
    [
      { text: '325' },
      { choice: 'denomination-325' },
      {},
      { choice: 'denomination-60' },
      { choice: 'count-1' },
    ],
    [
      WHICH,
      ['reply', 'extract-which', ...STOCK_KEYS],
      TAP,
      ['reply', 'extract-which', ...STOCK_KEYS],
      TAP,
      OF_60,
      TAP,
    ],
    orderOf(60, 1),
  ],
  [
    'another than the one that is not there',
    { ...GAME, denomination: 325 },
    [{ choice: 'denomination-660' }, { choice: 'count-100' }],
    [
      ['reply', 'extract-which-instead {"amount":"325"}', ...STOCK_KEYS],
      TAP,
      HOW_MANY('extract-how-many', 660, 120, 1, 10, 50, 100, 120),
      TAP,
    ],
    orderOf(660, 100),
  ],
  [
    'again, what is no number',
    { ...GAME, denomination: 60, amount: 0 },
    [{ text: 'many' }, { text: '0' }, {}, { choice: 'denomination-60' }, { text: '1' }],
    [OF_60, ...Array<unknown>(3).fill(HOW_MANY('extract-how-many-again', 60, 5, 1, 5)), TAP],
    orderOf(60, 1),
  ],
])('is asked for: %s', async (_what, given, hears, said, asked) => {
  expect(await hold(given, hears)).toEqual({ said, asked: [asked], end: 'over' });
});

const GAMES = [
  ['game-name {"game":"game_id_1"} -> talk:n:game-game_id_1'],
  ['game-name {"game":"game_id_2"} -> talk:n:game-game_id_2'],
];

test('of several games the one that is meant is asked for, by button and in words', async () => {
  const world = { games: ['game_id_1', 'game_id_2'] };
  const given = { denomination: 60, amount: 2 };
  const question = ['reply', 'codes-which-game', ...GAMES];
  expect(await hold(given, [{ choice: 'game-game_id_2' }], world)).toEqual({
    ...{ said: [question, TAP], asked: [orderOf(60, 2, 'game_id_2')], end: 'over' },
  });
  const again = ['reply', 'codes-which-game-again', ...GAMES];
  expect(
    await hold(given, [{ text: 'x' }, { choice: 'denomination-60' }, { text: 'GAME_ID_1 ' }], world),
  ).toEqual({
    ...{ said: [question, again, TAP, again], asked: [orderOf(60, 2)], end: 'over' },
  });
});

test.each<[what: string, given: object, world: World, words: string]>([
  ['no game keeps codes', {}, { games: [] }, 'codes-no-game'],
  ['the stock is empty', GAME, { stock: [[60, 0]] }, 'extract-empty {"game":"game_id_1"}'],
  ['they were removed', GAME, { actor: undefined }, 'refusal-stranger'],
  ['it cannot be asked', { ...GAME, denomination: 60, amount: 1 }, { isBroken: true }, 'error-conversation'],
])('nothing is asked where %s', async (_what, given, world, words) => {
  expect(await hold(given, [], world)).toEqual({ said: [['reply', words]], asked: [], end: 'over' });
});

test('the only game is asked for by nobody', async () => {
  expect((await hold({ denomination: 60, amount: 1 }, [])).asked).toEqual([orderOf(60, 1)]);
});

test('sixty denominations have a button', async () => {
  const stock = Array.from({ length: 61 }, (_, n): [number, number] => [n + 1, 1]);
  const { said, end } = await hold(GAME, [], { stock });
  expect([said[0]?.slice(2).length, said[0]?.at(-1), end]).toEqual([60, stockKeyButton(60, 1), 'waiting']);
});
