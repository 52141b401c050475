// What a person at a terminal sees of an answer.
import { expect, test } from 'vitest';

import { formatTables } from './table.ts';

test('lines with the same fields are one table, as wide as the widest', () => {
  const lines = [
    { keyId: 1, prefix: 'crs_aaaaaaaa', name: null, lastUsedAt: '2026-11-19T14:41:50.233Z', revoked: false },
    { keyId: 12, prefix: 'crs_bbbbbbbb', name: 'web', lastUsedAt: null, revoked: true },
  ];
  expect(formatTables(lines)).toBe(`KEY ID  PREFIX        NAME  LAST USED AT          REVOKED
1       crs_aaaaaaaa  -     2026-11-19 14:41 UTC  false
12      crs_bbbbbbbb  web   -                     true
`);
});

test('a line of its own lists its fields, and what it holds stands below', () => {
  const line = {
    accountId: 1,
    owner: { telegramId: 5, name: 'Ann' },
    daily: { limit: 300, used: 0 },
    webhooks: [],
    keys: [{ keyId: 1, name: null }],
  };
  expect(formatTables([{ check: 'drift' }, line])).toBe(`CHECK  drift

ACCOUNT ID  1
OWNER       telegramId 5, name Ann
DAILY       limit 300, used 0
WEBHOOKS    -

KEY ID  NAME
1       -
`);
});

test('a name cannot speak to the terminal, nor begin a line', () => {
  expect(formatTables([{ name: 'Shop\u001B[2J\n\u202Eeman' }])).toBe('NAME  Shop?[2J??eman\n');
});

test('no answer is no word', () => {
  expect(formatTables([])).toBe('');
});
