// What becomes of an invitee's own account: left when it is empty, kept for anything of worth or of record.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../../store/index.ts';
import { createAccounts } from './accounts.ts';
import { createInvitations, INVITATION_MS } from './invitations.ts';
import { createMembers } from './members.ts';

let opened: TestStore;
let account: TestAccount;
let members: ReturnType<typeof createMembers> & ReturnType<typeof createInvitations>;
const person = { telegramId: 5170925570, name: 'New hand', username: 'new_hand' };

beforeEach(async () => {
  opened = openTestStore();
  opened.allowDrift();
  account = await openTestAccount(opened.store);
  members = { ...createMembers(opened), ...createInvitations(opened) };
});
afterEach(() => opened.close());

describe('an invitee with an account of his own', () => {
  let own: number;
  let token: string;

  beforeEach(async () => {
    own = (await createAccounts(opened).openOwn(person)).actor.accountId;
    token = (await members.invite(account.members.owner, 'operator')).token;
  });

  test('leaves it when it is empty', async () => {
    expect(await members.join(person, token)).toMatchObject({
      status: 'joined',
      actor: { accountId: account.accountId, role: 'operator' },
    });
    expect(opened.store.read((tables) => tables.members.list(own))).toEqual([]);
  });

  const now = TEST_START;
  const addCode = (tables: Tables): number => {
    const batch = { accountId: own, gameId: 'game_id_1', actor: 'member:1', now };
    const batchId = tables.batches.open(batch);
    const sealed = opened.store.seals.seal('game_id_1', '60SABCDEFGHIJKLM');
    tables.batches.insertCode(
      { accountId: own, gameId: 'game_id_1', denomination: 60, batchId, now },
      sealed,
    );
    tables.batches.grow(batchId, { accountId: own, gameId: 'game_id_1', denomination: 60 }, 1);
    return batchId;
  };
  const bought = {
    chargeId: 'c',
    kind: 'activations',
    currency: 'XTR',
    amount: 1,
    subscriptionDays: 0,
  } as const;
  const failed = {
    playerId: '5170925570',
    mode: 'direct',
    denomination: null,
    codeId: null,
    code: null,
  } as const;
  const startImport = (tables: Tables): number =>
    tables.imports.open({ accountId: own, gameId: 'game_id_1', actor: 'member:1', denomination: 60, now });

  const worth: Record<string, (tables: Tables) => unknown> = {
    'a running subscription': (tables) => tables.accounts.extendSubscription(own, 1, now),
    'another member': (tables) =>
      tables.members.insert({
        telegramId: 8,
        accountId: own,
        role: 'support',
        name: 'x',
        username: null,
        now,
      }),
    'purchased activations': (tables) => tables.quota.credit(own, 1),
    'a purchase, spent or not': (tables) =>
      tables.purchases.insert({
        ...bought,
        accountId: own,
        activationsQuarters: 4,
        paidBy: 'member:1',
        at: now,
      }),
    'an API key that lives': (tables) =>
      tables.apiKeys.insert({
        accountId: own,
        prefix: 'crs_',
        digest: Buffer.alloc(32),
        createdBy: 'host',
        now,
      }),
    'a code': addCode,
    'a redemption': (tables) =>
      tables.redemptions.insertFailed(
        {
          ...failed,
          accountId: own,
          actor: 'member:1',
          gameId: 'game_id_1',
          usageId: null,
          now,
        },
        'NO_CODES_AVAILABLE',
        '',
      ),
    'pasted codes that are not stored yet': (tables) =>
      tables.imports.addPiece({
        importId: startImport(tables),
        pieceKey: '1',
        position: 1,
        kind: 'message',
        text: '60SABCDEFGHIJKLM',
      }),
    'an extraction': (tables) =>
      tables.extractions.open({
        accountId: own,
        gameId: 'game_id_1',
        denomination: 60,
        actor: 'member:1',
        requested: 1,
        now,
      }),
  };

  test.each(Object.keys(worth))(
    'keeps it for %s, is told what to do, and may use the link after',
    async (what) => {
      await opened.store.write((tables) => void worth[what]!(tables));
      expect(await members.join(person, token)).toEqual({
        status: 'memberElsewhere',
        accountName: person.name,
        mustFirst: 'handOverAndLeave',
      });
      expect(members.findActor(person.telegramId)).toMatchObject({ accountId: own, role: 'owner' });
      expect((await members.join({ telegramId: 9, name: 'Other' }, token)).status).toBe('joined');
    },
  );

  const traces: Record<string, (tables: Tables) => unknown> = {
    'a subscription that ended': (tables) => tables.accounts.extendSubscription(own, 0, now),
    'a revoked key': (tables) => {
      const key = { accountId: own, prefix: 'crs_', digest: Buffer.alloc(32), createdBy: 'host', now };
      tables.apiKeys.revoke(own, tables.apiKeys.insert(key), now);
    },
    'codes that were undone': (tables) => {
      const batchId = addCode(tables);
      tables.batches.markUndone(batchId, 'host', now);
      tables.batches.takeBack(batchId, Buffer.alloc(0), 10, now);
    },
    'an import that was begun and got nothing': startImport,
    "another account's riches": (tables) => tables.quota.credit(account.accountId, 4000),
  };

  test.each(Object.keys(traces))('is not held by %s', async (what) => {
    await opened.store.write((tables) => void traces[what]!(tables));
    expect((await members.join(person, token)).status).toBe('joined');
  });

  test('a link that no longer opens anything sends nobody to give up his account for it', async () => {
    const { telegramId } = account.members.support;
    const { members: neighbours } = await openTestAccount(opened.store);
    const used = await members.invite(neighbours.owner, 'support');
    await members.join({ telegramId: 9, name: 'First' }, used.token);
    const expired = await members.invite(neighbours.owner, 'support');
    opened.clock.advance(INVITATION_MS - 1);
    expect((await members.join({ telegramId, name: 'x' }, expired.token)).status).toBe('memberElsewhere');
    expect((await members.join({ telegramId, name: 'x' }, used.token)).status).toBe('expiredOrUsed');
    opened.clock.advance(1);
    expect((await members.join({ telegramId, name: 'x' }, expired.token)).status).toBe('expiredOrUsed');
  });

  test('two links of two shops at once make him a member of one', async () => {
    const second = await openTestAccount(opened.store);
    const other = await members.invite(second.members.owner, 'support');
    const answers = await Promise.all([members.join(person, token), members.join(person, other.token)]);
    expect(answers.map((answer) => answer.status)).toEqual(['joined', 'memberElsewhere']);
    expect(answers[1]).toMatchObject({ mustFirst: 'leave' });
  });
});

test('the host invites the owner of an account that has none, once; a second invitation is void when there is one', async () => {
  const host = { kind: 'host', by: 'cli' } as const;
  const { accountId } = await createAccounts(opened).create(host, { name: 'Shop' });
  const [first, second] = [
    await members.inviteOwner(host, accountId, '1'),
    await members.inviteOwner(host, accountId, '2'),
  ];
  expect(await members.inviteOwner(host, accountId, '1')).toEqual(first);
  const joined = await members.join({ telegramId: 77_001, name: 'one' }, first?.token ?? '');
  expect(joined).toMatchObject({ status: 'joined', actor: { role: 'owner', accountId } });
  expect(await members.join({ telegramId: 77_002, name: 'two' }, second?.token ?? '')).toEqual({
    status: 'expiredOrUsed',
  });
  expect(await members.inviteOwner(host, accountId, '3')).toBeUndefined();
});
