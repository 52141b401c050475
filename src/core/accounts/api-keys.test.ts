// API keys: shown once, kept as a digest, ended at once, and checked without a write.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import type { Store } from '../../store/index.ts';
import { createApiKeys } from './api-keys.ts';

let opened: TestStore;
let account: TestAccount;
let apiKeys: ReturnType<typeof createApiKeys>;
const owner = () => account.members.owner;

beforeEach(async () => {
  opened = openTestStore();
  account = await openTestAccount(opened.store);
  apiKeys = createApiKeys(opened);
});
afterEach(() => opened.close());

/** The fire-and-forget notes of use are in the queue before this write, so they are on disk after it. */
const settle = () => opened.store.write(() => undefined);

describe('a key', () => {
  test('has 256 random bits behind its scheme, and is told apart by its first twelve characters', async () => {
    const first = await apiKeys.issue(owner());
    const second = await apiKeys.issue(owner());
    expect(first.key).toMatch(/^crs_[A-Za-z0-9_-]{43}$/);
    expect(first.prefix).toBe(first.key.slice(0, 12));
    expect(second.key).not.toBe(first.key);
    expect(apiKeys.list(owner())).toEqual([
      {
        id: first.id,
        prefix: first.prefix,
        createdAt: TEST_START,
        lastUsedAt: undefined,
        revoked: false,
        limits: {},
      },
      {
        id: second.id,
        prefix: second.prefix,
        createdAt: TEST_START,
        lastUsedAt: undefined,
        revoked: false,
        limits: {},
      },
    ]);
  });

  test('has of the host a name of 1 to 100 characters', async () => {
    const host = { kind: 'host', by: 'cli' } as const;
    const { accountId } = owner();
    await apiKeys.forHost.issue(host, { accountId, name: ` ${'n'.repeat(100)} ` });
    expect(apiKeys.list(owner())).toMatchObject([{ name: 'n'.repeat(100) }]);
    for (const name of ['', '  ', 'n'.repeat(101)])
      await expect(apiKeys.forHost.issue(host, { accountId, name })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: 'The name of a key must have 1 to 100 characters.',
      });
  });

  test('is kept as its SHA-256 and stands nowhere in the file', async () => {
    const { key } = await apiKeys.issue(owner());
    const digest = createHash('sha256').update(key).digest();
    expect(opened.store.read((tables) => tables.apiKeys.findByDigest(digest))).toMatchObject({
      id: expect.any(Number),
    });
    const bytes = Buffer.concat(['', '-wal'].map((suffix) => readFileSync(`${opened.store.path}${suffix}`)));
    expect(bytes.includes(digest)).toBe(true);
    expect(bytes.includes(key.slice(12))).toBe(false);
  });
});

