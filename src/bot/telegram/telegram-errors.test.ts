// What went wrong with a call, read in one place: by whoever repeats it, gives up, or says it otherwise.
import { GrammyError, HttpError } from 'grammy';
import { describe, expect, test } from 'vitest';

import { CoreError } from '../../core/index.ts';
import { findPassingCause, isInterrupted, readRetryAfterMs, type PassingCause } from '../errors.ts';
import { isGone, isUnchanged } from '../replies.ts';
import { readAnswer } from './client.ts';
import {
  BotCallError,
  findRefusal,
  readTelegramError,
  isRefused,
  type TelegramError,
} from './telegram-errors.ts';

const refusal = (error_code: number, description: string, parameters = {}) =>
  new GrammyError('refused', { ok: false, error_code, description, parameters }, 'sendMessage', {});
const lost = (reason: BotCallError['reason']) => new BotCallError('lost', reason);

test.each<[what: string, error: unknown, trouble: TelegramError | undefined]>([
  [
    'a flood',
    refusal(429, 'Too Many Requests', { retry_after: 12 }),
    { kind: 'flood', retryAfterMs: 12_000 },
  ],
  ['a flood of no length', refusal(429, 'Too Many Requests'), { kind: 'flood', retryAfterMs: 1_000 }],
  ['a restart', refusal(500, 'restart'), { kind: 'outage', mayHaveArrived: true }],
  ['a proxy', refusal(502, 'Bad Gateway'), { kind: 'outage', mayHaveArrived: true }],
  ['another token', refusal(401, 'Unauthorized'), { kind: 'revoked' }],
  ['a form', refusal(400, 'BUTTON_INVALID'), { kind: 'refused', code: 400, description: 'BUTTON_INVALID' }],
  [
    'a group that moved',
    refusal(400, 'upgraded', { migrate_to_chat_id: -100 }),
    { kind: 'refused', code: 400, description: 'upgraded', movedTo: -100 },
  ],
  ['the last refusal', refusal(499, 'x'), { kind: 'refused', code: 499, description: 'x' }],
  ['nothing was sent', lost('unreachable'), { kind: 'outage', mayHaveArrived: false }],
  ['no answer', lost('timeout'), { kind: 'outage', mayHaveArrived: true }],
  ['half an answer', lost('unreadable'), { kind: 'outage', mayHaveArrived: true }],
  ['the end of the process', lost('stopped'), { kind: 'stopped' }],
  ['a socket', new HttpError('x', lost('unreachable')), { kind: 'outage', mayHaveArrived: false }],
  ['anything else of a socket', new HttpError('x', new Error('y')), { kind: 'outage', mayHaveArrived: true }],
  ['a fault of ours', new Error('x'), undefined],
])('%s', (_, error, trouble) => expect(readTelegramError(error)).toEqual(trouble));

test('a form that Telegram refuses is refused again; whoever is gone, and what passes, is another matter', () => {
  expect(findRefusal(refusal(400, 'BUTTON_INVALID'))).toBe('BUTTON_INVALID');
  expect([refusal(403, 'blocked'), refusal(429, 'x'), lost('timeout'), new Error('x')].some(isRefused)).toBe(
    false,
  );
});

test.each([
  [refusal(403, 'Forbidden: bot was blocked by the user'), true],
  [refusal(400, 'Bad Request: chat not found'), true],
  [refusal(400, 'Bad Request: PEER_ID_INVALID'), true],
  [refusal(400, 'Bad Request: not enough rights to send text messages'), true],
  [refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat'), true],
  [refusal(400, 'Bad Request: BUTTON_INVALID'), false],
  [refusal(500, 'chat not found'), false],
  [new Error('chat not found'), false],
])('nobody is there to be told: %s', (error, gone) => expect(isGone(error)).toBe(gone));

test('a message that says it already is no mistake', () => {
  expect(isUnchanged(refusal(400, 'Bad Request: message is not modified: specified new …'))).toBe(true);
  expect(isUnchanged(refusal(400, 'Bad Request: message to edit not found'))).toBe(false);
  expect(isUnchanged(new Error('message is not modified'))).toBe(false);
});

describe('an update that failed', () => {
  const disk = (code: string) => Object.assign(new Error('x'), { code });
  test.each<[error: unknown, cause: PassingCause | undefined]>([
    [new CoreError('OVERLOADED', 'x'), 'overload'],
    [disk('SQLITE_FULL'), 'disk'],
    [disk('SQLITE_IOERR_WRITE'), 'disk'],
    [disk('SQLITE_BUSY'), 'disk'],
    [disk('SQLITE_CONSTRAINT'), undefined],
    [disk('NOT_SQLITE_FULL'), undefined],
    [new HttpError('x', new Error('y')), 'telegram'],
    [refusal(500, 'x'), 'telegram'],
    [refusal(429, 'x'), 'telegram'],
    [refusal(499, 'x'), undefined],
    [refusal(400, 'x'), undefined],
    [new Error('x'), undefined],
    ['no error', undefined],
  ])('for %s may succeed later: %s', (error, cause) => expect(findPassingCause(error)).toBe(cause));

  test('is left alone for as long as Telegram asks', () => {
    expect(readRetryAfterMs(refusal(429, 'x', { retry_after: 7 }))).toBe(7_000);
    expect([refusal(429, 'x'), new Error('x')].map(readRetryAfterMs)).toEqual([0, 0]);
  });

  test('waits where nothing was begun', () => {
    for (const code of ['STOPPING', 'OVERLOADED'] as const)
      expect(isInterrupted(new CoreError(code, 'x'))).toBe(true);
    expect([new CoreError('CONFLICT', 'x'), new Error('x')].map(isInterrupted)).toEqual([false, false]);
  });
});

test.each([
  [200, null, '{"ok":true,"result":[]}', { ok: true, result: [] }],
  [200, null, '{"ok":true}', undefined],
  [200, null, '[]', undefined],
  [200, null, 'null', undefined],
  [
    403,
    null,
    '{"ok":false,"error_code":403,"description":"blocked"}',
    { ok: false, error_code: 403, description: 'blocked' },
  ],
  [403, null, '{"ok":false,"error_code":"403"}', undefined],
  [403, null, '<html>firewall</html>', undefined],
  [500, null, '<html>', { ok: false, error_code: 500, description: 'Internal Server Error' }],
  [502, null, '{"ok":tr', { ok: false, error_code: 502, description: 'Bad Gateway' }],
  [599, null, '', { ok: false, error_code: 599, description: 'Unknown' }],
  [
    429,
    '7',
    '',
    { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 7 } },
  ],
  [
    429,
    '0.2',
    '',
    { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1 } },
  ],
  [
    429,
    null,
    '',
    { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1 } },
  ],
  [
    429,
    '0',
    '',
    { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1 } },
  ],
])('%i with %s and %s is read', (status, retryAfter, text, answer) =>
  expect(readAnswer(status, retryAfter, text)).toEqual(answer),
);
