// What /metrics tells: every series once, ages by the clock, nothing of what cannot be read, the stock added up once a
// minute.
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { createRememberedLog } from '../../test/harness/scenarios.ts';
import { createScriptedCore, KEY, RECEIPT, type Script } from '../../test/harness/scripted-core.ts';
import { createManualClock } from '../clock.ts';
import type { Measured } from './gauges.ts';
import { HOST_CONDITIONS } from '../core/index.ts';
import { createMetrics } from './metrics.ts';
import { createHttpServer } from './server.ts';

const NOW = 1_700_000_000_000;

function open(health: Script['health'] = {}, measured: Measured = {}, lasting: Script['lasting'] = []) {
  const clock = createManualClock(NOW);
  const metrics = createMetrics(createScriptedCore({ health, lasting }), clock, measured);
  /** The lines of these names. */
  const read = async (...names: string[]) => {
    const lines = (await metrics.render()).split('\n');
    return lines.filter((line) =>
      names.some((name) => line.startsWith(`${name}{`) || line.startsWith(`${name} `)),
    );
  };
  return { clock, metrics, read };
}

test('redemptions by door and outcome, doubts with the age of the oldest, what became of them', async () => {
  const { read } = open({
    listEnded: () => [
      { door: 'http', outcome: 'redeemed', count: 3 },
      { door: 'chat', outcome: 'CODE_USED', count: 1 },
    ],
    listSettled: () => [{ outcome: 'returned', count: 2 }],
    oldestDoubt: () => NOW - 90_000,
  });
  const expected = [
    'redemptions_total{door="http",outcome="redeemed"} 3',
    'redemptions_total{door="chat",outcome="CODE_USED"} 1',
    'doubts_settled_total{outcome="returned"} 2',
    'redemptions_open{state="pending"} 2',
    'redemptions_open{state="in_doubt"} 1',
    'redemption_doubt_oldest_age_seconds 90',
  ];
  const names = [
    'redemptions_total',
    'doubts_settled_total',
    'redemptions_open',
    'redemption_doubt_oldest_age_seconds',
  ];
  expect(await read(...names)).toEqual(expected);
  // A second reading counts nothing twice.
  expect(await read(...names)).toEqual(expected);
});

test('the stock of all, what is still to be used of it, added up once a minute', async () => {
  let asked = 0;
  const { clock, read } = open({
    sumStock() {
      asked += 1;
      return Promise.resolve([
        { gameId: 'game_id_1', denomination: 60, state: 'available', count: 12 },
        { gameId: 'game_id_1', denomination: 60, state: 'redeemed', count: 9_000 },
      ]);
    },
  });
  for (let n = 0; n < 3; n += 1)
    expect(await read('stock_codes')).toEqual([
      'stock_codes{game="game_id_1",denomination="60",state="available"} 12',
    ]);
  expect(asked).toBe(1);
  clock.advance(60_000);
  await read('stock_codes');
  expect(asked).toBe(2);
});

test('what is measured beside the core, each with its age', async () => {
  const { metrics, read } = open(
    {},
    {
      telegram: { telegramStatus: () => 'unreachable', lastAnswerAt: () => NOW - 5_000 },
      queues: () => ({ inbox: { waiting: 3, since: NOW - 4_000 }, result: { waiting: 0, since: undefined } }),
      countWritesWaiting: () => 7,
      freeBytes: () => Promise.resolve({ database: 1_000, backups: 2_000 }),
      lastBackupAt: () => NOW,
    },
  );
  metrics.observeCommit(5, 3);
  expect(
    await read(
      'telegram_reachable',
      'telegram_contested',
      'telegram_last_answer_timestamp_seconds',
      'bot_queue_waiting',
      'bot_queue_oldest_age_seconds',
      'store_writes_waiting',
      'disk_free_bytes',
      'backup_last_timestamp_seconds',
      'store_commit_duration_seconds_sum',
      'store_commit_writes_sum',
    ),
  ).toEqual([
    'telegram_reachable 0',
    'telegram_contested 0',
    'telegram_last_answer_timestamp_seconds 1699999995',
    'bot_queue_waiting{queue="inbox"} 3',
    'bot_queue_waiting{queue="result"} 0',
    'bot_queue_oldest_age_seconds{queue="inbox"} 4',
    'bot_queue_oldest_age_seconds{queue="result"} 0',
    'store_writes_waiting 7',
    'disk_free_bytes{folder="database"} 1000',
    'disk_free_bytes{folder="backups"} 2000',
    'backup_last_timestamp_seconds 1700000000',
    'store_commit_duration_seconds_sum 0.003',
    'store_commit_writes_sum 5',
  ]);
});

