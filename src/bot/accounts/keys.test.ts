// /api_key by its commands and buttons: what is listed, asked once more, kept with what is told, and refused.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
  type SaidWords,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { Confirmation, ActionRows } from '../../store/bot-store.ts';
import { createApiKeyFeature } from './api-key.ts';

const NOON = Date.UTC(2026, 10, 22, 12);
const keyOf = (id: number, changes: object = {}) => ({
  ...{ id, prefix: `crs_${id}_`, createdAt: NOON, lastUsedAt: undefined, revoked: false },
  ...changes,
});

interface World {
  keys?: object[];
  confirmation?: object;
  issued?: object;
  status?: string;
  role?: string;
  addresses?: { id: number; host: string }[];
}

async function handle(event: string, world: World = {}) {
  const {
    keys = [keyOf(3)],
    confirmation,
    issued,
    status = 'revoked',
    role = 'owner',
    addresses = [],
  } = world;
  const did: unknown[] = [];
  const kept: ActionRows[] = [];
  const confirmations: unknown[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(0),
    ids: { secret: () => 'id' },
    store: {
      confirmations: {
        save: ({ payload, ...row }: Confirmation) =>
          soon(() => void confirmations.push({ ...row, payload: JSON.parse(payload) as object })),
        find: () => confirmation,
      },
      inTransaction: (rows: unknown) => rows,
    },
    core: {
      accounts: { timeZoneOf: () => 'Europe/Moscow' },
      members: { findActor: () => undefined },
      apiKeys: {
        list: () => keys,
        listAddresses: () => addresses,
        issueOrdered: (_actor: object, id: string, rows: (answer: object) => ActionRows, called?: string) =>
          soon(() => {
            did.push(['issue', id, ...(called === undefined ? [] : [called])]);
            kept.push(rows(issued!));
          }),
        revoke: (_actor: object, id: number, rows: () => ActionRows, removed: number[] = []) =>
          soon(() => {
            did.push(['revoke', id, ...removed]);
            if (status === 'revoked') kept.push(rows());
            return { status };
          }),
      },
    },
  };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const entered: unknown[] = [];
  const conversation = {
    active: () => ({}),
    enter: (...given: unknown[]) => soon(() => void entered.push(given)),
  };
  const actor = { kind: 'member', accountId: 1, telegramId: 5, role };
  const { ctx, said } = create(event, { actor, conversation });
  await createApiKeyFeature(fake(deps)).handlers.middleware()(ctx, () => Promise.resolve());
  return { said, did, kept, confirmations, entered };
}

const TAP: SaidWords = ['tap', undefined];
const NEW = ['key-button-new -> key:new'];
const revokeOf = (id: number, key = `crs_${id}_…`) => [
  `key-button-revoke {"key":"${key}"} -> key:revoke:${id}`,
];
const describe = (id: number, called = '', used = '') =>
  JSON.stringify({
    key: `${called}crs_${id}_…`,
    created: '22 Nov 2026',
    used,
    isUsed: used === '' ? 'no' : 'yes',
  });
const unused = (id: number) => `key-line ${describe(id)}`;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const listOf = (count: number, from: number, to: number, turn: string[] = []): [string, ...string[][]] => [
  [`key-title {"count":${count}}`, ...range(from, to).map(unused)].join('\n'),
  NEW,
  ...range(from, to).map((id) => revokeOf(id)),
  ...(turn.length > 0 ? [turn] : []),
];
const keys = (count: number) => range(1, count).map((id) => keyOf(id));
const previous = (page: number) => `page-previous -> key:list:${page}`;
const next = (page: number) => `page-next -> key:list:${page}`;

