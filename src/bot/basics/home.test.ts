// What /start says: who they are, what is left and in stock, and what they do most; to strangers, hosts, and in groups.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  KEYS_FOR_WORDS,
  soon,
  type SaidWords,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { Feature } from '../feature.ts';
import type { ActionRows } from '../../store/bot-store.ts';
import { createStartFeature } from './start.ts';

interface World {
  actor?: object | undefined;
  role?: string;
  isHost?: boolean;
  isPrivate?: boolean;
  isSandbox?: boolean;
  isActive?: boolean;
  endsAt?: number;
  stock?: [number, number][];
  /** What becomes of whoever may open an account of their own; undefined: nobody may. */
  opened?: string;
}

const COMMANDS = {
  ...{ redeem: 'redeem', add_codes: 'addCodes', stock: 'seeStock', history: 'searchHistory' },
  ...{ stats: 'seeStatistics', members: 'manageStaff', quota: 'seeQuota', find: 'searchHistory' },
  ...{ accounts: 'hosts', health: 'hosts' },
};
const FEATURES: Feature[] = fake([
  { commands: Object.entries(COMMANDS).map(([name, right]) => ({ name, for: right })) },
]);

async function start(text: string, world: World = {}) {
  const { role = 'owner', isHost = false, isPrivate = true, isActive = true, opened, stock } = world;
  const member = { kind: 'member', accountId: 1, telegramId: 5, role };
  const kept: ActionRows[] = [];
  const menus: unknown[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    log: { warn: () => undefined },
    settings: { openSignup: opened !== undefined, hostIds: [5, 9] },
    store: {
      preferences: { find: () => undefined, save: () => Promise.resolve() },
      inTransaction: (rows: unknown) => rows,
    },
    core: {
      health: { isSandbox: world.isSandbox ?? false },
      games: {
        managed: [
          { id: 'a', currency: 'UC' },
          { id: 'b', currency: 'gems' },
        ],
      },
      codes: {
        countAvailable: (_actor: object, game: string) =>
          new Map(
            game === 'a'
              ? (stock ?? [
                  [60, 2],
                  [325, 0],
                ])
              : stock
                ? []
                : [[7, 1]],
          ),
      },
      quota: () => ({ daily: { remaining: 299.75, limit: 300 }, purchased: 1_000 }),
      accounts: {
        find: () => ({ name: 'Shop', subscriptionExpiresAt: world.endsAt }),
        isSubscriptionActive: () => isActive,
        openOwn: (_person: object, rows: (answer: object) => ActionRows) =>
          soon(() => {
            const answer = { status: opened, actor: member };
            kept.push(rows(answer));
            return answer;
          }),
      },
    },
  };
  const api = {
    setMyCommands: (commands: object[]) => soon(() => void menus.push(commands.length)),
  };
  const actor = 'actor' in world ? world.actor : member;
  const { ctx, said } = createCommandContext(text, { actor, isHost, isPrivate });
  await createStartFeature(fake(deps), fake(api), FEATURES).handlers.middleware()(ctx, () =>
    Promise.resolve(),
  );
  const shown = said.map(([how, words, ...rows]) => [how, words?.split('\n'), ...rows]);
  const messages = kept.flatMap((rows) => rows.messages ?? []).map(({ key, chatId }) => [key, chatId]);
  await soon(() => undefined);
  return { shown, said, messages, menus };
}

const left = (key = 'start-quota') => `${key} {"left":"299.75","limit":"300","purchased":"1000"}`;
const STOCK = 'start-stock {"stock":"60 UC × 2 · 7 gems × 1"}';
const home = (role: string, ...more: string[]) => [
  `start-who {"account":"Shop","role":"${role}"}`,
  role === 'support' ? 'hint-find' : 'hint-order',
  left(),
  STOCK,
  ...more,
];
const button = (command: string) => `start-button-${command.replace('_', '-')} -> go:${command}`;
const rows = (...commands: string[][]) => commands.map((row) => row.map(button));
const STAFF = rows(['redeem', 'add_codes'], ['stock', 'history'], ['stats', 'members']);

