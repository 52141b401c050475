// /stock, /batches and /extract_codes with their buttons: what is shown, asked, kept and ordered, and what is refused.
import { expect, test } from 'vitest';

import { createCommandContext, createPressedContext } from '../../../test/harness/bot-words.ts';
import { KEYS_FOR_WORDS, soon } from '../../../test/harness/bot-words.ts';
import { holdConversation } from '../../../test/harness/bot-prompts.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { BotDeps } from '../context.ts';
import type { Confirmation, ActionRows } from '../../store/bot-store.ts';
import { createBatchList } from './batches.ts';
import { deletePasted } from './delete-pasted.ts';
import { createExtractCodesFeature } from './extract-codes.ts';
import { createStockFeature } from './stock.ts';

const NOON = Date.UTC(2026, 10, 22, 12);
const GAME = { id: 'game_id_1', currency: 'UC', denominations: [60, 325] };

interface World {
  games?: object[];
  batches?: object[];
  hasMore?: boolean;
  batch?: object;
  available?: number;
  extraction?: object;
  recent?: object[];
  confirmation?: object;
  bad?: object[];
  isPaused?: boolean;
  role?: string;
  isPrivate?: boolean;
  isHeld?: boolean;
}

async function handle(event: string, world: World = {}) {
  const { games = [GAME], batches = [], hasMore = false, role = 'owner', available = 3 } = world;
  const did: unknown[] = [];
  const kept: unknown[] = [];
  const store = {
    confirmations: {
      save: ({ payload, ...row }: Confirmation) =>
        soon(() => void kept.push({ ...row, payload: JSON.parse(payload) })),
      find: () => world.confirmation,
    },
    saveAction: ({ confirmation, messages = [] }: ActionRows) =>
      soon(
        () =>
          void did.push([
            'kept',
            confirmation,
            ...messages.map(({ key, content }) => [key, JSON.parse(content)]),
          ]),
      ),
    inTransaction: (rows: (begun: object) => ActionRows) => rows({ extractionId: 4, jobId: 9 }),
  };
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(NOON),
    ids: { secret: () => 'id' },
    store,
    core: {
      games: { managed: games, find: (id: string) => games.find((game) => (game as typeof GAME).id === id) },
      accounts: { timeZoneOf: () => 'Europe/Moscow' },
      members: { findActor: () => ({ accountId: 1 }) },
      batches: {
        list: (_actor: object, how: object) =>
          soon(() => (did.push(['list', how]), { rows: batches, ...(hasMore && { next: batches.at(-1) }) })),
        find: () => world.batch,
      },
      codes: {
        countAvailable: () => new Map([[60, available]]),
        countStock: () => [{ denomination: 60, available: 1, reserved: 0, inDoubt: 0, wasStocked: true }],
        extract: (_actor: object, { inTransaction, ...order }: { inTransaction: ActionRows }) =>
          soon(
            () =>
              void did.push([
                'extract',
                order,
                inTransaction.confirmation,
                inTransaction.messages?.map(({ key, jobId }) => [key, jobId]),
              ]),
          ),
      },
      badCodes: {
        list: () => world.bad ?? [],
        isPaused: () => world.isPaused ?? false,
        goOn: (_actor: object, stockKey: { denomination: number }) =>
          soon(() => (did.push(['goOn', stockKey.denomination]), stockKey.denomination === 60)),
        release: (_actor: object, stockKey: { denomination: number }) =>
          soon(() => (did.push(['release', stockKey.denomination]), 4)),
        tryAgain: (_actor: object, stockKey: object) => soon(() => (did.push(['tryAgain', stockKey]), 2)),
      },
      extractionHistory: {
        mostAtOnce: 1_000,
        countSpentToday: () => Promise.resolve(new Map()),
        paceOf: () => Promise.resolve(new Map()),
        listRecent: (_actor: object, limit: number) => (world.recent ?? []).slice(0, limit),
        findExtraction: () => Promise.resolve(world.extraction),
      },
    },
  };
  const tools = {
    backgroundTasks: { begin: (_ctx: object, work: () => Promise<void>) => work() },
    progress: {
      open: (target: object) => ({
        show: (word: () => object) => void did.push(['running', target, word()]),
      }),
    },
  };
  const actor = { kind: 'member', accountId: 1, telegramId: 5, role };
  const conversation = {
    active: () => ({}),
    enter: (name: string, given: unknown) => soon(() => void did.push(['enter', name, given])),
    exit: (name: string) => soon(() => void did.push(['exit', name])),
  };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const { ctx, said } = create(event, { actor, conversation, isPrivate: world.isPrivate ?? true });
  const bot: BotDeps = fake(deps);
  if (event.startsWith('delete-pasted:')) await deletePasted(bot, ctx);
  const extracting = createExtractCodesFeature(bot, fake(tools));
  const stock = createStockFeature(bot).handlers;
  for (const handlers of [stock, createBatchList(bot), extracting.handlers])
    await handlers.middleware()(ctx, () => Promise.resolve());
  const [prompts] = extracting.conversations ?? [];
  const given = { gameId: GAME.id, denomination: 60 };
  if (world.isHeld === true && prompts) said.push(...(await holdConversation(prompts, { given })).said);
  return { said, did, kept };
}

