// Health, readiness, and the documents. Who may read the metrics: ../auth.test.ts; what they tell: ../metrics.test.ts.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { openTestHttp, type TestHttp } from '../../../test/harness/http.ts';
import { HOST } from '../../cli/verbs.ts';
import { ERROR_CODES } from '../../core/index.ts';
import type { Platform } from '../../platform/port.ts';
import { alone } from '../../platforms.ts';

let http: TestHttp;
beforeAll(async () => {
  http = await openTestHttp();
});
afterAll(() => http.close());

describe('readiness', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    http.core.noteContest(false);
    // It is remembered for a second.
    http.clock.advance(1_000);
  });

  const READY = {
    ...{ status: 'ready', database: 'open', migrations: 'done' },
    ...{ platform: 'reachable', platformKind: 'sandbox', upstreams: 1, usable: 1 },
  };
  /** Over the same platform, but for what is given. */
  const serveOver = (parts: Partial<Platform>) =>
    http.serve({ core: http.restart({ upstreams: alone({ ...http.platform, ...parts }) }) });
  const ask = async ({ ask } = http.serve()) => {
    const { status, json } = await ask('GET /readyz', { key: null });
    return [status, json] as const;
  };

  test('is told, to anybody', async () => expect(await ask()).toEqual([200, READY]));

  test.each(['revoked', 'failed', 'contested'] as const)(
    'a bot that is %s is told, and no reason to be unready',
    async (telegram) =>
      expect(await ask(http.serve({ telegram: () => telegram }))).toEqual([200, { ...READY, telegram }]),
  );

  test.each<[string, () => Promise<boolean>]>([
    ['is silent', () => Promise.resolve(false)],
    ['cannot be asked', () => Promise.reject(new Error('x'))],
  ])('a platform that %s is told, and no reason to be unready', async (_, isReachable) => {
    expect(await ask(serveOver({ isReachable }))).toEqual([200, { ...READY, platform: 'unreachable' }]);
  });

  test('asks the platform once a second, whoever asks', async () => {
    const isReachable = vi.fn(() => Promise.resolve(true));
    const served = serveOver({ isReachable });
    for (const ms of [0, 999, 1, -1]) {
      http.clock.set(http.clock.now() + ms);
      await ask(served);
    }
    expect(isReachable).toHaveBeenCalledTimes(3);
  });

  test('tells of another machine, and serves', async () => {
    http.core.noteContest(true);
    expect(await ask()).toEqual([200, { ...READY, contested: true }]);
  });

  test('tells a real platform', async () => {
    expect(await ask(serveOver({ name: 'upstream' }))).toEqual([200, { ...READY, platformKind: 'real' }]);
  });

  test('counts the upstreams that are sent orders, and those that might be', async () => {
    const [upstream] = alone(http.platform);
    if (!upstream) throw new Error('There is none.');
    const upstreams = ['a', 'b', 'c'].map((name) => ({ ...upstream, name }));
    const core = http.restart({ upstreams: [...upstreams, { ...upstream, name: 'd', tier: 0 }] });
    await core.upstreams.pause(HOST, 'b', 'it lied');
    expect(await ask(http.serve({ core }))).toEqual([200, { ...READY, upstreams: 3, usable: 2 }]);
    await core.upstreams.resume(HOST, 'b');
  });

  test('is not there while no write goes through, or where the database lies elsewhere', async () => {
    const no = (database: string) => [503, { ...READY, status: 'unavailable', database }];
    const writable = vi.spyOn(http.store, 'isWritable').mockReturnValue(false);
    expect(await ask()).toEqual(no('unwritable'));
    vi.spyOn(http.store, 'isInPlace').mockReturnValue(false);
    expect(await ask()).toEqual(no('moved'));
    writable.mockRestore();
    expect(await ask()).toEqual(no('moved'));
  });

  test('ends with the announcement of the end, while everything else is served still', async () => {
    const served = http.serve();
    served.server.announceStop();
    expect(await ask(served)).toEqual([503, { ...READY, status: 'stopping' }]);
    expect((await served.ask('GET /db')).status).toBe(200);
  });

  test('is not there of a core that stops, nor of one whose database is closed', async () => {
    const gone = await openTestHttp();
    await gone.core.stop(0);
    expect(await ask(gone)).toEqual([503, { ...READY, status: 'stopping' }]);
    await gone.store.close();
    expect(await ask(gone)).toMatchObject([503, { database: 'unavailable' }]);
    expect((await gone.ask('GET /healthz')).json).toEqual({ status: 'ok' });
    await gone.close();
  });
});

describe('the pages of the documents', () => {
  const get = (path: string) => Promise.resolve(http.server.app.request(path));

  test('loads nothing from another host and runs no script inside itself', async () => {
    const home = await get('/');
    expect([home.status, await home.text()]).toMatchObject([200, expect.stringContaining('href="docs"')]);
    const page = await get('/docs');
    expect(page.status).toBe(200);
    const html = await page.text();
    for (const errorCode of ERROR_CODES) expect(html).toContain(errorCode);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    for (const each of [html, await (await get('/docs/reference')).text()])
      expect(each).not.toMatch(/src="(https?:|\/\/)|<script>|<style|<link[^>]*http| on\w+=| style=/);
    const moved = await get('/docs/docs');
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '../docs']);

    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links.filter((link) => link.startsWith('docs/'))).toHaveLength(4);
    for (const anchor of links.filter((link) => link.startsWith('#')))
      expect(html).toContain(`id="${anchor.slice(1)}"`);
    const ids = [...html.matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id ?? '');
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
    for (const link of links.filter((each) => !/^(#|https:)/.test(each))) {
      const response = await get(`/${link}`);
      expect(`${link} ${response.status}`).toBe(`${link} 200`);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
    }
    expect(await (await get('/docs/reference.js')).text()).toContain('validatorUrl: null');
  });

  test('serves the files of the package as they are', async () => {
    const served = await (await get('/docs/swagger-ui.css')).text();
    expect(served).toBe(readFileSync('node_modules/swagger-ui-dist/swagger-ui.css', 'utf8'));
  });

  test.each([
    ...['package.json', '..%2fpackage.json', '%2e%2e%2fpackage.json', 'index.js', 'constructor', '__proto__'],
    'swagger-ui-bundle.js.map',
  ])('serves no other file: %s', async (name) => {
    const { status, text } = await http.ask(`GET /docs/${name}`, { key: null });
    expect([status, text]).toEqual([404, expect.not.stringContaining('dependencies')]);
  });
});
