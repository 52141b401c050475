// Statistics and export over a range of days: every redemption is counted on its day once, and secrets leave only for owners.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount } from '../../../test/harness/accounts.ts';
import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { MemberActor } from '../context.ts';
import type { ExportedRedemption } from './export.ts';

const GAME = 'game_id_1';
let t: TestCore;
let owner: MemberActor;
let admin: MemberActor;
beforeEach(async () => {
  t = await openTestCore();
  owner = { kind: 'member', accountId: t.actor.accountId, telegramId: 1, role: 'owner' };
  admin = { ...owner, telegramId: 2, role: 'admin' };
});
afterEach(() => t.close());

async function redeem(denomination: number): Promise<string> {
  const code = makeCode();
  await t.core.codes.add(t.actor, GAME, [{ denomination, codes: [code] }]);
  await t.core.redeem(t.actor, { gameId: GAME, playerId: '5170925570', denomination });
  return code;
}
const fail = () => t.core.redeem(t.actor, { gameId: GAME, playerId: '5170925570', denomination: 325 });

async function exported(actor: MemberActor, days: number, full: boolean): Promise<ExportedRedemption[]> {
  const all: ExportedRedemption[] = [];
  for await (const slice of t.core.exportRedemptions(actor, { days, full })) all.push(...slice);
  return all;
}

describe('statistics', () => {
  test('count each redemption once, by its day and its amount, and days without any too', async () => {
    await redeem(60);
    await fail();
    t.clock.advance(2 * DAY_MS);
    await redeem(60);
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
    await redeem(60);
    const { days, amounts, total } = await t.core.rangeStatistics(admin, 3);
    expect(days).toEqual([
      { date: '2026-01-13', redeemed: 1, failed: 1, open: 0 },
      { date: '2026-01-14', redeemed: 0, failed: 0, open: 0 },
      { date: '2026-01-15', redeemed: 1, failed: 0, open: 1 },
    ]);
    expect(amounts).toEqual([
      { gameId: GAME, amount: 60, redeemed: 2, failed: 0, open: 1 },
      { gameId: GAME, amount: 325, redeemed: 0, failed: 1, open: 0 },
    ]);
    expect(total).toEqual({ redeemed: 2, failed: 1, open: 1 });
    expect((await t.core.rangeStatistics(admin, 1)).total).toEqual({ redeemed: 1, failed: 0, open: 1 });
  });

  test('are of one account, for who may see them, of 1 to 90 days', async () => {
    await redeem(60);
    const other = await openTestAccount(t.store);
    expect((await t.core.rangeStatistics(other.actors.owner, 7)).total).toMatchObject({ redeemed: 0 });
    for (const role of ['operator', 'support'] as const) {
      await expect(t.core.rangeStatistics(other.actors[role], 7)).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    }
    for (const days of [0, 91, 1.5, Number.NaN]) {
      await expect(t.core.rangeStatistics(admin, days)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });
});

describe('an export', () => {
  test('holds every redemption of the days once, oldest first', async () => {
    const code = await redeem(60);
    t.clock.advance(DAY_MS);
    for (let n = 0; n < 205; n += 1) {
      await fail();
      t.clock.advance(1_000);
    }
    expect(await exported(admin, 1, false)).toHaveLength(205);
    const all = await exported(admin, 2, false);
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 206 }, (_, n) => n + 1));
    expect(all[0]).toMatchObject({ state: 'redeemed', codeTail: code.slice(-6) });
    expect(JSON.stringify(all)).not.toMatch(new RegExp(`${code}|pw-|@example`));
  });

  test('holds codes and credentials for an owner who asks for them, and for nobody else', async () => {
    const code = await redeem(60);
    const [line] = await exported(owner, 1, true);
    expect(line).toMatchObject({ code, credentials: { password: `pw-${code}` } });
    expect(JSON.stringify(await exported(owner, 1, false))).not.toContain(`pw-${code}`);
    expect(() => t.core.exportRedemptions(admin, { days: 1, full: true })).toThrow(/role/);
    expect(() => t.core.exportRedemptions({ ...admin, role: 'support' }, { days: 1, full: false })).toThrow(
      /role/,
    );
  });

  test('holds nothing of another account', async () => {
    await redeem(60);
    const other = await openTestAccount(t.store);
    expect(await exported(other.members.owner, 366, true)).toEqual([]);
  });
});
