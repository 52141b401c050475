// Who is let through: in groups, by role, as a host; what the rest are told; and Cancel under a last confirmation.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  createRecordedContext,
  KEYS_FOR_WORDS,
  soon,
  type SaidWords,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { findLanguage } from '../../locales.ts';
import { recognise, requires, requiresHost, requiresMember } from '../actor.ts';
import type { BotContext } from '../context.ts';
import type { Feature } from '../feature.ts';
import { readLocale } from '../texts.ts';
import { createBasicsFeature, GROUPS } from './basics.ts';
import { createCancelFeature } from './cancelling.ts';
import { restrictToPrivate } from './groups.ts';
import { answerTheRest, findNearest } from './fallback.ts';

type Gate = (ctx: BotContext, next: () => Promise<void>) => unknown;

/** Whether it is passed, and what is said. */
async function pass(gate: Gate, { ctx, said }: { ctx: BotContext; said: SaidWords[] }) {
  let isPassed = false;
  await gate(ctx, () => soon(() => void (isPassed = true)));
  return [isPassed, said];
}

const FEATURES: Feature[] = fake([
  {
    commands: [
      { name: 'help', for: 'everyone', inGroups: true },
      { name: 'stock', for: 'seeStock', inGroups: true },
      { name: 'redeem', for: 'redeem' },
    ],
  },
]);
const GROUP = { isPrivate: false, chat: { id: -9, type: 'group' } };
const REFUSED = [['reply', 'only-in-private']];

test.each<[text: string, fields: object, passed: boolean, said: unknown[]]>([
  ['/redeem', {}, true, []],
  ['/help', GROUP, true, []],
  ['/stock', GROUP, true, []],
  ['/receipt_7', GROUP, true, []],
  ['/redeem', GROUP, false, REFUSED],
  ['/receipt', GROUP, false, REFUSED],
  ['/receipt_7x', GROUP, false, REFUSED],
  ['/unknown', GROUP, false, REFUSED],
  ['words', GROUP, false, []],
  ['/help', { ...GROUP, chat: { id: -9, type: 'channel' } }, false, []],
  ['/help', { ...GROUP, from: undefined }, false, []],
])('%s at %j', async (text, fields, passed, said) => {
  const made = text.startsWith('/')
    ? createCommandContext(text, fields)
    : createRecordedContext({ message: { text }, ...fields });
  expect(await pass(restrictToPrivate(FEATURES) as Gate, made)).toEqual([passed, said]);
});

test.each([
  ['/help', true],
  ['/stock', false],
  ['/receipt_7', false],
])('%s in the name of the group', async (text, passed) => {
  const made = createCommandContext(text, GROUP);
  Object.assign(made.ctx.message!, { sender_chat: { id: -9 } });
  const said = passed ? [] : [['reply', 'group-not-yourself']];
  expect(await pass(restrictToPrivate(FEATURES) as Gate, made)).toEqual([passed, said]);
});

test('money is taken wherever it is told of; a tap in a group is told where to go', async () => {
  for (const kind of ['successful_payment', 'refunded_payment']) {
    const made = createRecordedContext({ ...GROUP, from: undefined, message: { [kind]: {} } });
    expect(await pass(restrictToPrivate(FEATURES) as Gate, made)).toEqual([true, []]);
  }
  expect(await pass(restrictToPrivate(FEATURES) as Gate, createPressedContext('x', GROUP))).toEqual([
    false,
    [['alert', 'only-in-private']],
  ]);
});

const STRANGER = { actor: undefined };
const SUPPORT = { actor: { kind: 'member', accountId: 1, telegramId: 5, role: 'support' } };

test.each<[gate: string, fields: object, refusal: string | undefined]>([
  ['permission', {}, undefined],
  ['permission', SUPPORT, 'refusal-for-admin'],
  ['permission', STRANGER, 'refusal-stranger'],
  ['permission', { ...STRANGER, isHost: true }, 'refusal-stranger'],
  ['host', { isHost: true, ...STRANGER }, undefined],
  ['host', {}, 'refusal-host'],
  ['member', SUPPORT, undefined],
  ['member', { ...STRANGER, isHost: true }, 'refusal-stranger'],
])('the gate for a %s at %j says %s', async (gate, fields, refusal) => {
  const gates = { permission: requires('purchase'), host: requiresHost(), member: requiresMember() };
  const asked = gates[gate as keyof typeof gates] as Gate;
  const told = (how: string) => [refusal === undefined, refusal === undefined ? [] : [[how, refusal]]];
  expect(await pass(asked, createCommandContext('/x', fields))).toEqual(told('reply'));
  expect(await pass(asked, createPressedContext('x', fields))).toEqual(told('alert'));
});

