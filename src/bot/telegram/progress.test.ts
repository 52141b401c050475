// When a message shows its next word: after a pause, after a look that took long, or never.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import { createManualClock, type ManualClock } from '../../clock.ts';
import type { ChatRateLimit } from './rate-limits.ts';
import { createProgress, type Progress } from './progress.ts';

const TARGET = { chatId: 1, messageId: 2 };
const DAY_MS = 24 * 60 * 60 * 1000;

let clock: ManualClock;
let shown: string[];
let progress: Progress;
let hasRoom: boolean;
beforeEach(() => {
  clock = createManualClock(0);
  [shown, hasRoom] = [[], true];
  const api = { editMessageText: (_chat: number, _message: number, html: string) => void shown.push(html) };
  const log = { info() {}, warn() {}, error() {} };
  const rateLimit: ChatRateLimit = fake({ takeProgress: () => hasRoom, allows: () => true });
  progress = createProgress({ api: fake(api), clock, log, rateLimit });
});
afterEach(() => void vi.useRealTimers());

const settled = () => new Promise((resolve) => void setImmediate(resolve));

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
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  progress.start();
  const line = progress.open(TARGET);
  for (const html of ['first', 'second', 'third']) line.show(() => ({ html }));
  await settled();
  expect(shown).toEqual(['first']);
  clock.advance(60_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toEqual(['first', 'third']);

  line.show(() => ({ html: 'at once' }), { orNever: true });
  await settled();
  hasRoom = false;
  line.show(() => ({ html: 'never' }), { orNever: true });
  hasRoom = true;
  clock.advance(60_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toEqual(['first', 'third', 'at once']);
  await progress.stop();
});

test('what is looked up while the end comes is not shown over it', async () => {
  const { promise, resolve } = Promise.withResolvers<{ html: string }>();
  progress.open(TARGET).show(() => promise);
  const ended = progress.end(TARGET);
  resolve({ html: 'late' });
  await ended;
  expect(shown).toEqual([]);
});

test('each edit waits longer than the one before it, to fifteen seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  progress.start();
  const line = progress.open(TARGET);
  const at: number[] = [];
  for (let passed = 0; passed < 70_000; passed += 100) {
    const before = shown.length;
    line.show(() => ({ html: String(passed) }));
    await settled();
    if (shown.length > before) at.push(passed);
    clock.advance(100);
  }
  expect(at).toEqual([0, 1_100, 3_300, 7_700, 16_500, 31_500, 46_500, 61_500]);
  await progress.stop();
});

test('the end of a message ends also what showed nothing for so long that it was forgotten', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  progress.start();
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
  await progress.stop();
});

test.each([
  { idleMs: 10 * 60 * 1000, forgotten: false },
  { idleMs: 10 * 60 * 1000 + 1, forgotten: true },
])(
  'a message that showed nothing new for $idleMs ms begins with short pauses again: $forgotten',
  async ({ idleMs, forgotten }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    progress.start();
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
    await progress.stop();
  },
);

test('what somebody waits for has an answer’s room, and comes at the same distance each time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  hasRoom = false;
  progress.start();
  const line = progress.open(TARGET);
  for (const html of ['first', 'second', 'third', 'fourth']) {
    line.show(() => ({ html }), { isAnswer: true });
    await settled();
    clock.advance(1_200);
    await vi.advanceTimersByTimeAsync(1_200);
  }
  expect(shown).toEqual(['first', 'second', 'third', 'fourth']);
  await progress.stop();
  line.show(() => ({ html: 'after the end' }), { isAnswer: true });
  await settled();
  expect(shown).toHaveLength(4);
});
