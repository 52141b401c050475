// Where words go that Telegram does not take: said later, given up, or said in the chat where they were to stand in an
// alert.
import { GrammyError } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { personOf, type Person } from '../../test/harness/bot.ts';
import { openStage, type Stage } from '../../test/world/play/stage.ts';
import { isGone } from './replies.ts';

let t: Stage;
let owner: Person;
beforeEach(async () => {
  t = await openStage({ api: { flood: 'none' } });
  owner = personOf(t.api, t.people.owner);
  owner.looksAway();
});
afterEach(() => t.stop());

const refused = (description: string, code = 400) => ({ kind: 'error', code, description }) as const;
const said = () => owner.all().map(({ text }) => text);

test.each([
  ['a flood', { kind: 'flood', retryAfter: 12 }],
  ['an outage', { kind: 'html', code: 502 }],
  ['a fault of Telegram', refused('Internal Server Error', 500)],
] as const)('after %s everything is said in its order, once', async (_what, fault) => {
  const before = said().length;
  t.api.faults.next('sendMessage', fault, 2);
  for (const words of ['/nothing', '/terms', '/cancel']) owner.says(words);
  await owner.sees('There is nothing to cancel', 60_000);
  await t.quiet();
  expect(said().slice(before)).toEqual([
    expect.stringContaining('I do not know this command'),
    expect.stringContaining('Terms'),
    expect.stringContaining('There is nothing to cancel'),
  ]);
  expect(t.errors).toEqual([]);
});

test('after a flood what stands in place of a message comes there', async () => {
  owner.says('/settings');
  const { id } = await owner.sees('Settings');
  t.api.faults.next('editMessageText', { kind: 'flood', retryAfter: 12 });
  await owner.presses('Notices');
  const { id: changed } = await owner.sees('Press a notice', 60_000);
  expect(changed).toBe(id);
});

test.each([
  ['who blocked the bot', refused('Forbidden: bot was blocked by the user', 403)],
  ['a chat that is gone', refused('Bad Request: chat not found')],
])('to %s nothing is said, now or later, and that is no error', async (_what, fault) => {
  const before = said().length;
  t.api.faults.next('sendMessage', fault);
  owner.says('/terms');
  await t.quiet();
  await t.pass(60_000);
  expect([said().length, t.errors]).toEqual([before, []]);
  owner.says('/cancel');
  await owner.sees('There is nothing to cancel');
});

const TOO_OLD = refused('Bad Request: query is too old and response timeout expired');

test('an alert that Telegram does not take is said in the chat, and nothing else that a tap is answered', async () => {
  const screen = owner.last();
  t.api.faults.next('answerCallbackQuery', TOO_OLD);
  void t.api.press(owner.user, screen, { data: 'receipt:customer:999' });
  await owner.sees('Receipt 999 is not there, or not yours to see.');
  owner.says('/settings');
  await owner.sees('Settings');
  const before = said().length;
  t.api.faults.next('answerCallbackQuery', TOO_OLD);
  void owner.presses('Русский');
  await owner.sees('Настройки');
  await t.quiet();
  expect([said().length, t.errors]).toEqual([before, []]);
});

test.each<[code: number, description: string, isNobody: boolean]>([
  [403, 'Forbidden: anything', true],
  [400, 'Bad Request: PEER_ID_INVALID', true],
  [400, 'Bad Request: user is deactivated', true],
  [400, "Forbidden: bot can't initiate conversation with a user", true],
  [400, 'Bad Request: bot was kicked from the chat', true],
  [400, 'Bad Request: not enough rights to send text messages', true],
  [400, 'Bad Request: group chat was upgraded to a supergroup chat', true],
  [400, 'Bad Request: message text is empty', false],
  [404, 'Not Found: chat not found', false],
])('%i, %s: nobody is there: %s', (error_code, description, isNobody) => {
  expect(isGone(new GrammyError('refused', { ok: false, error_code, description }, 'sendMessage', {}))).toBe(
    isNobody,
  );
});
