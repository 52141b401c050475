// How much one chat is told: one a second, twenty a minute in a group and short bursts are Telegram's, the rooms left
// in them ours.
import { Api } from 'grammy';
import { beforeEach, expect, test } from 'vitest';

import { createManualClock, type ManualClock } from '../../clock.ts';
import { createChatRateLimit, type ChatRateLimit } from './rate-limits.ts';

/** A group. */
const CHAT = -7;
const PRIVATE = 7;
let clock: ManualClock;
let limit: ChatRateLimit;
let api: Api;
/** What Telegram answers. */
let answer: object;
beforeEach(() => {
  clock = createManualClock(1_000_000);
  limit = createChatRateLimit(clock);
  api = new Api('1:token', { fetch: () => Promise.resolve(Response.json(answer)) });
  api.config.use(limit.transformer);
  answer = { ok: true, result: true };
});

/** Leaves through the API, which refuses it. */
async function refuse(chatId: number, error_code: number, parameters: object = {}) {
  answer = { ok: false, error_code, description: 'x', parameters };
  await expect(api.sendMessage(chatId, 'x')).rejects.toThrow('x');
  answer = { ok: true, result: true };
}
const says = async (times: number, chatId = CHAT) => {
  for (let n = 0; n < times; n += 1) await api.sendMessage(chatId, 'x');
};
const allowed = (chatId = CHAT) =>
  (['answer', 'notice', 'progress'] as const).filter((urgency) => limit.allows(chatId, urgency));
const ALL = ['answer', 'notice', 'progress'];

test('of twenty a minute in a group nineteen are for answers, seventeen for notices, eleven for how it goes on', async () => {
  for (let said = 1; said <= 19; said += 1) {
    await says(1);
    clock.advance(3_000);
    expect([said, allowed()]).toEqual([
      said,
      said < 11 ? ALL : said < 17 ? ['answer', 'notice'] : said < 19 ? ['answer'] : [],
    ]);
  }
  clock.advance(60_000 - 19 * 3_000 - 1);
  expect(allowed()).toEqual([]);
  clock.advance(1);
  expect(allowed()).toEqual(['answer']);
  expect(allowed(CHAT + 1)).toEqual(ALL);
});

test('of a burst of nine the last two are for answers, and four for how it goes on; it fills by one a second', async () => {
  for (let said = 1; said <= 9; said += 1) {
    await says(1);
    expect([said, allowed()]).toEqual([
      said,
      said < 5 ? ALL : said < 7 ? ['answer', 'notice'] : said < 9 ? ['answer'] : [],
    ]);
  }
  clock.advance(999);
  expect(allowed()).toEqual([]);
  clock.advance(1);
  expect(allowed()).toEqual(['answer']);
  clock.advance(2_000);
  expect(allowed()).toEqual(['answer', 'notice']);
  clock.advance(60_000);
  await says(9);
  expect(allowed()).toEqual([]);
});

test('a fast person is answered sixty times a minute in a private chat', async () => {
  for (let minute = 0; minute < 3; minute += 1)
    for (let act = 0; act < 30; act += 1) {
      expect(limit.allows(PRIVATE, 'answer')).toBe(true);
      await says(1, PRIVATE);
      expect(limit.allows(PRIVATE, 'answer')).toBe(true);
      await says(1, PRIVATE);
      clock.advance(2_000);
    }
});

test('what Telegram refuses is learned: half as much, and less than was too much, and more again by and by', async () => {
  const countAllowed = async () => {
    let count = 0;
    for (; limit.allows(PRIVATE, 'answer'); count += 1) {
      await says(1, PRIVATE);
      clock.advance(1_000);
      if (count > 100) return count;
    }
    return count;
  };
  for (let said = 0; said < 20; said += 1) {
    await says(1, PRIVATE);
    clock.advance(1_000);
  }
  await refuse(PRIVATE, 429, { retry_after: 30 });
  clock.advance(60_000);
  expect(await countAllowed()).toBe(19);
  for (let time = 0; time < 5; time += 1) {
    await refuse(PRIVATE, 429, { retry_after: 30 });
    // What was on its way is refused, too, and tells nothing new.
    await refuse(PRIVATE, 429, { retry_after: 30 });
    clock.advance(60_000);
  }
  expect(await countAllowed()).toBe(15);
  clock.advance(600_001);
  expect(await countAllowed()).toBe(30);
  clock.advance(600_001);
  expect(await countAllowed()).toBeGreaterThan(60);
});

test('how something goes on is shown six times a minute in one chat', () => {
  const taken = Array.from({ length: 7 }, () => limit.takeProgress(CHAT));
  expect(taken).toEqual([...Array<boolean>(6).fill(true), false]);
  expect(limit.takeProgress(CHAT + 1)).toBe(true);
  clock.advance(59_999);
  expect(limit.takeProgress(CHAT)).toBe(false);
  clock.advance(1);
  expect(limit.takeProgress(CHAT)).toBe(true);
});

test('progress takes no place where answers need it', async () => {
  await says(5);
  expect(limit.takeProgress(CHAT)).toBe(false);
});

test('a chat that Telegram closed is told nothing for as long, and no other is closed', async () => {
  await refuse(CHAT, 429, { retry_after: 120 });
  await refuse(CHAT + 1, 429);
  await refuse(CHAT + 2, 400);
  expect([CHAT, CHAT + 1, CHAT + 2].map((chat) => allowed(chat).length)).toEqual([0, 0, 3]);
  clock.advance(999);
  expect(allowed(CHAT + 1)).toEqual([]);
  clock.advance(1);
  expect(allowed(CHAT + 1)).toEqual(ALL);
  clock.advance(118_999);
  await says(9, CHAT + 3);
  // However many others were told something since.
  for (let other = 100; other < 1_200; other += 1) await says(1, other);
  expect([allowed(), allowed(CHAT + 3)]).toEqual([[], []]);
  clock.advance(1);
  expect(allowed()).toEqual(ALL);
});

test('what sends, edits, copies or forwards is counted, answers to taps and typing are not', async () => {
  for (let n = 0; n < 20; n += 1) {
    await api.sendChatAction(CHAT, 'typing');
    await api.answerCallbackQuery('q');
    await api.deleteMessage(CHAT, 1);
    await api.getFile('f');
  }
  expect(allowed()).toEqual(ALL);
  await says(1);
  await api.sendDocument(CHAT, 'id');
  await api.editMessageText(CHAT, 1, 'x');
  await api.copyMessage(CHAT, CHAT, 1);
  await api.forwardMessage(CHAT, CHAT, 1);
  expect(allowed()).toEqual(['answer', 'notice']);
});
