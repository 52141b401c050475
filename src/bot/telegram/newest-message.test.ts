import { expect, test } from 'vitest';

import { createNewest } from './newest-message.ts';

const message = (id: number, message_id: number) => ({ chat: { id }, message_id });

test('the newest of a chat is the one of the highest number, whatever was heard last', () => {
  const newest = createNewest();
  for (const heard of [
    message(1, 5),
    message(2, 7),
    message(1, 3),
    true,
    null,
    undefined,
    {},
    { chat: { id: 1 } },
  ])
    newest.note(heard);
  expect([newest.is(1, 5), newest.is(2, 7), newest.is(1, 3), newest.is(2, 5)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('where nothing was heard no message is known to be the newest', () => {
  expect(createNewest().is(1, 5)).toBe(false);
});

test('of very many chats those that were heard of before are forgotten', () => {
  const newest = createNewest();
  for (let chat = 1; chat <= 10_000; chat += 1) newest.note(message(chat, 5));
  newest.note(message(1, 6));
  expect([newest.is(1, 6), newest.is(10_000, 5)]).toEqual([true, true]);
  newest.note(message(10_001, 5));
  expect([newest.is(1, 6), newest.is(10_001, 5)]).toEqual([false, true]);
});
