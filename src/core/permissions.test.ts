// Who may do what, written out by hand from bot.md ("Roles") and the interface: the table of the program is held to
// this one, and no other test need know it.
import { describe, expect, test } from 'vitest';

import {
  ROLES,
  type Actor,
  type Role,
  grantOf,
  PERMISSIONS,
  requireHost,
  requirePermission,
  type Permission,
} from './context.ts';

type Cells = Record<Role | 'apiKey', 'yes' | 'own' | 'no'>;

const everybody: Cells = { owner: 'yes', admin: 'yes', operator: 'yes', support: 'yes', apiKey: 'yes' };
const notSupport: Cells = { owner: 'yes', admin: 'yes', operator: 'yes', support: 'no', apiKey: 'yes' };
const ofTheirOwn: Cells = { owner: 'yes', admin: 'yes', operator: 'own', support: 'yes', apiKey: 'yes' };
const leaders: Cells = { owner: 'yes', admin: 'yes', operator: 'no', support: 'no', apiKey: 'no' };
const owner: Cells = { owner: 'yes', admin: 'no', operator: 'no', support: 'no', apiKey: 'no' };

const EXPECTED: Record<Permission, Cells> = {
  redeem: notSupport,
  lookUpCharacter: notSupport,
  lookUpCode: notSupport,
  addCodes: notSupport,
  seeStock: everybody,
  seeQuota: everybody,
  readReceipts: ofTheirOwn,
  searchHistory: ofTheirOwn,
  undoImport: { owner: 'yes', admin: 'yes', operator: 'own', support: 'no', apiKey: 'no' },
  extractCodes: { ...leaders, apiKey: 'yes' },
  seeStatistics: { ...leaders, apiKey: 'yes' },
  exportReceipts: leaders,
  exportCredentials: owner,
  purchase: leaders,
  manageStaff: leaders,
  manageAdmins: owner,
  manageApiKeys: owner,
  manageWebhooks: { ...owner, apiKey: 'yes' },
  handOver: owner,
  handleBadCodes: leaders,
  manageClaims: { ...leaders, apiKey: 'yes' },
  setAlerts: leaders,
  setTimeZone: leaders,
  renameAccount: owner,
  readLog: owner,
};

const actorOf = (who: Role | 'apiKey'): Actor =>
  who === 'apiKey'
    ? { kind: 'apiKey', accountId: 1, apiKeyId: 1 }
    : { kind: 'member', accountId: 1, telegramId: 1, role: who };

describe.each([...ROLES, 'apiKey'] as const)('%s', (who) => {
  test.each(Object.entries(EXPECTED))('%s', (permission, cells) => {
    const asked = [actorOf(who), permission as Permission] as const;
    expect(grantOf(...asked)).toBe(cells[who]);
    if (cells[who] === 'no') expect(() => requirePermission(...asked)).toThrow('Your role may not do this');
    else expect(requirePermission(...asked)).toBe(cells[who]);
  });
});

test('there is no permission beside these, and there are four roles', () => {
  expect(PERMISSIONS.toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  expect(ROLES).toEqual(['owner', 'admin', 'operator', 'support']);
});

test('a role that nobody knows, and a host, may do nothing of an account', () => {
  const unknown = { ...actorOf('owner'), role: 'godfather' as Role } as Actor;
  for (const permission of PERMISSIONS) {
    expect(grantOf(unknown, permission)).toBe('no');
    expect(grantOf({ kind: 'host', by: 'cli' }, permission)).toBe('no');
  }
});

test('only the host is the host', () => {
  for (const who of [...ROLES, 'apiKey'] as const)
    expect(() => requireHost(actorOf(who))).toThrow('Only the host');
  expect(() => requireHost({ kind: 'host', by: 'cli' })).not.toThrow();
});