const TAP = ['tap', undefined];
const NONE = { said: [], did: [], kept: [] };
const STOCK_KEY = 'codes-stock-key {\\"denomination\\":\\"60\\",\\"currency\\":\\"UC\\"}';
const STOCK = [
  'stock-game {"game":"game_id_1"}',
  `stock-line {"stockKey":"${STOCK_KEY}","available":1,"reserved":0,"inDoubt":0,"spent":0}`,
  '',
  'stock-note {"zone":"UTC+3"}',
].join('\n');
const ADD = ['start-button-add-codes -> go:add_codes'];
const OTHER = { ...GAME, id: 'game_id_2' };

test.each<[event: string, world: World, said: unknown[]]>([
  ['/stock', {}, [['reply', STOCK, ADD]]],
  ['/stock', { role: 'support' }, [['reply', STOCK]]],
  ['/stock', { isPrivate: false }, [['reply', STOCK]]],
  ['/stock', { games: [] }, [['reply', 'codes-no-game']]],
  ['stock:60:game_id_1', {}, [TAP, ['edit', STOCK, ADD]]],
  ['stock:60:game_id_1', { games: [] }, [TAP]],
])('%s at %j shows the stock', async (event, world, said) => {
  expect(await handle(event, world)).toEqual({ ...NONE, said });
});

test('where several games keep codes there is one button to add', async () => {
  const { said } = await handle('/stock', { games: [GAME, OTHER] });
  expect(said[0]?.slice(2)).toEqual([ADD]);
});

const BAD = { gameId: 'game_id_1', denomination: 60, used: 1, invalid: 2, inQuestion: 0, isPaused: true };

const IN_QUESTION = { ...BAD, used: 0, invalid: 0, inQuestion: 4, isPaused: false };

test('whoever may handle refused codes finds them under the stock', async () => {
  const button = ['button-bad-codes {"count":3} -> bad:list'];
  const { said } = await handle('/stock', { bad: [BAD], isPaused: true });
  expect(said[0]?.[1]).toContain('} · stock-paused');
  expect(said[0]?.slice(2)).toEqual([ADD, button]);
  const others = await handle('/stock', { bad: [BAD], role: 'operator' });
  expect(others.said[0]?.slice(2)).toEqual([ADD]);
});

