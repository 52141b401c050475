// What came of one attempt, in the words that the owner of the address reads; deliveries as a whole: sender.test.ts.
import type { Socket } from 'node:net';

import { afterEach, expect, test, vi } from 'vitest';

import { startReceiver } from '../../test/harness/receiver.ts';
import { createManualClock } from '../clock.ts';
import type { AddressFlaw } from '../core/index.ts';
import { createAddresses, type Addresses } from './addresses.ts';
import { attemptDelivery } from './attempt.ts';

const WEBHOOK = { url: 'https://shop.example', secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` };
const DELIVERY = {
  id: 1,
  webhookId: 1,
  messageId: 'msg_000000000001',
  at: 5,
  fact: { type: 'webhook.test' },
} as const;

const attempt = (resolve: Addresses['resolve'], url = WEBHOOK.url, timeoutMs?: number) => {
  const clock = createManualClock(1_000);
  const deps = { addresses: { resolve }, clock, ...(timeoutMs !== undefined && { timeoutMs }) };
  return attemptDelivery(deps, { ...WEBHOOK, url }, DELIVERY, new AbortController().signal);
};
afterEach(() => void vi.useRealTimers());

test.each<[AddressFlaw, string]>([
  ['notAnAddress', 'This is not an address.'],
  ['notHttps', 'Only https is delivered to.'],
  ['withPassword', 'An address with a password is not delivered to.'],
  ['tooLong', 'The address is too long.'],
  ['unknownHost', 'There is no such host.'],
  ['notPublic', 'The host has an address that is not public.'],
  ['unresolved', 'The name of the host could not be looked up.'],
])('an address that is %s by now is told so', async (flaw, problem) => {
  expect(await attempt(() => Promise.resolve({ flaw }))).toEqual({ startedAt: 1_000, problem });
});

test.each([
  ['ECONNREFUSED', 'It refused the connection.'],
  ['ECONNRESET', 'It broke the connection off.'],
  ['EPIPE', 'It broke the connection off.'],
  ['EHOSTUNREACH', 'There is no way to it.'],
  ['ENETUNREACH', 'There is no way to it.'],
  ['ETIMEDOUT', 'It did not take the connection in time.'],
  ['CERT_HAS_EXPIRED', 'Its certificate or encryption does not hold (CERT_HAS_EXPIRED).'],
  ['ERR_TLS_X', 'Its certificate or encryption does not hold (ERR_TLS_X).'],
  ['ERR_SSL_X', 'Its certificate or encryption does not hold (ERR_SSL_X).'],
  ['EOTHER', 'The connection failed (EOTHER).'],
])('a connection that ends with %s is told so', async (code, problem) => {
  const error = Object.assign(new Error('shop.example, secret'), { code });
  expect(await attempt(() => Promise.reject(error))).toEqual({ startedAt: 1_000, problem });
});

test('what has no code fails without one, and quotes nothing', async () => {
  expect(await attempt(() => Promise.reject(new Error('shop.example')))).toMatchObject({
    problem: 'The connection failed.',
  });
});

test('ten seconds are given, the look at the name included', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let told: object | undefined;
  void attempt(() => new Promise(() => undefined)).then((came) => (told = came));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(told).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual({ startedAt: 1_000, problem: 'It did not answer within 10 s.' });
});

test('what is sent, to the byte: the body, who sends it, and the signature of id, second and body', async () => {
  const receiver = await startReceiver();
  const { resolve } = createAddresses({ allowPrivate: true });
  expect(await attempt(resolve, receiver.url)).toEqual({ startedAt: 1_000, status: 204 });
  const body = '{"type":"webhook.test","timestamp":"1970-01-01T00:00:00.005Z","data":{}}';
  expect(receiver.received).toMatchObject([{ body }]);
  expect(receiver.received[0]?.headers).toEqual({
    host: new URL(receiver.url).host,
    'content-type': 'application/json',
    'content-length': '72',
    'user-agent': 'Code-Redemption-Service',
    'webhook-id': 'msg_000000000001',
    'webhook-timestamp': '1',
    'webhook-signature': 'v1,vFlbNg28TgIxc9SdGH7MvCJ1uu8PrxgjulvMPr7FknE=',
    connection: 'close',
  });
  await receiver.close();
});

const HALF = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf';

test.each<[string, (socket: Socket) => void]>([
  ['is cut', (socket) => socket.end(HALF)],
  ['is reset', (socket) => socket.write(HALF, () => socket.resetAndDestroy())],
  ['is broken', (socket) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')],
  ['never ends', (socket) => socket.write(HALF)],
])('an answer whose body %s counts by its status, and brings nothing down', async (_, answer) => {
  const receiver = await startReceiver();
  receiver.answer = ({ socket }) => answer(socket);
  const { resolve } = createAddresses({ allowPrivate: true });
  expect(await attempt(resolve, receiver.url, 500)).toEqual({ startedAt: 1_000, status: 200 });
  await receiver.close();
});
