// How long a message waits for its next word after a look that took long.
import type { Api } from 'grammy';
import { expect, test } from 'vitest';

import { createManualClock } from '../../clock.ts';
import type { Meter } from './meter.ts';
import { createProgress } from './progress.ts';

const TARGET = { chatId: 1, messageId: 2 };
const DAY_MS = 24 * 60 * 60 * 1000;

test('a look in which a day went by is followed by the next within a minute', async () => {
  const clock = createManualClock(0);
  const shown: string[] = [];
  const api = { editMessageText: (_chat: number, _message: number, html: string) => void shown.push(html) };
  const log = { info() {}, warn() {}, error() {} };
  const meter = { takeProgress: () => true } as unknown as Meter;
  const progress = createProgress({ api: api as unknown as Api, clock, log, meter });
  const line = progress.open(TARGET);
  const settled = () => new Promise((resolve) => void setImmediate(resolve));
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
