// Command menus: who has which commands, and when a chat's own menu is set anew.
import type { Api } from 'grammy';
import { expect, test } from 'vitest';

import { createRecordedContext, KEYS_FOR_WORDS, soon } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { MemberActor } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { commandsFor, updateOwnMenu, setDefaultMenus, setOwnMenu, toMenu } from './menus.ts';

const FEATURES: Feature[] = fake([
  { commands: [{ name: 'start', for: 'everyone', inGroups: true }] },
  {
    commands: [
      { name: 'settings', for: 'members' },
      { name: 'add_codes', for: 'addCodes' },
      { name: 'health', for: 'hosts' },
    ],
  },
]);
const ACTOR: MemberActor = { kind: 'member', accountId: 1, telegramId: 5, role: 'owner' };
const DIGEST = /^en:owner::[\w-]{8}$/;

function createWorld(menu?: string, failure?: Error) {
  const calls: unknown[] = [];
  const saved: { telegramId: number; menu: string }[] = [];
  const warned: unknown[] = [];
  const api: Api = fake({
    setMyCommands: (commands: { command: string }[], { scope, ...rest }: { scope: object }) =>
      soon(() => {
        calls.push([commands.map(({ command }) => command), scope, rest]);
        if (failure) throw failure;
      }),
  });
  const deps: BotDeps = fake({
    texts: KEYS_FOR_WORDS,
    log: { warn: (_fields: object, words: string) => void warned.push(words) },
    store: {
      preferences: {
        find: () => (menu === undefined ? undefined : { menu }),
        save: (row: { telegramId: number; menu: string }) => soon(() => void saved.push(row)),
      },
    },
  });
  return { api, deps, calls, saved, warned };
}

test.each<[actor: MemberActor | undefined, isHost: boolean, names: string[]]>([
  [undefined, false, ['start']],
  [undefined, true, ['start', 'health']],
  [ACTOR, false, ['start', 'settings', 'add_codes']],
  [{ ...ACTOR, role: 'support' }, true, ['start', 'settings', 'health']],
])('%j, a host: %s, has the commands %j', (actor, isHost, names) => {
  expect(commandsFor(FEATURES, actor, isHost).map(({ name }) => name)).toEqual(names);
});

test('a menu has every command with its words', () => {
  expect(toMenu(KEYS_FOR_WORDS, 'ru', [{ name: 'add_codes_now', for: 'everyone' }])).toEqual([
    { command: 'add_codes_now', description: 'ru:command-add-codes-now' },
  ]);
});

const PRIVATE = { type: 'all_private_chats' };
const GROUPS = { type: 'all_group_chats' };

test('strangers and groups have menus in every language; without them the bot works', async () => {
  const { api, deps, calls } = createWorld();
  await setDefaultMenus(api, deps, FEATURES);
  expect(calls).toEqual([
    [['start'], PRIVATE, {}],
    [['start'], GROUPS, {}],
    [['start'], PRIVATE, { language_code: 'ru' }],
    [['start'], GROUPS, { language_code: 'ru' }],
  ]);
  const failing = createWorld(undefined, new Error('away'));
  await setDefaultMenus(failing.api, failing.deps, FEATURES);
  expect([failing.calls.length, failing.warned]).toEqual([1, ['the default command menus could not be set']]);
});

const OWNER = { telegramId: 5, actor: ACTOR, isHost: false, language: 'en' } as const;
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await soon(() => undefined);
};

test('a menu is set where it is not what was set last, and then kept', async () => {
  const { api, deps, calls, saved } = createWorld('en:owner::older');
  setOwnMenu(api, deps, FEATURES, OWNER);
  await settle();
  expect(calls).toEqual([[['start', 'settings', 'add_codes'], { type: 'chat', chat_id: 5 }, {}]]);
  expect(saved).toEqual([{ telegramId: 5, menu: expect.stringMatching(DIGEST) as string }]);
  const again = createWorld(saved[0]?.menu);
  setOwnMenu(again.api, again.deps, FEATURES, OWNER);
  await settle();
  expect([again.calls, again.saved]).toEqual([[], []]);
});

test('a menu is known by language, role, host and commands', async () => {
  const menuOf = async (owner: object, features = FEATURES) => {
    const { api, deps, saved } = createWorld();
    setOwnMenu(api, deps, features, { ...OWNER, ...owner });
    await settle();
    return saved[0]?.menu ?? '';
  };
  const menus = [
    await menuOf({}),
    await menuOf({ language: 'ru' }),
    await menuOf({ actor: undefined }),
    await menuOf({ isHost: true }),
    await menuOf({}, FEATURES.slice(1)),
  ];
  expect(menus.map((menu) => menu.split(':').slice(0, 3).join(':'))).toEqual([
    ...['en:owner:', 'ru:owner:', 'en:stranger:', 'en:owner:host', 'en:owner:'],
  ]);
  expect(new Set(menus).size).toBe(5);
});

test('what fails of it is told to the log alone, and nothing is kept', async () => {
  const { api, deps, saved, warned } = createWorld(undefined, new Error('away'));
  setOwnMenu(api, deps, FEATURES, OWNER);
  await settle();
  expect([saved, warned]).toEqual([[], ['a command menu could not be set']]);
});

test.each<[what: string, menu: string | undefined, fields: object, isSet: boolean]>([
  ['of whoever has one', 'older', {}, true],
  ['of whoever has none', '', {}, false],
  ['of whoever is not known', undefined, {}, false],
  ['in a group', 'older', { isPrivate: false }, false],
  ['at a tap', 'older', { message: undefined }, false],
  ['of nobody', 'older', { from: undefined }, false],
])('beside the answer to a message the menu %s follows', async (_what, menu, fields, isSet) => {
  const { api, deps, calls } = createWorld(menu);
  const { ctx } = createRecordedContext({ message: {}, ...fields });
  let isAnswered = false;
  await updateOwnMenu(api, deps, FEATURES)(ctx, () => soon(() => void (isAnswered = true)));
  expect([isAnswered, calls]).toEqual([true, []]);
  await settle();
  expect(calls).toHaveLength(isSet ? 1 : 0);
});