test.each<[event: string, world: World, said: SaidWords[]]>([
  ['/api_key', { keys: [] }, [['reply', 'key-none {"count":0}', NEW]]],
  ['/api_key', { keys: [keyOf(3, { revoked: true })] }, [['reply', 'key-none {"count":0}', NEW]]],
  ['/api_key what', { keys: keys(8) }, [['reply', ...listOf(8, 1, 8)]]],
  ['/api_key', { keys: keys(9) }, [['reply', ...listOf(9, 1, 8, [next(1)])]]],
  ['key:list:1', { keys: keys(17) }, [TAP, ['edit', ...listOf(17, 9, 16, [previous(0), next(2)])]]],
  ['key:list:9', { keys: keys(9) }, [TAP, ['edit', ...listOf(9, 9, 9, [previous(0)])]]],
  [
    '/api_key',
    { keys: [keyOf(3, { lastUsedAt: NOON, name: 'The bot of our own shop' })] },
    [
      [
        'reply',
        `key-title {"count":1}\nkey-line ${describe(3, 'The bot of our own shop, ', '22 Nov 2026, 15:00 UTC+3')}`,
        NEW,
        revokeOf(3, 'The bot of our …'),
      ],
    ],
  ],
  [
    '/api_key revoke crs_4_',
    { keys: keys(1) },
    [
      ['reply', 'key-unknown'],
      ['reply', ...listOf(1, 1, 1)],
    ],
  ],
  ['key:revoke:4', {}, [['alert', 'key-gone']]],
  ['key:revoke:3', { keys: [keyOf(3, { revoked: true })] }, [['alert', 'key-gone']]],
  ['/api_key', { role: 'admin' }, [['reply', 'refusal-for-owner']]],
  ['key:list:0', { role: 'admin' }, [['alert', 'refusal-for-owner']]],
  ['key:new', { role: 'admin' }, [['alert', 'refusal-for-owner']]],
  ['key-issue:id', {}, [['alert', 'confirmation-unknown']]],
  ['key-revoke:id', {}, [['alert', 'confirmation-unknown']]],
])('%s at %j', async (event, world, said) => {
  expect(await handle(event, world)).toEqual({ said, did: [], kept: [], confirmations: [], entered: [] });
});

const cancel = (action: string) => `button-cancel -> no:${action}:id`;
const CONFIRM = ['key-button-issue -> key-issue:id', cancel('key-issue')];
const ISSUE = ['key-ask-issue', CONFIRM] as const;
const REVOKE: [string, ...string[][]] = [
  `key-ask-revoke ${describe(3)}`,
  ['key-button-revoke-now -> key-revoke:id'],
  [cancel('key-revoke')],
];
const REVOCATION = { id: 3, prefix: 'crs_3_', accountId: 1, removed: [] };

test.each<[event: string, said: SaidWords[], action: string, payload: object]>([
  ['/api_key NEW', [['reply', ...ISSUE]], 'key-issue', { accountId: 1 }],
  ['key:new', [TAP, ['edit', ...ISSUE]], 'key-issue', { accountId: 1 }],
  [
    '/api_key new Shop bot',
    [['reply', 'key-ask-issue-named {"key":"Shop bot"}', CONFIRM]],
    'key-issue',
    { accountId: 1, name: 'Shop bot' },
  ],
  ['/api_key Revoke crs_3_', [['reply', ...REVOKE]], 'key-revoke', REVOCATION],
  ['/api_key revoke crs_3_and_the_rest', [['reply', ...REVOKE]], 'key-revoke', REVOCATION],
  ['key:revoke:3', [TAP, ['reply', ...REVOKE]], 'key-revoke', REVOCATION],
])('%s is asked once more', async (event, said, action, payload) => {
  const answer = await handle(event);
  expect([answer.said, answer.did]).toEqual([said, []]);
  // What is written next is the name, where none was given.
  const isUnnamed = action === 'key-issue' && !('name' in payload);
  expect(answer.entered).toEqual(isUnnamed ? [['name-key', { confirmationId: 'id' }]] : []);
  expect(answer.confirmations).toEqual([
    {
      ...{ id: 'id', chatId: 5, userId: 5, action, expiresAt: 15 * 60 * 1000 },
      payload: { ...payload, madeIn: null },
    },
  ]);
});

test('where the key registered addresses they are named, and can go with it', async () => {
  const addresses = [7, 8].map((id) => ({ id, host: `shop${id}.example` }));
  const { said, confirmations } = await handle('key:revoke:3', { addresses });
  const hosts = '<code>shop7.example</code>\n<code>shop8.example</code>';
  expect(said).toEqual([
    TAP,
    [
      'reply',
      `${REVOKE[0]}\nkey-addresses\n${hosts}`,
      ['key-button-revoke-all {"count":2} -> key-revoke:id'],
      ['key-button-revoke-only -> key-revoke:id:alone', 'button-cancel -> no:key-revoke:id'],
    ],
  ]);
  expect(confirmations.map((each) => (each as { payload: { removed: number[] } }).payload.removed)).toEqual([
    [7, 8],
  ]);
  const confirmation = confirmationOf('key-revoke', { ...REVOCATION, removed: [7, 8] });
  expect((await handle('key-revoke:id', { confirmation })).did).toEqual([['revoke', 3, 7, 8]]);
  expect((await handle('key-revoke:id:alone', { confirmation })).did).toEqual([['revoke', 3]]);
});