test.each<[event: string, world: World, said: unknown[], did?: unknown[]]>([
  ['bad:list', {}, [TAP, ['edit', 'bad-none']]],
  [
    'bad:list',
    { bad: [BAD] },
    [
      TAP,
      [
        'edit',
        expect.stringMatching(/^bad-title\nbad-line .* · stock-paused$/),
        [`button-go-on-stock-key {"stockKey":"${STOCK_KEY}"} -> bad:go:60:game_id_1`],
        [
          `button-bad-file {"stockKey":"${STOCK_KEY}"} -> bad:file:60:game_id_1`,
          `button-bad-again {"stockKey":"${STOCK_KEY}"} -> bad:again:60:game_id_1`,
        ],
      ],
    ],
  ],
  [
    'bad:list',
    { bad: [IN_QUESTION] },
    [
      TAP,
      [
        'edit',
        expect.stringMatching(/^bad-title\nbad-line .*\nbad-in-question \{"count":4\}$/),
        [`button-bad-release {"stockKey":"${STOCK_KEY}"} -> bad:release:60:game_id_1`],
      ],
    ],
  ],
  ['bad:release:60:game_id_1', { bad: [IN_QUESTION], role: 'operator' }, [['alert', 'refusal-for-admin']]],
  [
    'bad:release:60:game_id_1',
    { bad: [IN_QUESTION] },
    [TAP, ['reply', `bad-released {"stockKey":"${STOCK_KEY}","count":4}`]],
    [['release', 60]],
  ],
  ['bad:list', { bad: [BAD], role: 'operator' }, [['alert', 'refusal-for-admin']]],
  ['bad:go:60:game_id_1', { bad: [BAD], role: 'support' }, [['alert', 'refusal-for-admin']]],
  ['bad:go:60:game_id_1', {}, [['alert', 'bad-none-tap']]],
  [
    'bad:go:60:game_id_1',
    { bad: [BAD] },
    [TAP, ['reply', `bad-goes-on {"stockKey":"${STOCK_KEY}"}`]],
    [['goOn', 60]],
  ],
  [
    'bad:again:60:game_id_1',
    { bad: [BAD] },
    [
      TAP,
      [
        'reply',
        `bad-again-ask {"stockKey":"${STOCK_KEY}","count":3}`,
        ['button-try-bad {"count":3} -> try-again:id', 'button-cancel -> no:try-again:id'],
      ],
    ],
  ],
])('%s at %j', async (event, world, said, did = []) => {
  expect(await handle(event, world)).toMatchObject({ said, did });
});

test('a paused denomination is not taken out, and can be let go on there', async () => {
  const { said, kept } = await handle('/extract_codes 60 2', { isPaused: true });
  expect([said, kept]).toEqual([
    [
      [
        'reply',
        `extract-paused {"game":"game_id_1","stockKey":"${STOCK_KEY}"}`,
        ['button-go-on -> bad:go:60:game_id_1'],
      ],
    ],
    [],
  ]);
});

const NO_FATE = { available: 0, redeemed: 0, held: 0, inDoubt: 0, extracted: 0, undone: 0, spent: 0 };
const batchOf = (id: number, changes: object = {}) => ({
  ...{ id, gameId: 'game_id_1', added: 2, at: NOON + id, canBeUndone: true, fate: NO_FATE },
  actorLabel: { kind: 'member', telegramId: 5, name: 'Ann' },
  ...changes,
});
const lineOf = (id: number, who: string) =>
  `batches-one {"batch":"${id}","game":"game_id_1","when":"22 Nov 2026, 15:00 UTC+3","who":${JSON.stringify(who)},"count":2,"supplier":"none"}`;
const undoOf = (id: number) => [`batches-undo {"batch":"${id}"} -> batch:undo:${id}`];

test('each batch is told with whose it is and what became of it', async () => {
  const one = { available: 1, redeemed: 1, held: 1, inDoubt: 1, extracted: 1, undone: 1, spent: 1 };
  const batches = [
    batchOf(9, { fate: one }),
    batchOf(8, { actorLabel: { kind: 'member', telegramId: 6 }, canBeUndone: false }),
    batchOf(7, { actorLabel: { kind: 'apiKey', apiKeyId: 3, prefix: 'crs_a' } }),
    batchOf(6, { actorLabel: { kind: 'apiKey', apiKeyId: 3 }, canBeUndone: false }),
    batchOf(5, { actorLabel: { kind: 'host' }, canBeUndone: false }),
  ];
  const fates = Object.keys(NO_FATE).map((fate) => `batches-fate {"fate":"${fate}","count":1}`);
  expect(await handle('/batches', { batches })).toEqual({
    ...NONE,
    did: [['list', { order: 'newest', limit: 5 }]],
    said: [
      [
        'reply',
        [
          'batches-title',
          `${lineOf(9, 'Ann')}\n${fates.join(', ')}`,
          lineOf(8, 'receipt-by-former {"id":"6"}'),
          lineOf(7, 'receipt-by-api-key {"prefix":"crs_a"}'),
          lineOf(6, 'receipt-by-api-key {"prefix":"3"}'),
          lineOf(5, 'receipt-by-host'),
        ].join('\n\n'),
        undoOf(9),
        ['batches-bad {"batch":"9"} -> batch:bad:9'],
        undoOf(7),
      ],
    ],
  });
});

