// References of keyed orders: the same order has the same one, and no other has it.
import { expect, test } from 'vitest';

import { createSecrets } from '../../store/engine/secrets.ts';
import { deriveReference } from '../idempotency.ts';

const secrets = createSecrets(Buffer.alloc(32, 1));
const ORDER = {
  ...{ accountId: 1, gameId: 'game_id_1', code: '60S0000000000001', tries: 1 },
  key: { scope: 'http', key: 'one' } as const,
};

test('the same order has the same reference, a UUID of version 8', () => {
  const reference = deriveReference(secrets, ORDER);
  expect(reference).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(deriveReference(createSecrets(Buffer.alloc(32, 1)), { ...ORDER })).toBe(reference);
});

test('whatever key the codes are sealed with', () => {
  const names = Buffer.alloc(32, 3);
  const [before, after] = [1, 2].map((key) => createSecrets(Buffer.alloc(32, key), names));
  expect(deriveReference(after!, ORDER)).toBe(deriveReference(before!, ORDER));
});

test.each([
  ['account', { accountId: 2 }],
  ['game', { gameId: 'game_id_2' }],
  ['code', { code: '60S0000000000002' }],
  ['try', { tries: 2 }],
  ['key', { key: { scope: 'http', key: 'two' } as const }],
  ['scope', { key: { scope: 'chat', key: 'one' } as const }],
])('another %s has another', (_what, other) => {
  expect(deriveReference(secrets, { ...ORDER, ...other })).not.toBe(deriveReference(secrets, ORDER));
});
