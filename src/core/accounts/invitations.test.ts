// Invitations: who comes in by them, how long each holds, whose order gives which link, and what becomes of an invitee's
// own account: left when it is empty, kept for anything of worth or of record.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../../store/index.ts';
import type { HostActor } from '../context.ts';
import { createAccounts } from './accounts.ts';
import { createInvitations, INVITATION_MS } from './invitations.ts';
import { createMemberLookups } from './member-lookups.ts';
import { createMembers } from './members.ts';

let opened: TestStore;
let account: TestAccount;
let members: ReturnType<typeof createMembers> & ReturnType<typeof createInvitations>;
const person = { telegramId: 5170925570, name: 'New hand', username: 'new_hand' };

beforeEach(async () => {
  opened = openTestStore();
  account = await openTestAccount(opened.store);
  members = { ...createMembers(opened), ...createInvitations(opened) };
});
afterEach(() => opened.close());

const roleOf = (telegramId: number) => members.findActor(telegramId)?.role;

describe('another owner', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const HOST: HostActor = { kind: 'host', by: 77 };
  const replace = async (orderId = 'a') => (await members.replaceOwner(HOST, account.accountId, orderId))!;
  const join = async (telegramId: number, token: string) =>
    (await members.join({ telegramId, name: 'Heir' }, token)).status;
  const people = () =>
    members.list(account.members.admin).map(({ role, telegramId }) => `${role} ${telegramId}`);

  test('comes by a link that works a day later, for a day, once', async () => {
    const { token, opensAt, expiresAt } = await replace();
    expect([opensAt, expiresAt]).toEqual([TEST_START + DAY_MS, TEST_START + 2 * DAY_MS]);
    expect(await members.replaceOwner(HOST, account.accountId, 'a')).toEqual({ token, opensAt, expiresAt });
    opened.clock.advance(DAY_MS - 1);
    expect(await members.join(person, token)).toEqual({ status: 'notYet', accountName: 'Shop', opensAt });
    opened.clock.advance(1);
    const answers = await Promise.all([join(person.telegramId, token), join(9, token)]);
    expect(answers).toEqual(['joined', 'expiredOrUsed']);
    expect(people()).toContain(`owner ${person.telegramId}`);
    expect(people()).toContain(`admin ${account.members.owner.telegramId}`);
    expect(await join(person.telegramId, token)).toBe('alreadyMemberHere');
  });

  test.each(['admin', 'operator', 'support'] as const)(
    'is a %s of the account as well as a stranger',
    async (role) => {
      const { telegramId } = account.members[role];
      const { token } = await replace();
      opened.clock.advance(DAY_MS);
      expect(await join(telegramId, token)).toBe('joined');
      expect(roleOf(telegramId)).toBe('owner');
      expect(roleOf(account.members.owner.telegramId)).toBe('admin');
    },
  );

  test('does not come once the owner says that they are there, nor where the owner is another by then', async () => {
    const links = [await replace('a'), await replace('b')];
    expect(await members.stayOwner(account.members.owner)).toBe(2);
    expect(await members.stayOwner(account.members.owner)).toBe(0);
    links.push(await replace('c'));
    await members.handOver(account.members.owner, account.members.admin.telegramId);
    opened.clock.advance(DAY_MS);
    for (const { token } of links) expect(await join(person.telegramId, token)).toBe('expiredOrUsed');
    expect(roleOf(account.members.admin.telegramId)).toBe('owner');
  });

  test('is not the owner, nor a member of another shop, and the link stays good', async () => {
    const neighbours = await openTestAccount(opened.store);
    const { token } = await replace();
    opened.clock.advance(DAY_MS);
    expect(await join(account.members.owner.telegramId, token)).toBe('alreadyMemberHere');
    expect(await join(neighbours.members.support.telegramId, token)).toBe('memberElsewhere');
    expect(roleOf(account.members.owner.telegramId)).toBe('owner');
    expect(await join(person.telegramId, token)).toBe('joined');
  });

  test('is invited where there is an owner alone, and a link to an account without one replaces nobody', async () => {
    const { accountId } = await createAccounts(opened).create(HOST, { name: 'Nobody yet' });
    expect(await members.replaceOwner(HOST, accountId, 'a')).toBeUndefined();
    const own = (await members.inviteOwner(HOST, accountId, 'a'))!;
    const second = (await members.inviteOwner(HOST, accountId, 'b'))!;
    expect(await join(8, own.token)).toBe('joined');
    opened.clock.advance(DAY_MS - 1);
    expect(await join(9, second.token)).toBe('expiredOrUsed');
  });
});

