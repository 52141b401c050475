import { expect, test } from 'vitest';

import { createLogger } from './log.ts';

function setUp(level = 'info') {
  const lines: string[] = [];
  const log = createLogger({ level, destination: { write: (line) => void lines.push(line) } });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> };
}

test('a line is JSON with an ISO time and the name of its level, and names no machine', () => {
  const { log, last } = setUp();
  log.info({ route: '/redeem', status: 200, accountId: 7, requestId: 'a-b', nothing: undefined }, 'request');
  const { time, ...rest } = last();
  expect(time).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  expect(rest).toEqual({
    level: 'info',
    route: '/redeem',
    status: 200,
    accountId: 7,
    requestId: 'a-b',
    msg: 'request',
  });
});

test('lines under the level are not written', () => {
  const { log, lines } = setUp('warn');
  log.info({}, 'quiet');
  log.warn({}, 'loud');
  expect(lines).toHaveLength(1);
});

test('secret fields are masked at any depth', () => {
  const { log, lines } = setUp();
  const secrets = {
    authorization: 'CANARY',
    Authorization: 'CANARY',
    password: 'CANARY',
    email: 'CANARY',
    code: 'CANARY',
    codes: ['CANARY'],
    codeOverride: 'CANARY',
    token: 'CANARY',
    botToken: 'CANARY',
    sessionToken: 'CANARY',
    apiKey: 'CANARY',
    'x-api-key': 'CANARY',
  };
  log.info(secrets, 'm');
  log.info({ a: { b: [{ ...secrets, kept: 'kept' }] } }, 'm');
  expect(lines.join()).not.toContain('CANARY');
  expect(lines[1]).toContain('kept');
});

test('an error is its name, code, message, stack and causes, and none of its other fields', () => {
  const { log, last, lines } = setUp();
  const cause = Object.assign(new RangeError('the root'), { code: 'SQLITE_BUSY', payload: 'CANARY' });
  log.error(
    { err: Object.assign(new Error('it broke', { cause }), { request: { token: 'CANARY' } }) },
    'failed',
  );
  expect(last()['err']).toMatchObject({
    name: 'Error',
    message: 'it broke',
    stack: expect.stringMatching(/^\s+at (?:.*\()?src\/log\.test\.ts:\d+:/) as string,
    cause: { name: 'RangeError', code: 'SQLITE_BUSY', message: 'the root' },
  });
  log.error({ err: Object.assign(new Error(), { code: 7 }) }, 'failed');
  expect(last()['err']).toMatchObject({ code: 7 });
  log.error({ err: Object.assign(new Error(), { code: { card: 'CANARY' } }) }, 'failed');
  expect(last()['err']).not.toHaveProperty('code');
  expect(lines.join()).not.toContain('CANARY');
});

test.each([
  'cannot log in as account@mail.example',
  'answered 401 to Bearer crs_abcdef',
  'GET https://api.example/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe',
  'GET /redemption-time?code=SHORT',
  `Unexpected token 'x', "{"code":"x"}" is not valid JSON`,
  'no room for 60SXW4QK7H2M9TZR',
  'no room for ABCDEFGHIJKLMNOP',
])('the message of an error is scrubbed: %s', (message) => {
  const { log, lines } = setUp();
  log.error({ err: new Error(`${message}\n    at once: ${message}`) }, 'failed');
  const secret = /account@mail|crs_abcdef|AAHdqTcv|SHORT|"code|60SXW4QK7H2M9TZR|ABCDEFGHIJKLMNOP/;
  expect(lines.join()).not.toMatch(secret);
});

test('a message without end is cut before it is looked through, and no secret shows at the cut', () => {
  const { log, last } = setUp();
  const filling = 'failed at once, '.repeat(255);
  log.error({ err: new Error(`${filling}"${'a code of somebody '.repeat(1_000)}"`) }, 'failed');
  const { message } = last()['err'] as { message: string };
  expect(message.startsWith('failed at once')).toBe(true);
  expect(message.length).toBeLessThan(4_200);
  expect(message).not.toContain('somebody');
});

test('a message without secrets stays readable', () => {
  const { log, last } = setUp();
  const message =
    "UNIQUE constraint failed: redemptions.reference, Cannot read properties of undefined (reading 'id')";
  log.error({ err: new Error(message) }, 'failed');
  expect(last()['err']).toMatchObject({ message });
});

test('a field that refers to itself is written once', () => {
  const { log, lines } = setUp();
  const round: Record<string, unknown> = { name: 'round' };
  round['self'] = round;
  log.info({ round }, 'm');
  expect(lines).toHaveLength(1);
});
