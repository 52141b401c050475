// Asked step by step: the game, the player, what is wanted. What each answer leads to, and how it ends.
import { expect, test } from 'vitest';

import { holdConversation, type Heard } from '../../../test/harness/bot-prompts.ts';
import { KEYS_FOR_WORDS, soon } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import { CoreError } from '../../core/index.ts';
import { createGames } from '../../core/games.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import { createRedeemConversation } from './redeem-conversation.ts';

const gameOf = (id: string, currency: string, denominations: number[], database = true) => ({
  ...{ id, currency, denominations, database, receipts: 'account' as const },
  codePattern: '^[A-Za-z0-9]{12,32}$',
});
const STOCKED = gameOf('stocked', 'UC', [60, 325]);
const SENT = gameOf('sent', 'gems', [], false);
const CODE = '60SAAAAAAAAAAAAA';
const PLAYER = { playerId: '5170925570', name: 'Ann' };

interface World {
  games?: (typeof STOCKED)[];
  known?: object[];
  /** What the platform answers, one after another; then that it is Ann. */
  answers?: (object | Error)[];
  actor?: object | undefined;
}

async function hold(given: object, hears: readonly Heard[], world: World = {}) {
  const { games = [STOCKED, SENT], known = [], answers = [] } = world;
  const lookUps: unknown[] = [];
  const confirmations: unknown[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(0),
    ids: { secret: () => 'n' },
    store: {
      confirmations: {
        save: ({ action, payload }: Confirmation) =>
          soon(() => {
            const { madeIn: _account, ...order } = JSON.parse(payload) as Record<string, unknown>;
            confirmations.push([action, order]);
          }),
      },
    },
    core: {
      games: createGames(games),
      members: { findActor: () => undefined },
      codes: { countAvailable: () => new Map([[60, 3]]) },
      findRecentDuplicate: () => undefined,
      lastPlayers: () => known,
      findCharacter: (_actor: object, asked: object, { key }: { key: string }) =>
        soon(() => {
          lookUps.push([...Object.values(asked), key]);
          const answer = answers.shift() ?? { status: 'found', name: 'Ann' };
          if (answer instanceof Error) throw answer;
          return answer;
        }),
    },
  };
  const fields = 'actor' in world ? { actor: world.actor } : {};
  const prompts = await holdConversation(createRedeemConversation(fake(deps)), { given, hears, fields });
  // Of the buttons what they carry within the conversation.
  const said = prompts.said
    .filter(([how]) => how !== 'tap')
    .map(([how, words = '', ...rows]) => [
      how,
      words.split('\n\n').map((part) => part.split('\n')[0]),
      ...rows.map((row) => row.map((button) => button.split(' -> ').at(-1)?.replace('prompts:n:', ''))),
    ]);
  return { said, lookUps, confirmations, end: prompts.end };
}

const KEY = 'look-up:77:5170925570';
const ASK_GAME = [['redeem-game'], ['game-stocked'], ['game-sent'], ['cancel']] as const;
const ASK_PLAYER = [['redeem-player'], ['cancel']] as const;
const FORM = [['redeem-player-form', 'redeem-player'], ['cancel']] as const;
const IS_IT = [
  ['redeem-is-it {"name":"Ann","player":"5170925570"}'],
  ['yes-5170925570'],
  ['other', 'cancel'],
] as const;
const IS_ANOTHER = [
  ['redeem-another-id {"before":"5170925570"}', 'redeem-is-it {"name":"Ann","player":"5170925571"}'],
  ['yes-5170925571'],
  ['other', 'cancel'],
] as const;
const ASK_CODE = [['redeem-code {"game":"sent"}'], ['cancel']] as const;
const CODE_FORM = [['redeem-code-form {"game":"sent"}', 'redeem-code {"game":"sent"}'], ['cancel']] as const;
const CARD = ['card', { gameId: 'stocked', player: PLAYER, items: [] }];
const NOW = (order: object) => ['redeem-now', { player: PLAYER, ...order }];
const says = ([words, ...rows]: readonly (readonly string[])[]) => ['reply', words, ...rows];
const edits = ([words, ...rows]: readonly (readonly string[])[]) => ['edit 900', words, ...rows];
const ID = { text: '5170925570' };

