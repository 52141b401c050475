// /history and /find by their commands and buttons: what is asked of the core, what the pages say, and where their buttons lead.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
} from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { BotDeps } from '../context.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import { createFindFeature } from './find.ts';
import { createHistoryFeature } from './history.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const DAY_MS = 24 * 60 * 60 * 1000;
const lineOf = (id: number) => ({
  ...{ id, createdAt: NOW + id, state: 'redeemed', warning: false },
  ...{ gameId: 'game_id_1', playerId: '5170925570', amount: 60 },
});
const DAY = { year: 2026, month: 3, day: 9 };
const BY = { words: ['ann'] };

interface World {
  role?: string;
  /** What the core finds. */
  found?: object | undefined;
  lines?: object[];
  readDay?: object;
  confirmation?: object;
}

async function handle(event: string, world: World = {}) {
  const { role = 'owner', found, lines = [lineOf(45), lineOf(40)], readDay, confirmation } = world;
  const asked: unknown[] = [];
  const kept: Confirmation[] = [];
  const ask = (what: string) => (_actor: object, order: unknown, size?: number) =>
    soon(() => {
      asked.push([what, order, ...(size === undefined ? [] : [size])]);
      return found;
    });
  const actor = { kind: 'member', accountId: 1, telegramId: 5, role };
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(NOW),
    ids: { secret: (bytes: number) => `secret-${bytes}` },
    store: {
      confirmations: {
        save: (row: Confirmation) => soon(() => void kept.push(row)),
        find: (id: string) => (id === 'secret-12' ? confirmation : undefined),
      },
    },
    core: {
      games: TEST_GAMES,
      accounts: { timeZoneOf: () => 'Europe/Moscow' },
      members: { findActor: () => actor },
      search: {
        readDay: () => readDay,
        day: ask('day'),
        page: ask('page'),
        beside: ask('beside'),
        find: ask('find'),
        read: (_actor: object, ids: number[]) => (asked.push(['read', ids]), lines),
      },
      receipts: { find: () => undefined },
    },
  };
  const conversation = {
    active: () => ({}),
    enter: (name: string, given: unknown) => soon(() => void asked.push(['enter', name, given])),
  };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const { ctx, said } = create(event, { actor, conversation });
  const bot: BotDeps = fake(deps);
  for (const { handlers } of [createHistoryFeature(bot), createFindFeature(bot)])
    await handlers.middleware()(ctx, () => Promise.resolve());
  // Of each line when it was.
  const told = said.map(([how, words = '', ...rows]) => {
    const parts = words.split('\n\n').filter((part) => part !== 'past-legend');
    const shown = parts.map(
      (part) => [...part.matchAll(/"when":"(.*?)"/g)].map(([, when]) => when).join(', ') || part,
    );
    return [how, ...shown, ...rows];
  });
  return { told, asked, kept };
}

const TAP = ['tap', ''];
const ALERT = (key: string) => [['alert', key]];
const day = (facts: string, own = 'no') =>
  `history-day {"day":"9 Mar 2026","own":"${own}","page":${facts},"zone":"UTC+3"}`;
const NEWER = (data: string) => `page-previous -> ${data}`;
const OLDER = (data: string) => `page-next -> ${data}`;
const TWO = '15:00, 15:00';
const AT = (id: number) => (NOW + id).toString(36);
const ofDay = (changes: object = {}) => ({
  day: DAY,
  lines: [lineOf(45), lineOf(40)],
  hasMore: false,
  ...changes,
});

