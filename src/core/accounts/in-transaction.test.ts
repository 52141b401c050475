// What a surface keeps together with an action is kept in its transaction: where it cannot be kept, the action is not
// done either.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { InTransaction, Core, HostActor } from '../index.ts';

const host: HostActor = { kind: 'host', by: 'cli' };
const PERSON = { telegramId: 5_170_925_570, name: 'New hand' };

let t: TestCore;
let core: Core;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  core = t.core;
  account = await openTestAccount(t.store);
});
afterEach(() => t.close());

const owner = () => account.members.owner;
const operatorId = () => account.members.operator.telegramId;

type Order = (inTransaction: InTransaction<unknown>) => Promise<unknown>;
/**
 * Orders an action that was not done before, and what is told of it: done a second time something else would be told.
 */
const ACTIONS: [name: string, prepare: () => Promise<Order>, told: object | string][] = [
  [
    'opening an account',
    () => Promise.resolve((keep) => core.accounts.openOwn(PERSON, keep)),
    { status: 'opened', actor: { telegramId: PERSON.telegramId, role: 'owner' } },
  ],
  [
    'opening an account for an owner',
    () =>
      Promise.resolve((keep) =>
        core.members.openForOwner(host, { name: 'New shop', orderId: 'order' }, keep),
      ),
    { name: 'New shop' },
  ],
  [
    'setting a time zone',
    () => Promise.resolve((keep) => core.accounts.setTimeZone(owner(), '+03:00', keep)),
    '+03:00',
  ],
  [
    'calling the account something else',
    () => Promise.resolve((keep) => core.accounts.rename(owner(), account.accountId, 'Corner shop', keep)),
    'Corner shop',
  ],
  [
    'ending a key',
    async () => {
      const { id } = await core.apiKeys.forHost.issue(host, { accountId: account.accountId });
      return (keep) => core.apiKeys.revoke(owner(), id, keep);
    },
    { status: 'revoked' },
  ],
  [
    'changing a role',
    () => Promise.resolve((keep) => core.members.changeRole(owner(), operatorId(), 'support', keep)),
    { status: 'changed', from: 'operator' },
  ],
  [
    'removing a member',
    () => Promise.resolve((keep) => core.members.remove(owner(), operatorId(), keep)),
    { status: 'removed' },
  ],
  [
    'handing over',
    () => Promise.resolve((keep) => core.members.handOver(owner(), operatorId(), keep)),
    { status: 'handedOver' },
  ],
];

test.each(ACTIONS)(
  '%s and what is kept with it are done together or not at all',
  async (_name, prepare, told) => {
    const order = await prepare();
    const fails = () => {
      throw new Error('no room');
    };
    await expect(order(fails)).rejects.toThrow('no room');
    const kept: unknown[] = [];
    await order((_tables, action) => void kept.push(action));
    expect(kept).toHaveLength(1);
    if (typeof told === 'string') expect(kept).toEqual([told]);
    else expect(kept[0]).toMatchObject(told);
  },
);

test('what is granted and what is kept with it are one', async () => {
  const { accountId } = account;
  const before = core.accounts.find(accountId)?.subscriptionExpiresAt;
  const fails = () => {
    throw new Error('no room');
  };
  const gift = { accountId, days: 3, purchased: 5, orderId: 'order' };
  await expect(core.accounts.grant(host, { ...gift, inTransaction: fails })).rejects.toThrow('no room');
  expect(core.accounts.find(accountId)?.subscriptionExpiresAt).toBe(before);
  expect(core.quotaOf(host, accountId).purchased).toBe(0);
  const kept: unknown[] = [];
  const granted = await core.accounts.grant(host, {
    ...gift,
    inTransaction: (_, action) => void kept.push(action),
  });
  expect(kept).toEqual([granted]);
  expect(core.quotaOf(host, accountId).purchased).toBe(5);
});