/** What was asked before the last message, and what was ordered by it. */
async function outline(given: object, hears: readonly Heard[], world?: World) {
  const { said, lookUps, confirmations, end } = await hold(given, hears, world);
  return { asked: said.slice(0, -1), last: said.at(-1)?.[0], lookUps: lookUps.length, confirmations, end };
}

test.each<
  [what: string, given: object, hears: Heard[], asked: unknown[], last: string, confirmation: unknown]
>([
  [
    'a game of the stock and a player',
    {},
    [{ choice: 'game-stocked' }, ID],
    [says(ASK_GAME), edits(ASK_PLAYER)],
    'reply',
    CARD,
  ],
  ['the game in words', {}, [{ text: 'STOCKED' }, ID], [says(ASK_GAME), says(ASK_PLAYER)], 'reply', CARD],
  [
    'an order beside the player',
    { gameId: 'stocked' },
    [{ text: '5170925570 60' }],
    [says(ASK_PLAYER)],
    'reply',
    NOW({ gameId: 'stocked', denomination: 60, warnedOf: 0 }),
  ],
  [
    'no player at first',
    { gameId: 'stocked' },
    [{ text: 'Ann' }, {}, ID],
    [says(ASK_PLAYER), says(FORM), says(FORM)],
    'reply',
    CARD,
  ],
  [
    'a game whose codes are sent',
    { gameId: 'sent' },
    [ID, { choice: 'yes-5170925570' }, { text: CODE }],
    [says(ASK_PLAYER), says(IS_IT), edits(ASK_CODE)],
    'reply',
    NOW({ gameId: 'sent', code: CODE }),
  ],
  [
    'another player than the one that was found',
    { gameId: 'sent', playerId: '5170925570' },
    [
      { choice: 'other' },
      ID,
      { choice: 'denomination-60' },
      { text: 'no' },
      ID,
      { choice: 'yes-5170925570' },
      { text: CODE },
    ],
    [says(IS_IT), edits(ASK_PLAYER), says(IS_IT), edits(IS_IT), says(FORM), says(IS_IT), edits(ASK_CODE)],
    'reply',
    NOW({ gameId: 'sent', code: CODE }),
  ],
  [
    'a code sent where the name is asked about, which is yes, and this is the code',
    { gameId: 'sent' },
    [ID, { text: '60S98765432abcde' }],
    [says(ASK_PLAYER), says(IS_IT)],
    'reply',
    NOW({ gameId: 'sent', code: '60S98765432abcde' }),
  ],
  [
    'another ID sent there, which is said to be another',
    { gameId: 'sent' },
    [ID, { text: '5170925571' }, { choice: 'yes-5170925571' }, { text: CODE }],
    [says(ASK_PLAYER), says(IS_IT), says(IS_ANOTHER), edits(ASK_CODE)],
    'reply',
    ['redeem-now', { gameId: 'sent', player: { playerId: '5170925571', name: 'Ann' }, code: CODE }],
  ],
  [
    'no code at first',
    { gameId: 'sent', player: PLAYER },
    [{ text: 'hello' }, { choice: 'yes-5170925570' }, { text: CODE }],
    [says(ASK_CODE), says(CODE_FORM), edits(CODE_FORM)],
    'reply',
    NOW({ gameId: 'sent', code: CODE }),
  ],
  [
    'what means nothing',
    { gameId: 'sent', player: PLAYER, wanted: 'hello' },
    [{ text: CODE }],
    [says(CODE_FORM)],
    'reply',
    NOW({ gameId: 'sent', code: CODE }),
  ],
  [
    'a denomination where a code is to be sent',
    { gameId: 'stocked', player: PLAYER, direct: true },
    [{ text: '60' }],
    [says([['redeem-code {"game":"stocked"}'], ['cancel']])],
    'reply',
    NOW({ gameId: 'stocked', denomination: 60, warnedOf: 0 }),
  ],
  [
    'the player of a code',
    { gameId: 'sent', wanted: CODE },
    [ID],
    [says(ASK_PLAYER)],
    'reply',
    NOW({ gameId: 'sent', code: CODE }),
  ],
  [
    'which game a code is for',
    { player: PLAYER, wanted: CODE },
    [{ choice: 'game-sent' }],
    [says(ASK_GAME)],
    'edit 900',
    NOW({ gameId: 'sent', code: CODE }),
  ],
  [
    'nothing, of a denomination that one game has',
    { player: PLAYER, wanted: '325' },
    [],
    [],
    'reply',
    ['card', { gameId: 'stocked', player: PLAYER, items: [{ denomination: 325, count: 1 }] }],
  ],
])('%s', async (_what, given, hears, asked, last, confirmation) => {
  const answer = await outline(given, hears);
  expect(answer).toEqual({
    asked,
    last,
    lookUps: answer.lookUps,
    confirmations: [confirmation],
    end: 'over',
  });
});

