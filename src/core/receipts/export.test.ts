// What is handed out of an account's redemptions: its own days, all of them once, and secrets in a full export only.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { AccountActor } from '../context.ts';
import type { ExportRange } from './receipt-list.ts';

let t: TestCore;
let shop: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  shop = await openTestAccount(t.store);
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: shop.accountId, days: 30 });
});
afterEach(() => t.close());

async function redeem(actor: AccountActor, code = makeCode()): Promise<number> {
  const answer = await t.core.redeem(actor, { gameId: 'game_id_1', playerId: '5170925570', code });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption.id;
}

async function take(range: Partial<ExportRange> = {}) {
  const slices = [];
  const asked = { days: 1, full: false, ...range };
  for await (const slice of t.core.receiptList.walkDays(shop.members.owner, asked)) slices.push(slice);
  return slices;
}
const idsOf = async (range: Partial<ExportRange>) => (await take(range)).flat().map(({ id }) => id);

/** Redemptions that failed, as many as are wanted, a millisecond apart. */
const insertMany = (count: number) =>
  t.store.write((tables) =>
    Array.from({ length: count }, (_, index) =>
      tables.redemptions.insertFailed(
        {
          ...{ accountId: shop.accountId, actor: 'apiKey:1', gameId: 'game_id_1', playerId: '5170925570' },
          ...{ mode: 'database', denomination: 60, codeId: null, code: null },
          ...{ usageId: null, now: t.clock.now() - index },
        },
        'NO_CODES_AVAILABLE',
        'none',
      ),
    ),
  );

test('codes and credentials are told in a full export only, the end of a code in any', async () => {
  const id = await redeem(shop.members.owner, '60S0000000ABCDEF');
  await redeem(t.actor);
  const [plain = {}] = (await take()).flat();
  expect(plain).toMatchObject({ id, state: 'redeemed', codeTail: 'ABCDEF', code: null, credentials: null });
  expect(await take({ full: true })).toEqual([
    [
      {
        ...plain,
        code: '60S0000000ABCDEF',
        credentials: expect.objectContaining({ password: 'pw-60S0000000ABCDEF' }) as unknown,
      },
    ],
  ]);
});

test('who may not see secrets gets no full export, who may not export gets none, before the first slice', () => {
  const take = (actor: AccountActor, full: boolean) => () =>
    t.core.receiptList.walkDays(actor, { days: 1, full });
  const { owner, admin, support } = shop.members;
  expect(take(owner, true)).not.toThrow();
  expect(take(admin, false)).not.toThrow();
  expect(take(admin, true)).toThrow(/role/);
  expect(take(support, false)).toThrow(/role/);
  for (const days of [0, 367, 1.5]) {
    expect(() => t.core.receiptList.walkDays(owner, { days, full: false })).toThrow(
      'The number of days must be a whole number from 1 to 366.',
    );
  }
});

test('it ends with the day of the moment, and goes back so many days', async () => {
  const first = await redeem(shop.members.owner);
  t.clock.advance(DAY_MS);
  const second = await redeem(shop.members.owner);
  const at = t.clock.now();
  t.clock.advance(1);
  const third = await redeem(shop.members.owner);
  expect(await idsOf({})).toEqual([second, third]);
  expect(await idsOf({ days: 2 })).toEqual([first, second, third]);
  expect(await idsOf({ days: 2, at })).toEqual([first, second]);
  t.clock.advance(2 * DAY_MS);
  expect(await take()).toEqual([]);
});

test.each([
  [100, [100]],
  [201, [100, 100, 1]],
])('%i come in slices of %j, each once, oldest first', async (count, slices) => {
  const ids = await insertMany(count);
  const taken = await take();
  expect(taken.map(({ length }) => length)).toEqual(slices);
  expect(taken.flat().map(({ id }) => id)).toEqual(ids.toReversed());
});
