// What a chat is told of which too much waits: in the language of whoever wrote, where they wrote.
import { expect, test } from 'vitest';

import { FULL_CHAT, createChatBound, wordChatFull } from './chat-bound.ts';

const say = (language: string, key: string, { most }: { most: string }) => `${language} ${key} ${most}`;
const none = { preferences: { find: () => undefined } };
const chat = { id: -5, type: 'group' };

test('it is told in the chat, in the language of the Telegram that wrote', () => {
  const update = { update_id: 9, message: { chat, from: { id: 3, language_code: 'ru' } } };
  expect(wordChatFull({ texts: { say }, store: none } as never, update as never)).toEqual([
    { key: 'chat-full:9', chatId: -5, content: JSON.stringify({ html: 'ru chat-full 100' }) },
  ]);
});

test('a batch counts with what waits: exactly so many of a chat are taken', () => {
  const bound = createChatBound((key) => (key === '7' ? FULL_CHAT - 2 : 0));
  const update = (id: number, of: number) => ({ update_id: id, message: { chat: { id: of } } });
  const { taken, refused } = bound.divide([update(1, 7), update(2, 7), update(3, 7), update(4, 8)] as never);
  expect([taken, refused].map((each) => each.map(({ update_id: id }) => id))).toEqual([[1, 2, 4], [3]]);
});
