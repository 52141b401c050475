// What /metrics tells: every series once, ages by the clock, nothing of what cannot be read, the stock added up once a
// minute.
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { makeCode } from '../../test/harness/core.ts';
import { openAccount, openTestHttp, type ServedHttp, type TestHttp } from '../../test/harness/http.ts';
import { HOST_CONDITIONS } from '../core/index.ts';
import { alone } from '../platforms.ts';
import type { Measured } from './metrics.ts';
import { createMetrics } from './metrics.ts';

let http: TestHttp;
let now: number;
beforeAll(async () => {
  http = await openTestHttp();
  now = http.clock.now();
});
afterAll(() => http.close());

const ofNames = (text: string, names: string[]) =>
  text
    .split('\n')
    .filter((line) => names.some((name) => line.startsWith(`${name}{`) || line.startsWith(`${name} `)));
/** Of a service that has this beside its core. */
function open(measured: Measured = {}, { core } = http) {
  const metrics = createMetrics(core, http.clock, measured);
  return { metrics, read: async (...names: string[]) => ofNames(await metrics.render(), names) };
}
const redeem = ({ ask }: ServedHttp = http, codeOverride = makeCode()) =>
  ask('POST /redeem', { body: { playerId: '5124780131', gameId: 'game_id_2', codeOverride } });

test('redemptions by door and outcome, doubts with the age of the oldest, what became of them', async () => {
  const { core } = http;
  const { read } = open();
  const names = ['redemptions_total', 'doubts_settled_total', 'redemptions_open'];
  names.push('redemption_doubt_oldest_age_seconds');
  const redeemed = 'redemptions_total{door="http",outcome="redeemed"}';
  const before = (await read(names[0]!)).find((line) => line.startsWith(redeemed)) ?? ' 0';
  for (let n = 0; n < 3; n += 1) await redeem();
  const { script } = http.platform;
  script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'silence' });
  await redeem();
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  script.redeem = async (order) => {
    begun.resolve();
    await held.promise;
    return http.platform.redeemNow(order);
  };
  const pending = redeem();
  await begun.promise;
  http.clock.advance(90_000);
  const expected = [
    `${redeemed} ${3 + Number(before.split(' ').at(-1))}`,
    'redemptions_total{door="http",outcome="UNKNOWN"} 1',
    'redemptions_open{state="pending"} 1',
    'redemptions_open{state="in_doubt"} 1',
    'redemption_doubt_oldest_age_seconds 90',
  ];
  expect(await read(...names)).toEqual(expected);
  // A second reading counts nothing twice.
  expect(await read(...names)).toEqual(expected);
  // A calendar that went back makes nothing older than now.
  http.clock.set(now - 60_000);
  expect(await read('redemption_doubt_oldest_age_seconds')).toEqual([
    'redemption_doubt_oldest_age_seconds 0',
  ]);
  http.clock.set(now + 90_000);
  held.resolve();
  delete script.redeem;
  await pending;
  for (let looks = 0; looks < 3; looks += 1) {
    http.clock.advance(3_600_000);
    await core.settleDoubts();
  }
  expect(await read('doubts_settled_total', 'redemptions_open')).toEqual([
    'doubts_settled_total{outcome="returned"} 1',
    'redemptions_open{state="pending"} 0',
    'redemptions_open{state="in_doubt"} 0',
  ]);
});

test('the stock of all, what is still to be used of it, added up once a minute', async () => {
  const { actor } = await openAccount(http.core);
  const { read } = open();
  const add = () =>
    http.core.codes.add(actor, 'game_id_1', [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
  await add();
  const order = { gameId: 'game_id_1', playerId: '5124780131', denomination: 60 };
  await http.core.redeem(actor, order);
  const series = (state: string) => `stock_codes{game="game_id_1",denomination="60",state="${state}"}`;
  const told = (count: number) => [`${series('available')} ${count}`, `${series('reserved')} 0`];
  expect(await read('stock_codes')).toEqual(told(1));
  await add();
  http.clock.advance(59_999);
  expect(await read('stock_codes')).toEqual(told(1));
  http.clock.advance(1);
  expect(await read('stock_codes')).toEqual(told(3));
});

test('what is measured beside the core, each with its age', async () => {
  const at = http.clock.now();
  const bytes: Record<string, number> = { database: 1_000, backups: 2_000 };
  const { metrics, read } = open({
    telegram: { telegramStatus: () => 'unreachable', lastAnswerAt: () => at - 5_000 },
    queues: () => ({ inbox: { waiting: 3, since: at - 4_000 }, result: { waiting: 0, since: undefined } }),
    countWritesWaiting: () => 7,
    freeBytes: () => Promise.resolve({ ...bytes }),
    lastBackupAt: () => at,
  });
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
    `telegram_last_answer_timestamp_seconds ${at / 1_000 - 5}`,
    'bot_queue_waiting{queue="inbox"} 3',
    'bot_queue_waiting{queue="result"} 0',
    'bot_queue_oldest_age_seconds{queue="inbox"} 4',
    'bot_queue_oldest_age_seconds{queue="result"} 0',
    'store_writes_waiting 7',
    'disk_free_bytes{folder="database"} 1000',
    'disk_free_bytes{folder="backups"} 2000',
    `backup_last_timestamp_seconds ${at / 1_000}`,
    'store_commit_duration_seconds_sum 0.003',
    'store_commit_writes_sum 5',
  ]);
  // A series that is gone is told no more.
  delete bytes['backups'];
  expect(await read('disk_free_bytes')).toEqual(['disk_free_bytes{folder="database"} 1000']);
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
  const gone = await openTestHttp();
  const { read } = open({ freeBytes: () => Promise.reject(new Error('no such folder')) }, gone);
  await gone.close();
  const names = [
    'telegram_reachable',
    'bot_queue_waiting',
    'backup_last_timestamp_seconds',
    'disk_free_bytes',
  ];
  // The database is closed.
  expect(await read(...names, 'redemptions_open')).toEqual([]);
  expect(await read('platform_reachable')).toEqual(['platform_reachable 1']);
});

