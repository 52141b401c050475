// Whatever a profile says and whatever comes back: what no rule knows is unknown, and no timeout, no 408 and no 5xx of
// which nothing is looked at ever means that a code is redeemed or unspent. Profiles are made at random, the refused
// ones among them.
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';

import { connectProfiled, PROFILED_ORDER } from '../../../test/harness/profiled.ts';
import { Profile } from './profile.ts';

afterEach(() => void vi.unstubAllGlobals());

const MEANINGS = [
  'redeemed',
  'usedByPlayer',
  'CODE_USED',
  'NETWORK_ERROR',
  'refusedUs',
  'underWay',
  'unknown',
];
const status = fc.constantFrom(200, 401, 408, 502, 504);
const scalar = fc.constantFrom(0, '0', null);
const means = fc.constantFrom(...MEANINGS);
const place = fc.constantFrom('/a', '/b', '/deep/c');
const anyRule = fc.record(
  {
    http: fc.array(fc.oneof(status, fc.constant('timeout')), { minLength: 1, maxLength: 2 }),
    where: fc.dictionary(place, scalar, { maxKeys: 1 }),
    means,
  },
  { requiredKeys: ['http', 'means'] },
);
const soundRule = fc.record({
  http: fc.tuple(fc.constantFrom(200, 401, 502)),
  where: fc.dictionary(place, scalar, { minKeys: 1, maxKeys: 2 }),
  means,
});
const rule = fc.oneof({ weight: 4, arbitrary: soundRule }, anyRule);
const body = fc.oneof(
  { weight: 3, arbitrary: fc.record({ a: scalar, b: scalar, deep: fc.record({ c: scalar }) }) },
  fc.constantFrom('<html>maintenance</html>', '', '[]', 'null', '{"a":0'),
);
const answer = fc.oneof({ weight: 4, arbitrary: fc.record({ status, body }) }, fc.constant('lost' as const));

type Rule = { http: (number | string)[]; where?: Record<string, unknown>; means: string };
type Body = string | { a?: unknown; b?: unknown; deep?: { c: unknown } };

/** By hand, without the interpreter: what lies at the three places. */
function holds({ where = {} }: Rule, body: Body): boolean {
  const there = typeof body === 'string' ? {} : { '/a': body.a, '/b': body.b, '/deep/c': body.deep?.c };
  return Object.entries(where).every(([place, value]) => (there as Record<string, unknown>)[place] === value);
}

const asText = (body: Body) => (typeof body === 'string' ? body : JSON.stringify(body));

test('only a rule that fits says anything, and only of what proves it', async () => {
  let decided = 0;
  let refusedFiles = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 3 }), answer, async (answers, came) => {
      const file = {
        settlingMs: 1000,
        redeem: { request: { method: 'POST', path: '/{code}/{playerId}' }, answers },
      };
      const parsed = Profile.safeParse(file);
      if (!parsed.success) return void (refusedFiles += 1);
      const platform = connectProfiled(parsed.data, 'https://upstream.example', async () =>
        came === 'lost'
          ? { kind: 'lost', error: undefined }
          : { kind: 'answered', status: came.status, headers: {}, body: Buffer.from(asText(came.body)) },
      );
      const outcome = await platform.redeem(PROFILED_ORDER, { signal: new AbortController().signal });
      if (outcome.status !== 'unknown') decided += 1;
      const seen = came === 'lost' ? 'timeout' : came.status;
      const fitting = (answers as Rule[]).find(
        (each) => each.http.includes(seen) && holds(each, came === 'lost' ? '' : came.body),
      );
      const looked = Object.keys(fitting?.where ?? {}).length > 0;
      const provesNothing = seen === 'timeout' || seen === 408 || (seen >= 500 && !looked);
      if (!fitting || provesNothing) expect(outcome.status).toBe('unknown');
      else expect(outcome.status === 'unknown').toBe(['underWay', 'unknown'].includes(fitting.means));
    }),
    { numRuns: 6000, seed: 41 },
  );
  // It was about something.
  expect({ decided, refusedFiles }).toEqual({
    decided: expect.toSatisfy((count: number) => count > 100),
    refusedFiles: expect.toSatisfy((count: number) => count > 100),
  });
});
