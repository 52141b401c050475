// One attempt at the platform: what is sent, how long it may take, and whether the full receipt was seen.
import { describe, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { createScriptedPlatform } from '../../../test/harness/platform.ts';
import { createManualClock } from '../../clock.ts';
import type { OrderOutcome } from '../../platform/port.ts';
import { attemptRedemption } from './attempt.ts';

const ORDER = { reference: 'r1', gameId: 'game_id_1', playerId: '5170925570', code: '60S0000000000001' };
const NOT_FOUND: OrderOutcome = { status: 'notFound' };
const OURS = TEST_GAMES.find('game_id_1')!;
const OF_SESSION = TEST_GAMES.find('game_id_3')!;

function open({ leftMs = 50_000, platformTimeoutMs = 45_000 } = {}) {
  const clock = createManualClock(1_000);
  const platform = createScriptedPlatform(() => clock.now());
  const end = new AbortController();
  const saveJobId = () => Promise.resolve(true);
  const limits = { platformTimeoutMs, deadline: clock.elapsed() + leftMs, signal: end.signal, saveJobId };
  let checks = 0;
  const answers: OrderOutcome[] = [];
  platform.script.findOrder = () => answers[checks++] ?? NOT_FOUND;
  return {
    platform,
    end,
    answers,
    clock,
    countChecks: () => checks,
    attempt: (game = OURS) => attemptRedemption(platform, clock, ORDER, game, limits),
  };
}

describe('the call', () => {
  const NOTHING_SENT = {
    status: 'refused',
    errorCode: 'NETWORK_ERROR',
    message: 'No time was left to ask the platform: nothing was sent.',
    asked: false,
    neverSent: true,
  };

  test('is not made with less than a second left, or once it is given up', async () => {
    const late = open({ leftMs: 999 });
    expect(await late.attempt()).toEqual(NOTHING_SENT);
    const given = open();
    given.end.abort();
    expect(await given.attempt()).toEqual(NOTHING_SENT);
    expect([late.platform.orders, given.platform.orders]).toEqual([[], []]);
  });

  test('is made with a second left', async () => {
    const { attempt, platform, answers } = open({ leftMs: 1_000 });
    answers.push({ status: 'found' });
    expect(await attempt()).toMatchObject({ status: 'redeemed' });
    expect(platform.orders).toEqual([ORDER]);
  });

  test.each([{ platformTimeoutMs: 20 }, { platformTimeoutMs: 20, leftMs: 1_000 }])(
    'that does not end within %j is unknown',
    async (limits) => {
      const { attempt, platform } = open(limits);
      platform.script.redeem = () => new Promise(() => undefined);
      expect(await attempt()).toEqual({
        status: 'unknown',
        errorCode: 'UNKNOWN',
        message: 'The platform did not answer in time.',
      });
    },
  );

  test.each<[thrown: unknown, name: string]>([
    [new TypeError('secret detail'), 'TypeError'],
    ['a string', 'unknown error'],
  ])('that throws %s is unknown, and says no more than its name', async (thrown, name) => {
    const { attempt, platform } = open();
    platform.script.redeem = () => {
      throw thrown as Error;
    };
    const message = `The platform could not be asked: ${name}.`;
    expect(await attempt()).toEqual({ status: 'unknown', errorCode: 'UNKNOWN', message });
  });

  test('that is refused is told as it is, and nothing is checked', async () => {
    const { attempt, platform, countChecks } = open();
    const refused = { status: 'refused', errorCode: 'CODE_USED', message: 'used', asked: true } as const;
    platform.script.redeem = () => refused;
    expect([await attempt(), countChecks()]).toEqual([refused, 0]);
  });
});

describe('the full receipt', () => {
  test('of a session is not looked for', async () => {
    const { attempt, countChecks } = open();
    expect(await attempt(OF_SESSION)).toMatchObject({ status: 'redeemed', warning: false });
    expect(countChecks()).toBe(0);
  });

  test.each([
    [true, false],
    [false, true],
  ])('that the answer itself tells of (%j) is not looked for: warning %j', async (fullReceipt, warning) => {
    const { attempt, platform, countChecks } = open();
    platform.script.redeem = (order) => {
      const redeemed = platform.redeemNow(order);
      return redeemed.status === 'redeemed' ? { ...redeemed, fullReceipt } : redeemed;
    };
    expect(await attempt()).toMatchObject({ status: 'redeemed', warning });
    expect(countChecks()).toBe(0);
  });

  test('adds what the answer did not say, and changes nothing that it did', async () => {
    const { attempt, answers, countChecks } = open();
    answers.push({ status: 'found', productName: '60 UC', amount: 77 });
    const found = await attempt();
    expect(found).toMatchObject({ warning: false, receipt: { productName: '60 UC', amount: 60 } });
    expect(countChecks()).toBe(1);
  });

  test('is looked for three times, with pauses, while time is left', async () => {
    const [never, later, hurried, givenUp] = [open(), open(), open({ leftMs: 1_000 }), open()];
    later.answers.push(NOT_FOUND, { status: 'found' });
    hurried.platform.script.redeem = (order) => {
      hurried.clock.advance(501);
      return hurried.platform.redeemNow(order);
    };
    givenUp.platform.script.findOrder = () => {
      givenUp.end.abort();
      return NOT_FOUND;
    };
    const began = performance.now();
    const outcomes = await Promise.all([never, later, hurried, givenUp].map(({ attempt }) => attempt()));
    expect(outcomes.map((outcome) => outcome.status === 'redeemed' && outcome.warning)).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect([never, later, hurried].map(({ countChecks }) => countChecks())).toEqual([3, 2, 1]);
    expect(performance.now() - began).toBeGreaterThan(990);
  });
});
