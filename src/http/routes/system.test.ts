// Health, readiness, metrics, and the documents.
import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { createScriptedCore, KEY } from '../../../test/harness/scripted-core.ts';
import { createRememberedLog, runScenarios } from '../../../test/harness/scenarios.ts';
import { createManualClock } from '../../clock.ts';
import { ERROR_CODES } from '../../core/index.ts';
import { createHttpServer } from '../server.ts';
import { WireHealth, Readiness } from '../wire/health.ts';

function createApp() {
  const core = createScriptedCore();
  return createHttpServer({ core, clock: createManualClock(0), log: createRememberedLog() }).app;
}

test.each(['revoked', 'failed', 'contested'] as const)(
  'a bot that is %s is told, and no reason to be unready',
  async (status) => {
    const { app } = createHttpServer({
      core: createScriptedCore(),
      clock: createManualClock(0),
      log: createRememberedLog(),
      telegram: () => status,
    });
    const answer = await app.request('/readyz');
    expect([answer.status, Readiness.parse(await answer.json())]).toEqual([
      200,
      expect.objectContaining({ status: 'ready', telegram: status }),
    ]);
  },
);

describe('health', () => {
  const ready = {
    status: 'ready',
    database: 'open',
    migrations: 'done',
    platform: 'reachable',
    platformKind: 'sandbox',
    ...{ upstreams: 1, usable: 1 },
  };
  const request = 'GET /readyz';
  const schema = Readiness;
  runScenarios([
    {
      name: 'alive',
      request: 'GET /healthz',
      key: null,
      status: 200,
      schema: WireHealth,
      answer: { status: 'ok' },
    },
    { name: 'ready', request, key: null, status: 200, schema, answer: ready },
    {
      name: 'ready without the platform',
      request,
      key: null,
      core: { health: { platformReachable: () => Promise.resolve(false) } },
      status: 200,
      schema,
      answer: { ...ready, platform: 'unreachable' },
    },
    {
      name: 'ready when asking the platform fails',
      request,
      key: null,
      core: { health: { platformReachable: () => Promise.reject(new Error('x')) } },
      status: 200,
      schema,
      answer: { ...ready, platform: 'unreachable' },
    },
    {
      name: 'not ready while stopping',
      request,
      key: null,
      core: { health: { isStopping: () => true } },
      status: 503,
      schema,
      answer: { ...ready, status: 'stopping' },
    },
    {
      name: 'not ready while no write goes through',
      request,
      key: null,
      core: { health: { isWritable: () => false } },
      status: 503,
      schema,
      answer: { ...ready, status: 'unavailable', database: 'unwritable' },
    },
    {
      name: 'tells of another machine, and serves',
      request,
      key: null,
      core: { health: { isContested: () => true } },
      status: 200,
      schema,
      answer: { ...ready, contested: true },
    },
    {
      name: 'tells a real platform',
      request,
      key: null,
      core: { health: { isSandbox: false } },
      status: 200,
      schema,
      answer: { ...ready, platformKind: 'real' },
    },
    {
      name: 'counts the upstreams that are sent orders, and those that might be',
      request,
      key: null,
      core: { health: { upstreamStates: () => ['usable', 'paused', 'notChosen', 'resting'] } },
      status: 200,
      schema,
      answer: { ...ready, upstreams: 3, usable: 1 },
    },
    {
      name: 'not ready without the database',
      request,
      key: null,
      core: {
        health: {
          countOpen: () => {
            throw new Error('the database is closed');
          },
        },
      },
      status: 503,
      schema,
      answer: { ...ready, status: 'unavailable', database: 'unavailable' },
    },
  ]);

  test('says that it stops from the announcement on, and serves everything else still', async () => {
    const server = createHttpServer({
      core: createScriptedCore({ codes: { countAvailable: () => new Map() } }),
      clock: createManualClock(0),
      log: createRememberedLog(),
    });
    server.announceStop();
    const readiness = await server.app.request('/readyz');
    expect([readiness.status, await readiness.json()]).toMatchObject([503, { status: 'stopping' }]);
    const stock = await server.app.request('/db', { headers: { authorization: `Bearer ${KEY}` } });
    expect(stock.status).toBe(200);
  });
});