test.each<[what: string, fields: object, chosen: string | null | undefined, found: object]>([
  [
    'a member',
    { from: { id: 5, language_code: 'ru' } },
    null,
    { language: 'ru', isHost: false, isPrivate: true },
  ],
  ['who chose', { from: { id: 5, language_code: 'ru' } }, 'en', { language: 'en' }],
  ['who chose what is gone', { from: { id: 5, language_code: 'ru' } }, 'xx', { language: 'ru' }],
  ['a host', { from: { id: 8 } }, undefined, { language: 'en', isHost: true, actor: undefined }],
  ['somebody in a group', { chat: { type: 'group' } }, undefined, { isPrivate: false }],
  ['a checkout', { chat: undefined }, undefined, { isPrivate: true }],
  ['nobody', { from: undefined, chat: { type: 'channel' } }, undefined, { actor: undefined, isHost: false }],
])('%s is recognised', async (_what, fields, chosen, found) => {
  const deps = {
    texts: KEYS_FOR_WORDS,
    settings: { hostIds: [8] },
    store: { preferences: { find: () => (chosen === undefined ? undefined : { language: chosen }) } },
    core: { members: { findActor: (id: number) => (id === 5 ? SUPPORT.actor : undefined) } },
  };
  const made = createRecordedContext({ actor: 'before', isHost: 'before', isPrivate: 'before', ...fields });
  expect(await pass(recognise(fake(deps)) as Gate, made)).toEqual([true, []]);
  expect(made.ctx).toMatchObject(found);
  const prefix = made.ctx.language === 'ru' ? 'ru:' : '';
  expect([made.ctx.say('a'), made.ctx.label('b', { c: 1 })]).toEqual([`${prefix}a`, `${prefix}b {"c":1}`]);
  expect([findLanguage('ru'), findLanguage('xx'), findLanguage(undefined)]).toEqual([
    'ru',
    undefined,
    undefined,
  ]);
});

test('/help says what needs no command, then the commands that may be used, in groups; in a group what answers there', async () => {
  const help = async (fields: object) => {
    const made = createCommandContext('/help', fields);
    await pass(createBasicsFeature({} as never, FEATURES).handlers.middleware(), made);
    return made.said.map(([how, words]) => [how, words?.split('\n')]);
  };
  const [own, stock] = ['/help — command-help', '/stock — command-stock'];
  const groups = [
    ...['', 'help-group-day', '/redeem — command-redeem', '', 'help-group-stock', stock],
    ...['', 'help-group-settings', own],
  ];
  expect(await help({})).toEqual([['reply', ['hint-order', ...groups]]]);
  expect(await help(STRANGER)).toEqual([['reply', ['help-group-settings', own]]]);
  expect((await help({ ...STRANGER, isHost: true }))[0]?.[1]?.[0]).toBe('hint-accounts');
  const end = ['', 'help-in-group-rest'];
  expect(await help(GROUP)).toEqual([
    ['reply', ['help-in-group', '', own, stock, 'help-in-group-receipt', ...end]],
  ]);
  expect(await help({ ...GROUP, ...STRANGER })).toEqual([['reply', ['help-in-group', '', own, ...end]]]);
});

test('every command stands under one heading of /help', () => {
  const described = readLocale('en').matchAll(/^command-([a-z-]+) =/gm);
  const names = [...described].map(([, name = '']) => name.replaceAll('-', '_'));
  expect(Object.values(GROUPS).flat().sort()).toEqual(names.sort());
});

test.each([
  ['extract', 'extract_codes'],
  ['account', 'accounts'],
  ['stok', 'stock'],
  ['histroy', 'history'],
  ['setings', 'settings'],
  ['invite_admin', 'invite'],
  ['price', undefined],
  ['x', undefined],
  ['xy', undefined],
])('/%s is near %s', (typed, near) => {
  const known = ['stock', 'extract_codes', 'accounts', 'history', 'settings', 'invite', 'quota'];
  expect(findNearest(typed, known)).toBe(near);
});

const FOUND: Record<string, object> = { ann: { ids: [7] }, yesterday: { year: 2026, month: 1, day: 12 } };

