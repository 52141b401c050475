// What pressing a last button does: once, with its result in its place; and what is brought later, as rows.
import type { User } from 'grammy/types';
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
import type { ActionRows, OutgoingRow } from '../../store/bot-store.ts';
import { answerRow, runAction, resultKey, enqueueAnswer, type Action } from './actions.ts';
import { prepareNewAccount } from './new-accounts.ts';
import { findLanguageOf, enqueueNotice, toPerson, formatHandle, formatPerson } from '../actor.ts';

const CONFIRMATION = {
  id: 'id',
  chatId: 5,
  userId: 5,
  action: 'act',
  payload: '{"a":1}',
  expiresAt: 1,
  takenBy: null,
};
const USED = Object.assign(new Error('used'), { name: 'ConfirmationUsed' });

interface World {
  confirmation?: object | undefined;
  failure?: Error;
  /** By another update, after it was found. */
  takenMeanwhile?: number;
  isThere?: boolean;
  words?: Record<string, string>;
  fields?: object;
}

async function press({
  confirmation = CONFIRMATION,
  failure,
  takenMeanwhile,
  isThere = true,
  words,
  fields,
}: World) {
  const confirmations = [confirmation, { ...confirmation, takenBy: takenMeanwhile ?? null }];
  const repeated: string[] = [];
  const actions: Action<{ a: number }>[] = [];
  const deps = {
    clock: createManualClock(0),
    store: {
      confirmations: { find: () => confirmations.shift() },
      outbox: { repeat: (key: string) => soon(() => (repeated.push(key), isThere)) },
    },
  };
  const { ctx, said } = createPressedContext('act:id', fields);
  const work = async (action: Action<{ a: number }>) => {
    await soon(() => actions.push(action));
    if (failure) throw failure;
  };
  const refused = await runAction<{ a: number }>(fake(deps), ctx, 'act', work, words);
  return { refused, said, repeated, actions };
}

const TAP = ['tap', undefined];

test('it is done with what is kept with it, and its result is brought', async () => {
  const { actions, ...rest } = await press({});
  expect(rest).toEqual({ refused: undefined, said: [TAP], repeated: [] });
  expect(actions).toMatchObject([
    {
      ...{ id: 'id', payload: { a: 1 }, isDone: false, target: { chatId: 5, messageId: 8 } },
      confirmation: { id: 'id', updateId: 77 },
    },
  ]);
  expect((await press({ confirmation: { ...CONFIRMATION, takenBy: 77 } })).actions[0]?.isDone).toBe(true);
});

test('a result is put into the pressed message, or apart from it', async () => {
  const { actions } = await press({});
  const result = (...given: Parameters<Action<unknown>['result']>) => {
    const { content, ...row } = actions[0]!.result(...given);
    return [row, JSON.parse(content) as object];
  };
  expect(result({ html: 'a' })).toEqual([
    { key: 'result:id', chatId: 5 },
    { html: 'a', messageId: 8 },
  ]);
  expect(result({ html: 'a' }, { apart: 'file', jobId: 3 })).toEqual([
    { key: 'result:id:file', chatId: 5, jobId: 3 },
    { html: 'a' },
  ]);
  expect(result({ view: 'v', of: { b: 2 } })).toEqual([
    { key: 'result:id', chatId: 5 },
    { telegramId: 5, language: 'en', view: 'v', of: { b: 2 }, messageId: 8 },
  ]);
  expect(resultKey('id')).toBe('result:id');
});

test.each<[what: string, World, refused: string, said: unknown[], repeated: string[]]>([
  [
    'pressed before',
    { confirmation: { ...CONFIRMATION, takenBy: 76 } },
    'confirmation-taken',
    [['alert', 'confirmation-taken']],
    ['result:id'],
  ],
  [
    'pressed before, with its result on the way',
    { confirmation: { ...CONFIRMATION, takenBy: 76 }, isThere: false },
    'confirmation-taken',
    [['alert', 'confirmation-taken']],
    ['result:id'],
  ],
  [
    'too old',
    { confirmation: { ...CONFIRMATION, expiresAt: 0 } },
    'confirmation-expired',
    [['alert', 'confirmation-expired']],
    [],
  ],
  [
    'too old, in words of its own',
    { confirmation: { ...CONFIRMATION, expiresAt: 0 }, words: { 'confirmation-expired': 'own' } },
    'confirmation-expired',
    [['alert', 'own']],
    [],
  ],
  [
    'of somebody else',
    { confirmation: { ...CONFIRMATION, userId: 6 } },
    'confirmation-not-yours',
    [['alert', 'confirmation-not-yours']],
    [],
  ],
])('what was %s is not done', async (_what, world, refused, said, repeated) => {
  expect(await press(world)).toEqual({ refused, said, repeated, actions: [] });
});

