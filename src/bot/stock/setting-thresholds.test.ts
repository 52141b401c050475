// Thresholds by button and by command: what is offered, what is kept together with what is told, and what is refused.
import { expect, test } from 'vitest';

import {
  createPressedContext,
  createRecordedContext,
  KEYS_FOR_WORDS,
  soon,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { BotDeps } from '../context.ts';
import type { ActionRows } from '../../store/bot-store.ts';
import { createStockSettings, setFromArguments, showThresholds } from './thresholds.ts';

interface World {
  stockKeys?: object[];
  role?: string;
  actor?: object | undefined;
  games?: string[];
}

const STOCK_KEYS = [
  { gameId: 'game_id_1', denomination: 60, threshold: 0 },
  { gameId: 'game_id_1', denomination: 325, threshold: 50 },
];
/** The game in a button: the beginning of a digest of its name. */
const TAG = '23a039d3';

function createWorld({ stockKeys = STOCK_KEYS, games = ['game_id_1'] }: World) {
  const set: unknown[] = [];
  const deps = {
    store: { inTransaction: (rows: unknown) => rows },
    core: {
      games: {
        managed: games,
        find: (id: string) => (games.includes(id) ? { currency: 'UC' } : undefined),
      },
      stockAlerts: {
        list: () => stockKeys,
        set: (_actor: object, stockKey: object, rows: () => ActionRows) =>
          soon(() => void set.push(stockKey, ...(rows().messages ?? []))),
      },
    },
  };
  return { deps: fake(deps) satisfies BotDeps, set };
}

const actorOf = ({ role = 'owner', ...world }: World) =>
  'actor' in world ? world.actor : { kind: 'member', accountId: 1, telegramId: 6, role };

async function press(data: string, world: World = {}) {
  const { deps, set } = createWorld(world);
  const { ctx, said } = createPressedContext(data, { actor: actorOf(world) });
  await createStockSettings(deps).middleware()(ctx, () => Promise.resolve());
  return { said, set };
}

const TAP = ['tap', undefined];
const BACK = ['button-back -> settings:main'];
const buttonOf = (denomination: number) =>
  `settings-stock-key-off {"stockKey":"${denomination} UC","threshold":"0"} -> settings:key:${TAG}:${denomination}`;
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ gameId: 'game_id_1', denomination: n + 1, threshold: 0 }));
const pageOf = (from: number, to: number) =>
  many(to)
    .slice(from - 1)
    .map(({ denomination }) => [buttonOf(denomination)]);
const previous = (page: number) => `page-previous -> settings:stock:${page}`;
const next = (page: number) => `page-next -> settings:stock:${page}`;

test.each<[data: string, world: World, words: string, rows: string[][]]>([
  [
    'settings:stock',
    {},
    'settings-stock',
    [
      [buttonOf(60)],
      [`settings-stock-key {"stockKey":"325 UC","threshold":"50"} -> settings:key:${TAG}:325`],
      BACK,
    ],
  ],
  ['settings:stock', { stockKeys: [] }, 'settings-stock-none', [BACK]],
  ['settings:stock', { stockKeys: many(20) }, 'settings-stock', [...pageOf(1, 20), BACK]],
  ['settings:stock', { stockKeys: many(21) }, 'settings-stock', [...pageOf(1, 20), [next(1)], BACK]],
  [
    'settings:stock:1',
    { stockKeys: many(41) },
    'settings-stock',
    [...pageOf(21, 40), [previous(0), next(2)], BACK],
  ],
  ['settings:stock:9', { stockKeys: many(41) }, 'settings-stock', [...pageOf(41, 41), [previous(1)], BACK]],
])('%s shows the stock keys of its page', async (data, world, words, rows) => {
  expect(await press(data, world)).toEqual({ said: [TAP, ['edit', words, ...rows]], set: [] });
});

test('several games are told from each other by their names', async () => {
  const { said } = await press('settings:stock', { games: ['game_id_1', 'game_id_2'], stockKeys: many(1) });
  const stockKey =
    'settings-stock-key-off {"stockKey":"1 UC (game-name {\\"game\\":\\"game_id_1\\"})","threshold":"0"}';
  expect(said[1]?.[2]).toEqual([`${stockKey} -> settings:key:${TAG}:1`]);
  const gone = await press('settings:stock', { games: ['game_id_2'], stockKeys: many(1) });
  expect(gone.said[1]?.[2]).toEqual([
    `settings-stock-key-off {"stockKey":"1 ","threshold":"0"} -> settings:key:${TAG}:1`,
  ]);
});

