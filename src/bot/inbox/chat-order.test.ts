// Who is next: one line a chat, and to which chat an update belongs.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import {
  chatOf,
  createChatBound,
  createChatOrder,
  createPauses,
  FULL_CHAT,
  isCheckout,
  renderChatFull,
  type Entry,
} from './chat-order.ts';
import { fake } from '../../../test/harness/fake.ts';

const entryOf = (update_id: number, chat: number) =>
  ({
    update: { update_id, message: { chat: { id: chat } } },
    receivedAt: 0,
    attempts: 0,
    tries: 0,
  }) as never as Entry;
const idOf = ({ update }: Entry) => update.update_id;

test('one of a chat at a time, in order; another chat does not wait', () => {
  const called: number[] = [];
  const lines = createChatOrder((entry) => void called.push(idOf(entry)));
  const [first, second, third, other] = [entryOf(1, 7), entryOf(2, 7), entryOf(3, 7), entryOf(4, 8)];
  for (const entry of [first, second, third, other]) lines.join(entry);
  expect([called, lines.size()]).toEqual([[1, 4], 4]);
  lines.leave(first);
  expect([called, lines.size()]).toEqual([[1, 4, 2], 3]);
  lines.leave(second);
  lines.leave(third);
  lines.leave(other);
  expect([called, lines.size()]).toEqual([[1, 4, 2, 3], 0]);
  lines.join(entryOf(5, 7));
  expect([called.at(-1), lines.size()]).toEqual([5, 1]);
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('who pauses is called once, after the pause; at a stop nobody is', () => {
  const called: number[] = [];
  const pauses = createPauses((entry) => void called.push(idOf(entry)));
  pauses.add(entryOf(1, 7), 1_000);
  pauses.add(entryOf(2, 7), 3_000);
  vi.advanceTimersByTime(999);
  expect(called).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(called).toEqual([1]);
  pauses.clear();
  vi.advanceTimersByTime(5_000);
  expect(called).toEqual([1]);
});

test.each<[object, string]>([
  [{ message: { chat: { id: 7 }, from: { id: 8 } } }, '7'],
  [{ callback_query: { message: { chat: { id: 7 } }, from: { id: 8 } } }, '7'],
  [{ callback_query: { from: { id: 8 } } }, '8'],
  [{ my_chat_member: { chat: { id: -9 }, from: { id: 8 } } }, '-9'],
  [{ pre_checkout_query: { id: 'q', from: { id: 8 } } }, 'checkout:q'],
  [{}, 'none'],
  [{ message: null }, 'none'],
])('%j belongs to the chat %s', (content, chat) => {
  expect(chatOf({ update_id: 1, ...content })).toBe(chat);
  expect(isCheckout({ update_id: 1, ...content })).toBe(chat === 'checkout:q');
});

const say = (language: string, key: string, { most }: { most: string }) => `${language} ${key} ${most}`;
const none = { preferences: { find: () => undefined } };
const chat = { id: -5, type: 'group' };

test('it is told in the chat, in the language of the Telegram that wrote', () => {
  const update = { update_id: 9, message: { chat, from: { id: 3, language_code: 'ru' } } };
  expect(renderChatFull(fake({ texts: { say }, store: none }), update as never)).toEqual([
    { key: 'chat-full:9', chatId: -5, content: JSON.stringify({ html: 'ru chat-full 100' }) },
  ]);
});

test('a batch counts with what waits: exactly so many of a chat are taken', () => {
  const bound = createChatBound((key) => (key === '7' ? FULL_CHAT - 2 : 0));
  const update = (id: number, of: number) => ({ update_id: id, message: { chat: { id: of } } });
  const { taken, refused } = bound.divide([update(1, 7), update(2, 7), update(3, 7), update(4, 8)] as never);
  expect([taken, refused].map((each) => each.map(({ update_id: id }) => id))).toEqual([[1, 2, 4], [3]]);
});
