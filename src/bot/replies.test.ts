// Texts that are too long are cut between characters.
import { Api, Context } from 'grammy';
import type { UserFromGetMe } from 'grammy/types';
import { expect, test } from 'vitest';

import { answerTap, cutShort, fit, forgiveOldQuery, LONGEST_MESSAGE } from './replies.ts';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab🎮', 3, 'ab'],
  ['ab🎮d', 4, 'ab🎮'],
  ['🎮', 1, ''],
])('%s cut to %i', (text, most, expected) => expect(cutShort(text, most)).toBe(expected));

test('the answer to a tap holds whole characters', async () => {
  const said: unknown[] = [];
  const api = new Api('1:a');
  api.config.use((next, method, payload) => {
    said.push([method, payload]);
    return Promise.resolve({ ok: true, result: true } as Awaited<ReturnType<typeof next>>);
  });
  const from = { id: 7, is_bot: false, first_name: 'a' };
  const pressed = { id: '1', chat_instance: '1', from, data: 'x' };
  const me = { id: 1, is_bot: true, first_name: 'bot', username: 'bot' } as UserFromGetMe;
  answerTap(new Context({ update_id: 1, callback_query: pressed }, api, me), `a${'🎮'.repeat(120)}`, true);
  await Promise.resolve();
  const text = `a${'🎮'.repeat(99)}`;
  expect(said).toEqual([['answerCallbackQuery', { callback_query_id: '1', text, show_alert: true }]]);
});

test('a line that is too long for a message is cut between characters', () => {
  const cut = fit(`a${'🎮'.repeat(LONGEST_MESSAGE)}`);
  expect([cut.isWellFormed(), cut.length]).toEqual([true, LONGEST_MESSAGE - 1]);
});

test('a query that is too old to be answered is forgiven, and nothing else', () => {
  const refusal = (description: string) => Object.assign(new Error('refused'), { description });
  for (const old of [
    'Bad Request: query is too old and response timeout expired',
    'Bad Request: query ID is invalid',
  ])
    expect(() => forgiveOldQuery(refusal(old))).not.toThrow();
  expect(() => forgiveOldQuery(refusal('Bad Request: chat not found'))).toThrow('refused');
  expect(() => forgiveOldQuery(new Error('query is too old'))).toThrow('query is too old');
});
