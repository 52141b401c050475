// Accounts paused, closed and opened again by the host: what each stops, and what comes back.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { DAY_MS } from '../../clock.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { ApiKeyActor, HostActor } from '../context.ts';

const HOST: HostActor = { kind: 'host', by: 'cli' };
const PLAYER = { gameId: 'game_id_1', playerId: '5124780131' };
let t: TestCore;

beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

const suspend = (change: 'pause' | 'resume' | 'close' | 'reopen') =>
  t.core.accounts.suspend(HOST, t.actor.accountId, change);
const refused = { code: 'SUBSCRIPTION_EXPIRED', because: 'paused' };

function redeem(key?: string) {
  const order = { ...PLAYER, denomination: 60 };
  return t.core.redeem(t.actor, { ...order, ...(key && { idempotencyKey: { scope: 'http', key } }) });
}

async function addCodes(): Promise<void> {
  const codes = [makeCode(), makeCode(), makeCode()];
  await t.core.codes.add(t.actor, 'game_id_1', [{ denomination: 60, codes }]);
}

describe('a paused account', () => {
  test('spends nothing and hands nothing out, until it is resumed; codes are added meanwhile', async () => {
    await addCodes();
    const told = await redeem('before');
    expect(await suspend('pause')).toMatchObject({ status: 'changed' });
    expect(await suspend('pause')).toEqual({ status: 'unchanged' });
    await expect(redeem()).rejects.toMatchObject(refused);
    await expect(t.core.findCharacter(t.actor, PLAYER)).rejects.toMatchObject(refused);
    const taken = { gameId: 'game_id_1', denomination: 60, amount: 1 };
    await expect(t.core.codes.extract(t.actor, taken)).rejects.toMatchObject(refused);
    await addCodes();
    // What it was answered before is answered again.
    expect(await redeem('before')).toMatchObject({ ...told, replayed: true });
    expect(t.core.codes.countAvailable(t.actor, 'game_id_1').get(60)).toBe(5);
    expect(t.core.accounts.find(t.actor.accountId)).toMatchObject({ state: 'paused' });

    await suspend('resume');
    expect(await redeem()).toMatchObject({ status: 'answered' });
  });

  test('settles its doubts', async () => {
    await addCodes();
    t.platform.script.redeem = (order) => {
      t.platform.redeemNow(order);
      return { status: 'unknown', errorCode: 'UNKNOWN', message: 'late' };
    };
    await redeem();
    await suspend('pause');
    t.clock.advance(60_000);
    await t.core.settleDoubts();
    expect(t.core.doubts.listOf(HOST, t.actor.accountId).doubts).toEqual([]);
  });
});

describe('a closed account', () => {
  const owner = { telegramId: 7001, name: 'Person 1' };

  async function openShop(): Promise<{ apiKey: string; actor: ApiKeyActor }> {
    const { apiKey, accountId } = await t.core.accounts.create(HOST, { name: 'Shop', days: 30 });
    const { token } = (await t.core.members.inviteOwner(HOST, accountId, 'x')) ?? { token: '' };
    await t.core.members.join(owner, token);
    t.actor.accountId = accountId;
    return { apiKey, actor: t.actor };
  }

  test('has no keys and no people, and gets back what it had', async () => {
    const { apiKey, actor } = await openShop();
    const ended = await t.core.apiKeys.forHost.issue(HOST, actor);
    await t.core.apiKeys.forHost.revoke(HOST, ended.id);
    t.clock.advance(1_000);
    expect(await suspend('close')).toEqual({ status: 'changed', members: 1, keys: 1 });
    expect(t.core.apiKeys.authenticate(apiKey)).toBeUndefined();
    expect(t.core.members.findActor(owner.telegramId)).toBeUndefined();
    expect(await t.core.members.inviteOwner(HOST, actor.accountId, 'again')).toBeUndefined();
    await expect(suspend('pause')).rejects.toMatchObject({ code: 'CONFLICT' });

    expect(await suspend('reopen')).toEqual({ status: 'changed', members: 1, keys: 1 });
    expect(t.core.apiKeys.authenticate(apiKey)).toMatchObject({ subscriptionActive: true });
    expect(t.core.apiKeys.authenticate(ended.key)).toBeUndefined();
    expect(t.core.members.findActor(owner.telegramId)).toMatchObject({ role: 'owner' });
  });

  test('whoever has gone elsewhere stays there', async () => {
    await openShop();
    await suspend('close');
    await t.core.accounts.openOwn(owner);
    expect(await suspend('reopen')).toMatchObject({ members: 0, keys: 1 });
    const invitation = await t.core.members.inviteOwner(HOST, t.actor.accountId, 'again');
    expect(invitation).toBeDefined();
  });

  test('an invitation to it dies with it', async () => {
    const { accountId } = await t.core.accounts.create(HOST, { name: 'Shop' });
    const { token } = (await t.core.members.inviteOwner(HOST, accountId, 'x')) ?? { token: '' };
    await t.core.accounts.suspend(HOST, accountId, 'close');
    expect(await t.core.members.join(owner, token)).toMatchObject({ status: 'expiredOrUsed' });
  });

  test('is not opened again after 30 days', async () => {
    await openShop();
    await suspend('close');
    t.clock.advance(30 * DAY_MS);
    t.clock.set(t.clock.now() + 1);
    await expect(suspend('reopen')).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

test('what is not there, and who is no host, changes nothing', async () => {
  await expect(t.core.accounts.suspend(HOST, 99, 'pause')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
