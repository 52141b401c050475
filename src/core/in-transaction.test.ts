// What a surface keeps together with an action is kept in its transaction: where it cannot be kept, the action is not
// done either.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../test/harness/accounts.ts';
import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import { TEST_START } from '../../test/harness/store.ts';
import type { Core, HostActor, InTransaction } from './index.ts';

const host: HostActor = { kind: 'host', by: 'cli' };
const PERSON = { telegramId: 5_170_925_570, name: 'New hand' };
const STOCK_KEY = { gameId: 'game_id_1', denomination: 60 };
const NUMBER = expect.any(Number) as number;

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

async function collect(): Promise<number> {
  const importId = await core.imports.begin(owner(), STOCK_KEY);
  await core.imports.addPiece(owner(), importId, {
    key: '1',
    position: 1,
    kind: 'message',
    text: makeCode(),
  });
  return importId;
}
const add = () =>
  core.codes.add(owner(), STOCK_KEY.gameId, [{ denomination: 60, codes: [makeCode(), makeCode()] }]);

async function issueLink(): Promise<string> {
  await add();
  await core.accounts.grant(host, { accountId: account.accountId, days: 3 });
  const idempotencyKey = { scope: 'http', key: 'link' } as const;
  const answer = await core.claims.issue(owner(), { ...STOCK_KEY, count: 1, idempotencyKey });
  return answer.status === 'issued' ? (answer.claims[0]?.id ?? '') : answer.status;
}

type Order = (inTransaction: InTransaction<unknown>) => Promise<unknown>;
/**
 * Orders an action that was not done before, what is told of it (done a second time something else would be told), and
 * what is told where the same is ordered again.
 */
const ACTIONS: [name: string, prepare: () => Order | Promise<Order>, told: unknown, again?: unknown[]][] = [
  [
    'opening an account',
    () => (keep) => core.accounts.openOwn(PERSON, keep),
    { status: 'opened', actor: { telegramId: PERSON.telegramId, role: 'owner' } },
  ],
  [
    'opening an account for an owner',
    () => (keep) => core.members.openForOwner(host, { name: 'New shop', orderId: 'order' }, keep),
    { name: 'New shop' },
  ],
  ['setting a time zone', () => (keep) => core.accounts.setTimeZone(owner(), '+03:00', keep), '+03:00'],
  [
    'calling the account something else',
    () => (keep) => core.accounts.rename(owner(), account.accountId, 'Corner shop', keep),
    'Corner shop',
  ],
  ['setting the contact', () => (keep) => core.accounts.setContact(owner(), '@shop', keep), '@shop'],
  [
    'setting the player of a link',
    async () => {
      const claim = await issueLink();
      return (keep) => core.claims.setPlayer(owner(), claim, { playerId: '5170925570' }, keep);
    },
    { status: 'begun', claim: { playerId: '5170925570' } },
  ],
  [
    'granting',
    () => (inTransaction) => {
      const gift = { accountId: account.accountId, days: 3, purchased: 5 };
      return core.accounts.grant(host, { ...gift, inTransaction });
    },
    { subscriptionExpiresAt: TEST_START + 3 * DAY_MS },
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
    () => (keep) => core.members.changeRole(owner(), operatorId(), 'support', keep),
    { status: 'changed', from: 'operator' },
  ],
  [
    'removing a member',
    () => (keep) => core.members.remove(owner(), operatorId(), keep),
    { status: 'removed' },
  ],
  [
    'handing over',
    () => (keep) => core.members.handOver(owner(), operatorId(), keep),
    { status: 'handedOver' },
  ],
  [
    'cancelling an import',
    async () => {
      const importId = await collect();
      return (keep) => core.imports.cancel(owner(), importId, keep);
    },
    undefined,
    [],
  ],
  [
    'adding an import, also where it was added before',
    async () => {
      const importId = await collect();
      return (inTransaction) => core.imports.commit(owner(), importId, { inTransaction });
    },
    { batchId: NUMBER, jobId: NUMBER },
    [{ batchId: NUMBER }],
  ],
  [
    'taking a batch back',
    async () => {
      const { batchId } = await add();
      return (keep) => core.imports.undo(owner(), batchId, keep);
    },
    { batchId: NUMBER, jobId: NUMBER },
    [],
  ],
  [
    'extracting',
    async () => {
      await add();
      return (inTransaction) => core.codes.extract(owner(), { ...STOCK_KEY, amount: 1, inTransaction });
    },
    { extractionId: NUMBER, jobId: NUMBER },
  ],
  [
    'redeeming, also where it is repeated',
    () => {
      const idempotencyKey = { scope: 'http', key: 'order-1' } as const;
      const request = { gameId: 'game_id_2', playerId: '5170925570', code: makeCode(), idempotencyKey };
      return async (inTransaction) => {
        await core.beginRedemption(t.actor, { ...request, inTransaction });
        // Whoever asks for it again waits for its end.
        await core.redeem(t.actor, request);
      };
    },
    { redemptionId: 1 },
    [{ redemptionId: 1 }],
  ],
];

test.each(ACTIONS)(
  '%s and what is kept with it are done together or not at all',
  async (_name, prepare, told, again) => {
    const order = await prepare();
    const fails = () => {
      throw new Error('no room');
    };
    await expect(order(fails)).rejects.toThrow('no room');
    expect(t.platform.orders).toEqual([]);
    const kept: unknown[] = [];
    const keep: InTransaction<unknown> = (_tables, action) => void kept.push(action);
    await order(keep);
    expect(kept).toMatchObject([told]);
    if (again === undefined) return;
    kept.length = 0;
    await order(keep);
    expect(kept).toMatchObject(again);
    expect(t.platform.orders.length).toBeLessThan(2);
  },
);

test('what is kept with an import that was cancelled before is nothing', async () => {
  const importId = await collect();
  await core.imports.cancel(owner(), importId);
  const kept: unknown[] = [];
  await core.imports.commit(owner(), importId, {
    inTransaction: (_tables, action) => void kept.push(action),
  });
  expect(kept).toEqual([]);
});
