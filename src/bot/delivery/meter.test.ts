// How much one chat is told: twenty a minute and short bursts are Telegram's, the rooms left in them ours.
import { beforeEach, expect, test } from 'vitest';

import { createManualClock, type ManualClock } from '../../clock.ts';
import { createMeter, type Meter } from './meter.ts';

const CHAT = 7;
let clock: ManualClock;
let meter: Meter;
beforeEach(() => {
  clock = createManualClock(1_000_000);
  meter = createMeter(clock);
});

/** Leaves through the API, which answers with this. */
async function leaves(method: string, chatId: number | undefined = CHAT, answer: object = { ok: true }) {
  const payload = chatId === undefined ? {} : { chat_id: chatId };
  await meter.transformer(() => Promise.resolve(answer as never), method as never, payload as never);
}
const says = async (times: number, chatId = CHAT) => {
  for (let n = 0; n < times; n += 1) await leaves('sendMessage', chatId);
};
const allowed = (chatId = CHAT) =>
  (['answer', 'lane', 'progress'] as const).filter((urgency) => meter.allows(chatId, urgency));
const ALL = ['answer', 'lane', 'progress'];

test('of twenty a minute nineteen are for answers, seventeen for what is said in turn, eleven for how it goes on', async () => {
  for (let said = 1; said <= 19; said += 1) {
    await says(1);
    clock.advance(3_000);
    expect([said, allowed()]).toEqual([
      said,
      said < 11 ? ALL : said < 17 ? ['answer', 'lane'] : said < 19 ? ['answer'] : [],
    ]);
  }
  clock.advance(60_000 - 19 * 3_000 - 1);
  expect(allowed()).toEqual([]);
  clock.advance(1);
  expect(allowed()).toEqual(['answer']);
  expect(allowed(CHAT + 1)).toEqual(ALL);
});

test('of a burst of nine the last is for an answer, and four for how it goes on; it fills by one a second', async () => {
  for (let said = 1; said <= 9; said += 1) {
    await says(1);
    expect([said, allowed()]).toEqual([
      said,
      said < 5 ? ALL : said < 8 ? ['answer', 'lane'] : said < 9 ? ['answer'] : [],
    ]);
  }
  clock.advance(999);
  expect(allowed()).toEqual([]);
  clock.advance(1);
  expect(allowed()).toEqual(['answer']);
  clock.advance(1_000);
  expect(allowed()).toEqual(['answer', 'lane']);
  clock.advance(60_000);
  await says(9);
  expect(allowed()).toEqual([]);
});

test('how something goes on is shown six times a minute in one chat', () => {
  const taken = Array.from({ length: 7 }, () => meter.takeProgress(CHAT));
  expect(taken).toEqual([...Array<boolean>(6).fill(true), false]);
  expect(meter.takeProgress(CHAT + 1)).toBe(true);
  clock.advance(59_999);
  expect(meter.takeProgress(CHAT)).toBe(false);
  clock.advance(1);
  expect(meter.takeProgress(CHAT)).toBe(true);
});

test('progress takes no place where answers need it', async () => {
  await says(5);
  expect(meter.takeProgress(CHAT)).toBe(false);
});

test('a chat that Telegram closed is told nothing for as long, and no other is closed', async () => {
  await leaves('sendMessage', CHAT, { ok: false, error_code: 429, parameters: { retry_after: 120 } });
  await leaves('sendMessage', CHAT + 1, { ok: false, error_code: 429 });
  await leaves('sendMessage', CHAT + 2, { ok: false, error_code: 400 });
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
  const free = ['sendChatAction', 'answerCallbackQuery', 'deleteMessage', 'getFile', 'resendMessage'];
  for (const method of free) for (let n = 0; n < 20; n += 1) await leaves(method);
  await leaves('sendMessage', undefined);
  expect(allowed()).toEqual(ALL);
  for (const method of ['sendMessage', 'sendDocument', 'editMessageText', 'copyMessage', 'forwardMessage'])
    await leaves(method);
  expect(allowed()).toEqual(['answer', 'lane']);
});
