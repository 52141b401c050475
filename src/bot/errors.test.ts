// What the log tells of an error: what went wrong can be read, and no text or token of a request.
import { GrammyError } from 'grammy';
import { expect, test } from 'vitest';

import { createLogger } from '../log.ts';
import { describeError } from './errors.ts';

function write(error: unknown): string {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  log.warn({ error: describeError(error) }, 'x');
  return lines.join('');
}

test('a refusal of Telegram is told with its number, without what was to be said', () => {
  const answer = { ok: false, error_code: 429, description: 'Too Many Requests: retry after 12' } as const;
  const line = write(new GrammyError('refused', answer, 'sendMessage', { chat_id: 7, text: 'CANARY' }));
  expect(line).toContain('"errorCode":429');
  expect(line).toContain('"method":"sendMessage"');
  expect(line).not.toContain('CANARY');
});

test('an error of the disk is told with its code', () => {
  expect(write(Object.assign(new Error('CANARY'), { code: 'SQLITE_FULL' }))).toMatch(
    /^(?!.*CANARY).*"errorCode":"SQLITE_FULL"/s,
  );
});