const confirmationOf = (action: string, payload: object, takenBy: number | null = null) => ({
  ...{ id: 'id', chatId: 5, userId: 5, action, expiresAt: 1, takenBy },
  payload: JSON.stringify(payload),
});
const USED = { id: 'id', updateId: 77 };
const REVOKED = [
  'result:id',
  5,
  {
    html: 'key-revoked {"prefix":"crs_3_"}',
    keyboard: { inline_keyboard: [[{ text: 'key-button-list', callback_data: 'key:list:0' }]] },
    messageId: 8,
  },
];
const messagesOf = (kept: ActionRows[]) =>
  kept[0]?.messages?.map(({ key, chatId, content }) => [key, chatId, JSON.parse(content) as object]);

test('a key is issued once: it is told apart, and its message ends it', async () => {
  const issued = { status: 'issued', id: 3, prefix: 'crs_3_', key: 'crs_3_secret' };
  const { said, did, kept } = await handle('key-issue:id', {
    confirmation: confirmationOf('key-issue', { accountId: 1 }),
    issued,
  });
  expect([said, did, kept[0]?.confirmation]).toEqual([[TAP], [['issue', 'id']], USED]);
  expect(messagesOf(kept)).toEqual([
    [
      'result:id:key',
      5,
      {
        html: 'key-shown {"key":"crs_3_secret"}',
        keyboard: { inline_keyboard: [[{ text: 'key-button-copy', copy_text: { text: 'crs_3_secret' } }]] },
      },
    ],
    [
      'result:id',
      5,
      {
        html: 'key-issued {"prefix":"crs_3_"}',
        keyboard: {
          inline_keyboard: [[{ text: 'key-button-revoke {"key":"crs_3_…"}', callback_data: 'key:revoke:3' }]],
        },
        messageId: 8,
      },
    ],
  ]);
  const ended = { status: 'alreadyRevoked', id: 3, prefix: 'crs_3_' };
  const again = await handle('key-issue:id', {
    confirmation: confirmationOf('key-issue', { accountId: 1 }),
    issued: ended,
  });
  expect(messagesOf(again.kept)).toEqual([REVOKED]);
  const named = confirmationOf('key-issue', { accountId: 1, name: 'Shop bot' });
  expect((await handle('key-issue:id', { confirmation: named, issued })).did).toEqual([
    ['issue', 'id', 'Shop bot'],
  ]);
});

test('a key is ended once, with what is said of it', async () => {
  const { said, did, kept } = await handle('key-revoke:id', {
    confirmation: confirmationOf('key-revoke', REVOCATION),
  });
  expect([said, did, kept[0]?.confirmation]).toEqual([[TAP], [['revoke', 3]], USED]);
  expect(messagesOf(kept)).toEqual([REVOKED]);
});

test.each<[what: string, event: string, world: World, said: SaidWords[], did: unknown[]]>([
  [
    'issued by this update',
    'key-issue:id',
    { confirmation: confirmationOf('key-issue', { accountId: 1 }, 77) },
    [],
    [],
  ],
  [
    'issued for another account',
    'key-issue:id',
    { confirmation: confirmationOf('key-issue', { accountId: 2 }) },
    [['edit', 'confirmation-elsewhere']],
    [],
  ],
  [
    'ended by this update',
    'key-revoke:id',
    { confirmation: confirmationOf('key-revoke', REVOCATION, 77) },
    [],
    [],
  ],
  [
    'ended in another account',
    'key-revoke:id',
    { confirmation: confirmationOf('key-revoke', { ...REVOCATION, accountId: 2 }) },
    [['edit', 'confirmation-elsewhere']],
    [],
  ],
  [
    'ended that is gone',
    'key-revoke:id',
    { confirmation: confirmationOf('key-revoke', REVOCATION), status: 'unknownKey' },
    [['edit', 'key-unknown']],
    [['revoke', 3]],
  ],
])('no key is %s', async (_what, event, world, said, did) => {
  const answer = await handle(event, world);
  expect([answer.said, answer.did, answer.kept]).toEqual([[TAP, ...said], did, []]);
});