test('what means nothing is said on the card, too', async () => {
  const { said } = await hold({ gameId: 'stocked', player: PLAYER, wanted: 'hello' }, []);
  expect(said[0]?.[1]).toEqual([
    'redeem-card {"game":"stocked","name":"Ann","player":"5170925570"}',
    'redeem-code-form {"game":"stocked"}',
  ]);
});

test('players of before have a button each, and are not looked up', async () => {
  const known = [PLAYER, { playerId: '5170925571', name: 'Bob' }];
  const ask = [['redeem-player-or-known'], ['known-5170925570'], ['known-5170925571'], ['cancel']];
  const taken = await hold({ gameId: 'stocked' }, [{ choice: 'known-5170925570' }], { known });
  expect([taken.said[0], taken.lookUps, taken.confirmations]).toEqual([says(ask), [], [CARD]]);
  const old = await hold({ gameId: 'stocked' }, [{ choice: 'known-9' }], { known });
  expect([old.said, old.end]).toEqual([[says(ask), edits(ask)], 'waiting']);
  const confirmed = await hold({ gameId: 'sent' }, [{ choice: 'known-5170925570' }], { known });
  expect([confirmed.said[1], confirmed.lookUps]).toEqual([edits(IS_IT), []]);
});

const CANCELLED = [['redeem-cancelled']];

test.each<[what: string, given: object, hears: Heard[], asked: unknown]>([
  ['at the game', {}, [], says(ASK_GAME)],
  ['at the player', { gameId: 'stocked' }, [], says(ASK_PLAYER)],
  ['at the name', { gameId: 'sent', playerId: '5170925570' }, [], says(IS_IT)],
  ['at the code', { gameId: 'sent', player: PLAYER }, [], says(ASK_CODE)],
])('it is left %s by its button', async (_what, given, hears, asked) => {
  expect(await hold(given, [...hears, { choice: 'cancel' }])).toMatchObject({
    ...{ said: [asked, edits(CANCELLED)], confirmations: [], end: 'over' },
  });
});

test.each<[what: string, given: object, text: string, end: string]>([
  ['an order at the game', {}, '5170925570 60', 'left'],
  ['a player among words at the game', {}, 'please, 5170925570 now', 'left'],
  ['other words at the game', {}, 'hello', 'waiting'],
  ['an order at the code', { gameId: 'sent', player: PLAYER }, '5170925570 60', 'left'],
])('%s: it is %s', async (_what, given, text, end) => {
  expect((await hold(given, [{ text }])).end).toBe(end);
});

const UNNAMED = { status: 'notOffered' };

test('where names are not told, an ID that is sent twice alike is the one', async () => {
  const player = { playerId: '5170925570', name: '5170925570' };
  const order = { gameId: 'stocked', player, items: [{ denomination: 60, count: 1 }] };
  const given = { gameId: 'stocked', playerId: '5170925570', wish: { items: order.items } };
  const asked = await hold(given, [], { answers: [UNNAMED] });
  expect([asked.end, asked.said.at(-1)?.[1]]).toEqual([
    'waiting',
    ['redeem-unnamed {"player":"5170925570"}'],
  ]);
  const same = await hold(given, [{ text: '5170925570' }], { answers: [UNNAMED] });
  expect(same.confirmations).toEqual([
    ['redeem-now', { ...order, items: undefined, denomination: 60, warnedOf: 0 }],
  ]);
});

