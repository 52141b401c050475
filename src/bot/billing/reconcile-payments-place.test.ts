// How far the list of Stars was compared: from there on at a start and daily, the whole of it once a week.
import type { StarTransaction } from 'grammy/types';
import { beforeEach, expect, test } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import { createManualClock, type ManualClock } from '../../clock.ts';
import type { BotDeps } from '../context.ts';
import type { StarPlace } from '../../store/bot-store.ts';
import { createReconciling } from './reconcile-payments.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const source = { type: 'user', transaction_type: 'invoice_payment', user: { id: 1 } };
const paid = (name: string) => ({ id: name, amount: 1, date: 1, source }) as unknown as StarTransaction;

let clock: ManualClock;
let list: StarTransaction[];
let place: StarPlace | undefined;
let offsets: number[];
let looked: Set<string>;
beforeEach(() => {
  clock = createManualClock(100 * DAY_MS);
  list = Array.from({ length: 250 }, (_, n) => paid(`c${n}`));
  place = undefined;
});

/** A start, until the list is compared. */
async function start(fail = false): Promise<void> {
  [offsets, looked] = [[], new Set()];
  const find = (_: object, chargeId: string) => {
    if (fail) throw new Error('busy');
    looked.add(chargeId);
    return { refunded: undefined };
  };
  const getStarTransactions = ({ offset, limit }: { offset: number; limit: number }) => {
    offsets.push(offset);
    return Promise.resolve({ transactions: list.slice(offset, offset + limit) });
  };
  const starPlace = { find: () => place, save: (kept: StarPlace) => Promise.resolve(void (place = kept)) };
  const store = { findChargeNote: () => undefined, starPlace };
  const log = { warn: () => undefined };
  const deps: BotDeps = fake({ clock, log, store, core: { purchases: { find } } });
  const reconciling = createReconciling(deps, fake({ getStarTransactions }));
  reconciling.start();
  await expect.poll(() => fail || place?.count === list.length).toBe(true);
  await reconciling.stop();
}

test('what was paid while nobody listened is compared, and of what was compared before a page alone', async () => {
  await start();
  expect([offsets, looked.size]).toEqual([[0, 100, 200], 250]);
  list = Array.from({ length: 30_000 }, (_, n) => paid(`c${n}`));
  place = { ...place!, count: 30_000, last: 'c29999' };
  list.push(paid('unheard'));
  await start();
  expect(offsets).toEqual([29_900, 30_000]);
  expect([looked.size, looked.has('unheard')]).toEqual([101, true]);
});

test('the whole of it is compared once a week, and where the clock was wrong by more', async () => {
  await start();
  clock.advance(6 * DAY_MS);
  list.push(paid('new'));
  await start();
  expect(offsets).toEqual([150, 250]);
  clock.advance(DAY_MS);
  list.push(paid('newer'));
  await start();
  expect(offsets).toEqual([0, 100, 200]);
  place = { ...place!, wholeAt: clock.now() + 8 * DAY_MS };
  list.push(paid('newest'));
  await start();
  expect(offsets).toEqual([0, 100, 200]);
});

test('a list that is shorter, or another, is compared whole', async () => {
  await start();
  list = Array.from({ length: 400 }, (_, n) => paid(`of another bot ${n}`));
  await start();
  expect([offsets, looked.size]).toEqual([[150, 0, 100, 200, 300, 400], 400]);
  list = list.slice(0, 120);
  await start();
  expect([offsets, looked.size]).toEqual([[300, 0, 100], 120]);
});

test('where it could not be booked, no place is kept', async () => {
  await start();
  const before = place;
  list.push(paid('new'));
  await start(true);
  expect(place).toEqual(before);
});
