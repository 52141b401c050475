import { expect, test } from 'vitest';

import { isForTheBot } from './groups.ts';

const group = { id: -5, type: 'supergroup' };
const command = { entities: [{ type: 'bot_command', offset: 0, length: 5 }] };

test.each([
  ['words', { message: { chat: group, text: 'hello' } }, false],
  [
    'a command in the middle',
    { message: { chat: group, entities: [{ type: 'bot_command', offset: 3 }] } },
    false,
  ],
  ['a mention', { message: { chat: group, entities: [{ type: 'mention', offset: 0 }] } }, false],
  ['an edit', { edited_message: { chat: group, ...command } }, false],
  ['a command', { message: { chat: group, ...command } }, true],
  ['a payment', { message: { chat: group, successful_payment: {} } }, true],
  ['a refund', { message: { chat: group, refunded_payment: {} } }, true],
  ['a tap', { callback_query: { message: { chat: group } } }, true],
  ['a membership', { my_chat_member: { chat: group } }, true],
  ['words in private', { message: { chat: { id: 5, type: 'private' }, text: 'hello' } }, true],
  ['a pinned message', { message: { chat: { id: 5, type: 'private' }, pinned_message: {} } }, false],
  [
    'a timer that was set',
    { message: { chat: { id: 5, type: 'private' }, message_auto_delete_timer_changed: {} } },
    false,
  ],
  ['a topic', { message: { chat: { id: 5, type: 'private' }, forum_topic_created: {} } }, false],
  [
    'an answer to a pin',
    { message: { chat: { id: 5, type: 'private' }, reply_to_message: { pinned_message: {} } } },
    true,
  ],
  ['an edit in private', { edited_message: { chat: { id: 5, type: 'private' } } }, true],
])('of a group %s: %j is for the bot: %s', (_, update, isSo) => {
  expect(isForTheBot(update as never)).toBe(isSo);
});