test('used up in this very moment, its result comes again; any other fault is thrown', async () => {
  const { actions: _, ...rest } = await press({ failure: USED, takenMeanwhile: 76 });
  expect(rest).toEqual({ refused: 'confirmation-taken', said: [TAP], repeated: ['result:id'] });
  await expect(press({ failure: new Error('no disk') })).rejects.toThrow('no disk');
});

test.each([
  [undefined, 'confirmation-expired'],
  [{ 'confirmation-expired': 'own' }, 'own'],
])('what expired before it could be done is said, since its tap has had its answer', async (words, key) => {
  const { actions: _, ...rest } = await press({ failure: USED, ...(words && { words }) });
  const said = [TAP, ['reply', key]];
  expect(rest).toEqual({ refused: 'confirmation-expired', said, repeated: [] });
});

test('a press without its message does nothing', async () => {
  const callbackQuery = { data: 'act:id' };
  expect(await press({ fields: { callbackQuery } })).toMatchObject({
    refused: undefined,
    said: [],
    actions: [],
  });
});

test('what an update asks for is kept; outside of a chat nothing is', async () => {
  const kept: ActionRows[] = [];
  const deps: BotDeps = fake({
    store: { saveAction: (rows: ActionRows) => soon(() => void kept.push(rows)) },
  });
  const { ctx } = createRecordedContext();
  await enqueueAnswer(deps, ctx, { view: 'v', of: 1 }, { view: 'v', of: 2 });
  const rowOf = (key: string, of: number) => ({
    ...{ key: `asked:77:${key}`, chatId: 5 },
    content: JSON.stringify({ telegramId: 5, language: 'en', view: 'v', of }),
  });
  expect(kept).toEqual([{ messages: [rowOf('v', 1), rowOf('v:1', 2)] }]);
  await enqueueAnswer(deps, createRecordedContext({ chat: undefined }).ctx, { view: 'v', of: 1 });
  expect(kept).toHaveLength(1);
  expect(answerRow(createRecordedContext({ from: undefined }).ctx, { view: 'v', of: 1 })).toEqual([]);
});

test.each<[user: User, name: string, shown: string]>([
  [{ id: 1, is_bot: false, first_name: 'A', last_name: 'B', username: 'u' }, 'A B', 'A B @u (1)'],
  [{ id: 1, is_bot: false, first_name: 'A' }, 'A', 'A (1)'],
  [{ id: 1, is_bot: false, first_name: '', last_name: 'B' }, 'B', 'B (1)'],
])('%j is %s', (user, name, shown) => {
  expect(toPerson(user).name).toBe(name);
  expect(formatPerson(toPerson(user)).replace(/[\u2068\u2069]/g, '')).toBe(shown);
  expect(formatHandle(user.username)).toBe(user.username === undefined ? '' : ' @u');
});

test.each([
  [undefined, 'en'],
  [{ language: 'ru', menu: 'en:owner' }, 'ru'],
  [{ language: null, menu: 'ru:owner::x' }, 'ru'],
  [{ language: 'xx', menu: '' }, 'en'],
])('whoever is kept as %j is spoken to in %s', async (kept, language) => {
  const rows: OutgoingRow[] = [];
  const store = {
    preferences: { find: () => kept },
    outbox: { save: (some: OutgoingRow[]) => soon(() => void rows.push(...some)) },
  };
  const deps: BotDeps = fake({ store });
  expect(findLanguageOf(deps, 9)).toBe(language);
  const word = (each: string) => ({ html: each });
  await enqueueNotice(deps, 'key', 9, word);
  await enqueueNotice(deps, 'key', 9, word, 'ru');
  expect(rows).toEqual(
    [language, 'ru'].map((html) => ({ key: 'key', chatId: 9, content: JSON.stringify({ html }) })),
  );
});

test('every host but whoever opened it is told of a new account', () => {
  const deps: BotDeps = fake({
    texts: KEYS_FOR_WORDS,
    settings: { hostIds: [8, 9] },
    store: { preferences: { find: () => undefined } },
  });
  const opened = { accountId: 3, name: 'Shop' };
  const rows = prepareNewAccount(deps, { id: 9, is_bot: false, first_name: 'P' })(opened);
  const keyboard = { inline_keyboard: [[{ text: 'host-button-open-card', callback_data: 'go:accounts 3' }]] };
  const html = 'host-account-opened {"id":"3","account":"Shop","person":"P (9)"}';
  expect(rows.map(({ content, ...row }) => [row, JSON.parse(content) as object])).toEqual([
    [
      { key: 'opened:3:8', chatId: 8 },
      { html, keyboard },
    ],
  ]);
});