describe('the metrics', () => {
  const request = 'GET /metrics';
  const options = { metricsToken: 'metrics-secret' };
  const answerHeaders = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
  runScenarios([
    { name: 'are for loopback', request, key: null, address: '127.0.0.1', status: 200, answerHeaders },
    { name: 'are for all of loopback', request, key: null, address: '127.200.30.4', status: 200 },
    { name: 'are for loopback of version 6', request, key: null, address: '::1', status: 200 },
    {
      name: 'are for loopback written the other way',
      request,
      key: null,
      address: '::ffff:127.0.0.1',
      status: 200,
    },
    { name: 'are not for others', request, key: null, address: '10.0.0.1', status: 403 },
    { name: 'are not for a peer that nobody knows', request, key: null, status: 403 },
    { name: 'are not for an API key', request, address: '10.0.0.1', status: 403 },
    ...['::ffff:10.0.0.1', '127.0.0.1.example', '10.127.0.0.1', '1270.0.0.1', '::11', 'localhost'].map(
      (address) => ({ name: `are not for ${address}`, request, key: null, address, status: 403 }),
    ),
    ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'].map(
      (name) => ({
        name: `are not for those behind a proxy (${name})`,
        request,
        key: null,
        headers: { [name]: '127.0.0.1' },
        address: '127.0.0.1',
        status: 403,
      }),
    ),
    {
      name: 'are for the token',
      request,
      key: 'metrics-secret',
      options,
      address: '10.0.0.1',
      status: 200,
      answerHeaders,
    },
    {
      name: 'are for a token of any visible characters',
      request,
      key: 'p@ss:w%rd!#"{}',
      options: { metricsToken: 'p@ss:w%rd!#"{}' },
      address: '10.0.0.1',
      status: 200,
    },
    {
      name: 'are not for another token',
      request,
      key: 'metrics-secre',
      options,
      address: '127.0.0.1',
      status: 401,
      mustNotContain: ['metrics-secre'],
    },
    {
      name: 'are not for loopback when there is a token',
      request,
      key: null,
      options,
      address: '127.0.0.1',
      status: 401,
    },
  ]);
});

test('no label holds a path or a query', async () => {
  const app = createApp();
  const bindings = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
  await app.request('/history/4711?code=CANARY', {}, bindings);
  await app.request('/CANARY', { method: 'BREW' }, bindings);
  const text = await (await app.request('/metrics', {}, bindings)).text();
  expect(text).toContain('{method="GET",route="/history/{id}",status="401"}');
  expect(text).toContain('{method="OTHER",route="unmatched",status="404"}');
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).not.toContain('CANARY');
  // Not in the whole text: the bytes in use are a number, too.
  expect([...text.matchAll(/\{.*\}/g)].join()).not.toContain('4711');
});

