// How the service stands, in words.
import { expect, test } from 'vitest';

import type { SaidWords } from '../../../test/harness/bot-words.ts';
import { askHostMenu, createHostMenus, DAY_MS, NOW } from '../../../test/harness/host-menus.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { ManualClock } from '../../clock.ts';
import { createHealthHandlers } from './health.ts';

const AGAIN = 'host-button-look-again -> go:health';

const TASKS = 'host-tasks-since {"tasks":"host-tasks-result","count":"4","since":"1 Jan 1970, 00:00 UTC"}';

test.each<[ms: number, count: number, lastBackupAt: unknown, isFine: boolean, facts: object]>([
  [59_999, 0, undefined, true, { uptime: 'host-uptime-fresh', backup: 'host-backup-off', doubts: '0' }],
  [
    60_000,
    2,
    () => undefined,
    false,
    {
      uptime: 'host-uptime-minutes {"minutes":"1"}',
      backup: 'host-backup-none',
      doubts: 'host-doubts-since {"count":"2","since":"21 Nov 2026, 12:00 UTC"}',
    },
  ],
  [
    3 * 60 * 60_000 + 5 * 60_000,
    0,
    () => NOW,
    true,
    {
      uptime: 'host-uptime-hours {"hours":"3","minutes":"5"}',
      backup: '22 Nov 2026, 12:00 UTC',
      doubts: '0',
    },
  ],
  [
    2 * DAY_MS + 60 * 60_000,
    0,
    () => NOW,
    true,
    { uptime: 'host-uptime-days {"days":"2","hours":"1"}', backup: '22 Nov 2026, 12:00 UTC', doubts: '0' },
  ],
])('after %i ms, with %i doubts', async (ms, count, lastBackupAt, isFine, facts) => {
  const oldestAt = count === 0 ? undefined : NOW - DAY_MS;
  const { deps } = createHostMenus(
    {
      doubts: { summary: () => ({ count, held: 0, oldestAt }) },
      health: {
        countOpen: () => ({ pending: 6 }),
        platformReachable: () => Promise.resolve(isFine),
        isSandbox: !isFine,
        listUnproven: () => Promise.resolve([]),
      },
    },
    { settings: { lastBackupAt } },
  );
  const connection = { current: () => 'fine', since: () => NOW };
  const handlers = createHealthHandlers(deps, fake(connection));
  (deps.clock as ManualClock).advance(ms);
  const [[how, html, ...rows] = []] = await askHostMenu(handlers, '/health');
  expect([how, html?.split(' ')[0]]).toEqual(['reply', 'host-health']);
  const told = JSON.parse(html?.slice('host-health '.length) ?? '{}') as object;
  expect(told).toMatchObject({
    ...{ telegram: 'host-telegram-fine {"since":"22 Nov 2026, 12:00 UTC"}', pending: '6' },
    ...{ inbox: '2', setAside: '2', tasks: TASKS, ...facts },
    platform: isFine ? 'host-platform-real, host-reachable' : 'host-sandbox, host-unreachable',
  });
  expect(rows).toEqual([[...(count > 0 ? ['host-button-ask-now -> host:ask'] : []), AGAIN]]);
});

test.each<[data: string, answer: object, accountId: unknown, said: SaidWords[]]>([
  ['host:ask', { status: 'justAsked' }, undefined, [['alert', 'host-just-asked']]],
  [
    'host:ask:7',
    { status: 'asked', count: 0 },
    7,
    [
      ['tap', undefined],
      ['reply', 'host-asked-none {"count":0}', [AGAIN]],
    ],
  ],
  [
    'host:ask',
    { status: 'asked', count: 2 },
    undefined,
    [
      ['tap', undefined],
      ['reply', 'host-asked {"count":2}', [AGAIN]],
    ],
  ],
])('%s, where %j', async (data, answer, accountId, said) => {
  const asked: unknown[] = [];
  const askNow = (_host: object, id: unknown) => (asked.push(id), Promise.resolve(answer));
  const handlers = createHealthHandlers(createHostMenus({ doubts: { askNow } }).deps, {} as never);
  expect([await askHostMenu(handlers, data), asked]).toEqual([said, [accountId]]);
});

test.each<[aheadMs: number, words: string]>([
  [3_000, 'host-clock-same'],
  [-3_000, 'host-clock-same'],
  [3_001, 'host-clock-ahead {"amount":"host-seconds {\\"seconds\\":\\"3\\"}"}'],
  [-119_999, 'host-clock-behind {"amount":"host-seconds {\\"seconds\\":\\"120\\"}"}'],
  [-360_000, 'host-clock-behind {"amount":"host-uptime-minutes {\\"minutes\\":\\"6\\"}"}'],
  [
    26 * 60 * 60_000,
    'host-clock-ahead {"amount":"host-uptime-days {\\"days\\":\\"1\\",\\"hours\\":\\"2\\"}"}',
  ],
])('a platform whose clock is %i ms ahead of ours, and what waits for a person', async (aheadMs, words) => {
  const { deps } = createHostMenus({
    doubts: { summary: () => ({ count: 3, held: 2, oldestAt: NOW }) },
    health: {
      countOpen: () => ({ pending: 0 }),
      platformReachable: () => Promise.resolve(true),
      isSandbox: false,
      platformAheadMs: () => aheadMs,
      listUnproven: () => Promise.resolve([]),
    },
  });
  const connection = { current: () => 'fine', since: () => NOW };
  const [[, html] = []] = await askHostMenu(createHealthHandlers(deps, fake(connection)), '/health');
  const told = JSON.parse(html?.slice('host-health '.length) ?? '{}') as { platform: string; doubts: string };
  expect(told.platform).toBe(`host-platform-real, host-reachable, ${words}`);
  expect(told.doubts).toMatch(/^host-doubts-held .*"held":"2"/);
});