test.each([
  [
    'http_request_duration_seconds',
    ['0.005', '0.025', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '30', '60', '+Inf'],
  ],
  [
    'store_commit_duration_seconds',
    ['0.001', '0.0025', '0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '1', '+Inf'],
  ],
  ['store_commit_writes', ['1', '2', '4', '8', '16', '32', '64', '+Inf']],
])('%s is counted up to each of these borders', async (name, borders) => {
  const { metrics, read } = open();
  metrics.observeRequest({ method: 'GET', route: '/quota', status: 200, ms: 7 });
  metrics.observeCommit(1, 1);
  const lines = await read(`${name}_bucket`);
  expect(lines.map((line) => /le="([^"]+)"/.exec(line)?.[1])).toEqual(borders);
});

test('without a bot, backups and a folder nothing is told of them; what cannot be read takes nothing else with it', async () => {
  const { read } = open(
    {
      countOpen() {
        throw new Error('the database is closed');
      },
    },
    { freeBytes: () => Promise.reject(new Error('no such folder')) },
  );
  const names = [
    'telegram_reachable',
    'bot_queue_waiting',
    'backup_last_timestamp_seconds',
    'disk_free_bytes',
    'redemptions_open',
  ];
  expect(await read(...names)).toEqual([]);
  expect(await read('redemption_doubt_oldest_age_seconds')).toEqual([
    'redemption_doubt_oldest_age_seconds 0',
  ]);
});

test('host alerts by their names, and whether the platform answered last', async () => {
  const { read } = open({}, {}, [{ name: 'disk-low', since: NOW, facts: {} }]);
  const lines = await read('host_alert');
  expect(lines.filter((line) => line.endsWith(' 1'))).toEqual(['host_alert{name="disk-low"} 1']);
  expect(lines).toContain('host_alert{name="restored"} 0');
  expect(await read('platform_reachable')).toEqual(['platform_reachable 1']);
  expect(await open({ wasPlatformReachable: () => false }).read('platform_reachable')).toEqual([
    'platform_reachable 0',
  ]);
});

test('what has not happened yet happened at no time', async () => {
  const { read } = open(
    {},
    {
      telegram: { telegramStatus: () => 'unknown', lastAnswerAt: () => undefined },
      lastBackupAt: () => undefined,
    },
  );
  expect(await read('telegram_last_answer_timestamp_seconds', 'backup_last_timestamp_seconds')).toEqual([
    'telegram_last_answer_timestamp_seconds 0',
    'backup_last_timestamp_seconds 0',
  ]);
});

test('a calendar that went back makes nothing older than now', async () => {
  const { read } = open({ oldestDoubt: () => NOW + 60_000 });
  expect(await read('redemption_doubt_oldest_age_seconds')).toEqual([
    'redemption_doubt_oldest_age_seconds 0',
  ]);
});

test('alerts and dashboard ask for nothing that is not told', async () => {
  const { metrics } = open(
    {},
    {
      telegram: { telegramStatus: () => 'reachable', lastAnswerAt: () => NOW },
      queues: () => ({ inbox: { waiting: 0, since: undefined }, result: { waiting: 0, since: undefined } }),
      countWritesWaiting: () => 0,
      freeBytes: () => Promise.resolve({ database: 1 }),
      lastBackupAt: () => NOW,
    },
  );
  const told = new Set([...(await metrics.render()).matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
  const files = ['prometheus/rules.yml', 'grafana-dashboard.json'];
  const asked = files
    .map((file) => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8'))
    .flatMap((text) => [...text.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)\{/g)].map(([, name = '']) => name));
  expect(asked.length).toBeGreaterThan(20);
  expect(
    asked.filter((name) => !told.has(name) && !told.has(name.replace(/_(bucket|count|sum)$/, ''))),
  ).toEqual([]);
});

test('every alert has its line in the questions at night', () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const alerts = [...read('deploy/prometheus/rules.yml').matchAll(/- alert: (\w+)/g)].map(
    ([, name = '']) => name,
  );
  const tested = read('deploy/prometheus/rules.test.yml');
  const told = read('docs/at-night.md');
  expect(alerts.length).toBeGreaterThan(9);
  expect(alerts.filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
  expect(alerts.filter((name) => !tested.includes(`alertname: ${name}\n`))).toEqual([]);
});

test('every host alert has its section there', () => {
  const told = readFileSync(new URL('../../docs/at-night.md', import.meta.url), 'utf8');
  const sections = [...told.matchAll(/^### (\S+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(Object.keys(HOST_CONDITIONS));
});

test('every host alert is in one rule, and no rule asks for others', () => {
  const rules = readFileSync(new URL('../../deploy/prometheus/rules.yml', import.meta.url), 'utf8');
  const asked = [...rules.matchAll(/host_alert\{[^}]*name=~"([^"]+)"/g)].flatMap(([, all = '']) =>
    all.split('|'),
  );
  const names = Object.keys(HOST_CONDITIONS);
  const askedFor = (name: string) => asked.filter((each) => new RegExp(`^(?:${each})$`).test(name));
  expect(names.filter((name) => askedFor(name).length !== 1)).toEqual([]);
  expect(asked.filter((each) => !names.some((name) => askedFor(name).includes(each)))).toEqual([]);
});

test('requests by method, route and status, with how long they took; those over the quota by route', async () => {
  const clock = createManualClock(NOW);
  const log = createRememberedLog();
  const core = createScriptedCore({
    findCharacter() {
      clock.advance(2_000);
      return Promise.resolve({ status: 'quotaExceeded', retryAfterSeconds: 9 });
    },
    receipts: {
      find() {
        clock.set(NOW - 60_000);
        return RECEIPT;
      },
    },
  });
  const { app } = createHttpServer({ core, clock, log, metricsToken: 'metrics-secret' });
  const ask = (path: string, init: RequestInit = {}, key = KEY) =>
    app.request(path, { headers: { authorization: `Bearer ${key}` }, ...init });
  await ask('/character?playerId=5124780131&gameId=game_id_1');
  // The calendar goes back under it: no time is less than none.
  await ask('/history/4711');
  await ask('/nowhere/4711', { method: 'BREW' });
  const text = await (await ask('/metrics', {}, 'metrics-secret')).text();
  for (const line of [
    'http_request_duration_seconds_sum{method="GET",route="/character",status="429"} 2',
    'http_request_duration_seconds_count{method="GET",route="/character",status="429"} 1',
    'http_request_duration_seconds_sum{method="GET",route="/history/{id}",status="200"} 0',
    'http_request_duration_seconds_count{method="OTHER",route="unmatched",status="404"} 1',
    'quota_refusals_total{route="/character"} 1',
  ])
    expect(text.split('\n')).toContain(line);
  // Not in the whole text: the bytes in use are a number, too.
  expect([...text.matchAll(/\{.*\}/g)].join()).not.toContain('4711');
  expect(log.lines.map((line) => (JSON.parse(line) as { ms: number }).ms)).toEqual([2_000, 0, 0]);
});

test('a series that is gone is told no more', async () => {
  const bytes: Record<string, number> = { data: 5, backups: 7 };
  const { read } = open({}, { freeBytes: () => Promise.resolve({ ...bytes }) });
  expect(await read('disk_free_bytes')).toHaveLength(2);
  delete bytes.backups;
  expect(await read('disk_free_bytes')).toEqual(['disk_free_bytes{folder="data"} 5']);
});
