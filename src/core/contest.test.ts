// Two machines on one shop: what tells of the other, and what is not done meanwhile.
import { expect, test } from 'vitest';

import { createManualClock } from '../clock.ts';
import type { CodeOutcome } from '../platform/port.ts';
import { createContest, refuseContested } from './contest.ts';

const NOW = Date.UTC(2026, 0, 13);
const MINUTE_MS = 60_000;

function open() {
  const clock = createManualClock(NOW);
  const errors: string[] = [];
  const ignore = () => undefined;
  const log = { info: ignore, warn: ignore, error: (_: object, what: string) => void errors.push(what) };
  return { clock, errors, contest: createContest({ clock, log }) };
}

/** Told by a clock that is ten minutes ahead of ours. */
const redeemed = (agoMs: number, rest: object): CodeOutcome => ({
  status: 'redeemed',
  toldAt: NOW + 10 * MINUTE_MS,
  redeemedAt: NOW + 10 * MINUTE_MS - agoMs,
  expiresAt: 0,
  channelName: '',
  openid: 'openid',
  amount: 0,
  productName: '',
  ...rest,
});
const OURS = { receiptAwaited: true };

test('what a surface knows lasts until it says that it is over', () => {
  const { contest } = open();
  contest.note(true);
  expect(contest.isContested()).toBe(true);
  expect(() => refuseContested(contest)).toThrow(/Another machine/);
  contest.note(false);
  expect(() => refuseContested(contest)).not.toThrow();
});

test('a redemption by our token that is none of ours lasts for a quarter of an hour, and is logged once', () => {
  const { contest, clock, errors } = open();
  for (let times = 0; times < 2; times += 1) contest.heard(redeemed(MINUTE_MS, OURS), NOW - 2 * MINUTE_MS);
  expect([contest.isContested(), errors.length]).toEqual([true, 1]);
  clock.advance(15 * MINUTE_MS);
  expect(contest.isContested()).toBe(false);
});

test.each<[what: string, told: CodeOutcome]>([
  ['a buyer who used what was handed out', redeemed(MINUTE_MS, {})],
  ['the time that was lost', redeemed(3 * MINUTE_MS, OURS)],
  ['a code that is unspent', { status: 'notRedeemed' }],
])('%s tells of no other machine', (_, told) => {
  const { contest } = open();
  contest.heard(told, NOW - 2 * MINUTE_MS);
  expect(contest.isContested()).toBe(false);
});
