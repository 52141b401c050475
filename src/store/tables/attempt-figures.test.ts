// What those who run the service are told of upstreams: counted over what is open and over the newest, with answers
// that open again.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { numberedCodes, openTrader, type Trader } from '../../../test/harness/traded-store.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';

let t: TestStore;
let trader: Trader;

beforeEach(async () => {
  t = openTestStore();
  trader = await openTrader(
    () => t.store,
    () => t.clock.now(),
  );
  await trader.addCodes(numberedCodes('A', 9));
});
afterEach(() => t.close());

test('what is open and what nobody knows is counted by upstream, and what is known is not', async () => {
  const [redeemed, doubtful, pending] = [await trader.begin(), await trader.begin(), await trader.begin()];
  await trader.redeem(redeemed);
  await trader.doubt(doubtful);
  const unproven = t.store.read(({ attemptFigures }) => attemptFigures.countUnproven());
  const upstream = 'sandbox-1';
  expect(unproven).toEqual([
    { upstream, state: 'open', count: 1 },
    { upstream, state: 'unknown', count: 1 },
  ]);
  await trader.fail(pending, 'NETWORK_ERROR');
  await trader.giveBack(doubtful);
  expect(t.store.read(({ attemptFigures }) => attemptFigures.countUnproven())).toEqual([]);
  const newest = t.store.read(({ attemptFigures }) => attemptFigures.listNewest(2));
  expect(newest).toMatchObject([{ state: 'not_spent' }, { state: 'not_spent', proof: 'lookup' }]);
});

test('an answer that decided nothing is told with its text, for as long as that is kept', async () => {
  const begun = await trader.begin();
  const answered = { n: 1, errorCode: 'UNKNOWN', httpStatus: 200, text: '{"ok":"perhaps"}' };
  await t.store.write((tables) => tables.attempts.doubt(begun.id, answered, t.clock.now(), t.clock.now()));
  const list = () => t.store.read(({ attemptFigures }) => attemptFigures.listUnclear(5));
  expect(list()).toEqual([
    {
      ...{ redemptionId: begun.id, n: 1, upstream: 'sandbox-1', httpStatus: 200, endedAt: t.clock.now() },
      text: '{"ok":"perhaps"}',
    },
  ]);
  await t.store.write((tables) => tables.attempts.pruneAnswers(t.clock.now() + 1, 10));
  expect(list()).toEqual([]);
});
