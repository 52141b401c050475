// Accounts that two pasts gave the same number, and a restore another: met again under it, each is there once.
import { afterEach, beforeEach, expect, test } from 'vitest';

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
