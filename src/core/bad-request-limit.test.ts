// The bound of what is refused without a usage: exact within any minute, an account each, in a bounded memory.
import { beforeEach, expect, test } from 'vitest';

import { createManualClock, type ManualClock } from '../clock.ts';
import { createBadRequestLimit, BAD_REQUESTS_PER_MINUTE, type BadRequestLimit } from './bad-request-limit.ts';

let clock: ManualClock;
let badRequestLimit: BadRequestLimit;
beforeEach(() => {
  clock = createManualClock(0);
  badRequestLimit = createBadRequestLimit({ clock });
});
const count = (times: number, accountId = 1) =>
  Array.from({ length: times }, () => badRequestLimit.count(accountId)).filter(
    (answer) => answer === undefined,
  ).length;

test('120 in a minute are heard, and the next is told when it will be', () => {
  expect(count(60)).toBe(60);
  clock.advance(40_000);
  expect(count(100)).toBe(60);
  expect(badRequestLimit.count(1)).toEqual({ status: 'tooManyBadRequests', retryAfterSeconds: 20 });
  clock.advance(20_000);
  expect(count(100)).toBe(60);
});

test('what is not heard is not counted: who goes on asking is heard again as soon', () => {
  count(BAD_REQUESTS_PER_MINUTE);
  for (let second = 0; second < 60; second += 1) {
    expect(count(10)).toBe(0);
    clock.advance(1_000);
  }
  expect(count(200)).toBe(BAD_REQUESTS_PER_MINUTE);
});

test('one account says nothing of another', () => {
  count(500, 1);
  expect(count(1, 2)).toBe(1);
});

test('a calendar that jumps frees nobody, and holds nobody', () => {
  count(BAD_REQUESTS_PER_MINUTE);
  clock.set(24 * 60 * 60 * 1000);
  expect(count(1)).toBe(0);
  clock.set(-24 * 60 * 60 * 1000);
  clock.advance(60_000);
  expect(count(1)).toBe(1);
});

test('very many accounts take no more memory: the one refused longest ago is forgotten', () => {
  count(BAD_REQUESTS_PER_MINUTE, 1);
  for (let account = 2; account <= 10_000; account += 1) badRequestLimit.count(account);
  expect(count(1, 1)).toBe(0);
  badRequestLimit.count(10_001);
  expect(count(1, 1)).toBe(1);
});
