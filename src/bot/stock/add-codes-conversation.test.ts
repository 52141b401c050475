// Collecting codes: what is asked before the first piece, which pieces go where, and when it is over.
import { expect, test } from 'vitest';

import { holdConversation, type Heard } from '../../../test/harness/bot-prompts.ts';
import { soon } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createGames } from '../../core/games.ts';
import { createAddCodesConversation } from './add-codes-conversation.ts';

const gameOf = (id: string) => ({
  ...{ id, currency: 'UC', denominations: [60, 325, 660, 1_800], database: id !== 'sent' },
  ...{ receipts: 'account' as const, codePattern: '^[A-Za-z0-9]{12,32}$' },
});
const CODE = '60SAAAAAAAAAAAAA';

interface World {
  games?: string[];
  catalogue?: object[];
  open?: object;
  isOrder?: boolean;
  /** What becomes of each piece, one after another; then that it is taken. */
  took?: (string | Error)[];
  isBroken?: boolean;
  message?: object;
}

async function hold(given: object, hears: readonly Heard[], world: World = {}) {
  const {
    games = ['game_id_1'],
    catalogue = games.map(gameOf),
    open,
    isOrder = false,
    took = [],
    isBroken = false,
    message,
  } = world;
  const did: unknown[] = [];
  const note = (...what: unknown[]) => soon(() => void did.push(what));
  const collecting = {
    open: (_ctx: object, order: object) => {
      if (isBroken) return Promise.reject(new Error('no disk'));
      return note('open', order).then(() => ({ importId: 4 }));
    },
    take: (_ctx: object, importId: number, came?: object) => {
      const answer = took.shift() ?? 'taken';
      if (answer instanceof Error) return Promise.reject(answer);
      return note('take', importId, ...(came ? [came] : [])).then(() => answer);
    },
    findOpen: () => Promise.resolve(open),
    drop: (_ctx: object, importId: number) => note('drop', importId),
    isOrder: () => isOrder,
  };
  const previewActions = { review: (_ctx: object, importId: number) => void did.push(['review', importId]) };
  const core = {
    games: createGames(catalogue),
    imports: {
      addPiece: (_actor: object, importId: number, piece: object) =>
        note('piece', importId, piece).then(() => 'added'),
    },
  };
  const deps = { core };
  const entry = createAddCodesConversation(fake(deps), fake(collecting), fake(previewActions));
  return {
    ...(await holdConversation(entry, { given, hears, ...(message && { fields: { message } }) })),
    did,
  };
}

const opens = (order: object = {}) => ['open', { gameId: 'game_id_1', bare: false, ...order }];
const TAKE = ['take', 4];
const OF_60 = { gameId: 'game_id_1', denomination: 60 };
const STOCK_KEY = (denomination: number) =>
  `codes-stock-key {"denomination":"${denomination}","currency":"UC"} -> prompts:n:denomination-${denomination}`;
const STOCK_KEYS = [
  [STOCK_KEY(60), STOCK_KEY(325), STOCK_KEY(660)],
  [STOCK_KEY(1_800)],
  ['button-text-says -> prompts:n:text'],
];
const WHICH = ['reply', 'add-which-denomination {"game":"game_id_1","amount":""}', ...STOCK_KEYS];
const TAP = ['tap', undefined];

test.each<[what: string, given: object, hears: Heard[], said: unknown[], did: unknown[]]>([
  ['a denomination', OF_60, [], [], [opens({ denomination: 60 })]],
  [
    'an amount that the game has',
    { gameId: 'game_id_1', amount: 325 },
    [],
    [],
    [opens({ denomination: 325 })],
  ],
  ['an import that goes on', { gameId: 'game_id_1', importId: 4 }, [], [], [opens({ importId: 4 })]],
  [
    'the button of one',
    {},
    [{ choice: 'denomination-660' }],
    [WHICH, TAP],
    [opens({ denomination: 660, messageId: 900 })],
  ],
  ['the button that the text says it', {}, [{ choice: 'text' }], [WHICH, TAP], [opens({ messageId: 900 })]],
  [
    'its number, after a button of the question before',
    {},
    [{ choice: 'game-game_id_1' }, { text: '60 UC' }],
    [WHICH, TAP],
    [opens({ denomination: 60, messageId: 900 })],
  ],
  [
    'another than the amount that it has not',
    { gameId: 'game_id_1', amount: 61 },
    [{ choice: 'denomination-60' }],
    [['reply', 'add-which-instead {"game":"game_id_1","amount":"61"}', ...STOCK_KEYS], TAP],
    [opens({ denomination: 60, messageId: 900 })],
  ],
  ['a paste instead', {}, [{ text: `60 ${CODE}` }], [WHICH], [opens(), TAKE]],
  ['a number that it has not instead', {}, [{ text: '61' }], [WHICH], [opens(), TAKE]],
  ['a file instead', {}, [{}], [WHICH], [opens(), TAKE]],
])('it begins with %s', async (_what, given, hears, said, did) => {
  expect(await hold(given, hears)).toEqual({ said, did, end: 'waiting' });
});

