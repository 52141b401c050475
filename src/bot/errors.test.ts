// What the log tells of an error: what went wrong can be read, and no text or token of a request.
import { GrammyError, HttpError } from 'grammy';
import { expect, test, vi } from 'vitest';

import { personOf } from '../../test/harness/bot.ts';
import { openStage } from '../../test/world/play/stage.ts';
import { createLogger } from '../log.ts';
import { CoreError } from '../core/index.ts';
import { BotCallError } from './telegram/telegram-errors.ts';
import { describeError, findPassingCause, keyOf, wayOutKey } from './errors.ts';

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
  const t = await openStage();
  const owner = personOf(t.api, t.people.owner);
  const role = 'Your role may not do this. Ask the owner of the account.';
  const group = t.api.createGroup({ title: 'Shop', members: [owner.user] });
  const shown = owner.last();
  const refusing = vi.spyOn(t.app().core.receipts, 'find').mockImplementation(() => {
    throw new CoreError('FORBIDDEN', 'x');
  });
  try {
    owner.says('/receipt_1');
    await owner.sees(role);
    owner.looksAway();
    const answer = await t.api.press(owner.user, shown, { data: 'receipt:customer:1' });
    expect(answer).toMatchObject({ text: role, alert: true });
    owner.inChat(group).says('/receipt_1');
    await t.quiet();
    owner.doesNotSee(role);
    expect(owner.inChat(group).all()).toEqual([]);
  } finally {
    refusing.mockRestore();
    await t.stop();
  }
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