test.each<[event: string, world: World, told: unknown[], asked: unknown[]]>([
  ['/history', { found: ofDay() }, [['reply', day('"1","several":0'), TWO]], [['day', { size: 10 }]]],
  [
    '/history 9.3.2026',
    { readDay: DAY, role: 'operator', found: ofDay() },
    [['reply', day('"1","several":0', 'yes'), TWO]],
    [['day', { day: DAY, size: 10 }]],
  ],
  [
    '/history',
    { role: 'operator', found: ofDay({ total: { redeemed: 41, failed: 2, open: 0 } }) },
    [['reply', `${day('"1","several":0', 'yes')}\nhistory-total {"redeemed":41,"failed":2,"open":0}`, TWO]],
    [['day', { size: 10 }]],
  ],
  [
    '/history',
    {
      found: ofDay({ hasMore: true, earlier: { ...DAY, day: 8 }, later: { year: 2026, month: 12, day: 31 } }),
    },
    [
      [
        'reply',
        day('"1","several":1'),
        TWO,
        [OLDER(`history:day:20260309:2:o:${AT(40)}:14`)],
        [
          'history-day-earlier {"day":"8 Mar"} -> history:day:20260308',
          'history-day-later {"day":"31 Dec"} -> history:day:20261231',
        ],
      ],
    ],
    [['day', { size: 10 }]],
  ],
  [
    '/history',
    { found: ofDay({ lines: [] }) },
    [['reply', 'history-day-empty {"day":"9 Mar 2026","own":"no"}']],
    [['day', { size: 10 }]],
  ],
  ['/history', {}, [['reply', 'history-empty']], [['day', { size: 10 }]]],
  ['/history', { role: 'operator' }, [['reply', 'history-empty-own']], [['day', { size: 10 }]]],
  [
    '/history 3',
    { found: { lines: [lineOf(45), lineOf(40)], hasMore: true } },
    [
      [
        'reply',
        'history-title {"page":"3","own":"no","zone":"UTC+3"}',
        '22 Nov, 15:00, 22 Nov, 15:00',
        [NEWER(`history:2:n:${AT(45)}:19`), OLDER(`history:4:o:${AT(40)}:14`)],
      ],
    ],
    [['page', { page: 3, size: 10 }]],
  ],
  [
    '/history 1',
    { role: 'operator', found: { lines: [lineOf(45)], hasMore: false } },
    [['reply', 'history-title {"page":"1","own":"yes","zone":"UTC+3"}', '22 Nov, 15:00']],
    [['page', { page: 1, size: 10 }]],
  ],
  ['/history 1', { found: { lines: [] } }, [['reply', 'history-empty']], [['page', { page: 1, size: 10 }]]],
  [
    '/history 1',
    { found: { lines: [] }, role: 'operator' },
    [['reply', 'history-empty-own']],
    [['page', { page: 1, size: 10 }]],
  ],
  [
    '/history 100000',
    { found: { lines: [] } },
    [['reply', 'history-no-page {"page":"100000"}']],
    [['page', { page: 100_000, size: 10 }]],
  ],
  ['/history 100001', {}, [['reply', 'history-page-wrong']], []],
  ['/history 0', {}, [['reply', 'history-page-wrong']], []],
  ['/history 1x', {}, [['reply', 'history-page-wrong']], []],
  [
    'history:day:20260309',
    { found: ofDay() },
    [TAP, ['edit', day('"1","several":0'), TWO]],
    [['day', { day: DAY, size: 10 }]],
  ],
  [
    'history:day:20260309:2:o:a:b',
    { found: ofDay() },
    [TAP, ['edit', day('"2","several":1'), TWO, [NEWER(`history:day:20260309:1:n:${AT(45)}:19`)]]],
    [['day', { day: DAY, beside: { page: 2, olderThan: { createdAt: 10, id: 11 } }, size: 10 }]],
  ],
  ['history:day:20260230', {}, ALERT('button-old'), []],
  ['history:day:20260309:2:o:zzzzzzzzzzz:1', {}, ALERT('button-old'), []],
  ['history:2:o:1:zzzzzzzzzzz', {}, ALERT('button-old'), []],
  [
    'history:2:n:10:a',
    { found: { lines: [lineOf(45)], hasMore: false } },
    [
      TAP,
      [
        'edit',
        'history-title {"page":"2","own":"no","zone":"UTC+3"}',
        '22 Nov, 15:00',
        [NEWER(`history:1:n:${AT(45)}:19`)],
      ],
    ],
    [['beside', { page: 2, newerThan: { createdAt: 36, id: 10 } }, 10]],
  ],
])('%s at %j', async (event, world, told, asked) => {
  const answer = await handle(event, world);
  expect(answer.told).toEqual(told);
  expect(answer.asked).toEqual(asked);
});

const IDS = Array.from({ length: 12 }, (_, index) => 30 - index);
const FOUND = { ids: [7, 5], isComplete: true, by: BY };
const title = (count: number, page = 1, pages = 1, several = 1) =>
  `find-title {"count":${count},"page":"${page}","pages":"${pages}","several":${several},"zone":"UTC+3"}`;
const ANN = 'find-by {"what":"ann"}';
const ONE = '22 Nov, 15:00, 22 Nov, 15:00';

test.each<[what: string, world: World, words: string[]]>([
  ['with what it looked for', { found: FOUND }, [`${title(2)}\n${ANN}`, ONE]],
  [
    'not all',
    { found: { ...FOUND, isComplete: false, reached: NOW, asksForMore: true } },
    [`${title(2)}\n${ANN}\nfind-more-characters\nfind-more {"day":"22 Nov 2026"}`, ONE],
  ],
  ['by no words', { found: { ...FOUND, by: { words: [] } } }, [title(2), ONE]],
  [
    'nothing',
    { found: { ...FOUND, ids: [] }, lines: [] },
    ['find-nothing {"what":"ann"} find-too-few {"count":3}'],
  ],
  [
    'nothing by too little',
    { found: { ids: [], by: { words: [] }, asksForMore: true }, lines: [] },
    ['find-nothing {"what":"none"}\nfind-more-characters'],
  ],
  [
    'nothing by nothing',
    { found: { ids: [], by: { words: [] } }, lines: [] },
    ['find-nothing {"what":"none"}'],
  ],
])('/find tells what it found %s', async (_what, world, words) => {
  const { told, asked, kept } = await handle('/find ann', world);
  const { ids } = world.found as { ids: number[] };
  expect([told, asked, kept]).toEqual([
    [['reply', ...words]],
    [
      ['find', 'ann'],
      ['read', ids],
    ],
    [],
  ]);
});

