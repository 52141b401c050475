// What each end of a redemption means for its order, as a table: every outcome, sent once or twice, of a code of the
// stock or a given one, with and without a doubt, and however many bad codes were replaced before.
import { describe, expect, test } from 'vitest';

import { judge, troublePauseMs, type EndedRedemption, type OrderTerms, type Verdict } from './verdict.ts';

const UNTIL = 1_000;
type Case = Partial<EndedRedemption> &
  Partial<Omit<OrderTerms, 'replaced'>> & { here?: number; inAll?: number };

const CASES: Case[] = [
  {},
  { attempts: 2 },
  { here: 2, inAll: 9 },
  { here: 3, inAll: 3 },
  { here: 0, inAll: 10 },
  { onBadCode: 'stop' },
  { isGiven: true },
  { doubtedAt: 1 },
  { doubtedAt: 1, isGiven: true },
  { doubtedAt: 1, settledAt: UNTIL + 1 },
];

/** A row an outcome, a column a case. */
const TABLE = `
                            once     twice    third    4th here 11th     stop     given    doubt    of given late
  redeemed                  redeemed redeemed redeemed redeemed redeemed redeemed redeemed redeemed redeemed redeemed
  CODE_USED                 ask      ask      ask      itself   itself   itself   failed   DOUBT    DOUBT    DOUBT
  INVALID_CODE              replace  DOUBT    replace  itself   itself   itself   failed   DOUBT    DOUBT    DOUBT
  CHARACTER_NOT_FOUND       itself   itself   itself   itself   itself   itself   itself   itself   itself   itself
  RISK_CONTROL              itself   itself   itself   itself   itself   itself   itself   itself   itself   itself
  NO_ACCOUNTS_AVAILABLE     pause    pause    pause    pause    pause    pause    pause    pause    pause    pause
  LOGIN_FAILED              pause    pause    pause    pause    pause    pause    pause    pause    pause    pause
  NETWORK_ERROR             pause    pause    pause    pause    pause    pause    pause    pause    pause    pause
  NO_CODES_AVAILABLE        again    again    again    again    again    again    again    again    again    again
  UNKNOWN                   again    again    again    again    again    again    again    again    again    DOUBT
  INVALID_ACTIVATION_RESPONSE again  again    again    again    again    again    again    again    again    DOUBT
`;

function read(outcome: string, word: string): unknown {
  if (word === 'itself') return { kind: 'stop', reason: outcome };
  if (word === 'DOUBT') return { kind: 'stop', reason: 'DOUBT' };
  return word === 'pause' ? { kind: 'again', pause: outcome } : { kind: word };
}

function judgeCase(outcome: string, { here = 0, inAll = 0, ...given }: Case): Verdict {
  const isRedeemed = outcome === 'redeemed';
  const end = { state: isRedeemed ? 'redeemed' : 'failed', errorCode: isRedeemed ? null : outcome };
  return judge(
    { ...end, settledAt: UNTIL, doubtedAt: null, attempts: 1, ...given },
    { onBadCode: 'replace', until: UNTIL, isGiven: false, replaced: { here, inAll }, ...given },
  );
}

const [, ...rows] = TABLE.trim().split('\n');
describe.each(rows.map((row) => row.trim().split(/\s+/)))('%s', (outcome, ...words) => {
  test.each(CASES.map((each, index) => [each, words[index] ?? ''] as const))('%j: %s', (each, word) => {
    expect(judgeCase(outcome, each)).toEqual(read(outcome, word));
  });
});

test('the platform is tried again after 5 s, 15 s, 1 min, 5 min, then every 10 min', () => {
  expect([0, 1, 2, 3, 4, 5, 99].map(troublePauseMs)).toEqual(
    [5, 15, 60, 300, 600, 600, 600].map((seconds) => seconds * 1_000),
  );
});