test('every piece goes into it, and it waits for the next', async () => {
  expect(await hold(OF_60, [{ text: CODE }])).toEqual({
    ...{ said: [], did: [opens({ denomination: 60 }), TAKE], end: 'rewound' },
  });
  // A button of the question is no piece.
  expect(await hold(OF_60, [{ choice: 'denomination-60' }])).toEqual({
    ...{ said: [TAP], did: [opens({ denomination: 60 })], end: 'rewound' },
  });
});

test.each<[what: string, took: string | Error, said: unknown[], did: unknown[], end: string]>([
  ['Done is read', 'done', [], [TAKE, ['review', 4]], 'over'],
  ['what comes after it is decided is for something else', 'closed', [], [TAKE], 'left'],
  ['what is refused is not the end', 'refused', [], [TAKE], 'rewound'],
  ['a fault is not the end', new Error('no disk'), [['reply', 'error-conversation']], [], 'rewound'],
])('%s', async (_what, took, said, did, end) => {
  const answer = await hold(OF_60, [{ text: 'x' }], { took: [took] });
  expect(answer).toEqual({ said, did: [opens({ denomination: 60 }), ...did], end });
});

const FIRST = { message_id: 40, text: CODE };
const OPEN = { id: 9, gameId: 'game_id_1', denomination: 325, codes: 2, isRecent: true };
const GO_ON = { choice: 'go-on' };

test('what came without a command begins one with it, or goes into the one that is open', async () => {
  const came = { key: 'update:77', message: FIRST };
  const bare = await hold({ bare: true }, [], { message: FIRST });
  expect(bare).toEqual({ said: [], did: [opens({ bare: true }), [...TAKE, came]], end: 'waiting' });
  const joined = await hold({ bare: true }, [], { message: FIRST, open: OPEN });
  const order = { bare: true, denomination: 325, importId: 9 };
  expect(joined.did[0]).toEqual(opens({ ...order, note: 'add-joined' }));
  const empty = await hold({ bare: true }, [], { message: FIRST, open: { ...OPEN, codes: 0 } });
  expect(empty.did[0]).toEqual(opens(order));
  const ofButton = await hold({ bare: true, first: CODE }, [], { message: FIRST });
  expect(ofButton.did[1]).toEqual([...TAKE, { key: 'first:77', text: CODE }]);
});

const ASKED = [
  'reply',
  'add-open {"count":2}',
  ['button-go-on -> prompts:n:go-on', 'button-drop {"count":2} -> prompts:n:drop'],
];
const joins = (order: object = {}) =>
  opens({ denomination: 325, importId: 9, bare: true, note: undefined, messageId: 900, ...order });
const piece = (text: string, position = 0) => [
  'piece',
  4,
  { kind: 'message', text, position, key: 'command:77' },
];
const OLD = { ...OPEN, isRecent: false };

test.each<[what: string, given: object, hears: Heard[], world: World, did: unknown[]]>([
  ['of the same denomination', { ...OF_60, denomination: 325 }, [GO_ON], { open: OPEN }, [joins()]],
  ['of another, which stands over it', OF_60, [GO_ON], { open: OPEN }, [joins(), piece('60:')]],
  [
    'with its paste',
    { ...OF_60, rest: CODE },
    [GO_ON],
    { open: OPEN, message: { message_id: 44 } },
    [joins(), piece(`60:\n${CODE}`, 44), ['review', 4]],
  ],
  [
    'a paste later than an hour, and what comes meanwhile',
    { bare: true },
    [{ text: CODE }, GO_ON],
    { open: OLD, message: FIRST },
    [
      joins(),
      [...TAKE, { key: 'update:77', message: FIRST }],
      [...TAKE, { key: 'message:50', message: { message_id: 50, text: CODE } }],
    ],
  ],
])('another import asks about what is open, which goes on: %s', async (_what, given, hears, world, did) => {
  const answer = await hold(given, hears, world);
  expect(answer.said.filter(([how]) => how === 'reply')).toEqual(
    Array<unknown>(1 + hears.filter((each) => 'text' in each).length).fill(ASKED),
  );
  expect(answer.did).toEqual(did);
});

