// Words that are buttons elsewhere: which command each is, for whom, and when not.
import { expect, test } from 'vitest';

import { createRecordedContext } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { createTexts } from '../texts.ts';
import { readButtonWords } from './button-words.ts';
import { findCommand } from './start-conversation.ts';

async function read(text: string, { isPrivate = true, active = {} } = {}) {
  const message = { message_id: 9, date: 1, chat: { id: 5, type: 'private' }, text };
  const conversation = { active: () => active };
  const { ctx } = createRecordedContext({ message, isPrivate, conversation });
  await readButtonWords({ texts: createTexts(TEST_GAMES) })(ctx, () => Promise.resolve());
  return [findCommand(ctx), ctx.message?.text];
}

test.each([
  ['stock', '/stock'],
  [' Склад ', '/stock'],
  ['остатки', '/stock'],
  ['ОТМЕНА', '/cancel'],
  ['stop', '/cancel'],
  ['help', '/help'],
  ['balance', '/quota'],
  ['yesterday', '/history yesterday'],
  ['add codes', '/add_codes'],
  ['меню', '/start'],
])('%j is %s', async (text, command) => {
  expect(await read(text)).toEqual([command.slice(1).split(' ')[0], command]);
});

test.each(['stocks', 'my stock', '', ':', 'команда мечты'])('%j is what it is', async (text) => {
  expect(await read(text)).toEqual([undefined, text]);
});

test('in a group no word is one; under a question cancel alone', async () => {
  const active = { 'add-codes': 1 };
  expect(await read('stock', { isPrivate: false })).toEqual([undefined, 'stock']);
  expect(await read('stock', { active })).toEqual([undefined, 'stock']);
  expect(await read('cancel', { active })).toEqual(['cancel', '/cancel']);
});