async function hearRest(made: ReturnType<typeof createCommandContext>, isLater = false) {
  const search = {
    readDay: (_: object, text: string) => (text === 'yesterday' ? FOUND[text] : undefined),
    find: (_: object, text: string) => soon(() => FOUND[text] ?? { ids: [] }),
    read: (_: object, ids: number[]) => ids,
  };
  const deps = { core: { search } };
  await pass(answerTheRest(fake(deps), FEATURES, { isLater: () => isLater }).middleware(), made);
  return made.said;
}

test.each<[event: string, isLater: boolean, said: unknown[]]>([
  ['anything', false, [['alert', 'button-old']]],
  ['/unknown', false, [['reply', 'rest-command']]],
  ['/stok', false, [['reply', 'rest-command-near {"near":"stock"}']]],
  ['/unknown', true, []],
])('what nobody answered, %s', async (event, isLater, said) => {
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  expect(await hearRest(create(event), isLater)).toEqual(said);
});

test.each([
  [{}, 'rest-order'],
  [SUPPORT, 'rest-text'],
  [STRANGER, 'refusal-stranger'],
  [{ ...STRANGER, isHost: true }, 'rest-text'],
])('words that nobody understood, of %j', async (fields, words) => {
  const message = { message_id: 9, date: 1, chat: { id: 5, type: 'private' }, text: 'words' };
  const update = { update_id: 77, message };
  expect(await hearRest(createRecordedContext({ update, message, msg: message, ...fields }))).toEqual([
    ['reply', words],
  ]);
});

test.each([
  [{}, { file_name: 'a.jpg' }, 'add-wrong-file {"file":"a.jpg"}'],
  [{}, {}, 'add-wrong-file {"file":"add-this-file"}'],
  [SUPPORT, { file_name: 'a.jpg' }, 'refusal-for-operator'],
])('a file that nobody takes, of %j, %j, is answered as a file', async (fields, document, words) => {
  const message = { message_id: 9, date: 1, chat: { id: 5, type: 'private' }, document };
  const update = { update_id: 77, message };
  const made = createRecordedContext({ update, message, msg: message, ...fields });
  await pass(answerTheRest({} as never, FEATURES, { isLater: () => false }).middleware(), made);
  expect(made.said).toEqual([['reply', words]]);
});

const CONFIRMATION = {
  id: 'id',
  chatId: 5,
  userId: 5,
  action: 'act',
  payload: '{}',
  expiresAt: 0,
  takenBy: null,
};

test.each<
  [
    what: string,
    confirmation: object | undefined,
    isTaken: boolean,
    words: object | undefined,
    said: unknown[],
  ]
>([
  ['that is forgotten', undefined, true, undefined, [['alert', 'confirmation-unknown']]],
  [
    'of another person',
    { ...CONFIRMATION, userId: 6 },
    true,
    undefined,
    [['alert', 'confirmation-not-yours']],
  ],
  ['of another chat', { ...CONFIRMATION, chatId: 6 }, true, undefined, [['alert', 'confirmation-not-yours']]],
  ['that was pressed', { ...CONFIRMATION, takenBy: 76 }, false, undefined, [['alert', 'confirmation-taken']]],
  [
    'that is too old to be taken',
    CONFIRMATION,
    false,
    undefined,
    [
      ['tap', undefined],
      ['edit', 'cancel-done'],
    ],
  ],
  [
    'in time',
    CONFIRMATION,
    true,
    undefined,
    [
      ['tap', undefined],
      ['edit', 'cancel-done'],
    ],
  ],
  [
    'with words of its own',
    CONFIRMATION,
    true,
    { key: 'own', facts: { a: 1 } },
    [
      ['tap', undefined],
      ['edit', 'own {"a":1}'],
    ],
  ],
])('Cancel under a confirmation %s', async (_what, confirmation, isTaken, words, said) => {
  const asked: unknown[] = [];
  const take = (...given: unknown[]) => soon(() => (asked.push(given), isTaken));
  const features = [{}, { formatCancelled: () => undefined }, { formatCancelled: () => words }];
  const store = { confirmations: { find: () => confirmation, take } };
  const { handlers } = createCancelFeature(fake({ store }), fake(features));
  const made = createPressedContext('no:act:id');
  expect((await pass(handlers.middleware(), made))[0]).toBe(false);
  expect(made.said).toEqual(said);
  // Nobody but the person in this chat uses it up.
  expect(asked).toEqual(/confirmation-(?:unknown|not-yours)/.test(JSON.stringify(said)) ? [] : [['id', 77]]);
});
