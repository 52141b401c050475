// The host is told of a second process on the token: after a minute, once, and once when it is over.
import { beforeEach, expect, test } from 'vitest';

import { createManualClock } from '../../clock.ts';
import { createContention, type Contention } from './connection-status.ts';

const SECOND_MS = 1_000;
let clock: ReturnType<typeof createManualClock>;
let contention: Contention;
let did: string[];

beforeEach(() => {
  clock = createManualClock(1_700_000_000_000);
  did = [];
  const note = (what: string) => (_: object) => void did.push(what);
  contention = createContention({
    clock,
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    connection: { hinder: (by, isSo) => void did.push(`${by} ${isSo}`) },
    noteContest: (isSo) => void did.push(`codes stay ${isSo}`),
  });
});

/** One conflict each five seconds, and fetches that succeed between them. */
function contest(seconds: number): void {
  for (let passed = 0; passed < seconds; passed += 5) {
    contention.conflicted();
    contention.fetched();
    clock.advance(5 * SECOND_MS);
  }
}

test('a deployment, in which two processes fetch for less than a minute, is no contest', () => {
  contest(60);
  clock.advance(120 * SECOND_MS);
  contention.fetched();
  expect(did.filter((each) => /true|error/.test(each))).toEqual([]);
});

test('a second process is told after a minute, although updates come between the conflicts', () => {
  contest(65);
  expect(did).toEqual(['warn', 'contested true', 'codes stay true', 'error']);
});

test('it is over when nobody else has fetched for two minutes, and told then', () => {
  contest(65);
  did = [];
  clock.advance(114 * SECOND_MS);
  contention.fetched();
  expect(did).toEqual([]);
  clock.advance(1 * SECOND_MS);
  contention.fetched();
  contention.fetched();
  expect(did).toEqual(['contested false', 'codes stay false', 'info']);
});
