// Commands as they are typed, pressed and left with: which one a message is, and what becomes of what was under way.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  createRecordedContext,
  soon,
  formatButtons,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { actAsCommands, commandData, readAnyCase } from './command-buttons.ts';
import { confirmKeyboard } from './confirm-keyboard.ts';
import { enter, findCommand, leaveOnCommand } from './start-conversation.ts';
import { pagingKeyboard } from './paging-keyboard.ts';
import { hearMessage, leaving } from './question.ts';

const passOn = () => Promise.resolve();

test.each<[text: string, entities: object[] | undefined, command: string | undefined]>([
  ['/stock', undefined, 'stock'],
  ['/Stock 60', undefined, 'stock'],
  ['/stock@Shop_Bot 60', undefined, 'stock'],
  ['/stock@other_bot 60', undefined, undefined],
  ['say /stock', [{ type: 'bot_command', offset: 4, length: 6 }], undefined],
  ['/stock', [{ type: 'bold', offset: 0, length: 6 }], undefined],
  ['/stock', [], undefined],
])('%s with %j is the command %s', (text, entities, command) => {
  const { ctx } = createCommandContext(text);
  if (entities) (ctx.message as { entities: object[] }).entities = entities;
  expect(findCommand(ctx)).toBe(command);
});

test('a tap is no command', () => expect(findCommand(createPressedContext('go:stock').ctx)).toBeUndefined());

test.each([
  ['/STOCK', '/stock'],
  ['/Receipt_7', '/receipt_7'],
  ['/Add_Codes 60SABC', '/add_codes 60SABC'],
  ['/Stock@Shop_Bot Now', '/stock@Shop_Bot Now'],
  ['/Stock@other_bot', '/Stock@other_bot'],
])('%s is read as %s', async (typed, read) => {
  const { ctx } = createCommandContext(typed);
  await readAnyCase()(ctx, passOn);
  expect(ctx.message?.text).toBe(read);
});

test.each(['stock', 'receipt_', 'buy_activations 1', 'invite support', 'accounts @some-one'])(
  'a button can stand for %s',
  (command) => expect(commandData(command)).toBe(`go:${command}`),
);

test.each(['', 'Stock', 'stock 1 2', `${'x'.repeat(33)}`, `find ${'x'.repeat(25)}`])(
  'no button can stand for %j',
  (command) => expect(() => commandData(command)).toThrow('A button cannot stand for the command'),
);

test('a tap becomes the message that would have been typed', async () => {
  const { ctx, said } = createPressedContext('go:invite support');
  let passed: unknown;
  await actAsCommands()(ctx, () => soon(() => void (passed = structuredClone(ctx.update))));
  const message = { message_id: 8, date: 1, chat: { id: 5, type: 'private' }, text: '/invite support' };
  const from = { id: 5, first_name: 'Person', is_bot: false };
  const entities = [{ type: 'bot_command', offset: 0, length: 7 }];
  expect(passed).toEqual({ update_id: 77, message: { ...message, from, entities } });
  expect(said).toEqual([['tap', undefined]]);
});

test.each<[data: string, fields: object]>([
  ['stock', {}],
  ['go:Stock', {}],
  ['go:stock', { from: undefined }],
  ['go:stock', { callbackQuery: { data: 'go:stock', message: { chat: { type: 'group' } } } }],
])('a tap of %s at %j is passed on as it is', async (data, fields) => {
  const { ctx, said } = createPressedContext(data, fields);
  let isPassed = false;
  await actAsCommands()(ctx, () => soon(() => void (isPassed = true)));
  expect([isPassed, said, ctx.update.message]).toEqual([true, [], undefined]);
});

const NOTHING_ASKED: Pick<BotDeps, 'store'> = fake({
  store: { confirmations: { withdraw: (): Promise<never> => Promise.resolve<never>([] as never) } },
});