test.each<[what: string, world: World, shown: string[]]>([
  [
    'of which there is one',
    { found: { ...FOUND, ids: [7] }, lines: [lineOf(7)] },
    ['receipt-unknown {"id":"7"}'],
  ],
  [
    'of which more may be there',
    { found: { ...FOUND, ids: [7], isComplete: false, reached: NOW }, lines: [lineOf(7)] },
    [`${title(1)}\n${ANN}\nfind-more {"day":"22 Nov 2026"}`, '22 Nov, 15:00'],
  ],
])('what is looked for %s is the receipt where that is all', async (_what, world, shown) => {
  expect((await handle('/find ann', world)).told).toEqual([['reply', ...shown]]);
});

test('what is near is shown in place of the question, and offers nothing nearer', async () => {
  const found = { ids: [], isComplete: true, by: { state: 'failed', words: ['ann'] } };
  const { told, asked } = await handle('find:near:failed', { found, lines: [] });
  expect([told, asked[0]]).toEqual([
    [TAP, ['edit', 'find-nothing {"what":"find-state-failed · ann"}']],
    ['find', 'failed'],
  ]);
});

test('/find asks what for, and of a day alone shows the day', async () => {
  expect(await handle('/find')).toEqual({ told: [], asked: [['enter', 'find', {}]], kept: [] });
  const ofToday = await handle('/find today', { readDay: DAY, found: ofDay() });
  expect([ofToday.told, ofToday.asked]).toEqual([
    [['reply', day('"1","several":0'), TWO]],
    [['day', { day: DAY, size: 10 }]],
  ]);
});

test('ten are a page without a button; of eleven the rest is kept for a day', async () => {
  const ten = await handle('/find ann', { found: { ...FOUND, ids: IDS.slice(0, 10) } });
  expect([ten.told[0]?.slice(1), ten.kept]).toEqual([[`${title(10)}\n${ANN}`, ONE], []]);
  const found = { ...FOUND, ids: IDS.slice(0, 11) };
  const eleven = await handle('/find ann', { found });
  expect(eleven.told).toEqual([['reply', `${title(11, 1, 2, 2)}\n${ANN}`, ONE, [OLDER('find:2:secret-12')]]]);
  expect(eleven.asked.at(-1)).toEqual(['read', IDS.slice(0, 10)]);
  expect(eleven.kept).toEqual([
    {
      ...{ id: 'secret-12', chatId: 5, userId: 5, action: 'find-pages', expiresAt: NOW + DAY_MS },
      payload: JSON.stringify({ ...found, madeIn: 1 }),
    },
  ]);
});

const confirmationOf = (changes: object = {}) => ({
  ...{ id: 'secret-12', chatId: 5, userId: 5, action: 'find-pages', expiresAt: NOW + 1 },
  payload: JSON.stringify({ ...FOUND, ids: IDS.slice(0, 11), madeIn: 1 }),
  takenBy: null,
  ...changes,
});

test('its buttons turn the pages of what was kept', async () => {
  const second = await handle('find:2:secret-12', { confirmation: confirmationOf() });
  expect(second.told).toEqual([
    TAP,
    ['edit', `${title(11, 2, 2, 2)}\n${ANN}`, ONE, [NEWER('find:1:secret-12')]],
  ]);
  expect(second.asked).toEqual([['read', [20]]]);
  const gone = await handle('find:2:secret-12', { confirmation: confirmationOf(), lines: [] });
  expect(gone.told).toEqual([TAP, ['edit', 'find-nothing {"what":"none"}']]);
});

test.each<[what: string, world: World, words: string]>([
  ['that are not kept', {}, 'confirmation-unknown'],
  ['of something else', { confirmation: confirmationOf({ action: 'extract' }) }, 'confirmation-unknown'],
  ['of another person', { confirmation: confirmationOf({ userId: 6 }) }, 'confirmation-not-yours'],
  ['of another chat', { confirmation: confirmationOf({ chatId: 6 }) }, 'confirmation-elsewhere'],
  [
    'of another account',
    { confirmation: confirmationOf({ payload: '{"madeIn":2}' }) },
    'confirmation-other-account',
  ],
  ['of yesterday', { confirmation: confirmationOf({ expiresAt: NOW }) }, 'button-old'],
])('pages %s are not shown', async (_what, world, words) => {
  const { told, asked } = await handle('find:2:secret-12', world);
  expect([told, asked]).toEqual([ALERT(words), []]);
});