const OLDER = `page-next -> batches:${(NOON + 8).toString(36)}:8`;
const NEWEST = 'batches-newest -> batches:top';

test.each<[event: string, world: World, how: object, rows: string[][]]>([
  ['/batches', { hasMore: true }, {}, [[OLDER]]],
  ['batches:top', { hasMore: true }, {}, [[OLDER]]],
  ['batches:zz:a', { hasMore: true }, { beside: { after: { at: 1_295, id: 10 } } }, [[NEWEST, OLDER]]],
  ['batches:zz:a', {}, { beside: { after: { at: 1_295, id: 10 } } }, [[NEWEST]]],
])('%s at %j asks for a page of five', async (event, world, how, rows) => {
  const batches = [batchOf(9), batchOf(8)];
  const { said, did } = await handle(event, { ...world, batches });
  expect(did).toEqual([['list', { order: 'newest', limit: 5, ...how }]]);
  expect(said.at(-1)?.slice(2)).toEqual([undoOf(9), undoOf(8), ...rows]);
  expect(said.map(([how]) => how)).toEqual(event.startsWith('/') ? ['reply'] : ['tap', 'edit']);
});

test.each<[event: string, world: World, said: unknown[]]>([
  ['/batches', {}, [['reply', 'batches-empty']]],
  ['batches:top', {}, [TAP, ['edit', 'batches-empty']]],
])('%s of none says so', async (event, world, said) => {
  expect((await handle(event, world)).said).toEqual(said);
});

test.each<[event: string, world: World, said: unknown[]]>([
  ['/batches', { role: 'support' }, [['reply', 'refusal-for-operator']]],
  ['batches:top', { role: 'support' }, [['alert', 'refusal-for-operator']]],
  ['batch:undo:9', { role: 'support', batch: batchOf(9) }, [['alert', 'refusal-for-operator']]],
  ['batch:undo:9', {}, [['alert', 'button-old']]],
  ['batch:undo:9', { batch: batchOf(9, { undoneAt: 1 }) }, [['alert', 'undo-done-tap']]],
  ['/extract_codes', { role: 'operator' }, [['reply', 'refusal-for-admin']]],
  ['/extract_codes', { games: [] }, [['reply', 'codes-no-game']]],
  [
    '/extract_codes 60 2',
    { available: 0 },
    [['reply', `extract-none {"game":"game_id_1","stockKey":"${STOCK_KEY}"}`]],
  ],
  ['extract:again:4', {}, [['alert', 'button-old']]],
  ['extract:again:4', { role: 'operator', extraction: { codes: [] } }, [['alert', 'refusal-for-admin']]],
  ['delete-pasted:id', {}, [['alert', 'confirmation-unknown']]],
])('%s at %j does nothing', async (event, world, said) => {
  expect(await handle(event, world)).toEqual({ ...NONE, said });
});

const confirmationOf = (action: string, payload: object) => ({
  ...{ id: 'id', chatId: 5, userId: 5, action, expiresAt: NOON + 15 * 60_000 },
  payload: { ...payload, madeIn: 1 },
});