test('where it is dropped the other begins; nothing is asked about an import without codes', async () => {
  const { said, did } = await hold(OF_60, [{ choice: 'drop' }], { open: OPEN });
  expect(said).toEqual([ASKED, TAP, ['edit 900', 'add-open-dropped {"count":2}']]);
  expect(did).toEqual([['drop', 9], opens({ denomination: 60 })]);
  const empty = await hold(OF_60, [], { open: { ...OPEN, codes: 0 } });
  expect([empty.said, empty.did]).toEqual([[], [['drop', 9], opens({ denomination: 60 })]]);
});

test('an order for a player is none of it', async () => {
  const { did, end } = await hold(OF_60, [{ text: '5170925571 60' }], { isOrder: true });
  expect([did, end]).toEqual([[opens({ denomination: 60 })], 'left']);
});

test('what goes on after it was left takes the message at hand', async () => {
  const given = { ...OF_60, importId: 4, goesOn: true };
  const on = await hold(given, [], { message: FIRST });
  expect(on).toEqual({
    said: [],
    did: [opens({ denomination: 60, importId: 4, bare: true, note: 'add-goes-on' }), TAKE],
    end: 'waiting',
  });
  expect((await hold(given, [], { message: FIRST, took: ['done'] })).end).toBe('over');
});

const TWO = { games: ['game_id_1', 'game_id_2'] };
const GAME = { choice: 'game-game_id_1' };
const note = (message: object) => [...TAKE, { key: 'message:50', message: { message_id: 50, ...message } }];

test.each<[what: string, given: object, hears: Heard[], did: unknown[]]>([
  ['a code', { amount: 60 }, [{ text: CODE }, GAME], [note({ text: CODE })]],
  ['words alone', { amount: 60 }, [{ text: 'hello' }, GAME], []],
  [
    'a heading after a code',
    { amount: 60 },
    [{ text: CODE }, { text: '325' }, GAME],
    [note({ text: CODE }), note({ text: '325' })],
  ],
  ['a file', { amount: 60 }, [{ document: {} } as Heard, GAME], [note({ document: {} })]],
])('while the game is asked for: %s', async (_what, given, hears, did) => {
  const answer = await hold(given, hears, TWO);
  expect([answer.did, answer.end]).toEqual([[opens({ denomination: 60 }), ...did], 'waiting']);
});

test('of a paste that has begun everything is a piece, after the first', async () => {
  const { did, end } = await hold({ bare: true }, [{ text: 'hello' }, GAME], { ...TWO, message: FIRST });
  expect([did, end]).toEqual([
    [opens({ bare: true }), [...TAKE, { key: 'update:77', message: FIRST }], note({ text: 'hello' })],
    'waiting',
  ]);
  const over = await hold({ amount: 60 }, [{ text: CODE }, GAME], { ...TWO, took: ['done'] });
  expect([over.did.at(-1), over.end]).toEqual([['review', 4], 'over']);
});

test.each([
  [{ amount: 60, rest: CODE }, `60:\n${CODE}`, { denomination: 60 }],
  [{ amount: 61, rest: CODE }, `61:\n${CODE}`, {}],
  [{ rest: CODE }, CODE, {}],
])('the text behind the command, %j, is read with what came after it', async (given, text, order) => {
  const answer = await hold(given, [{ text: 'hello' }, GAME], TWO);
  expect([answer.did, answer.end]).toEqual([
    [opens({ ...order, bare: true }), piece(text), note({ text: 'hello' }), ['review', 4]],
    'over',
  ]);
  const broken = await hold(given, [{ text: 'hello' }, GAME], { ...TWO, took: [new Error('no disk')] });
  expect([broken.said.at(-1), broken.did.at(-1)]).toEqual([
    ['reply', 'error-conversation'],
    ['review', 4],
  ]);
});

test.each<[what: string, world: World, words: string]>([
  ['no game keeps codes', { games: ['sent'] }, 'codes-no-game'],
  ['it cannot be begun', { isBroken: true }, 'error-conversation'],
])('where %s that is said', async (_what, world, words) => {
  expect(await hold({ bare: true }, [], world)).toEqual({ said: [['reply', words]], did: [], end: 'over' });
});

test('sixty denominations have a button, three in a row', async () => {
  const game = { ...gameOf('game_id_1'), denominations: Array.from({ length: 61 }, (_, n) => n + 1) };
  const { said } = await hold({ gameId: 'game_id_1' }, [], { catalogue: [game] });
  expect(said[0]?.slice(2).map((row) => row?.length)).toEqual([...Array<number>(20).fill(3), 1]);
});
