// The card of a player: which game, what is there of it, and what each button carries.
import { expect, test } from 'vitest';

import {
  createPressedContext,
  createRecordedContext,
  KEYS_FOR_WORDS,
  soon,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { BotDeps } from '../context.ts';
import { createManualClock } from '../../clock.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import { buttonId } from '../prompts/prompts.ts';
import { CARD_BUTTON, chooseGameFor, pressCard, showCard, type Card } from './card.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PLAYER = { playerId: '5170925570', name: 'Player' };
const gameOf = (id: string, denominations: number[], database = true) => ({
  ...{ id, currency: 'UC', database, denominations },
});
const A = gameOf('a', [60, 325]);
const B = gameOf('b', [60]);
const SENT = gameOf('sent', [], false);

interface World {
  games?: ReturnType<typeof gameOf>[];
  stock?: [number, number][];
  last?: string;
  confirmation?: object;
}

function createWorld({ games = [A], stock = [], last, confirmation }: World) {
  const kept: Confirmation[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(0),
    ids: { secret: () => 'idididid' },
    store: {
      confirmations: {
        save: (row: Confirmation) => soon(() => void kept.push(row)),
        find: () => confirmation,
      },
    },
    core: {
      games: {
        all: games,
        managed: games.filter(({ database }) => database),
        find: (id: string) => games.find((game) => game.id === id),
      },
      members: { findActor: () => undefined },
      codes: { countAvailable: () => new Map(stock) },
      lastGame: () => last,
      findRecentDuplicate: () => undefined,
      findCharacter: () => Promise.resolve({ status: 'found', name: 'Player' }),
    },
  };
  return { deps: fake(deps) satisfies BotDeps, kept };
}

const items = (...denominations: number[]) =>
  denominations.map((denomination) => ({ denomination, count: 1 }));

test.each<
  [games: ReturnType<typeof gameOf>[], last: string | undefined, wanted: number[], id: string | undefined]
>([
  [[SENT, A, B], undefined, [], 'a'],
  [[SENT, A, B], 'sent', [], 'sent'],
  [[A, B], 'b', [60], 'b'],
  [[A, B], 'b', [325], 'a'],
  [[B, A], undefined, [325], 'a'],
  [[A, B], undefined, [1], undefined],
  [[SENT], undefined, [], 'sent'],
  [[SENT], 'sent', [60], undefined],
  [[A], 'gone', [60, 1], undefined],
])('of %j, with %s used last, %j are for %s', (games, last, wanted, id) => {
  const { deps } = createWorld({ games, ...(last !== undefined && { last }) });
  expect(chooseGameFor(deps, createRecordedContext().ctx, items(...wanted))?.id).toBe(id);
});

const TITLE = (game: string) => `redeem-card {"game":"${game}","name":"Player","player":"5170925570"}`;
const CODE = 'button-send-code -> card:idididid:code';
const END = ['button-other-player -> card:idididid:other', 'button-cancel -> no:card:idididid'];
const stockKey = (denomination: number, count: number) =>
  `redeem-denomination {"what":"${denomination} UC","count":"${count}"} -> card:idididid:d${denomination}`;
const gameButton = (id: string) => `button-card-game {"game":"${id}"} -> card:idididid:g${buttonId(id)}`;

test.each<[what: string, World, card: Partial<Card>, lines: string[], rows: string[][]]>([
  [
    'what is there, two in a row',
    {
      stock: [
        [60, 3],
        [325, 0],
        [660, 1],
        [1_800, 2],
      ],
    },
    {},
    ['redeem-what {"game":"a"}'],
    [[stockKey(60, 3), stockKey(660, 1)], [stockKey(1_800, 2)], [CODE], END],
  ],
  ['an empty stock', { stock: [[60, 0]] }, {}, ['redeem-stock-empty {"game":"a"}'], [[CODE], END]],
  [
    'a game without a database',
    { games: [SENT], stock: [[60, 3]] },
    { gameId: 'sent' },
    ['redeem-code-only {"game":"sent"}'],
    [[CODE], END],
  ],
  [
    'other games beside it',
    { games: [A, B, SENT] },
    {},
    ['redeem-stock-empty {"game":"a"}'],
    [[CODE], [gameButton('b')], [gameButton('sent')], END],
  ],
  [
    'what is short of what is wanted',
    {
      games: [A, B],
      stock: [
        [60, 1],
        [325, 0],
      ],
    },
    {
      items: [
        { denomination: 60, count: 2 },
        { denomination: 325, count: 1 },
      ],
    },
    [
      'redeem-few-left {"what":"60 UC","count":1}',
      'redeem-none-left {"what":"325 UC","count":0}',
      'redeem-what {"game":"a"}',
    ],
    [[stockKey(60, 1)], [CODE], [gameButton('b')], END],
  ],
])('a card with %s', async (_what, world, card, lines, rows) => {
  const { deps, kept } = createWorld(world);
  const { ctx, said } = createRecordedContext();
  const shown = { gameId: 'a', player: PLAYER, items: [], ...card };
  await showCard(deps, ctx, shown);
  expect(said).toEqual([['reply', [TITLE(shown.gameId), '', ...lines].join('\n'), ...rows]]);
  for (const data of rows.flat().map((each) => each.split(' -> ')[1]!))
    if (data.startsWith('card:')) expect(data).toMatch(CARD_BUTTON);
  expect(kept).toMatchObject([{ action: 'card', chatId: 5, userId: 5, expiresAt: DAY_MS }]);
});

test('at most sixty denominations and twenty other games have a button', async () => {
  const games = [A, ...Array.from({ length: 30 }, (_, n) => gameOf(`g${n}`, []))];
  const stock = Array.from({ length: 61 }, (_, n): [number, number] => [n + 1, 1]);
  const { ctx, said } = createRecordedContext();
  await showCard(createWorld({ games, stock }).deps, ctx, { gameId: 'a', player: PLAYER, items: [] });
  const buttons = said[0]?.slice(2).flat() ?? [];
  expect(buttons.filter((each) => each?.startsWith('redeem-denomination'))).toHaveLength(60);
  expect(buttons.filter((each) => each?.startsWith('button-card-game'))).toHaveLength(20);
});

test.each<[games: ReturnType<typeof gameOf>[], rows: string[][], actions: string[]]>([
  [[A], [], ['redeem-now']],
  [[A, B], [[gameButton('b')]], ['card', 'redeem-now']],
  [[A, gameOf('other', [325])], [], ['redeem-now']],
])('where all that is wanted is there, of %j, it is the last confirmation', async (games, more, actions) => {
  const { deps, kept } = createWorld({ games, stock: [[60, 1]] });
  const { ctx, said } = createRecordedContext();
  await showCard(deps, ctx, { gameId: 'a', player: PLAYER, items: items(60) }, { messageId: 8 });
  const confirm = ['button-redeem -> redeem-now:idididid', 'button-cancel -> no:redeem-now:idididid'];
  expect(said.map(([how, , ...rows]) => [how, rows])).toEqual([['edit 8', [confirm, ...more]]]);
  expect(kept.map(({ action }) => action)).toEqual(actions);
});

test.each([
  [undefined, 'reply'],
  [8, 'edit 8'],
])('of a game that is gone, in message %s', async (messageId, how) => {
  const { ctx, said } = createRecordedContext();
  await showCard(createWorld({}).deps, ctx, { gameId: 'gone', player: PLAYER, items: [] }, { messageId });
  expect(said).toEqual([[how, 'error-gone']]);
});

test('a hint stands above the rest, and a card in its place', async () => {
  const { ctx, said } = createRecordedContext();
  const card = { gameId: 'a', player: PLAYER, items: [] };
  await showCard(createWorld({}).deps, ctx, card, { messageId: 8, hint: 'hint' });
  expect(said.map(([how, words]) => [how, words?.split('\n').slice(1)])).toEqual([
    ['edit 8', ['', 'hint', 'redeem-stock-empty {"game":"a"}']],
  ]);
});

/** Presses a button of a card that is kept so. */
async function press(choice: string, confirmation: object = {}, games = [A, B]) {
  const entered: unknown[] = [];
  const conversation = {
    active: () => ({}),
    enter: (name: string, given: object) => soon(() => void entered.push([name, given])),
  };
  const payload = JSON.stringify({ gameId: 'a', player: PLAYER, items: items(325) });
  const kept = {
    userId: 5,
    chatId: 5,
    action: 'card',
    payload,
    expiresAt: 1,
    takenBy: null,
    ...confirmation,
  };
  const { ctx, said } = createPressedContext(`card:idididid:${choice}`, { conversation });
  await pressCard(createWorld({ games, confirmation: kept, stock: [[60, 1]] }).deps, ctx);
  return { said, entered };
}

test('its buttons go on: with a code, another player, another game, a denomination', async () => {
  const TAP = ['tap', undefined];
  expect(await press('code')).toEqual({
    said: [TAP],
    entered: [['redeem', { gameId: 'a', player: PLAYER, direct: true }]],
  });
  expect(await press('other')).toEqual({ said: [TAP], entered: [['redeem', { gameId: 'a' }]] });
  const game = await press(`g${buttonId('b')}`);
  expect(game.said.map(([how, words]) => [how, words?.split('\n')[0]])).toEqual([
    TAP,
    ['edit 8', TITLE('b')],
  ]);
  expect(game.said[1]?.[1]).toContain('redeem-none-left {"what":"325 UC","count":0}');
  const chosen = await press('d60');
  expect(chosen.said.map(([how, words]) => [how, words?.split(' ')[0]])).toEqual([
    TAP,
    ['edit 8', 'redeem-confirm'],
  ]);
  expect(chosen.said[1]?.[1]).toContain('redeem-confirm-stock {"what":"60 UC","count":1}');
  expect((await press('gmissing')).said).toEqual([TAP, ['edit 8', 'error-gone']]);
});

test('a card that is too old, or of somebody else, is an old button', async () => {
  expect(await press('d60', { expiresAt: 0 })).toEqual({ said: [['alert', 'button-old']], entered: [] });
  expect(await press('d60', { userId: 6 })).toEqual({
    said: [['alert', 'confirmation-not-yours']],
    entered: [],
  });
});