test('taking a batch back is asked once more, good for a quarter of an hour', async () => {
  expect(await handle('batch:undo:9', { batch: batchOf(9) })).toEqual({
    ...NONE,
    said: [
      TAP,
      [
        'edit',
        'batches-undo-ask {"batch":"9","count":2}',
        ['button-undo -> undo-batch:id'],
        ['button-back -> batches:top'],
      ],
    ],
    kept: [confirmationOf('undo-batch', { batchId: 9, added: 2 })],
  });
});

test.each<[event: string, world: World, given: object]>([
  ['/extract_codes', {}, { gameId: 'game_id_1' }],
  ['/extract_codes 60', {}, { gameId: 'game_id_1', denomination: 60 }],
  ['/extract_codes 60 0', {}, { gameId: 'game_id_1', denomination: 60, amount: 0 }],
  ['/extract_codes 60 x', {}, { gameId: 'game_id_1', denomination: 60 }],
  ['/extract_codes 61 2', {}, { gameId: 'game_id_1', denomination: 61, amount: 2 }],
  ['/extract_codes 60 2', { games: [GAME, OTHER] }, { denomination: 60, amount: 2 }],
])('%s at %j asks what is missing', async (event, world, given) => {
  expect(await handle(event, world)).toEqual({ ...NONE, did: [['enter', 'extract-codes', given]] });
});

const MINE = { id: 41, createdAt: NOON, gameId: 'game_id_1', denomination: 60, count: 2 };
const BY_MEMBER = { ...MINE, actorLabel: { kind: 'member', telegramId: 6, name: 'Ann' } };
const BY_PROGRAM = {
  ...MINE,
  id: 40,
  gameId: 'gone',
  actorLabel: { kind: 'apiKey', apiKeyId: 3, prefix: 'crs_a' },
};

const AGAIN = [41, 40].map((id) => [`extractions-again {"batch":"${id}"} -> extract:again:${id}`]);

test.each<[event: string, isListed: boolean]>([
  ['/extract_codes', true],
  ['/extract_codes 60', false],
])('%s begins with the last extractions, each to be had again: %s', async (event, isListed) => {
  const { said } = await handle(event, { recent: [BY_MEMBER, BY_PROGRAM] });
  expect(said).toEqual(isListed ? [['reply', expect.any(String), ...AGAIN]] : []);
  for (const words of isListed
    ? ['extractions-title', '"who":"Ann"', 'receipt-by-api-key', '"stockKey":"60"']
    : [])
    expect(said[0]?.[1]).toContain(words);
});

test('ten of them at most', async () => {
  const recent = Array.from({ length: 11 }, (_, id) => ({ ...BY_MEMBER, id }));
  const { said } = await handle('/extract_codes', { recent });
  expect(said[0]?.slice(2)).toHaveLength(10);
});

test.each<[asked: number, available: number, key: string, amount: number]>([
  [1, 3, 'extract-confirm', 1],
  [3, 3, 'extract-confirm', 3],
  [4, 3, 'extract-confirm-fewer', 3],
  [2_000, 5_000, 'extract-confirm-fewer', 1_000],
])('%i of %i are confirmed before they are taken', async (asked, available, key, amount) => {
  const isAll = amount === available ? 'yes' : 'no';
  const facts = `"game":"game_id_1","stockKey":"${STOCK_KEY}","available":${available},"amount":${amount},"asked":${asked},"isAll":"${isAll}"`;
  expect(await handle(`/extract_codes 60 ${asked}`, { available })).toEqual({
    ...NONE,
    said: [
      [
        'reply',
        `${key} {${facts}}`,
        [`extract-button {"count":"${amount}"} -> extract:id:${amount}`, 'button-cancel -> no:extract:id'],
      ],
    ],
    kept: [confirmationOf('extract', { gameId: 'game_id_1', denomination: 60, amounts: [amount] })],
  });
});

const takeOut = (amount: number) => `extract-button {"count":"${amount}"} -> extract:id:${amount}`;
const takeAll = (amount: number) => `button-take-all {"count":"${amount}"} -> extract:id:${amount}`;
const CANCEL = 'button-cancel -> no:extract:id';