test('a stock key offers its thresholds, four in a row', async () => {
  const under = (label: string, threshold: number) => `${label} -> settings:under:${TAG}:325:${threshold}`;
  const { said } = await press(`settings:key:${TAG}:325`);
  expect(said).toEqual([
    TAP,
    [
      'edit',
      'settings-stock-key-ask {"stockKey":"325 UC","denomination":"325"}',
      [under('settings-button-never', 0), under('< 5', 5), under('< 10', 10), under('< 20', 20)],
      [under('< 50', 50), under('< 100', 100), under('< 200', 200), under('< 500', 500)],
      ['button-back -> settings:stock'],
    ],
  ]);
});

test('a threshold that is pressed is kept with the message that shows it', async () => {
  const content = { telegramId: 5, language: 'en', view: 'thresholds-set', of: {}, messageId: 8 };
  expect(await press(`settings:under:${TAG}:325:200`)).toEqual({
    said: [['tap', 'settings-saved']],
    set: [
      { gameId: 'game_id_1', denomination: 325, threshold: 200 },
      { key: 'asked:77:thresholds-set', chatId: 5, content: JSON.stringify(content) },
    ],
  });
});

test.each<[data: string, world: World, words: string]>([
  [`settings:key:${TAG}:61`, {}, 'button-old'],
  ['settings:key:00000000:60', {}, 'button-old'],
  [`settings:under:${TAG}:61:5`, {}, 'button-old'],
  ['settings:under:00000000:60:5', {}, 'button-old'],
  ['settings:stock', { role: 'operator' }, 'refusal-for-admin'],
  [`settings:key:${TAG}:60`, { role: 'operator' }, 'refusal-for-admin'],
  [`settings:under:${TAG}:60:5`, { role: 'support' }, 'refusal-for-admin'],
])('%s at %j is refused', async (data, world, words) => {
  expect(await press(data, world)).toEqual({ said: [['alert', words]], set: [] });
});

test('the view is the first page as it is by now', () => {
  const { deps } = createWorld({ stockKeys: [] });
  const words = {
    say: KEYS_FOR_WORDS.say.bind(undefined, 'en'),
    label: KEYS_FOR_WORDS.label.bind(undefined, 'en'),
  };
  expect(showThresholds(deps, words, {} as never).html).toBe('settings-stock-none');
});

async function write(denomination: string, threshold: string, world: World = {}) {
  const { deps, set } = createWorld(world);
  const { ctx, said } = createRecordedContext({ actor: actorOf(world) });
  const isTaken = await setFromArguments(deps, ctx, denomination, threshold);
  return { isTaken, said, set };
}

const NOTHING = { said: [], set: [] };

test.each<[denomination: string, threshold: string, world: World, answer: object]>([
  ['sixty', '5', {}, { isTaken: false }],
  ['60', 'five', {}, { isTaken: false }],
  ['1234567890123', '5', {}, { isTaken: false }],
  ['60', '1234567890', {}, { isTaken: false }],
  ['60', '5', { role: 'operator' }, { isTaken: true, said: [['reply', 'refusal-for-admin']] }],
  ['60', '5', { actor: undefined }, { isTaken: true, said: [['reply', 'refusal-stranger']] }],
  ['60', '5', { stockKeys: [] }, { isTaken: true, said: [['reply', 'settings-stock-none']] }],
])('/settings %s %s at %j sets nothing', async (denomination, threshold, world, answer) => {
  expect(await write(denomination, threshold, world)).toEqual({ ...NOTHING, ...answer });
});

test.each([
  ['61', '5'],
  ['60', '100001'],
])('/settings %s %s says what there is, each denomination once', async (denomination, threshold) => {
  const stockKeys = [...STOCK_KEYS, { gameId: 'game_id_2', denomination: 60, threshold: 0 }];
  const words = 'settings-threshold-wrong {"denominations":"60, 325","most":"100000"}';
  expect(await write(denomination, threshold, { stockKeys })).toEqual({
    ...NOTHING,
    isTaken: true,
    said: [['reply', words]],
  });
});

test.each([
  ['100000', 'settings-threshold-set {"stockKey":"325 UC","threshold":"100000"}', 100_000],
  ['0', 'settings-threshold-off {"stockKey":"325 UC","threshold":"0"}', 0],
])('/settings 325 %s is kept with what is said of it', async (threshold, html, kept) => {
  expect(await write('325', threshold)).toEqual({
    isTaken: true,
    said: [],
    set: [
      { gameId: 'game_id_1', denomination: 325, threshold: kept },
      { key: 'threshold:77', chatId: 5, content: JSON.stringify({ html }) },
    ],
  });
});