describe('an invitation', () => {
  test('makes one person a member in its role, and is then used up', async () => {
    const { token, expiresAt } = await members.invite(account.members.owner, 'operator');
    expect(expiresAt).toBe(TEST_START + INVITATION_MS);
    const { accountId } = account;
    const actor = { kind: 'member', accountId, telegramId: person.telegramId, role: 'operator' };
    expect(members.findActor(person.telegramId)).toBeUndefined();
    expect(await members.join(person, token)).toEqual({ status: 'joined', actor, accountName: 'Shop' });
    expect(members.findActor(person.telegramId)).toEqual(actor);
    expect(members.list(account.members.owner)).toContainEqual({
      ...person,
      role: 'operator',
      joinedAt: TEST_START,
    });
    expect(await members.join({ telegramId: 7, name: 'Late' }, token)).toEqual({ status: 'expiredOrUsed' });
    expect(roleOf(7)).toBeUndefined();
  });

  test('tapped by twenty people at once lets one in', async () => {
    const { token } = await members.invite(account.members.owner, 'support');
    const people = Array.from({ length: 20 }, (_, index) => ({ telegramId: 50_000 + index, name: 'Guest' }));
    const answers = await Promise.all(people.map((guest) => members.join(guest, token)));
    expect(answers.filter((answer) => answer.status === 'joined')).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 'expiredOrUsed')).toHaveLength(19);
    expect(members.list(account.members.owner)).toHaveLength(5);
  });

  test('tapped twice by the same person says that he is in', async () => {
    const { token } = await members.invite(account.members.owner, 'support');
    const answers = await Promise.all([members.join(person, token), members.join(person, token)]);
    expect(answers.map((answer) => answer.status)).toEqual(['joined', 'alreadyMemberHere']);
  });

  test('tapped by a member changes nothing and stays for whom it was made', async () => {
    const { token } = await members.invite(account.members.owner, 'operator');
    const { telegramId } = account.members.admin;
    expect(await members.join({ telegramId, name: 'admin' }, token)).toMatchObject({
      status: 'alreadyMemberHere',
      actor: account.members.admin,
    });
    expect((await members.join(person, token)).status).toBe('joined');
  });

  test('lasts to the last millisecond of its day', async () => {
    const [first, second] = [
      await members.invite(account.members.owner, 'operator'),
      await members.invite(account.members.owner, 'operator'),
    ];
    opened.clock.advance(INVITATION_MS - 1);
    expect((await members.join(person, first.token)).status).toBe('joined');
    opened.clock.advance(1);
    expect(await members.join({ telegramId: 7, name: 'Late' }, second.token)).toEqual({
      status: 'expiredOrUsed',
    });
  });

  test('fits a deep link, cannot be guessed, and stands nowhere in the file', async () => {
    const { token } = await members.invite(account.members.owner, 'operator');
    expect(token).toMatch(/^[A-Za-z0-9_-]{22,40}$/);
    const bytes = Buffer.concat(['', '-wal'].map((suffix) => readFileSync(`${opened.store.path}${suffix}`)));
    expect(bytes.includes(`member:${account.members.owner.telegramId}`)).toBe(true);
    expect(bytes.includes(token)).toBe(false);
    for (const forged of [
      '',
      token.slice(1),
      `${token}A`,
      token.toLowerCase() + '_',
      '../',
      'x'.repeat(100_000),
    ]) {
      expect(await members.join(person, forged)).toEqual({ status: 'expiredOrUsed' });
    }
  });

  test('dies with the right of its maker to make it', async () => {
    const { owner, admin, operator } = account.members;
    const byAdmin = await members.invite(admin, 'operator');
    await members.remove(owner, admin.telegramId);
    expect(await members.join(person, byAdmin.token)).toEqual({ status: 'expiredOrUsed' });

    const forAdmin = await members.invite(owner, 'admin');
    const forSupport = await members.invite(owner, 'support');
    await members.handOver(owner, operator.telegramId);
    expect(await members.join(person, forAdmin.token)).toEqual({ status: 'expiredOrUsed' });
    expect((await members.join(person, forSupport.token)).status).toBe('joined');
  });

  test('does not let a removed member in again', async () => {
    const { token } = await members.invite(account.members.owner, 'operator');
    await members.join(person, token);
    await members.remove(account.members.owner, person.telegramId);
    expect(await members.join(person, token)).toEqual({ status: 'expiredOrUsed' });
  });

  test('is one link for one order, with its first end, and another for every other one', async () => {
    const { owner, admin } = account.members;
    const { members: others } = await openTestAccount(opened.store);
    const first = await members.invite(owner, 'support', 'a');
    opened.clock.advance(1_000);
    expect(await members.invite(owner, 'support', 'a')).toEqual(first);
    const apart = [
      await members.invite(owner, 'support', 'b'),
      await members.invite(owner, 'operator', 'a'),
      await members.invite(admin, 'support', 'a'),
      await members.invite(others.owner, 'support', 'a'),
      await members.invite(owner, 'support'),
      await members.invite(owner, 'support'),
    ];
    expect(new Set([first, ...apart].map(({ token }) => token)).size).toBe(7);
  });

  test('tells who made it to whoever used it, while it would last', async () => {
    const { admin } = account.members;
    const { token } = await members.invite(admin, 'support');
    const find = (telegramId: number) => createMemberLookups(opened).findInviter(token, telegramId);
    expect(find(5)).toBeUndefined();
    await members.join({ telegramId: 5, name: 'New' }, token);
    expect([find(5), find(6)]).toEqual([admin.telegramId, undefined]);
    opened.clock.advance(INVITATION_MS);
    expect(find(5)).toBeUndefined();
  });
});

