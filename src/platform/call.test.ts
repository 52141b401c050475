// What is known of a call that failed: whether anything was sent, and why.
import { expect, test, vi } from 'vitest';

import { createUpstreamCall, wasNeverSent } from './call.ts';

function failure(code: string, syscall?: string): Error {
  return Object.assign(new Error(code), { code, ...(syscall ? { syscall } : {}) });
}

const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });

test.for([
  ['refused', failure('ECONNREFUSED', 'connect')],
  ['no route', failure('EHOSTUNREACH', 'connect')],
  ['connect timed out in the system', failure('ETIMEDOUT', 'connect')],
  ['connect timed out in fetch', failure('UND_ERR_CONNECT_TIMEOUT')],
  ['no such name', failure('ENOTFOUND', 'getaddrinfo')],
  ['name service down', failure('EAI_AGAIN', 'getaddrinfo')],
  [
    'every address refused',
    new AggregateError([failure('ECONNREFUSED', 'connect'), failure('ENETUNREACH', 'connect')]),
  ],
  ['the one address refused', new AggregateError([failure('ECONNREFUSED', 'connect')])],
  ['deeper in the chain', new Error('outer', { cause: failure('ECONNREFUSED', 'connect') })],
] as const)('nothing was sent: %s', ([, cause]) => {
  expect(wasNeverSent(fetchFailed(cause))).toBe(true);
});

test.for([
  ['reset while reading', failure('ECONNRESET', 'read')],
  ['reset, nobody knows when', failure('ECONNRESET')],
  ['broken pipe', failure('EPIPE', 'write')],
  ['timed out while reading', failure('ETIMEDOUT', 'read')],
  ['socket closed', failure('UND_ERR_SOCKET')],
  ['no headers in time', failure('UND_ERR_HEADERS_TIMEOUT')],
  ['refused, but not by connect', failure('ECONNREFUSED', 'write')],
  ['TLS broke', failure('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC')],
  ['given up', new DOMException('This operation was aborted', 'AbortError')],
  [
    'one address refused, one reset',
    new AggregateError([failure('ECONNREFUSED', 'connect'), failure('ECONNRESET', 'read')]),
  ],
  ['no attempt known', new AggregateError([])],
  ['no cause', undefined],
  ['a port that fetch refuses, said by somebody else', new Error('bad ports')],
  ['a text', 'ECONNREFUSED'],
] as const)('something may have been sent: %s', ([, cause]) => {
  expect(wasNeverSent(fetchFailed(cause))).toBe(false);
});

test.for([
  ...[
    'ECONNREFUSED',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EHOSTDOWN',
    'ENETDOWN',
    'ETIMEDOUT',
    'EADDRNOTAVAIL',
  ].map((code) => [code, 'connect'] as const),
  ...[
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'CERT_CHAIN_TOO_LONG',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REJECTED',
    'CERT_REVOKED',
    'CERT_SIGNATURE_FAILURE',
    'CERT_UNTRUSTED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'HOSTNAME_MISMATCH',
    'INVALID_CA',
    'INVALID_PURPOSE',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ].map((code) => [code, undefined] as const),
])('no connection and no certificate that holds: %s came before anything was sent', ([code, syscall]) => {
  expect(wasNeverSent(fetchFailed(failure(code, syscall)))).toBe(true);
});

const chain = (length: number): Error =>
  length === 1 ? failure('ECONNREFUSED', 'connect') : new Error('outer', { cause: chain(length - 1) });

test('a chain of nine errors is read to its end, and no longer one', () => {
  expect([9, 10].map((length) => wasNeverSent(chain(length)))).toEqual([true, false]);
});

test('what is told of a failure is the first code in that chain, never its words', async () => {
  const call = createUpstreamCall({ url: 'https://upstream.example', token: 'token' });
  const fetching = vi.spyOn(globalThis, 'fetch');
  try {
    const told: unknown[] = [];
    for (const error of [
      chain(1),
      chain(9),
      chain(10),
      new AggregateError([chain(2)]),
      new Error('CANARY'),
    ]) {
      fetching.mockRejectedValueOnce(error);
      told.push(await call({ method: 'GET', path: '/' }, { signal: new AbortController().signal }));
    }
    const refused = { kind: 'notSent', reason: 'ECONNREFUSED' };
    const unknown = { kind: 'lost', reason: 'the connection failed' };
    expect(told).toEqual([refused, refused, unknown, refused, unknown]);
  } finally {
    fetching.mockRestore();
  }
});

test('a chain of causes that bites its tail comes to an end', () => {
  const error = new Error('loop');
  error.cause = error;
  expect(wasNeverSent(error)).toBe(false);
  const attempts = new AggregateError([error]);
  attempts.errors[0] = attempts;
  expect(wasNeverSent(attempts)).toBe(false);
});
