import { expect, test } from 'vitest';

import { createManualClock } from '../../clock.ts';
import { createConnectionStatus } from './connection-status.ts';

function open() {
  const lines: string[] = [];
  const keep = (_: object, message: string) => void lines.push(message);
  const clock = createManualClock(1_700_000_000_000);
  return { lines, clock, connection: createConnectionStatus({ error: keep, info: keep }, clock) };
}

test('a token that is revoked while the bot runs is told once, and its return as well', () => {
  const { lines, connection } = open();
  connection.heard('answered');
  for (const outcome of ['unauthorized', 'lost', 'unauthorized'] as const) connection.heard(outcome);
  expect(connection.current()).toBe('revoked');
  expect(lines).toEqual([expect.stringMatching(/no longer knows TELEGRAM_BOT_TOKEN: it was revoked/)]);
  connection.heard('answered');
  expect([connection.current(), lines.at(-1)]).toEqual(['reachable', 'Telegram knows the token']);
  connection.heard('unauthorized');
  expect(lines).toHaveLength(3);
});

test('a token that was never known is told once, too, and an outage is no matter of the token', () => {
  const { lines, connection } = open();
  expect(connection.current()).toBe('starting');
  for (const outcome of ['unauthorized', 'unauthorized'] as const) connection.heard(outcome);
  expect(connection.current()).toBe('revoked');
  connection.heard('answered');
  connection.heard('lost');
  expect([connection.current(), lines]).toEqual([
    'unreachable',
    [expect.stringMatching(/^Telegram does not know this TELEGRAM_BOT_TOKEN/), 'Telegram knows the token'],
  ]);
});

test('what hinders it is told where Telegram answers, since it began, and no more once it is over', () => {
  const { clock, connection } = open();
  const start = clock.now();
  connection.heard('answered');
  for (const isSo of [true, true]) {
    clock.advance(1_000);
    connection.hinder('contested', isSo);
  }
  expect([connection.current(), connection.since()]).toEqual(['contested', start + 1_000]);
  connection.heard('lost');
  expect(connection.current()).toBe('unreachable');
  connection.heard('answered');
  connection.hinder('contested', false);
  expect(connection.current()).toBe('reachable');
});

test('since when it stands so is since the last change, however often it is heard again', () => {
  const { clock, connection } = open();
  const start = clock.now();
  clock.advance(1_000);
  connection.heard('answered');
  clock.advance(1_000);
  connection.heard('answered');
  expect(connection.since()).toBe(start + 1_000);
  clock.advance(1_000);
  connection.heard('lost');
  expect([connection.current(), connection.since()]).toEqual(['unreachable', start + 3_000]);
});
