// Asking the platform about one code: whatever it does, there is an answer in time, and none is believed before it is
// final.
import { expect, test } from 'vitest';

import { createScriptedPlatform } from '../../../test/harness/platform.ts';
import { createManualClock } from '../../clock.ts';
import type { CodeOutcome } from '../../platform/port.ts';
import type { Store } from '../../store/index.ts';
import { createCheckUnspent } from './check-unspent.ts';

const NOW = Date.UTC(2026, 0, 13);
const ASKED = { gameId: 'game_id_1', code: '60S0000000000001' };
const LATE = {
  status: 'unreachable',
  message: 'The platform did not tell in time whether the code is unspent.',
};
const NOT_ASKED = { status: 'notAsked' };

/** `sinceLossMs`: how long ago the restore lost a past, as the calendar has it; undefined where none did. */
function open({ sinceLossMs, settlingMs = 75_000 }: { sinceLossMs?: number; settlingMs?: number } = {}) {
  const clock = createManualClock(NOW);
  const platform = { ...createScriptedPlatform(() => NOW), settlingMs };
  const asked: string[] = [];
  platform.script.findCode = (code) => {
    asked.push(code);
    return { status: 'notRedeemed' };
  };
  const store = { lost: sinceLossMs === undefined ? undefined : { until: NOW - sinceLossMs } } as Store;
  const { signal } = new AbortController();
  const checkUnspent = createCheckUnspent({
    store,
    upstreams: { settlingMs },
    witnesses: { canTell: () => true, findCode: (query, signal) => platform.findCode(query, { signal }) },
    clock,
  });
  return { clock, platform, asked, ask: (withinMs: number) => checkUnspent(ASKED, withinMs, signal) };
}

test.each<[what: string, findCode: () => CodeOutcome | Promise<CodeOutcome>, told: object]>([
  ['told', () => ({ status: 'notRedeemed' }), { status: 'notRedeemed' }],
  ['not told in time', () => new Promise(() => undefined), LATE],
  ['not told for an error', () => Promise.reject(new Error('down')), LATE],
])('%s', async (_what, findCode, told) => {
  const { platform, ask } = open();
  platform.script.findCode = findCode;
  expect(await ask(20)).toEqual(told);
});

test.each([0, -1, -20_000])('with no time left (%i ms) nobody is asked', async (leftMs) => {
  const { asked, ask } = open();
  expect(await ask(leftMs)).toEqual(NOT_ASKED);
  expect(asked).toEqual([]);
});

test('a past that is lost may still spend what it sent: until that is over nobody is asked', async () => {
  const { clock, asked, ask } = open({ sinceLossMs: 15_000 });
  expect(await ask(30_000)).toEqual(NOT_ASKED);
  clock.advance(29_999);
  expect(await ask(30_000)).toEqual(NOT_ASKED);
  expect(asked).toEqual([]);
  clock.advance(30_001);
  expect(await ask(30_000)).toEqual({ status: 'notRedeemed' });
  expect(asked).toEqual([ASKED.code]);
});

test('a code of which nobody tells rests longer each time, and is given up at the tenth', async () => {
  const { clock, platform, asked, ask } = open();
  const told: CodeOutcome = { status: 'underWay' };
  platform.script.findCode = (code) => {
    asked.push(code);
    return told;
  };
  let minutes = 0;
  for (; asked.length < 10; minutes += 1) {
    const before = asked.length;
    const outcome = await ask(30_000);
    expect(outcome).toEqual(
      asked.length === before ? LATE : { ...told, ...(asked.length === 10 && { isGivenUp: true }) },
    );
    clock.advance(60_000);
  }
  expect(minutes).toBeGreaterThan(4 * 60);
  // Whoever tries it again has it asked about again.
  expect(await ask(30_000)).toEqual(told);
});

test('whoever has the time waits for it', async () => {
  const { platform, ask } = open({ sinceLossMs: 0, settlingMs: 30 });
  const began = performance.now();
  platform.script.findCode = () => ({
    status: performance.now() - began < 25 ? 'underWay' : 'notRedeemed',
  });
  expect(await ask(30_000)).toEqual({ status: 'notRedeemed' });
});

test.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])('a calendar that was %s at the restore holds up nothing for longer than the period', async (_how, ms) => {
  const { clock, ask } = open({ sinceLossMs: -ms });
  clock.advance(75_000);
  expect(await ask(20)).toEqual({ status: 'notRedeemed' });
});
