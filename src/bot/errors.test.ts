// What the log tells of an error: what went wrong can be read, and no text or token of a request.
import { GrammyError, HttpError } from 'grammy';
import { expect, test } from 'vitest';

import { fake } from '../../test/harness/fake.ts';
import { createLogger } from '../log.ts';
import { CoreError } from '../core/index.ts';
import type { BotContext } from './context.ts';
import { BotCallError } from './telegram/telegram-errors.ts';
import { describeError, findPassingCause, keyOf, replyWithError, wayOutKey } from './errors.ts';

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

test('a name that does not resolve is told with its code', () => {
  const lost = new BotCallError('CANARY', 'unreachable', 'ENOTFOUND');
  expect(write(new HttpError('CANARY', lost))).toMatch(/^(?!.*CANARY).*"errorCode":"ENOTFOUND"/s);
});

test('an error of the disk is told with its code', () => {
  expect(write(Object.assign(new Error('CANARY'), { code: 'SQLITE_FULL' }))).toMatch(
    /^(?!.*CANARY).*"errorCode":"SQLITE_FULL"/s,
  );
});

test('of an error whose message has several lines only the frames are told, whatever the lines look like', () => {
  const line = write(new Error('CANARY\nparams: CANARY\n    at CANARY (/x/y.ts:1:2)\n    at CANARY:3'));
  expect(line).not.toContain('CANARY');
  expect(line).toMatch(/"stack":" +at .*errors\.test\.ts:\d+/);
});

test('whoever waits is told of an error once: by the answer to the tap, else in the private chat', async () => {
  const tell = async (parts: object) => {
    const told: unknown[] = [];
    const ctx: BotContext = fake({
      update: { update_id: 7 },
      chat: { id: 1, type: 'private' },
      say: (key: string) => `said ${key}`,
      label: (key: string) => `labelled ${key}`,
      reply: (html: string) => Promise.resolve(told.push(html)),
      answerCallbackQuery: ({ text }: { text: string }) => Promise.resolve(told.push(text)),
      ...parts,
    });
    const ignore = () => undefined;
    await replyWithError(ctx, new CoreError('FORBIDDEN', 'x'), { info: ignore, warn: ignore, error: ignore });
    return told;
  };
  expect(await tell({})).toEqual(['said refusal-role']);
  expect(await tell({ callbackQuery: {} })).toEqual(['labelled refusal-role']);
  expect(await tell({ callbackQuery: {}, tapAnswered: true })).toEqual(['said refusal-role']);
  expect(await tell({ chat: { id: -1, type: 'group' } })).toEqual([]);
});

test.each<[code: CoreError['code'], key: string]>([
  ['FORBIDDEN', 'refusal-role'],
  ['KEY_REVOKED', 'refusal-role'],
  ['SUBSCRIPTION_EXPIRED', 'subscription-needed'],
  ['STOPPING', 'error-stopping'],
  ['OVERLOADED', 'error-overloaded'],
  ['CONTESTED', 'error-contested'],
  ['NOT_FOUND', 'error-gone'],
  ['CONFLICT', 'error-gone'],
  ['INVALID_INPUT', 'error-input'],
  ['CODE_OVERRIDE_REQUIRED', 'error-input'],
  ['IDEMPOTENCY_KEY_REUSED', 'confirmation-taken'],
])('%s is told as %s', (code, key) => expect(keyOf(new CoreError(code, 'x'))).toBe(key));

test('a fault of ours has no sentence', () => expect(keyOf(new Error('x'))).toBeUndefined());

test.each([
  'subscription-needed',
  'subscription-first',
  'order-because-subscription-expired',
  'quota-subscription-none',
  'quota-subscription-ended',
])('who may not pay is told whom to ask instead of %s', (key) => {
  const of = (role: 'owner' | 'operator') =>
    ({ actor: { kind: 'member', accountId: 1, telegramId: 5, role } }) as const;
  expect([wayOutKey(of('owner'), key), wayOutKey(of('operator'), key)]).toEqual([key, `${key}-ask`]);
  expect(wayOutKey({ actor: undefined }, 'other')).toBe('other');
});

test.each<[code: string | undefined, cause: string | undefined]>([
  ['SQLITE_FULL', 'disk'],
  ['SQLITE_IOERR_WRITE', 'disk'],
  ['SQLITE_CONSTRAINT', undefined],
  [undefined, undefined],
])('an error of the code %s passes: %s', (code, cause) => {
  expect(findPassingCause(Object.assign(new Error('x'), code !== undefined && { code }))).toBe(cause);
});
