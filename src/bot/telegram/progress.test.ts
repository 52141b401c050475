// When a message shows its next word: after a pause, after a look that took long, or never.
import { Api } from 'grammy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createManualClock, type ManualClock } from '../../clock.ts';
import { createProgress, type Progress } from './progress.ts';
import { createChatRateLimit } from './rate-limits.ts';

const TARGET = { chatId: 1, messageId: 2 };
const DAY_MS = 24 * 60 * 60 * 1000;

let clock: ManualClock;
let shown: string[];
let progress: Progress;
let api: Api;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  clock = createManualClock(0);
  shown = [];
  const rateLimit = createChatRateLimit(clock);
  api = new Api('1:token', {
    fetch(url: string, { body }: { body: string }) {
      if (url.endsWith('/editMessageText')) shown.push((JSON.parse(body) as { text: string }).text);
      return Promise.resolve(Response.json({ ok: true, result: true }));
    },
  });
  api.config.use(rateLimit.transformer);
  const ignore = () => undefined;
  progress = createProgress({ api, clock, log: { info: ignore, warn: ignore, error: ignore }, rateLimit });
  progress.start();
});
afterEach(async () => {
  await progress.stop();
  vi.useRealTimers();
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await vi.advanceTimersByTimeAsync(ms);
  await settled();
}
/** The chat is told so much that progress has no room, or answers have none. */
async function fill(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await api.sendMessage(TARGET.chatId, 'x');
}

test('a look in which a day went by is followed by the next within a minute', async () => {
  const line = progress.open(TARGET);
  line.show(() => {
    clock.advance(DAY_MS);
    return { html: 'first' };
  });
  await settled();
  clock.advance(60_000);
  line.show(() => ({ html: 'second' }));
  await settled();
  expect(shown).toEqual(['first', 'second']);
});

test('what comes too soon is shown later, the latest of it; what is for now or never is not, where the chat has no room', async () => {
  const line = progress.open(TARGET);
  for (const html of ['first', 'second', 'third']) line.show(() => ({ html }));
  await settled();
  expect(shown).toEqual(['first']);
  await pass(60_000);
  expect(shown).toEqual(['first', 'third']);

  line.show(() => ({ html: 'at once' }), { orNever: true });
  await settled();
  await fill(6);
  line.show(() => ({ html: 'never' }), { orNever: true });
  await pass(60_000);
  expect(shown).toEqual(['first', 'third', 'at once']);
});

test('what is looked up while the end comes is not shown over it', async () => {
  const { promise, resolve } = Promise.withResolvers<{ html: string }>();
  progress.open(TARGET).show(() => promise);
  const ended = progress.end(TARGET);
  resolve({ html: 'late' });
  await ended;
  expect(shown).toEqual([]);
});

test('each edit waits longer than the one before it, to fifteen seconds, and six are a minute', async () => {
  const line = progress.open(TARGET);
  const at: number[] = [];
  for (let passed = 0; passed < 80_000; passed += 100) {
    const before = shown.length;
    line.show(() => ({ html: String(passed) }));
    await settled();
    if (shown.length > before) at.push(passed);
    clock.advance(100);
  }
  expect(at).toEqual([0, 1_100, 3_300, 7_700, 16_500, 31_500, 60_000, 75_000]);
});

test('the end of a message ends also what showed nothing for so long that it was forgotten', async () => {
  const line = progress.open(TARGET);
  clock.advance(DAY_MS);
  await vi.advanceTimersByTimeAsync(1_000);
  line.show(() => ({ html: 'still running' }));
  await settled();
  await progress.end(TARGET);
  line.show(() => ({ html: 'after the end' }));
  await settled();
  expect(shown).toEqual(['still running']);

  const late = progress.open(TARGET);
  clock.advance(DAY_MS);
  await vi.advanceTimersByTimeAsync(1_000);
  progress.at(TARGET).show(() => ({ html: 'of another' }));
  late.show(() => ({ html: 'of a forgotten one' }));
  await settled();
  expect(shown).toEqual(['still running', 'of another']);
});

test.each([
  { idleMs: 10 * 60 * 1000, forgotten: false },
  { idleMs: 10 * 60 * 1000 + 1, forgotten: true },
])(
  'a message that showed nothing new for $idleMs ms begins with short pauses again: $forgotten',
  async ({ idleMs, forgotten }) => {
    const showAfter = async (ms: number, html: string) => {
      clock.advance(ms);
      progress.at(TARGET).show(() => ({ html }));
      await settled();
    };
    for (const html of ['1', '2', '3', '4', '5', '6']) await showAfter(15_000, html);
    clock.advance(15_000 + idleMs);
    await vi.advanceTimersByTimeAsync(1_000);
    await showAfter(0, 'after the pause');
    await showAfter(1_100, 'soon');
    expect(shown.at(-1)).toBe(forgotten ? 'soon' : 'after the pause');
  },
);

test('what somebody waits for has an answer’s room, and comes at the same distance each time', async () => {
  await fill(6);
  const line = progress.open(TARGET);
  for (const html of ['first', 'second', 'third', 'fourth']) {
    line.show(() => ({ html }), { isAnswer: true });
    await settled();
    await pass(1_200);
  }
  expect(shown).toEqual(['first', 'second', 'third', 'fourth']);
  await progress.stop();
  line.show(() => ({ html: 'after the end' }), { isAnswer: true });
  await settled();
  expect(shown).toHaveLength(4);
});