describe('a key of an order', () => {
  test('is issued in the transaction of what is kept of it, once', async () => {
    const kept: unknown[] = [];
    const inTransaction = (_: unknown, answer: unknown) => void kept.push(answer);
    const first = await apiKeys.issueOrdered(owner(), 'order-1', inTransaction);
    expect(first).toMatchObject({
      status: 'issued',
      key: expect.stringMatching(/^crs_[\w-]{43}$/) as string,
    });
    expect(await apiKeys.issueOrdered(owner(), 'order-1', inTransaction)).toEqual(first);
    expect(kept).toEqual([first, first]);
    expect(apiKeys.list(owner())).toHaveLength(1);
    await apiKeys.revoke(owner(), first.id);
    const again = await apiKeys.issueOrdered(owner(), 'order-1', inTransaction);
    expect(again).toEqual({ status: 'alreadyRevoked', id: first.id, prefix: first.prefix });
  });

  test('is not issued where what is kept of it is not', async () => {
    const fails = () => {
      throw new Error('used up');
    };
    await expect(apiKeys.issueOrdered(owner(), 'order-1', fails)).rejects.toThrow('used up');
    expect(apiKeys.list(owner())).toEqual([]);
  });

  test('is another for each order and each account, and only for who manages keys', async () => {
    const keyOf = async (actor: typeof account.members.owner, orderId: string) => {
      const answer = await apiKeys.issueOrdered(actor, orderId);
      return answer.status === 'issued' ? answer.key : undefined;
    };
    const other = await openTestAccount(opened.store);
    const keys = [
      await keyOf(owner(), 'a'),
      await keyOf(owner(), 'b'),
      await keyOf(other.members.owner, 'a'),
    ];
    expect(new Set(keys).size).toBe(3);
    const { support } = account.members;
    await expect(apiKeys.issueOrdered(support, 'a')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('authenticate', () => {
  test('tells the account and whether its subscription stands at this moment', async () => {
    const { key, id } = await apiKeys.issue(owner());
    const actor = { kind: 'apiKey', accountId: account.accountId, apiKeyId: id };
    expect(apiKeys.authenticate(key)).toEqual({ actor, subscriptionActive: false });

    await opened.store.write((tables) =>
      tables.accounts.extendSubscription(account.accountId, 1000, TEST_START),
    );
    expect(apiKeys.authenticate(key)).toEqual({ actor, subscriptionActive: true });
    opened.clock.advance(1000);
    expect(apiKeys.authenticate(key)).toEqual({ actor, subscriptionActive: false });
  });

  test('knows no key but the one that was issued, to the last character', async () => {
    const { key } = await apiKeys.issue(owner());
    const other = key.endsWith('A') ? 'B' : 'A';
    const wrong = ['', 'crs_', key.slice(0, -1), `${key}A`, ` ${key}`, `${key}\n`, key.slice(0, -1) + other];
    wrong.push(
      key.replace('crs_', 'CRS_'),
      key.slice(4),
      `crs_${'A'.repeat(1_000_000)}`,
      `crs_${'\0'.repeat(43)}`,
    );
    for (const candidate of wrong) expect(apiKeys.authenticate(candidate)).toBeUndefined();
  });

  test('a revoked key opens nothing from that moment on, the others go on', async () => {
    const [lost, kept] = await Promise.all([apiKeys.issue(owner()), apiKeys.issue(owner())]);
    expect(await apiKeys.revoke(owner(), lost.id)).toEqual({ status: 'revoked', addresses: [] });
    expect(apiKeys.authenticate(lost.key)).toBeUndefined();
    expect(apiKeys.authenticate(kept.key)?.actor.apiKeyId).toBe(kept.id);
    expect(apiKeys.list(owner()).map((key) => key.revoked)).toEqual([true, false]);
  });

  test('notes the use at most once a minute, however many requests come', async () => {
    const { key } = await apiKeys.issue(owner());
    let writes = 0;
    const counting: Store = {
      ...opened.store,
      write: (work) => {
        writes += 1;
        return opened.store.write(work);
      },
    };
    const counted = createApiKeys({ ...opened, store: counting });
    const lastUsedAt = () => apiKeys.list(owner())[0]?.lastUsedAt;

    for (let request = 0; request < 100; request += 1) counted.authenticate(key);
    await settle();
    expect([writes, lastUsedAt()]).toEqual([1, TEST_START]);

    opened.clock.advance(59_999);
    counted.authenticate(key);
    await settle();
    expect([writes, lastUsedAt()]).toEqual([1, TEST_START]);

    opened.clock.advance(1);
    for (let request = 0; request < 100; request += 1) counted.authenticate(key);
    await settle();
    expect([writes, lastUsedAt()]).toEqual([2, TEST_START + 60_000]);

    opened.clock.set(TEST_START - 3_600_000);
    counted.authenticate(key);
    await settle();
    expect([writes, lastUsedAt()]).toEqual([3, TEST_START - 3_600_000]);
  });

  test('a use that cannot be noted is no failure', async () => {
    const { key, id } = await apiKeys.issue(owner());
    let refused = 0;
    const failing: Store = {
      ...opened.store,
      write: () => {
        refused += 1;
        return Promise.reject(new Error('disk full'));
      },
    };
    expect(createApiKeys({ ...opened, store: failing }).authenticate(key)?.actor.apiKeyId).toBe(id);
    await settle();
    expect(refused).toBe(1);
  });
});

describe('revoke', () => {
  test('of twenty at once one revokes, the rest are told', async () => {
    const { id } = await apiKeys.issue(owner());
    const answers = await Promise.all(Array.from({ length: 20 }, () => apiKeys.revoke(owner(), id)));
    expect(answers.filter((answer) => answer.status === 'revoked')).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 'alreadyRevoked')).toHaveLength(19);
  });

  test('the addresses that it registered are named, and go with it where that is asked for; no others do', async () => {
    const { accountId } = account;
    const [one, other] = [await apiKeys.issue(owner()), await apiKeys.issue(owner())];
    const register = (createdBy: string, host: string) =>
      opened.store.write((tables) =>
        tables.webhooks.insert({
          ...{ reference: host, accountId, url: `https://${host}/hooks?token=x`, secret: 's' },
          ...{ events: ['stock.low'], createdBy, now: TEST_START },
        }),
      );
    const first = await register(`apiKey:${one.id}`, 'one.example');
    const second = await register(`apiKey:${one.id}`, 'two.example');
    const foreign = [
      await register(`apiKey:${other.id}`, 'other.example'),
      await register('member:7', 'own.example'),
    ];
    expect(apiKeys.listAddresses(owner(), one.id)).toEqual([
      { id: first, host: 'one.example' },
      { id: second, host: 'two.example' },
    ]);
    expect(await apiKeys.revoke(owner(), one.id, undefined, [first, ...foreign])).toEqual({
      status: 'revoked',
      addresses: [{ id: second, host: 'two.example' }],
    });
    const left = opened.store.read((tables) => tables.webhooks.list(accountId)).map(({ id }) => id);
    expect(left).toEqual([second, ...foreign]);
  });

  test("another account's key is as unknown as none, and goes on", async () => {
    const neighbour = await openTestAccount(opened.store);
    const { id, key } = await apiKeys.issue(neighbour.members.owner);
    expect(await apiKeys.revoke(owner(), id)).toEqual({ status: 'unknownKey' });
    expect(await apiKeys.revoke(owner(), 999)).toEqual({ status: 'unknownKey' });
    expect(apiKeys.authenticate(key)?.actor.accountId).toBe(neighbour.accountId);
    expect(apiKeys.list(owner())).toEqual([]);
  });
});

test('a role claimed, or lost since it was looked up, opens nothing', async () => {
  const forged = { ...account.members.support, role: 'owner' as const };
  await expect(apiKeys.issue(forged)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const stranger = { ...account.members.owner, telegramId: 1 };
  await expect(apiKeys.issue(stranger)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(apiKeys.list(owner())).toEqual([]);
});
