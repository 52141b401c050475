// Texts that are too long are cut between characters.
import { expect, test } from 'vitest';

import { fake } from '../../test/harness/fake.ts';
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
  const answerCallbackQuery = (answer: object) => Promise.resolve(said.push(answer));
  answerTap(fake({ callbackQuery: {}, answerCallbackQuery }), `a${'🎮'.repeat(120)}`, true);
  expect(said).toEqual([{ text: `a${'🎮'.repeat(99)}`, show_alert: true }]);
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
