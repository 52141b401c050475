import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { createTimeZones } from '../zones.ts';

let t: TestStore;
let shop: TestAccount;
let zones: ReturnType<typeof createTimeZones>;
beforeEach(async () => {
  t = openTestStore();
  shop = await openTestAccount(t.store);
  zones = createTimeZones(t);
});
afterEach(() => t.close());

test('an account has its own, UTC at first', async () => {
  const other = await openTestAccount(t.store);
  expect(zones.timeZoneOf(shop.accountId)).toBe('UTC');
  expect(await zones.setTimeZone(shop.actors.admin, 'utc+3')).toBe('+03:00');
  expect(zones.timeZoneOf(shop.accountId)).toBe('+03:00');
  expect(zones.timeZoneOf(other.accountId)).toBe('UTC');
  expect(zones.timeZoneOf(9_999)).toBe('UTC');
});

test('owners and admins set it, to what is one; what is kept with it is kept then only', async () => {
  let kept = 0;
  const keep = () => void (kept += 1);
  for (const role of ['operator', 'support', 'apiKey'] as const) {
    await expect(zones.setTimeZone(shop.actors[role], 'UTC+3', keep)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  }
  await expect(zones.setTimeZone(shop.actors.owner, 'Nowhere', keep)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  expect([kept, zones.timeZoneOf(shop.accountId)]).toEqual([0, 'UTC']);
  await zones.setTimeZone(shop.actors.owner, 'Asia/Almaty', keep);
  expect([kept, zones.timeZoneOf(shop.accountId)]).toEqual([1, 'Asia/Almaty']);
});
