import { Bot } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createBotApi, type BotApi } from './telegram.ts';
import type { ChatRef, User } from './types.ts';

const token = '42:test-token';
let api: BotApi;
let bot: Bot;
let user: User;
let group: ChatRef;

beforeEach(async () => {
  api = createBotApi({ token });
  const { url } = await api.listen();
  bot = new Bot(token, { client: { apiRoot: url } });
  user = api.createUser({ first_name: 'Admin' });
  api.send(user, user, '/start');
  group = api.createGroup({ title: 'Shop', members: [user], type: 'group' });
});
afterEach(() => api.close());

const newest = () => api.updates().at(-1)!['message'] as Record<string, unknown>;
const refusal = (chat: ChatRef) =>
  bot.api.sendMessage(chat.id, 'hello').then(
    () => 'sent',
    (error: unknown) => (error as { description: string }).description,
  );

test('an administrator may write in the name of the group', () => {
  api.send(user, group, '/stock', { anonymous: true });
  expect(newest()).toMatchObject({
    from: { id: 1_087_968_824, is_bot: true, username: 'GroupAnonymousBot' },
    sender_chat: { id: group.id, title: 'Shop' },
  });
});

test('a topic of a forum is told, and can be answered into; another one is not there', async () => {
  api.send(user, group, '/stock', { topic: 5 });
  expect(newest()).toMatchObject({ message_thread_id: 5, is_topic_message: true });
  const answer = (topic: number) => bot.api.sendMessage(group.id, 'stock', { message_thread_id: topic });
  expect(await answer(5)).toMatchObject({ message_thread_id: 5 });
  await expect(answer(6)).rejects.toThrow('message thread not found');
});

test('files of an album come one by one, with what they have in common', () => {
  for (const name of ['a.txt', 'b.txt']) {
    api.send(user, user, { document: { name, bytes: Buffer.from('codes') } }, { album: 'album-1' });
    expect(newest()).toMatchObject({ media_group_id: 'album-1', document: { file_name: name } });
  }
});

test('a document may come without name, kind and size, and a person without a language', async () => {
  api.send(user, user, { document: { bytes: Buffer.from('codes') } });
  const { document, from } = newest() as { document: { file_id: string }; from: object };
  expect(Object.keys(document).sort()).toEqual(['file_id', 'file_unique_id']);
  expect(from).not.toHaveProperty('language_code');
  expect(await bot.api.getFile(document.file_id)).toMatchObject({ file_path: 'documents/file_1' });
});

test('a message that its writer corrects comes again as what it is now', () => {
  const { message } = api.send(user, user, 'one');
  api.edit(user, message, 'two');
  expect(api.updates().at(-1)!['edited_message']).toMatchObject({
    message_id: message.id,
    text: 'two',
    edit_date: expect.any(Number),
  });
  expect(() => api.edit(api.createUser({ first_name: 'Other' }), message, 'three')).toThrow(
    'no such message',
  );
});

test('to a person whose account is gone nothing is sent', async () => {
  api.deactivate(user);
  expect(await refusal(user)).toBe('Forbidden: user is deactivated');
});

test('where the bot may only read it is refused', async () => {
  api.mute(group);
  expect(await refusal(group)).toBe('Bad Request: not enough rights to send text messages to the chat');
  api.mute(group, false);
  expect(await refusal(group)).toBe('sent');
});

test('a group that became a supergroup refuses under its old id and names the new one', async () => {
  const moved = api.upgrade(group);
  await expect(bot.api.sendMessage(group.id, 'hello')).rejects.toMatchObject({
    error_code: 400,
    parameters: { migrate_to_chat_id: moved.id },
  });
  expect(await refusal(moved)).toBe('sent');
  const told = api
    .updates()
    .slice(-2)
    .map((update) => update['message']);
  expect(told).toMatchObject([{ migrate_to_chat_id: moved.id }, { migrate_from_chat_id: group.id }]);
});
