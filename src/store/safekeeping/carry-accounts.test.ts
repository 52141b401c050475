// Accounts that two pasts gave the same number, and a restore another: met again under it, each is there once.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openPasts, type Pasts } from '../../../test/harness/pasts.ts';
import type { Tables } from '../index.ts';

type Deed = () => Promise<unknown>;
type Own = (accountId: number, now: number, tables: Tables) => void;

let pasts: Pasts;
beforeEach(() => void (pasts = openPasts()));
afterEach(() => pasts.close());

/** Opens accounts at one moment. */
const opens =
  (...accounts: readonly [name: string, own: Own][]): Deed =>
  () =>
    pasts.write((tables) => {
      const now = pasts.now();
      for (const [name, own] of accounts)
        own(tables.accounts.insert({ name, now, subscriptionExpiresAt: null }), now, tables);
    });

const enters =
  (...people: readonly number[]): Own =>
  (accountId, now, { members }) => {
    for (const [index, telegramId] of people.entries()) {
      const role = index === 0 ? 'owner' : 'admin';
      members.insert({ telegramId, accountId, role, name: 'Person', username: null, now });
    }
  };

const hasKey =
  (byte: number): Own =>
  (accountId, now, { apiKeys }) => {
    const prefix = `crk_live_${byte}`;
    apiKeys.insert({ accountId, prefix, digest: Buffer.alloc(32, byte), createdBy: 'member:1', now });
  };

/** Wednesday's accounts are joined to Tuesday's, and then met under the numbers that they had, as they went on. */
async function meetAgain(tuesday: Deed, wednesday: Deed, goOn: Deed = () => Promise.resolve()) {
  const monday = await pasts.backUp();
  await tuesday();
  const ofTuesday = await pasts.backUp();
  await pasts.goBack(monday, 'dead disk');
  pasts.giveAgain('accounts', 1);
  await wednesday();
  const ofWednesday = await pasts.backUp();
  await pasts.goBack(ofTuesday);
  const joined = await pasts.backUp();
  await pasts.goBack(ofWednesday, 'dead disk');
  await goOn();
  await pasts.goBack(joined);
}

const listNames = () => pasts.query('select name from accounts order by name');
const listMembers = () =>
  pasts.query(
    "select m.telegram_id || ' of ' || a.name from members m join accounts a on a.id = m.account_id order by 1",
  );

test('an account without keys is known by its owner', async () => {
  await meetAgain(opens(['A', enters(14)]), opens(['B', enters(16)]));
  expect(listNames()).toEqual(['A', 'B']);
  expect(listMembers()).toEqual(['14 of A', '16 of B']);
});

test('an account without people is known by its key', async () => {
  await meetAgain(opens(['A', hasKey(1)]), opens(['B', hasKey(2)]));
  expect(listNames()).toEqual(['A', 'B']);
  expect(
    pasts.query(
      "select k.prefix || ' of ' || a.name from api_keys k join accounts a on a.id = k.account_id order by 1",
    ),
  ).toEqual(['crk_live_1 of A', 'crk_live_2 of B']);
});

test('accounts of one moment are known apart by who came when, also where somebody went from one to the other', async () => {
  await meetAgain(
    opens(['A', enters(14)], ['B', enters(15)]),
    opens(['C', enters(17, 16)], ['D', enters(18)]),
    () =>
      pasts.write(({ accounts, members }) => {
        const [from, to] = ['C', 'D'].map((name) => accounts.list(0, 9).find((one) => one.name === name)!.id);
        members.remove(from!, 16, 'admin');
        const person = { telegramId: 16, role: 'admin', name: 'Person', username: null };
        members.insert({ ...person, accountId: to!, now: pasts.now() });
      }),
  );
  expect(listNames()).toEqual(['A', 'B', 'C', 'D']);
  expect(listMembers()).toEqual(['14 of A', '15 of B', '16 of D', '17 of C', '18 of D']);
});

describe('as it is now, and of two pasts what either came to,', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const nothing = () => Promise.resolve();
  let accountId: number;
  beforeEach(async () => {
    await opens(['Shop', hasKey(1)])();
    [accountId] = pasts.query('select id from accounts') as [number];
  });
  const alert = (denomination: number, threshold: number) =>
    pasts.write(({ stock }) => stock.setAlert({ accountId, gameId: 'game_id_1', denomination, threshold }));
  const choose = (telegramId: number, language: string) =>
    pasts.write(({ preferences }) =>
      preferences.save({ telegramId, language, mutedNotices: '[]', menu: 'm' }),
    );

  test('stand thresholds and what people chose', async () => {
    await alert(60, 5);
    await choose(1, 'en');
    const file = await pasts.backUp();
    await alert(60, 7);
    await alert(325, 9);
    await choose(1, 'ru');
    await choose(2, 'en');
    await pasts.goBack(file);
    expect(pasts.query("select denomination || ': ' || threshold from stock_alerts order by 1")).toEqual([
      '325: 9',
      '60: 7',
    ]);
    expect(pasts.query("select telegram_id || ' ' || language from preferences order by 1")).toEqual([
      '1 ru',
      '2 en',
    ]);
  });

  test('it is known which end of a subscription was told', async () => {
    const endsAt = pasts.now() + 2 * DAY_MS;
    await pasts.write(({ accounts }) => accounts.extendSubscription(accountId, 2 * DAY_MS, pasts.now()));
    const ending = () => pasts.store().read(({ accounts }) => accounts.listEnding(pasts.now(), 10));
    expect(ending()).toHaveLength(1);
    const file = await pasts.backUp();
    const { endsAt: told, stage } = ending()[0]!;
    expect(told).toBeGreaterThanOrEqual(endsAt);
    await pasts.write(({ accounts }) => accounts.markEndTold(accountId, told, stage));
    await pasts.goBack(file);
    expect(ending()).toEqual([]);
  });

  test.each(['tuesday', 'wednesday', 'neither'])('a key was used last when it was: %s', async (day) => {
    const used = () => pasts.query('select last_used_at from api_keys');
    const [id] = pasts.query('select id from api_keys') as [number];
    let usedAt: number | null = null;
    const use = () => pasts.write(({ apiKeys }) => apiKeys.touch(id, (usedAt = pasts.now())));
    await pasts.join(day === 'tuesday' ? use : nothing, day === 'wednesday' ? use : nothing);
    expect(used()).toEqual([usedAt]);
  });

  test.each(['tuesday', 'wednesday'])('a key that was revoked is: %s', async (day) => {
    const [id] = pasts.query('select id from api_keys') as [number];
    let revokedAt = 0;
    const revoke = () =>
      pasts.write(({ apiKeys }) => apiKeys.revoke(accountId, id, (revokedAt = pasts.now())));
    await pasts.join(day === 'tuesday' ? revoke : nothing, day === 'wednesday' ? revoke : nothing);
    expect(pasts.query('select revoked_at from api_keys')).toEqual([revokedAt]);
  });

  test.each(['tuesday', 'wednesday'])('a link that was used up is: %s', async (day) => {
    const tokenHash = Buffer.alloc(32, 1);
    const link = { tokenHash, accountId, role: 'support', createdBy: 'member:1' };
    await pasts.write(({ invitations }) =>
      invitations.insert({ ...link, now: pasts.now(), expiresAt: pasts.now() + DAY_MS }),
    );
    const use = () => pasts.write(({ invitations }) => void invitations.use(tokenHash, 14, pasts.now()));
    await pasts.join(day === 'tuesday' ? use : nothing, day === 'wednesday' ? use : nothing);
    expect(pasts.query('select used_by from invitations')).toEqual([14]);
  });
});