test('host alerts by their names, and whether the platform answered last', async () => {
  const since = http.clock.now();
  await http.store.write(({ hostAlerts }) =>
    hostAlerts.save({ alerts: [{ key: 'disk-low', name: 'disk-low', since, facts: {} }] }),
  );
  const isReachable = () => Promise.resolve(false);
  const core = http.restart({ upstreams: alone({ ...http.platform, isReachable }) });
  const { read } = open({}, { ...http, core });
  const lines = await read('host_alert');
  expect(lines.filter((line) => line.endsWith(' 1'))).toEqual(['host_alert{name="disk-low"} 1']);
  expect(lines).toContain('host_alert{name="restored"} 0');
  expect(await read('platform_reachable')).toEqual(['platform_reachable 1']);
  await core.health.platformReachable();
  expect(await read('platform_reachable')).toEqual(['platform_reachable 0']);
});

test('what has not happened yet happened at no time', async () => {
  const { read } = open({
    telegram: { telegramStatus: () => 'unknown', lastAnswerAt: () => undefined },
    lastBackupAt: () => undefined,
  });
  expect(await read('telegram_last_answer_timestamp_seconds', 'backup_last_timestamp_seconds')).toEqual([
    'telegram_last_answer_timestamp_seconds 0',
    'backup_last_timestamp_seconds 0',
  ]);
});

test('alerts and dashboard ask for nothing that is not told', async () => {
  const { metrics } = open({
    telegram: { telegramStatus: () => 'reachable', lastAnswerAt: () => now },
    queues: () => ({ inbox: { waiting: 0, since: undefined }, result: { waiting: 0, since: undefined } }),
    countWritesWaiting: () => 0,
    freeBytes: () => Promise.resolve({ database: 1 }),
    lastBackupAt: () => now,
  });
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

test('every host alert has its line there', () => {
  const told = readFileSync(new URL('../../docs/at-night.md', import.meta.url), 'utf8');
  const lines = [...told.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
  expect(lines).toEqual(Object.keys(HOST_CONDITIONS));
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
  const { ask, log } = http.serve({ metricsToken: 'metrics-secret' });
  const { key, actor } = await openAccount(http.core);
  const character = () => ask('GET /character?playerId=5124780131&gameId=game_id_1', { key });
  const { script } = http.platform;
  // The calendar goes back under the second: no time is less than none.
  for (const ms of [2_000, -60_000]) {
    script.findCharacter = () => {
      http.clock.set(http.clock.now() + ms);
      return { status: 'notFound' };
    };
    await character();
  }
  delete script.findCharacter;
  vi.spyOn(http.core, 'findCharacter').mockResolvedValue({ status: 'quotaExceeded', retryAfterSeconds: 9 });
  await character();
  vi.restoreAllMocks();
  await ask('GET /history/4711?code=CANARY', { key });
  await ask('BREW /nowhere/4711?code=CANARY', { key: null });
  const { text } = await ask('GET /metrics', { key: 'metrics-secret' });
  for (const line of [
    'http_request_duration_seconds_sum{method="GET",route="/character",status="404"} 2',
    'http_request_duration_seconds_count{method="GET",route="/character",status="404"} 2',
    'http_request_duration_seconds_count{method="GET",route="/history/{id}",status="404"} 1',
    'http_request_duration_seconds_count{method="OTHER",route="unmatched",status="404"} 1',
    'quota_refusals_total{route="/character"} 1',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  // Not in the whole text: the bytes in use are a number, too.
  expect([...text.matchAll(/\{.*\}/g)].join()).not.toMatch(/4711|CANARY/);
  const told = log.lines.map((line) => JSON.parse(line) as { ms: number; accountId?: number });
  expect(told.map(({ ms }) => ms)).toEqual([2_000, 0, 0, 0, 0]);
  expect(told[0]?.accountId).toBe(actor.accountId);
});
