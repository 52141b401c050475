// What is asked of whoever takes codes out, and what each answer leads to.
import { expect, test } from 'vitest';

import { holdConversation, type Heard } from '../../../test/harness/bot-prompts.ts';
import { soon } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createExtractCodesConversation, type WishToExtract } from './extract-codes-conversation.ts';

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
  const asked: WishToExtract[] = [];
  const managed = games.map(gameOf);
  const core = {
    games: { managed, find: (id: string) => managed.find((game) => game.id === id) },
    codes: { countAvailable: () => new Map(stock) },
  };
  const entry = createExtractCodesConversation(fake({ core }), (_ctx, order) =>
    isBroken ? Promise.reject(new Error('no disk')) : soon(() => void asked.push(order)),
  );
  const fields = 'actor' in world ? { actor: world.actor } : {};
  return { ...(await holdConversation(entry, { given, hears, fields })), asked };
}

const orderOf = (denomination: number, amount?: number, gameId = 'game_id_1') => ({
  gameId,
  denomination,
  amount,
});
const STOCK_KEY = (denomination: number) =>
  `codes-stock-key {\\"denomination\\":\\"${denomination}\\",\\"currency\\":\\"UC\\"}`;
const stockKeyButton = (denomination: number, available: number) => [
  `button-stock-key-available {"stockKey":"${STOCK_KEY(denomination)}","available":"${available}"} -> prompts:n:denomination-${denomination}`,
];
const STOCK_KEYS = [stockKeyButton(60, 5), stockKeyButton(660, 120)];
const WHICH = ['reply', 'extract-which {"amount":""}', ...STOCK_KEYS];
const HOW_MANY = ['reply', `extract-how-many-again {"stockKey":"${STOCK_KEY(60)}","available":5}`];
const TAP = ['tap', undefined];
const GAME = { gameId: 'game_id_1' };

type Row = [
  what: string,
  given: object,
  hears: Heard[],
  said: unknown[],
  asked: WishToExtract[],
  end?: string,
];

test.each<Row>([
  ['nothing, where all is known', { ...GAME, denomination: 60, amount: 9 }, [], [], [orderOf(60, 9)]],
  [
    'the denomination, by a button',
    GAME,
    [{ choice: 'denomination-60' }],
    [WHICH, TAP],
    [orderOf(60)],
    'waiting',
  ],
  ['the denomination, in words', GAME, [{ text: '660 UC' }], [WHICH], [orderOf(660)], 'waiting'],
  [
    'the denomination alone, where the amount was said',
    { ...GAME, amount: 3 },
    [{ choice: 'denomination-660' }],
    [WHICH, TAP],
    [orderOf(660, 3)],
  ],
  [
    'another amount than those of the buttons',
    { ...GAME, denomination: 660 },
    [{ text: ' 7 ' }],
    [],
    [orderOf(660), orderOf(660, 7)],
  ],
  [
    'all of them in words',
    { ...GAME, denomination: 660 },
    [{ text: ' Все' }],
    [],
    [orderOf(660), orderOf(660, 120)],
  ],
  [
    'another denomination, by its button or in words',
    GAME,
    [{ choice: 'denomination-60' }, { choice: 'denomination-660' }, { text: '60 UC' }, { text: '2' }],
    [WHICH, TAP, TAP],
    [orderOf(60), orderOf(660), orderOf(60), orderOf(60, 2)],
  ],
  [
    'again, what is not there',
    GAME,
    [{ text: '325' }, { choice: 'denomination-325' }, {}, { choice: 'denomination-60' }],
    [WHICH, ['reply', 'extract-which', ...STOCK_KEYS], TAP, ['reply', 'extract-which', ...STOCK_KEYS], TAP],
    [orderOf(60)],
    'waiting',
  ],
  [
    'another than the one that is not there',
    { ...GAME, denomination: 325 },
    [{ choice: 'denomination-660' }],
    [['reply', 'extract-which-instead {"amount":"325"}', ...STOCK_KEYS], TAP],
    [orderOf(660)],
    'waiting',
  ],
  [
    'again, where none is said',
    { ...GAME, denomination: 60, amount: 0 },
    [{ text: '0' }, { choice: 'denomination-325' }, { text: '1' }],
    [HOW_MANY, TAP],
    [orderOf(60), orderOf(60, 1)],
  ],
])('is asked for: %s', async (_what, given, hears, said, asked, end = 'over') => {
  expect(await hold(given, hears)).toEqual({ said, asked, end });
});

test.each(['many', '5170925570 60', '', '325 UC'])(
  '%j is no amount, and is answered by others',
  async (text) => {
    const given = { ...GAME, denomination: 60 };
    expect(await hold(given, [{ text }])).toEqual({ said: [], asked: [orderOf(60)], end: 'left' });
  },
);

test('the only denomination there is is not asked for, but where another was meant', async () => {
  const world: World = { stock: [[660, 20]] };
  expect(await hold(GAME, [], world)).toEqual({ said: [], asked: [orderOf(660)], end: 'waiting' });
  const said = [['reply', 'extract-which-instead {"amount":"60"}', stockKeyButton(660, 20)]];
  expect(await hold({ ...GAME, denomination: 60 }, [], world)).toEqual({ said, asked: [], end: 'waiting' });
});

const GAMES = [
  ['game-name {"game":"game_id_1"} -> prompts:n:game-game_id_1'],
  ['game-name {"game":"game_id_2"} -> prompts:n:game-game_id_2'],
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
