// References of keyed orders: the same order has the same one, and no other has it.
import { expect, test } from 'vitest';

import { createSecrets } from '../../store/engine/secrets.ts';
import { deriveReference } from '../idempotency.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const secrets = createSecrets(Buffer.alloc(32, 1));
const ORDER = {
  ...{ of: 'first', accountId: 1, at: 5 * DAY_MS, tries: 1 },
  key: { scope: 'http', key: 'one' } as const,
};

test('the same order has the same reference, a UUID of version 8', () => {
  const reference = deriveReference(secrets, ORDER);
  expect(reference).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(deriveReference(secrets, { ...ORDER, at: 6 * DAY_MS - 1 })).toBe(reference);
});

test.each([
  ['epoch, or code', { of: 'second' }],
  ['account', { accountId: 2 }],
  ['day', { at: 6 * DAY_MS }],
  ['try', { tries: 2 }],
  ['key', { key: { scope: 'http', key: 'two' } as const }],
  ['scope', { key: { scope: 'chat', key: 'one' } as const }],
])('another %s has another', (_what, other) => {
  expect(deriveReference(secrets, { ...ORDER, ...other })).not.toBe(deriveReference(secrets, ORDER));
});