/** A person in these conversations; `did`: what was left and entered. */
function inConversation(text: string | undefined, active: string[]) {
  const did: unknown[] = [];
  const conversation = {
    active: () => Object.fromEntries(active.map((name) => [name, 1])),
    exitAll: () => soon(() => void did.push('left')),
    enter: (name: string, given: unknown) => soon(() => void did.push(['entered', name, given])),
  };
  const made =
    text === undefined
      ? createRecordedContext({ conversation })
      : createCommandContext(text, { conversation });
  return { ...made, did };
}

test.each<[text: string | undefined, active: string[], did: unknown[]]>([
  [undefined, ['redeem'], ['next']],
  ['/stock', [], ['next']],
  ['/stock', ['redeem'], ['left', 'next']],
])('at %s within %j', async (text, active, expected) => {
  const { ctx, did, said } = inConversation(text, active);
  const keeper = { takeEnded: () => [] };
  await leaveOnCommand(NOTHING_ASKED, [], keeper)(ctx, () => soon(() => void did.push('next')));
  expect([did, said]).toEqual([expected, []]);
});

test.each<[active: string[], ended: string[], told: boolean, did: unknown[], words: string | undefined]>([
  [[], [], false, [['cancel', []]], 'cancel-nothing'],
  [['redeem'], [], false, [['cancel', ['redeem']], 'left'], 'cancel-done'],
  [[], ['add-codes'], false, [['cancel', ['add-codes']]], 'cancel-done'],
  [['redeem'], ['find'], true, [['cancel', ['redeem', 'find']], 'left'], undefined],
])('/cancel within %j, where %j ended by themselves', async (active, ended, told, expected, words) => {
  const { ctx, did, said } = inConversation('/cancel', active);
  const cancel = (_ctx: object, left: readonly string[]) => soon(() => (did.push(['cancel', left]), told));
  const features: Feature[] = fake([{ cancel }, {}]);
  const asked: number[] = [];
  const keeper = { takeEnded: (updateId: number) => (asked.push(updateId), ended) };
  await leaveOnCommand(NOTHING_ASKED, features, keeper)(ctx, () => soon(() => void did.push('next')));
  expect([did, said, asked]).toEqual([expected, words === undefined ? [] : [['reply', words]], [77]]);
});

test.each([
  [[], [['entered', 'find', { a: 1 }]]],
  [['redeem'], ['left', ['entered', 'find', { a: 1 }]]],
])('a conversation is entered from within %j', async (active, expected) => {
  const { ctx, did } = inConversation(undefined, active);
  await enter(ctx, 'find', { a: 1 });
  expect(did).toEqual(expected);
});

const { ctx: plain } = createRecordedContext();

test.each([
  [1, false, undefined],
  [1, true, [['page-next -> page:2']]],
  [3, false, [['page-previous -> page:2']]],
  [3, true, [['page-previous -> page:2', 'page-next -> page:4']]],
])('beside page %i, more: %s', (page, hasMore, rows) => {
  const keyboard = pagingKeyboard(plain, { page, hasMore }, (other) => `page:${other}`);
  expect(keyboard && formatButtons(keyboard)).toEqual(rows);
});

test('a last confirmation is ordered or withdrawn', () => {
  const named = confirmKeyboard(plain, 'result:id', { label: 'Take out 5', style: 'danger' });
  expect(named.inline_keyboard[0]).toEqual([
    { text: 'Take out 5', callback_data: 'result:id', style: 'danger' },
    { text: 'button-cancel', callback_data: 'no:result:id' },
  ]);
  expect(leaving(plain)).toEqual([[{ label: 'button-cancel', value: 'cancel' }]]);
});

test.each<[answer: object, asked: number | undefined, message: unknown, changed: unknown[]]>([
  [{ kind: 'message', message: 'm' }, 3, 'm', []],
  [{ kind: 'choice', value: 'cancel' }, 3, undefined, [[3, 'cancel-done']]],
  [{ kind: 'choice', value: 'cancel' }, undefined, undefined, []],
])('a question that is answered by %j', async (answer, asked, message, expected) => {
  const changed: unknown[] = [];
  const prompts = {
    hear: () => Promise.resolve(answer),
    change: (id: number, html: string) => soon(() => void changed.push([id, html])),
  };
  expect([await hearMessage(fake(prompts), plain, asked), changed]).toEqual([message, expected]);
});
