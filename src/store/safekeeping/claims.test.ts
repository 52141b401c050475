// Two pasts that both took in the same codes: what either of them spent is spent, and each code stands once.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openPasts, type Pasts } from '../../../test/harness/pasts.ts';
import { GAME, numberedCodes, openTrader, type Trader } from '../../../test/harness/traded-store.ts';

const CODES = numberedCodes('T', 2);
let pasts: Pasts;
let trader: Trader;
beforeEach(async () => {
  pasts = openPasts();
  trader = await openTrader(pasts.store, pasts.now);
});
afterEach(() => pasts.close());

const stateOf = (code: string) => {
  const store = pasts.store();
  return store.read(({ codes }) => codes.findOwner(GAME.id, store.seals.hash(GAME.id, code))?.state);
};
async function takeIn(): Promise<void> {
  pasts.wait();
  await trader.addCodes(CODES);
  pasts.wait();
}
type End = 'redeemed' | 'used' | 'invalid' | 'in doubt';
async function spendOne(end: End): Promise<void> {
  const begun = await trader.begin();
  expect(begun.code).toBe(CODES[0]);
  pasts.wait();
  if (end === 'redeemed') await trader.redeem(begun);
  else if (end === 'in doubt') await trader.doubt(begun);
  else await trader.fail(begun, end === 'used' ? 'CODE_USED' : 'INVALID_CODE');
}

test.each<[end: End, day: 'tuesday' | 'wednesday', state: string | undefined]>([
  ['redeemed', 'tuesday', 'redeemed'],
  ['redeemed', 'wednesday', 'redeemed'],
  ['in doubt', 'tuesday', 'in_doubt'],
  ['in doubt', 'wednesday', 'in_doubt'],
  ['used', 'tuesday', 'used'],
  ['used', 'wednesday', 'used'],
  ['invalid', 'tuesday', 'invalid'],
  ['invalid', 'wednesday', 'invalid'],
])('%s on %s', async (end, day, state) => {
  const live = async (today: string) => {
    await takeIn();
    if (today === day) await spendOne(end);
  };
  await pasts.join(
    () => live('tuesday'),
    () => live('wednesday'),
  );
  expect(CODES.map(stateOf)).toEqual([state, 'unverified']);
  expect(pasts.query("select count(*) from codes where state = 'undone'")).toEqual([2]);
  expect(pasts.query('select count(*) from redemptions')).toEqual([1]);
});

test.each(['tuesday', 'wednesday'])(
  'a code that a request of %s brought along is spent in the stock that the other day took in',
  async (day) => {
    const spend = async () => trader.redeem(await trader.begin({ code: CODES[0]! }));
    await pasts.join(day === 'tuesday' ? spend : takeIn, day === 'tuesday' ? takeIn : spend);
    expect(CODES.map(stateOf)).toEqual(['redeemed', 'unverified']);
  },
);

test('a code that one day has in doubt is let go for the request of the other that redeemed it', async () => {
  await pasts.join(
    async () => {
      await takeIn();
      await spendOne('in doubt');
    },
    async () => trader.redeem(await trader.begin({ code: CODES[0]! })),
  );
  expect(CODES.map(stateOf)).toEqual(['redeemed', 'unverified']);
  expect(pasts.query('select state from redemptions order by created_at')).toEqual(['failed', 'redeemed']);
});

const FAILED = 'failed CODE_USED';
test.each<[tuesday: End, wednesday: End, ...left: string[]]>([
  ['redeemed', 'in doubt', 'redeemed', FAILED],
  ['in doubt', 'redeemed', FAILED, 'redeemed'],
  ['redeemed', 'redeemed', FAILED, 'redeemed'],
  ['in doubt', 'in doubt', FAILED, 'in_doubt UNKNOWN'],
])('of one code, %s on tuesday and %s on wednesday, one stands: %s, %s', async (first, second, ...left) => {
  const spend = (end: End) => async () => {
    pasts.wait();
    const begun = await trader.begin({ code: CODES[0]! });
    pasts.wait();
    await (end === 'redeemed' ? trader.redeem(begun) : trader.doubt(begun));
  };
  await pasts.join(spend(first), spend(second));
  const listed = pasts.query(
    "select rtrim(state || ' ' || coalesce(error_code, '')) from redemptions order by created_at",
  );
  expect(listed).toEqual(left);
  expect(pasts.query('select count(*) from charges where returned_at is null')).toEqual([1]);
});

test('what gave way when two pasts were joined, and was redeemed in a third, is charged; once for the code', async () => {
  const begin = async () => {
    pasts.wait();
    return trader.begin({ code: CODES[0]! });
  };
  /** A backup, brought back over the database that another one holds. */
  const goBackOver = async (file: string, other: string): Promise<string> => {
    await pasts.goBack(other, 'dead disk');
    await pasts.goBack(file);
    expect(pasts.query("select count(*) from redemptions where state = 'redeemed'")).toEqual([1]);
    expect(pasts.query('select count(*) from charges where returned_at is null')).toEqual([1]);
    return pasts.backUp();
  };
  const monday = await pasts.backUp();
  const first = await begin();
  const open = await pasts.backUp();
  await pasts.goBack(monday, 'dead disk');
  await trader.redeem(await begin());
  await pasts.goBack(open);
  const gaveWay = await pasts.backUp();
  await pasts.goBack(open, 'dead disk');
  await trader.redeem(first);
  const redeemed = await pasts.backUp();
  const firstStands = await goBackOver(gaveWay, redeemed);
  const otherStands = await goBackOver(redeemed, gaveWay);
  await goBackOver(firstStands, otherStands);
  await goBackOver(otherStands, firstStands);
});

test.each(['INVALID_CODE', 'NETWORK_ERROR'] as const)(
  'what failed by %s in one past and by CODE_USED in another is charged as it ended, also where either comes back',
  async (other) => {
    pasts.wait();
    const begun = await trader.begin({ code: CODES[0]! });
    const open = await pasts.backUp();
    await trader.fail(begun, other);
    const failed = await pasts.backUp();
    await pasts.goBack(open, 'dead disk');
    await trader.fail(begun, 'CODE_USED');
    const used = await pasts.backUp();
    for (const file of [failed, used, failed]) {
      await pasts.goBack(file);
      expect(pasts.query('select error_code from redemptions')).toEqual([other]);
      expect(pasts.query('select count(*) from charges where returned_at is null')).toEqual([
        other === 'INVALID_CODE' ? 1 : 0,
      ]);
    }
  },
);
