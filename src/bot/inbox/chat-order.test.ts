// Who is next: one line a chat, and to which chat an update belongs.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { chatOf, createChatOrder, createPauses, isCheckout, type Entry } from './chat-order.ts';

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
