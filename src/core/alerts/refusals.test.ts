// What upstreams refuse us, over the whole core: told once however many meet it, once when orders are taken again, over
// restarts too.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { listNotices } from '../../../test/harness/notices.ts';
import { createCoreClock } from '../../clock.ts';
import type { Platform, RedeemOutcome } from '../../platform/port.ts';
import { createHostAlerts } from './host-alerts.ts';
import { alone } from '../../platforms.ts';
import { createRefusals } from './refusals.ts';

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ORDER = { reference: '1', gameId: 'game_id_2', code: 'C', playerId: '12345' };
const CALL = { signal: AbortSignal.timeout(60_000) };

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

/** A process that watches these upstreams, and what answers `next` when it is asked. */
function begin(...upstreams: string[]) {
  const clock = createCoreClock(t.clock);
  const refusals = createRefusals(clock);
  let next: RedeemOutcome;
  const redeem = () => Promise.resolve(next);
  const watched = new Map(
    upstreams.map((name) => [name, refusals.watch(alone({ ...t.platform, redeem }, name)[0])]),
  );
  const alerts = createHostAlerts({
    ...{ store: t.store, clock, log: QUIET, refusals },
    upstreams: { list: () => [], listUnserved: () => [] },
    health: { platformReachable: () => Promise.resolve(true) },
    countRecovered: () => 0,
  });
  return {
    async answer(upstream: string, outcome: RedeemOutcome) {
      t.clock.advance(SECOND_MS);
      next = outcome;
      await watched.get(upstream)?.platform.redeem(ORDER, CALL);
      await alerts.check();
    },
    async pass(ms: number) {
      t.clock.advance(ms);
      await alerts.check();
    },
  };
}

const refuse = (trouble: number): RedeemOutcome => ({
  ...{ status: 'refused', errorCode: 'NETWORK_ERROR', message: '', asked: false },
  ...{ hostNotice: `No (${trouble}).`, hostTrouble: trouble },
});
const TAKEN: RedeemOutcome = { status: 'refused', errorCode: 'INVALID_CODE', message: '', asked: true };
const UNHEARD: RedeemOutcome[] = [
  { status: 'refused', errorCode: 'NETWORK_ERROR', message: '', asked: false },
  { status: 'unknown', errorCode: 'UNKNOWN', message: '' },
];

const told = () =>
  listNotices(t.store)
    .filter(({ kind }) => kind === 'hostAlert')
    .map(({ payload }) => {
      const { alert, endedAt } = payload as { alert: { of: string }; endedAt: number | null };
      return `${alert.of}${endedAt === null ? '' : ' is over'}`;
    });

test('a hundred orders that meet the same trouble tell it once, however long it lasts', async () => {
  const process = begin('main');
  for (let times = 0; times < 100; times += 1) await process.answer('main', refuse(401));
  await process.pass(3 * HOUR_MS);
  await process.answer('main', refuse(401));
  expect(told()).toEqual(['main: 401']);
});

test('it is over when an order was taken, and none refused for a quarter of an hour', async () => {
  const process = begin('main');
  for (const each of [refuse(429), TAKEN, refuse(429), TAKEN]) await process.answer('main', each);
  await process.pass(14 * MINUTE_MS);
  expect(told()).toEqual(['main: 429']);
  await process.pass(MINUTE_MS);
  expect(told()).toEqual(['main: 429', 'main: 429 is over']);
  await process.pass(HOUR_MS);
  expect(told()).toHaveLength(2);
});

test.each(UNHEARD)('an answer that says nothing ends none: %j', async (unheard) => {
  const process = begin('main');
  await process.answer('main', refuse(401));
  await process.pass(HOUR_MS);
  await process.answer('main', unheard);
  expect(told()).toEqual(['main: 401']);
});

test('each upstream, and each trouble of it, is told for itself', async () => {
  const process = begin('east', 'west');
  await process.answer('east', refuse(401));
  await process.answer('west', refuse(401));
  await process.answer('west', refuse(429));
  await process.pass(MINUTE_MS * 15);
  await process.answer('west', TAKEN);
  expect(told()).toEqual([
    ...['east: 401', 'west: 401', 'west: 429'],
    ...['west: 401 is over', 'west: 429 is over'],
  ]);
});

test('a restart repeats nothing, and forgets nothing; of an upstream that is not served any more it is over', async () => {
  const first = begin('east', 'west');
  await first.answer('east', refuse(401));
  await first.answer('west', refuse(403));
  const second = begin('east');
  await second.pass(HOUR_MS);
  expect(told()).toEqual(['east: 401', 'west: 403', 'west: 403 is over']);
  await second.answer('east', TAKEN);
  expect(told().slice(3)).toEqual(['east: 401 is over']);
});

test.each<[string, (platform: Platform) => Promise<unknown>]>([
  ['an order', (platform) => platform.redeem(ORDER, CALL)],
  ['a code', (platform) => platform.findCode(ORDER, CALL)],
  ['a player', (platform) => platform.findCharacter(ORDER, CALL)],
])('what it says when it is asked of %s is heard', async (_of, ask) => {
  const refusals = createRefusals(t.clock);
  const refused = { status: 'unreachable', message: '', hostNotice: 'Renew it.' } as const;
  Object.assign(t.platform.script, {
    redeem: () => ({ ...refuse(403), hostNotice: 'Renew it.', hostTrouble: undefined }),
    findCode: () => refused,
    findCharacter: () => refused,
  });
  await ask(refusals.watch(alone(t.platform)[0]).platform);
  expect(refusals.list([])).toEqual({
    'sandbox-1: Renew it.': { upstream: 'sandbox-1', sentence: 'Renew it.' },
  });
});

test('the core hears what its platform answers to redemptions', async () => {
  t.platform.script.redeem = () => refuse(401);
  await t.core.redeem(t.actor, { gameId: 'game_id_2', playerId: '12345', code: makeCode() });
  await t.core.start();
  await t.until(() => told().length > 0);
  expect(told()).toEqual(['sandbox-1: 401']);
  await t.core.stop(0);
});

test('what no rule of a profile knows is told once, and over when it has come no more for a quarter of an hour', async () => {
  const { answer, pass } = begin('west');
  const unread: RedeemOutcome = {
    status: 'unknown',
    errorCode: 'UNKNOWN',
    message: '',
    answer: { isUnread: true },
  };
  await answer('west', unread);
  await answer('west', unread);
  await answer('west', TAKEN);
  await pass(14 * MINUTE_MS);
  const told = () =>
    listNotices(t.store).map(({ payload }) => {
      const { alert, endedAt } = payload as { alert: { name: string; of: string }; endedAt: number | null };
      return [alert.name, alert.of, endedAt !== null];
    });
  expect(told()).toEqual([['upstream-unread', 'west', false]]);
  await pass(2 * MINUTE_MS);
  expect(told()).toEqual([
    ['upstream-unread', 'west', false],
    ['upstream-unread', 'west', true],
  ]);
});
