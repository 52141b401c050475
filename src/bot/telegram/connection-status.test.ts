import { expect, test } from 'vitest';

import { createManualClock } from '../../clock.ts';
import { createConnectionStatus } from './connection-status.ts';

function open() {
  const lines: string[] = [];
  const keep = (_: object, message: string) => void lines.push(message);
  const clock = createManualClock(1_700_000_000_000);
  return { lines, clock, standing: createConnectionStatus({ error: keep, info: keep }, clock) };
}

test('a token that is revoked while the bot runs is told once, and its return as well', () => {
  const { lines, standing } = open();
  standing.heard('answered');
  for (const outcome of ['unauthorized', 'lost', 'unauthorized'] as const) standing.heard(outcome);
  expect(standing.current()).toBe('revoked');
  expect(lines).toEqual([expect.stringMatching(/no longer knows TELEGRAM_BOT_TOKEN: it was revoked/)]);
  standing.heard('answered');
  expect([standing.current(), lines.at(-1)]).toEqual(['reachable', 'Telegram knows the token']);
  standing.heard('unauthorized');
  expect(lines).toHaveLength(3);
});

test('a token that was never known is told once, too, and an outage is no matter of the token', () => {
  const { lines, standing } = open();
  expect(standing.current()).toBe('starting');
  for (const outcome of ['unauthorized', 'unauthorized'] as const) standing.heard(outcome);
  expect(standing.current()).toBe('revoked');
  standing.heard('answered');
  standing.heard('lost');
  expect([standing.current(), lines]).toEqual([
    'unreachable',
    [expect.stringMatching(/^Telegram does not know this TELEGRAM_BOT_TOKEN/), 'Telegram knows the token'],
  ]);
});

test('what hinders it is told where Telegram answers, since it began, and no more once it is over', () => {
  const { clock, standing } = open();
  const start = clock.now();
  standing.heard('answered');
  for (const isSo of [true, true]) {
    clock.advance(1_000);
    standing.hinder('contested', isSo);
  }
  expect([standing.current(), standing.since()]).toEqual(['contested', start + 1_000]);
  standing.heard('lost');
  expect(standing.current()).toBe('unreachable');
  standing.heard('answered');
  standing.hinder('contested', false);
  expect(standing.current()).toBe('reachable');
});

test('since when it stands so is since the last change, however often it is heard again', () => {
  const { clock, standing } = open();
  const start = clock.now();
  clock.advance(1_000);
  standing.heard('answered');
  clock.advance(1_000);
  standing.heard('answered');
  expect(standing.since()).toBe(start + 1_000);
  clock.advance(1_000);
  standing.heard('lost');
  expect([standing.current(), standing.since()]).toEqual(['unreachable', start + 3_000]);
});