describe('openapi.json', () => {
  interface Operation {
    operationId?: string;
    security?: object[];
    responses: Record<string, { content?: Record<string, { schema: object }> }>;
    requestBody?: object;
  }
  const load = async () =>
    (await (await createApp().request('/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, Operation>>;
      components: { schemas: Record<string, { properties: Record<string, object>; required: string[] }> };
    };

  test('tells every endpoint', async () => {
    const { openapi, paths } = await load();
    expect(openapi).toBe('3.1.0');
    const told = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(told.sort()).toEqual([
      'delete /webhooks/{id}',
      'get /character',
      'get /db',
      'get /db/extractions',
      'get /db/extractions/{id}',
      'get /healthz',
      'get /history',
      'get /history/{id}',
      'get /metrics',
      'get /openapi.json',
      'get /orders',
      'get /orders/{id}',
      'get /quota',
      'get /readyz',
      'get /redemption-time',
      'get /stats',
      'get /webhooks',
      'get /webhooks/{id}/deliveries',
      'post /db',
      'post /db/extract',
      'post /orders',
      'post /orders/{id}/cancel',
      'post /orders/{id}/resume',
      'post /redeem',
      'post /redemption-time',
      'post /webhooks',
      'post /webhooks/{id}/deliveries/{delivery}/retry',
      'post /webhooks/{id}/enable',
      'post /webhooks/{id}/test',
    ]);
    expect(paths['/redeem']?.['post']?.security).toEqual([{ apiKey: [] }]);
    expect(Object.keys(paths['/redeem']?.['post']?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '413', '415', '422', '429', '500', '503']),
    );
    expect(paths['/healthz']?.['get']?.security).toEqual([]);
  });

  test('tells of the 429 of every endpoint behind a key, with `limit` where it is the quota alone', async () => {
    const { components, paths } = await load();
    const isCharged = (path: string) => ['/redeem', '/character', '/redemption-time'].includes(path);
    for (const [path, methods] of Object.entries(paths)) {
      for (const { operationId, security, responses } of Object.values(methods)) {
        const told = JSON.stringify(responses['429']);
        expect(told?.includes('TooManyRequests') ?? false).toBe(
          security?.length === 1 || path === '/metrics',
        );
        // All of an order has to fit into the quota.
        const isLimited = isCharged(path) || operationId === 'placeOrder';
        expect(told?.includes('QuotaExceeded') ?? false).toBe(isLimited);
      }
    }
    expect(Object.keys(components.schemas['TooManyRequests']?.properties ?? {})).toEqual(['error']);
    expect(components.schemas['QuotaExceeded']?.required).toEqual(['error', 'limit']);
  });

  test('is made of the schemas that validate', async () => {
    const { components, paths } = await load();
    expect(components.schemas['ActivationReceipt']?.required).toEqual([
      'type',
      'id',
      'createdAt',
      'warning',
      'took',
      'gameId',
      'playerId',
      'code',
      'openid',
      'name',
      'settledAt',
    ]);
    expect(components.schemas['ActivationError']?.properties['errorCode']).toMatchObject({
      enum: expect.arrayContaining(['NO_CODES_AVAILABLE', 'UNKNOWN']) as string[],
    });
    expect(components.schemas['RedeemRequest']?.required).toEqual(['playerId', 'gameId']);
    expect(components.schemas['RedeemRequest']?.properties['gameId']).toMatchObject({
      enum: ['game_id_1', 'game_id_2', 'game_id_3'],
    });
    expect(JSON.stringify(paths['/db'])).toContain('game_id_1');
  });
});

describe('the page of the documents', () => {
  test('loads nothing from another host and runs no script inside itself', async () => {
    const app = createApp();
    const home = await app.request('/');
    expect([home.status, await home.text()]).toMatchObject([200, expect.stringContaining('href="docs"')]);
    const page = await app.request('/docs');
    expect(page.status).toBe(200);
    const html = await page.text();
    for (const errorCode of ERROR_CODES) expect(html).toContain(errorCode);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(html).not.toMatch(/src="(https?:|\/\/)|<script>|<style|<link[^>]*http| on\w+=| style=/);
    const moved = await app.request('/docs/guide');
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '../docs']);

    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links.filter((link) => link.startsWith('docs/'))).toHaveLength(5);
    for (const anchor of links.filter((link) => link.startsWith('#')))
      expect(html).toContain(`id="${anchor.slice(1)}"`);
    const ids = [...html.matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id ?? '');
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
    for (const link of links.filter((each) => !/^(#|https:)/.test(each))) {
      const response = await app.request(`/${link}`);
      expect(`${link} ${response.status}`).toBe(`${link} 200`);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
    }
    expect(await (await app.request('/docs/start.js')).text()).toContain('validatorUrl: null');
  });

  test('serves the files of the package as they are', async () => {
    const served = await (await createApp().request('/docs/swagger-ui.css')).text();
    expect(served).toBe(readFileSync('node_modules/swagger-ui-dist/swagger-ui.css', 'utf8'));
  });

  runScenarios(
    [
      'package.json',
      '..%2fpackage.json',
      '%2e%2e%2fpackage.json',
      'index.js',
      'constructor',
      '__proto__',
      'swagger-ui-bundle.js.map',
    ].map((name) => ({
      name: 'no other file',
      request: `GET /docs/${name}`,
      key: null,
      status: 404,
      mustNotContain: ['dependencies', KEY],
    })),
  );
});
