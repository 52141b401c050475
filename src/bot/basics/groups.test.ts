// What is for the bot at all: of a group commands and money, of private chats what people do, and nothing of other bots.
import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';

import { openStage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { createWanted, isForTheBot } from './groups.ts';

const toUpdate = (update: object): Update => update as Update;
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
  expect(isForTheBot(toUpdate(update))).toBe(isSo);
});

const BOT = { id: 5, is_bot: true };
const OF_TELEGRAM = { id: 1_087_968_824, is_bot: true, username: 'GroupAnonymousBot' };
const here = { id: 5, type: 'private' };

test.each([
  ['another bot', { message: { chat: here, from: BOT, text: '/start' } }, false],
  ['one that corrects itself', { edited_message: { chat: here, from: BOT, text: 'a' } }, false],
  ['one in a group', { message: { chat: group, from: BOT, ...command } }, false],
  ['one that says to write as a person', { message: { chat: here, from: BOT, sender_chat: here } }, false],
  ['one that taps', { callback_query: { message: { chat: here }, from: BOT } }, false],
  ['one that adds us to a group', { my_chat_member: { chat: group, from: BOT } }, false],
  ['a person', { message: { chat: here, from: { id: 5, is_bot: false } } }, true],
  ['a person through a bot', { message: { chat: here, from: { id: 5, is_bot: false }, via_bot: BOT } }, true],
  [
    'an administrator as the group',
    { message: { chat: group, from: OF_TELEGRAM, sender_chat: group, ...command } },
    true,
  ],
  [
    'a channel',
    {
      message: {
        chat: group,
        from: { id: 136_817_688, is_bot: true },
        sender_chat: { type: 'channel' },
        ...command,
      },
    },
    true,
  ],
  ['Telegram', { message: { chat: here, from: { id: 777_000, is_bot: false }, text: 'Login code' } }, true],
])('what %s sent is wanted: %j: %s', (_, update, isSo) => {
  const wanted = createWanted({ info: () => undefined });
  expect(wanted(toUpdate(update))).toBe(isSo);
});

test('each other bot is logged once, and no more than a hundred of them', () => {
  const logged: unknown[] = [];
  const wanted = createWanted({
    info: ({ telegramId }: { telegramId?: number }) => void logged.push(telegramId),
  });
  for (let n = 0; n < 1_000; n += 1)
    wanted(toUpdate({ message: { chat: here, from: { id: n % 200, is_bot: true } } }));
  expect(logged).toEqual(Array.from({ length: 100 }, (_, id) => id));
});

test('another bot gets no answer and no account, and who comes after it does', async () => {
  const t = await openStage({ bot: { openSignup: true } });
  const bot = personOf(t.api, { ...t.api.createUser({ first_name: 'Spam' }), is_bot: true });
  for (const words of ['/start', 'hello', '/help', '/start buy_1']) bot.says(words);
  const person = personOf(t.api, t.stranger);
  person.says('/start');
  await person.sees('you are the owner');
  expect(bot.all()).toEqual([]);
  expect(t.app().core.members.findActor(bot.user.id)).toBeUndefined();
  await t.stop();
});