test.each<[what: string, world: World, lines: string[], buttons: string[][]]>([
  ['an owner', {}, home('owner'), STAFF],
  ['an admin', { role: 'admin' }, home('admin'), STAFF],
  ['an operator', { role: 'operator' }, home('operator'), rows(['redeem', 'add_codes'], ['stock', 'quota'])],
  ['support', { role: 'support' }, home('support'), rows(['find', 'history'], ['stock', 'quota'])],
  ['an owner who hosts', { isHost: true }, home('owner'), [...rows(['accounts', 'health']), ...STAFF]],
  [
    'a host of a sandbox in an account',
    { isHost: true, isSandbox: true, role: 'support' },
    home('support', '', 'start-sandbox'),
    rows(['accounts', 'health'], ['find', 'history'], ['stock', 'quota']),
  ],
  ['a member of a sandbox', { isSandbox: true }, home('owner'), STAFF],
  ['a host', { actor: undefined, isHost: true }, ['start-host'], rows(['accounts', 'health'])],
  [
    'a host of a sandbox',
    { actor: undefined, isHost: true, isSandbox: true },
    ['start-host', '', 'start-sandbox'],
    rows(['accounts', 'health']),
  ],
  ['a stranger', { actor: undefined }, ['start-stranger {"id":"5"}'], []],
])('%s reads who they are', async (_what, world, lines, buttons) => {
  const { shown, messages } = await start('/start', world);
  expect([shown, messages]).toEqual([[['reply', lines, ...buttons]], []]);
});

test.each<[what: string, world: World, key: string]>([
  ['has ended', { endsAt: 1 }, 'subscription-needed'],
  ['never was', {}, 'subscription-first'],
  ['has ended for who may not pay', { endsAt: 1, role: 'operator' }, 'subscription-needed-ask'],
])('a subscription that %s is told last', async (_what, world, key) => {
  const { shown } = await start('/start', { ...world, isActive: false });
  expect(shown[0]?.[1]?.slice(2)).toEqual([left('start-quota-off'), STOCK, '', key]);
});

test('nothing is sold to whoever hosts the service: they look for accounts', async () => {
  const { shown } = await start('/start', { isHost: true, isActive: false });
  expect(shown[0]?.[1]?.slice(1)).toEqual(['hint-accounts', left('start-quota-off'), STOCK]);
});

test('an empty stock is said to be empty', async () => {
  const { shown } = await start('/start', { stock: [[60, 0]] });
  expect(shown[0]?.[1]?.[3]).toBe('start-stock {"stock":"start-stock-empty"}');
});

test.each([
  ['opened', [['reply', ['start-opened']]]],
  ['alreadyMember', []],
])('where everybody is let in a stranger has an account of their own: %s', async (opened, before) => {
  const { shown, messages } = await start('/start', { actor: undefined, opened });
  expect(shown).toEqual([...before, ['reply', home('owner'), ...STAFF]]);
  // Whoever opened it is a host themselves, and knows.
  expect(messages).toEqual([['opened:1:9', 9]]);
  expect((await start('/start', { opened })).messages).toEqual([]);
});

test('in a group it leads to the private chat, and no menu is set', async () => {
  const { said, menus } = await start('/start', { isPrivate: false });
  const open: SaidWords = ['reply', 'start-group', ['start-open-private -> https://t.me/shop_bot']];
  expect([said, menus]).toEqual([[open], []]);
});

test('the menu is that of whoever it is by then; of a link nothing else is said', async () => {
  expect((await start('/start')).menus).toEqual([8]);
  expect((await start('/start', { actor: undefined, opened: 'opened' })).menus).toEqual([8]);
  expect((await start('/start', { actor: undefined, isHost: true })).menus).toEqual([2]);
  const { said } = await start('/start receipt_7', { actor: undefined });
  expect(said).toEqual([['reply', 'start-stranger {"id":"5"}']]);
});
