// Statistics and export over a range of days: every redemption is counted on its day once, and secrets leave only for
// owners.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount } from '../../../test/harness/accounts.ts';
import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { MemberActor } from '../context.ts';
import type { ExportedRedemption } from './receipt-list.ts';

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

const setZone = (zone: string) =>
  t.store.write(({ accounts }) => accounts.setTimeZone(t.actor.accountId, zone));

async function exported(actor: MemberActor, days: number, full: boolean): Promise<ExportedRedemption[]> {
  const all: ExportedRedemption[] = [];
  for await (const slice of t.core.receiptList.walkDays(actor, { days, full })) all.push(...slice);
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

  test('count what was credited, else what was asked for, else nothing known; game by game, the smallest first', async () => {
    await redeem(325);
    await fail();
    const receipt = { openid: '1', name: 'Player' };
    for (const gameId of ['game_id_3', 'game_id_2']) {
      for (const amount of [undefined, 100, 20]) {
        t.platform.script.redeem = () => ({
          status: 'redeemed',
          receipt: { ...receipt, ...(amount !== undefined && { amount }) },
        });
        await t.core.redeem(t.actor, { gameId, playerId: '5170925570', code: makeCode() });
      }
    }
    const { amounts } = await t.core.rangeStatistics(owner, 1);
    const one = { redeemed: 1, failed: 0, open: 0 };
    expect(amounts).toEqual([
      { gameId: GAME, amount: 60, ...one },
      { gameId: GAME, amount: 325, redeemed: 0, failed: 1, open: 0 },
      ...['game_id_2', 'game_id_3'].flatMap((gameId) =>
        [0, 20, 100].map((amount) => ({ gameId, amount, ...one })),
      ),
    ]);
  });

  test('count by the days of the account: where they begin apart from those of UTC, and where one has 23 hours', async () => {
    const at = async (moment: string) => {
      t.clock.set(Date.parse(moment));
      await redeem(60);
    };
    const counts = async (timeZone: string, days: number) => {
      await setZone(timeZone);
      const found = await t.core.rangeStatistics(owner, days);
      expect(found.timeZone).toBe(timeZone);
      return found.days.map(({ date, redeemed }) => `${date}: ${redeemed}`);
    };
    for (const moment of ['2026-03-28T22:59:59.999Z', '2026-03-28T23:00Z', '2026-03-29T21:59Z'])
      await at(moment);
    await at('2026-03-29T22:00Z');
    t.clock.advance(60_000);
    // On the 29th the clocks of Berlin go on by an hour.
    expect(await counts('Europe/Berlin', 3)).toEqual(['2026-03-28: 1', '2026-03-29: 2', '2026-03-30: 1']);
    expect(await counts('+05:30', 2)).toEqual(['2026-03-29: 2', '2026-03-30: 2']);
    expect(await counts('-12:00', 2)).toEqual(['2026-03-28: 2', '2026-03-29: 2']);
    expect(await counts('UTC', 2)).toEqual(['2026-03-28: 2', '2026-03-29: 2']);
    expect((await exported(owner, 1, false)).map(({ id }) => id)).toEqual([3, 4]);
    await setZone('Europe/Berlin');
    expect((await exported(owner, 1, false)).map(({ id }) => id)).toEqual([4]);
  });

  test('of a day that is none of UTC say the same as those that are, of more than one slice', async () => {
    const all = await openTestAccount(t.store);
    t.clock.set(Date.parse('2026-01-13T12:00Z'));
    const before = await t.core.rangeStatistics(all.actors.owner, 1);
    for (let n = 0; n < 501; n += 1) {
      await fail();
      t.clock.advance(1_000);
    }
    await redeem(60);
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
    await redeem(325);
    const { timeZone: _utc, ...expected } = await t.core.rangeStatistics(owner, 1);
    expect(expected.total).toEqual({ redeemed: 1, failed: 501, open: 1 });
    await setZone('+01:00');
    expect(await t.core.rangeStatistics(owner, 1)).toEqual({ ...expected, timeZone: '+01:00' });
    expect((await t.core.rangeStatistics(all.actors.owner, 1)).total).toEqual(before.total);
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
    expect(() => t.core.receiptList.walkDays(admin, { days: 1, full: true })).toThrow(/role/);
    expect(() =>
      t.core.receiptList.walkDays({ ...admin, role: 'support' }, { days: 1, full: false }),
    ).toThrow(/role/);
  });

  test('holds nothing of another account', async () => {
    await redeem(60);
    const other = await openTestAccount(t.store);
    expect(await exported(other.members.owner, 366, true)).toEqual([]);
  });
});