describe('the host’s invitation to own an account', () => {
  const host: HostActor = { kind: 'host', by: 'cli' };
  const [one, two] = [
    { telegramId: 77_001, name: 'one' },
    { telegramId: 77_002, name: 'two' },
  ];

  test('is one link for one order, and makes one owner: then every other one is void', async () => {
    const { accountId } = await createAccounts(opened).create(host, { name: 'Shop' });
    const first = await members.inviteOwner(host, accountId, '1');
    const second = await members.inviteOwner(host, accountId, '2');
    expect(first?.expiresAt).toBe(TEST_START + INVITATION_MS);
    opened.clock.advance(1_000);
    expect(await members.inviteOwner(host, accountId, '1')).toEqual(first);
    expect(second?.token).not.toBe(first?.token);
    const joined = await members.join(one, first?.token ?? '');
    expect(joined).toMatchObject({ status: 'joined', actor: { role: 'owner', accountId } });
    expect(await members.join(two, second?.token ?? '')).toEqual({ status: 'expiredOrUsed' });
    expect(await members.inviteOwner(host, accountId, '3')).toBeUndefined();
    expect(await members.inviteOwner(host, accountId + 1, '1')).toBeUndefined();
  });

  test('comes with a new account, whose link each order has of its own', async () => {
    const kept: unknown[] = [];
    const keep = (_tables: unknown, action: unknown) => void kept.push(action);
    const order = { name: ' New shop ', orderId: 'order' };
    const shop = await members.openForOwner(host, order, keep);
    const accountId = account.accountId + 1;
    expect([kept, shop]).toEqual([
      [shop],
      {
        ...{ accountId, name: 'New shop', expiresAt: TEST_START + INVITATION_MS },
        token: expect.stringMatching(/^[\w-]{32}$/) as unknown,
      },
    ]);
    const other = await members.openForOwner(host, { ...order, orderId: 'other' });
    const owned = await members.inviteOwner(host, other.accountId, 'other');
    expect(new Set([shop, other, owned].map((each) => each?.token)).size).toBe(3);
    const actor = { kind: 'member', accountId, telegramId: person.telegramId, role: 'owner' };
    expect(await members.join(person, shop.token)).toEqual({
      ...{ status: 'joined', actor, accountName: 'New shop' },
    });
  });
});

