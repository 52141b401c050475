// Who is told of an update that was put aside, and of what: never what it said.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { BotDeps } from '../context.ts';
import { createTexts } from '../texts.ts';
import type { Entry } from './chat-order.ts';
import { renderDeadLetter } from './dead-letter.ts';

const kept = { language: null, mutedNotices: '', menu: 'ru:owner:', telegramId: 900 };
const deps: BotDeps = fake({
  core: { members: { findActor: () => undefined } },
  store: { preferences: { find: (id: number) => (id === 900 ? kept : undefined) } },
  settings: { hostIds: [900] },
  texts: createTexts(TEST_GAMES),
});
const from = { id: 5, is_bot: false, first_name: '<Ann>', language_code: 'en' };
const chat = { id: 5, type: 'private' };
const receivedAt = Date.UTC(2026, 10, 21, 7, 36);

function word(content: object) {
  const entry: Entry = { update: fake({ update_id: 17, ...content }), receivedAt, attempts: 3, tries: 0 };
  return renderDeadLetter(deps, entry).map(({ chatId, content: row }) => ({
    chatId,
    html: (JSON.parse(row) as { html: string }).html,
  }));
}

test('the person is told in their language, the host whom it was, when and what kind of thing', () => {
  const entities = [{ type: 'bot_command', offset: 0, length: 10 }];
  const [person, host] = word({ message: { from, chat, text: '/add_codes ABCDEFGH1234', entities } });
  expect(person?.chatId).toBe(5);
  expect(person?.html).toMatch(/failed three times .* 21 Nov 2026, 07:36 UTC .*\/add_codes/);
  expect(host?.chatId).toBe(900);
  for (const part of ['&lt;Ann&gt;', '(5)', '/add_codes', '2026', '17', 'аварийно'])
    expect(host?.html).toContain(part);
  expect(`${person?.html} ${host?.html}`).not.toContain('ABCDEFGH1234');
});

test.each([
  [{ message: { from, chat, text: 'ABCDEFGH1234' } }, 'сообщение'],
  [{ message: { from, chat, document: {} } }, 'файл'],
  [{ message: { from, chat, successful_payment: {} } }, 'платеж'],
  [{ callback_query: { from, message: { chat }, data: 'redeem-now:SECRET' } }, 'redeem-now'],
  [{ my_chat_member: { from, chat } }, 'другое'],
])('%j is named by its kind alone', (content, kind) => {
  const told = word(content);
  expect(told).toHaveLength(2);
  expect(told[1]?.html).toContain(kind);
  expect(JSON.stringify(told)).not.toMatch(/ABCDEFGH1234|SECRET/);
});

test('in a group, and without a person, the hosts alone are told', () => {
  const group = { id: -7, type: 'group' };
  expect(word({ message: { from, chat: group, text: '/stock' } }).map(({ chatId }) => chatId)).toEqual([900]);
  expect(word({ poll: {} }).map(({ chatId }) => chatId)).toEqual([900]);
});
