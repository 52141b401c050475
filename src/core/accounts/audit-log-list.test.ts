// The log as a list: who did what to whom, by name, and what each filter leaves of it, in one account of two.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { DAY_MS, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { AuditFilter } from './audit-log-list.ts';

let t: TestCore;
let shop: TestAccount;
beforeAll(async () => {
  t = await openTestCore();
  shop = await openTestAccount(t.store);
  const other = await openTestAccount(t.store);
  const { members, accounts } = t.core;
  const { owner, admin, operator, support } = shop.members;
  await members.changeRole(owner, operator.telegramId, 'support');
  await members.changeRole(other.members.owner, other.members.operator.telegramId, 'support');
  t.clock.advance(DAY_MS);
  await members.changeRole(admin, operator.telegramId, 'operator');
  await accounts.rename(owner, shop.accountId, 'Renamed');
  t.clock.advance(DAY_MS);
  await members.remove(admin, support.telegramId);
});
afterAll(() => t.close());

const numberOf = (role: keyof TestAccount['members']) => shop.members[role].telegramId;
/** `owner roleChanged operator`, oldest first. */
async function list(filter: AuditFilter): Promise<string[]> {
  const request = { order: 'oldest', limit: 50 } as const;
  const { rows } = await t.core.auditLogList.page(shop.members.owner, filter, request);
  const written: string[] = [];
  for await (const slice of t.core.auditLogList.walk(shop.members.owner, filter, 'oldest'))
    written.push(...slice.map(write));
  expect(rows.map(write)).toEqual(written);
  return written;
}
type Entry = Awaited<ReturnType<TestCore['core']['auditLogList']['page']>>['rows'][number];
function write({ actorLabel, what, person }: Entry): string {
  const name = (label: Entry['person']) =>
    label?.kind === 'member'
      ? Object.entries(shop.members).find(([, { telegramId }]) => telegramId === label.telegramId)?.[0]
      : label?.kind;
  return [name(actorLabel), what, ...(person ? [name(person)] : [])].join(' ');
}

const ALL = [
  'owner roleChanged operator',
  'admin roleChanged operator',
  'owner accountRenamed',
  'admin memberRemoved support',
];

describe('the log', () => {
  test.each<[what: string, filter: () => AuditFilter, left: number[]]>([
    ['nothing', () => ({}), [0, 1, 2, 3]],
    ['who did it', () => ({ telegramId: numberOf('owner') }), [0, 2]],
    ['another who did it', () => ({ telegramId: numberOf('admin') }), [1, 3]],
    ['whom it was done to', () => ({ telegramId: numberOf('operator') }), [0, 1]],
    ['whom it was done to, who is gone', () => ({ telegramId: numberOf('support') }), [3]],
    ['a stranger', () => ({ telegramId: 1 }), []],
    ['an act', () => ({ acts: ['accountRenamed'] }), [2]],
    ['acts of a person', () => ({ acts: ['roleChanged'], telegramId: numberOf('admin') }), [1]],
  ])('asked for %s', async (_, filter, left) => {
    expect(await list(filter())).toEqual(left.map((at) => ALL[at]));
  });

  test.each<[days: string, from: number | undefined, to: number | undefined, left: number[]]>([
    ['the first day', undefined, 0, [0]],
    ['the second', 1, 1, [1, 2]],
    ['from the second on', 1, undefined, [1, 2, 3]],
    ['the last', 2, 2, [3]],
    ['the day after', 3, undefined, []],
  ])('of %s', async (_, from, to, left) => {
    const dayOf = (after: number) => {
      const day = new Date(t.clock.now() + (after - 2) * DAY_MS);
      return { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() };
    };
    const filter = {
      ...(from !== undefined && { from: dayOf(from) }),
      ...(to !== undefined && { to: dayOf(to) }),
    };
    expect(await list(filter)).toEqual(left.map((at) => ALL[at]));
  });
});