test('where names are not told, another ID is asked for once more as well', async () => {
  const answers = [UNNAMED, UNNAMED];
  const other = await hold({ gameId: 'stocked', playerId: '5170925570' }, [{ text: '5170925571' }], {
    answers,
  });
  expect([other.end, other.said.at(-1)?.[1]]).toEqual([
    'waiting',
    ['redeem-unnamed {"player":"5170925571"}'],
  ]);
  expect(other.confirmations).toEqual([]);
});

const AGAIN = [['redeem-unreachable'], ['retry', 'other'], ['cancel']];
const AWAY = { status: 'unreachable' };

test.each<[what: string, answers: object[], hears: Heard[], said: unknown[], lookUps: number, end: string]>([
  [
    'nobody',
    [{ status: 'notFound' }],
    [],
    [says([['redeem-player-unknown', 'redeem-player'], ['cancel']])],
    1,
    'waiting',
  ],
  [
    'too many refusals',
    [{ status: 'tooManyBadRequests', retryAfterSeconds: 9 }],
    [],
    [says([['redeem-refused-too-often {"seconds":9}']])],
    1,
    'over',
  ],
  [
    'no activation left',
    [{ status: 'quotaExceeded', retryAfterSeconds: 60 }],
    [],
    [['reply', ['redeem-quota {"hours":0,"minutes":1}'], ['go:buy_activations']]],
    1,
    'over',
  ],
  [
    'no subscription',
    [new CoreError('SUBSCRIPTION_EXPIRED', 'It has ended.')],
    [],
    [['reply', ['subscription-needed'], ['go:subscribe']]],
    1,
    'over',
  ],
  ['a fault', [new Error('no disk')], [], [says([['error-conversation']])], 1, 'over'],
  ['no platform', [AWAY], [], [says(AGAIN)], 1, 'waiting'],
  ['no platform twice', [AWAY, AWAY], [{ choice: 'retry' }], [says(AGAIN), edits(AGAIN)], 2, 'waiting'],
  [
    'no platform, then another',
    [AWAY],
    [{ choice: 'other' }],
    [says(AGAIN), edits(ASK_PLAYER)],
    1,
    'waiting',
  ],
  ['no platform, then words', [AWAY], [{ text: 'x' }], [says(AGAIN), says(FORM)], 1, 'waiting'],
  ['no platform, then Cancel', [AWAY], [{ choice: 'cancel' }], [says(AGAIN), edits(CANCELLED)], 1, 'over'],
])('the platform has %s', async (_what, answers, hears, said, lookUps, end) => {
  const given = { gameId: 'stocked', playerId: '5170925570' };
  const answer = await hold(given, hears, { answers: [...answers] });
  expect([answer.said, answer.lookUps.length, answer.end]).toEqual([said, lookUps, end]);
  expect(answer.lookUps[0]).toEqual(['stocked', '5170925570', KEY]);
});

test.each<[what: string, given: object, words: string]>([
  ['asked for the player', { gameId: 'stocked' }, 'refusal-stranger'],
  ['looking the player up', { gameId: 'stocked', playerId: '5170925570' }, 'refusal-stranger'],
  ['shown the card', { gameId: 'stocked', player: PLAYER }, 'refusal-stranger'],
])('whoever was removed is told so before they are %s', async (_what, given, words) => {
  const { said, lookUps, end } = await hold(given, [], { actor: undefined });
  expect([said, lookUps, end]).toEqual([[says([[words]])], [], 'over']);
});

test('a game that is there no more is said to be wrong', async () => {
  expect((await hold({ gameId: 'gone' }, [])).said).toEqual([says([['error-input']])]);
});