describe('an invitee with an account of his own', () => {
  let own: number;
  let token: string;

  beforeEach(async () => {
    opened.allowDrift();
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
  const addCode = (tables: Tables, id: number): number => {
    const batch = { accountId: id, gameId: 'game_id_1', actor: 'member:1', now };
    const batchId = tables.batches.open(batch);
    const sealed = opened.store.seals.seal('game_id_1', '60SABCDEFGHIJKLM');
    tables.batches.insertCode({ accountId: id, gameId: 'game_id_1', denomination: 60, batchId, now }, sealed);
    tables.batches.grow(batchId, { accountId: id, gameId: 'game_id_1', denomination: 60 }, 1);
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
  const startImport = (tables: Tables, id: number): number =>
    tables.imports.open({ accountId: id, gameId: 'game_id_1', actor: 'member:1', denomination: 60, now });

  const worth: Record<string, (tables: Tables, id: number) => unknown> = {
    'a running subscription': (tables, id) => tables.accounts.extendSubscription(id, 1, now),
    'another member': (tables, id) =>
      tables.members.insert({
        telegramId: 8,
        accountId: id,
        role: 'support',
        name: 'x',
        username: null,
        now,
      }),
    'purchased activations': (tables, id) => tables.quota.credit(id, 1),
    'a purchase, spent or not': (tables, id) =>
      tables.purchases.insert({
        ...bought,
        accountId: id,
        activationsQuarters: 4,
        paidBy: 'member:1',
        at: now,
      }),
    'an API key that lives': (tables, id) =>
      tables.apiKeys.insert({
        accountId: id,
        prefix: 'crs_',
        digest: Buffer.alloc(32),
        createdBy: 'host',
        now,
      }),
    'a code': addCode,
    'a redemption': (tables, id) =>
      tables.redemptions.insertFailed(
        {
          ...failed,
          accountId: id,
          actor: 'member:1',
          gameId: 'game_id_1',
          usageId: null,
          now,
        },
        'NO_CODES_AVAILABLE',
        '',
      ),
    'pasted codes that are not stored yet': (tables, id) =>
      tables.imports.addPiece({
        importId: startImport(tables, id),
        pieceKey: '1',
        position: 1,
        kind: 'message',
        text: '60SABCDEFGHIJKLM',
      }),
    'an import that is committing': (tables, id) => {
      const importId = startImport(tables, id);
      const piece = { importId, position: 1, kind: 'message', text: 'CODE' } as const;
      tables.imports.addPiece({ ...piece, pieceKey: '1' });
      tables.imports.move(importId, 'collecting', 'committing');
    },
    'an extraction': (tables, id) =>
      tables.extractions.open({
        accountId: id,
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
      await opened.store.write((tables) => void worth[what]!(tables, own));
      expect(await members.join(person, token)).toEqual({
        status: 'memberElsewhere',
        accountName: person.name,
        mustFirst: 'handOverAndLeave',
      });
      expect(members.findActor(person.telegramId)).toMatchObject({ accountId: own, role: 'owner' });
      expect((await members.join({ telegramId: 9, name: 'Other' }, token)).status).toBe('joined');
    },
  );

  const traces: Record<string, (tables: Tables, id: number) => unknown> = {
    'a subscription that ended': (tables) => tables.accounts.extendSubscription(own, 0, now),
    'a revoked key': (tables) => {
      const key = { accountId: own, prefix: 'crs_', digest: Buffer.alloc(32), createdBy: 'host', now };
      tables.apiKeys.revoke(own, tables.apiKeys.insert(key), now);
    },
    'codes that were undone': (tables) => {
      const batchId = addCode(tables, own);
      tables.batches.markUndone(batchId, 'host', now);
      tables.batches.takeBack(batchId, Buffer.alloc(0), 10, now);
    },
    'an import that was begun and got nothing': startImport,
    'imports that are over': (tables, id) => {
      for (const end of ['committed', 'cancelled'] as const) {
        const importId = startImport(tables, id);
        const piece = { importId, position: 1, kind: 'message', text: 'CODE' } as const;
        tables.imports.addPiece({ ...piece, pieceKey: '1' });
        tables.imports.move(importId, 'collecting', end);
      }
    },
    "another account's riches": (tables) =>
      Object.values(worth).forEach((give) => give(tables, account.accountId)),
  };

  test.each(Object.keys(traces))('is not held by %s', async (what) => {
    await opened.store.write((tables) => void traces[what]!(tables, own));
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