test.each<[available: number, amounts: number[], rows: string[][]]>([
  [1, [1], [[takeOut(1), CANCEL]]],
  [5, [1, 5], [[takeOut(1), takeAll(5)], [CANCEL]]],
  [
    50,
    [1, 10, 50],
    [
      [takeOut(1), takeOut(10)],
      [takeAll(50), CANCEL],
    ],
  ],
  [60, [1, 10, 50, 60], [[takeOut(1), takeOut(10)], [takeOut(50), takeAll(60)], [CANCEL]]],
  [5_000, [1, 10, 50, 1_000], [[takeOut(1), takeOut(10)], [takeOut(50), takeOut(1_000)], [CANCEL]]],
])('of %i a few amounts are offered under one confirmation: %j', async (available, amounts, rows) => {
  const { said, kept } = await handle('/extract_codes 60', { available, isHeld: true });
  const facts = { game: 'game_id_1', stockKey: STOCK_KEY.replaceAll('\\', ''), available };
  expect([said, kept]).toEqual([
    [['reply', `extract-how-many ${JSON.stringify(facts)}`, ...rows]],
    [confirmationOf('extract', { gameId: 'game_id_1', denomination: 60, amounts })],
  ]);
});

const USED = { id: 'id', updateId: 77 };
const pressed = (action: string, payload: object) => ({
  ...confirmationOf(action, {}),
  payload: JSON.stringify({ ...payload, madeIn: 1 }),
  takenBy: null,
});

const OFFER = { gameId: 'game_id_1', denomination: 60, amounts: [1, 2] };
const EXIT = ['exit', 'extract-codes'];

test('a confirmed extraction is one action, and its file follows at the end of its job', async () => {
  const { said, did } = await handle('extract:id:2', { confirmation: pressed('extract', OFFER) });
  const order = { gameId: 'game_id_1', denomination: 60, amount: 2 };
  expect(said).toEqual([TAP]);
  expect(did).toEqual([
    EXIT,
    ['running', { chatId: 5, messageId: 8 }, { html: 'extract-running' }],
    ['extract', { ...order, idempotencyKey: { scope: 'chat', key: 'id:2' } }, USED, [['result:id', 9]]],
  ]);
});

test('an offer that is not there is said to be too old', async () =>
  expect(await handle('extract:id:2')).toEqual({
    ...NONE,
    said: [['alert', 'confirmation-unknown']],
    did: [EXIT],
  }));

test.each(['extract:id', 'extract:id:3', 'extract:id:02'])(
  '%s is no button of it: nothing is taken',
  async (event) => {
    const { said, did } = await handle(event, { confirmation: pressed('extract', OFFER) });
    expect([said, did]).toEqual([[TAP], [EXIT]]);
  },
);

test('an extraction that a crash interrupted is not ordered again: its job goes on, and its result comes', async () => {
  const { did } = await handle('extract:id:2', {
    confirmation: { ...pressed('extract', OFFER), takenBy: 77 },
  });
  expect(did).toEqual([EXIT]);
});

test('the file comes again, and what was pasted is deleted by the chat queue', async () => {
  const again = await handle('extract:again:4', { extraction: { codes: ['a', 'b'] } });
  const order = { telegramId: 5, language: 'en' };
  const of = { extractionId: 4, asked: 2 };
  expect([again.said, again.did]).toEqual([
    [TAP],
    [['kept', undefined, ['asked:77:extracted', { ...order, view: 'extracted', of }]]],
  ]);
  const confirmation = pressed('delete-pasted', { batchId: 6, undoId: 'u' });
  const deleted = await handle('delete-pasted:id', { confirmation });
  const pasted = { batchId: 6, undoId: 'u', messageId: 8 };
  expect([deleted.said, deleted.did]).toEqual([
    [TAP],
    [['kept', USED, ['result:id', { ...order, view: 'pasted-deleted', of: pasted, messageId: 8 }]]],
  ]);
  const late = await handle('delete-pasted:id', { confirmation: { ...confirmation, expiresAt: NOON } });
  expect([late.said, late.did]).toEqual([[['alert', 'delete-late-tap']], []]);
});
