// Who is a member after a restore: over what became of the backup, and where two pasts both went on and contradict each other.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openPasts, type Pasts } from '../../../test/harness/pasts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const [OWNER, ANNA, BORIS, VERA] = [1, 2, 3, 4] as const;

let pasts: Pasts;
let shop: number;
let otherShop: number;

beforeEach(async () => {
  pasts = openPasts();
  [shop, otherShop] = [await openShop(), await openShop()];
  await enter(shop, OWNER, 'owner');
  await enter(shop, ANNA, 'admin');
  await enter(shop, BORIS, 'operator');
});

afterEach(() => pasts.close());

const openShop = () =>
  pasts.write((tables) =>
    tables.accounts.insert({ name: `Opened ${pasts.now()}`, now: pasts.now(), subscriptionExpiresAt: null }),
  );
const enter = (accountId: number, telegramId: number, role: string) =>
  pasts.write((tables) =>
    tables.members.insert({
      telegramId,
      accountId,
      role,
      name: `Person ${telegramId}`,
      username: null,
      now: pasts.now(),
    }),
  );
const setRole = (telegramId: number, from: string, role: string) =>
  pasts.write((tables) =>
    tables.members.setRole({ accountId: shop, telegramId, from, role, now: pasts.now() }),
  );
const remove = (telegramId: number, role: string) =>
  pasts.write((tables) => tables.members.remove(shop, telegramId, role));
async function move(telegramId: number, role: string, to: number): Promise<void> {
  await remove(telegramId, role);
  await enter(to, telegramId, 'support');
}
/** As members.ts does it: in one transaction. */
const handOver = (from: number, to: number, role: string) =>
  pasts.write((tables) => {
    const owned = { accountId: shop, now: pasts.now() };
    tables.members.setRole({ ...owned, telegramId: from, from: 'owner', role: 'admin' });
    tables.members.setRole({ ...owned, telegramId: to, from: role, role: 'owner' });
  });

/** `1 owner of 1`, by person. */
const list = () =>
  pasts.query("select telegram_id || ' ' || role || ' of ' || account_id from members order by telegram_id");

const STAFF = ['1 owner of 1', '2 admin of 1', '3 operator of 1'];

describe('over what became of the backup', () => {
  test('an account reads times as it does now', async () => {
    const file = await pasts.backUp();
    await pasts.write((tables) => tables.accounts.setTimeZone(shop, 'Europe/Moscow'));
    await pasts.goBack(file);
    expect(pasts.query('select time_zone from accounts order by id')).toEqual(['Europe/Moscow', 'UTC']);
  });

  test('members are as they are now: who joined, rose, left, went elsewhere, went and came back, who owns it', async () => {
    for (const telegramId of [VERA, 5, 6]) await enter(shop, telegramId, 'support');
    const file = await pasts.backUp();
    await enter(shop, 7, 'support');
    await setRole(BORIS, 'operator', 'admin');
    await remove(VERA, 'support');
    await move(5, 'support', otherShop);
    await move(6, 'support', otherShop);
    await pasts.write((tables) => tables.members.remove(otherShop, 6, 'support'));
    await enter(shop, 6, 'admin');
    await handOver(OWNER, ANNA, 'admin');
    // A calendar that went back tells nothing.
    pasts.wait(-DAY_MS);
    await enter(shop, 8, 'operator');
    pasts.wait(2 * DAY_MS);
    await pasts.goBack(file);
    expect(list()).toEqual([
      '1 admin of 1',
      '2 owner of 1',
      '3 admin of 1',
      '5 support of 2',
      '6 admin of 1',
      '7 support of 1',
      '8 operator of 1',
    ]);
  });

  test('so they are where there was a restore before', async () => {
    await pasts.goBack(await pasts.backUp());
    const file = await pasts.backUp();
    pasts.wait(-DAY_MS);
    await enter(shop, VERA, 'support');
    pasts.wait(2 * DAY_MS);
    await pasts.goBack(file);
    expect(list()).toEqual([...STAFF, '4 support of 1']);
  });

  test('a file that was put in place by hand knows no more than it did, and not which numbers were given', async () => {
    const monday = await pasts.backUp();
    await enter(shop, VERA, 'support');
    const tuesday = await pasts.backUp();
    await openShop();
    await pasts.placeByHand(monday);
    await pasts.goBack(tuesday);
    expect(list()).toEqual([...STAFF, '4 support of 1']);
    await pasts.placeByHand(tuesday);
    await pasts.goBack(monday);
    expect(list()).toEqual([...STAFF, '4 support of 1']);
    expect(await openShop()).toBeGreaterThan(1_000_000);
  });
});

describe('two pasts that both went on', () => {
  const nothing = () => Promise.resolve();

  test('keep who joined in either', async () => {
    await pasts.join(
      () => enter(shop, VERA, 'support'),
      () => enter(otherShop, 5, 'owner'),
    );
    expect(list()).toEqual([...STAFF, '4 support of 1', '5 owner of 2']);
  });

  test('keep out whom either removed, also where nothing else happened, and the other gave a role', async () => {
    await pasts.join(() => remove(BORIS, 'operator'), nothing);
    expect(list()).toEqual(STAFF.slice(0, 2));
    await pasts.join(
      () => setRole(ANNA, 'admin', 'support'),
      () => remove(ANNA, 'admin'),
    );
    expect(list()).toEqual(STAFF.slice(0, 1));
  });

  test.each(['tuesday', 'wednesday'])('let the later role hold, given on %s', async (day) => {
    const demote = () => setRole(ANNA, 'admin', 'support');
    await (day === 'tuesday' ? pasts.join(demote, nothing) : pasts.join(nothing, demote));
    expect(list()).toContain('2 support of 1');
  });

  test('of two roles that were given in one moment, let the one hold that is replaced', async () => {
    let at = 0;
    await pasts.join(
      async () => {
        await setRole(BORIS, 'operator', 'admin');
        at = pasts.now();
      },
      async () => {
        const later = pasts.now() - at;
        pasts.wait(-later - 60_000);
        await setRole(BORIS, 'operator', 'support');
        expect(pasts.now()).toBe(at);
        pasts.wait(later);
      },
    );
    expect(list()).toEqual([...STAFF.slice(0, 2), '3 support of 1']);
  });

  test('let a person be where he went last', async () => {
    const third = await openShop();
    await pasts.join(
      () => move(BORIS, 'operator', otherShop),
      () => setRole(BORIS, 'operator', 'admin'),
    );
    expect(list()).toEqual([...STAFF.slice(0, 2), '3 support of 2']);
    await pasts.join(
      () => move(ANNA, 'admin', otherShop),
      () => move(ANNA, 'admin', third),
    );
    expect(list()).toContain(`2 support of ${third}`);
  });

  test('leave an account one owner: the one who became it last', async () => {
    await pasts.join(
      () => handOver(OWNER, ANNA, 'admin'),
      () => handOver(OWNER, BORIS, 'operator'),
    );
    expect(list()).toEqual(['1 admin of 1', '2 admin of 1', '3 owner of 1']);
  });

  test('leave it the owner of both, as what he was', async () => {
    const since = () => pasts.query("select role_at from members where role = 'owner'");
    const before = since();
    await pasts.join(nothing, nothing);
    expect(since()).toEqual(before);
  });

  test('leave it to its owner of today where the other past’s was removed', async () => {
    await pasts.join(
      () => handOver(OWNER, ANNA, 'admin'),
      () => remove(ANNA, 'admin'),
    );
    expect(list()).toEqual(['1 owner of 1', '3 operator of 1']);
  });
});
