// The matrix: every route of the console × who asks × which session they have. A route without a row fails.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../test/harness/accounts.ts';
import { openTestConsole, postOf, TEST_HOST, type TestConsole } from '../../test/harness/console.ts';
import { openTestCore, type TestCore } from '../../test/harness/core.ts';
import { ROLES, type Role } from '../core/index.ts';
import { SCREENS } from './screens/index.ts';

/** Who gets in, of the four roles and a host who is in no account: what the bot lets them. */
const ALL = 'owner admin operator support host';
const rows = (who: string, ...names: string[]) => Object.fromEntries(names.map((name) => [name, who]));
const ROWS: Record<string, string> = {
  'GET /': ALL,
  'GET /me': ALL,
  'POST /me/end': ALL,
  'GET /receipts': 'owner admin operator support',
  'GET /receipts.csv': 'owner admin',
  'POST /receipts.csv': 'owner',
  'GET /receipts/:id': 'owner admin operator support',
  'POST /receipts/:id/show': 'owner admin operator support',
  'GET /stock': 'owner admin operator support',
  'POST /stock/go-on': 'owner admin',
  ...rows('owner admin', 'GET /stock/in-question', 'POST /stock/in-question', 'POST /stock/put-back'),
  ...rows(
    'owner admin operator',
    ...['GET /stock/add', 'POST /stock/add', 'GET /stock/add/:id', 'POST /stock/add/:id/answer'],
    ...['POST /stock/add/:id/supplier', 'POST /stock/add/:id/commit', 'POST /stock/add/:id/cancel'],
  ),
  ...rows(
    'owner admin operator',
    ...['GET /batches', 'GET /batches.csv', 'GET /batches/:id', 'GET /batches/:id/bad.csv'],
    ...['POST /batches/:id/undo', 'GET /jobs'],
  ),
  ...rows('owner admin', 'GET /people', 'POST /people/role', 'POST /people/remove', 'POST /people/invite'),
  'POST /people/own': 'owner',
  ...rows(
    'owner',
    'GET /keys',
    'POST /keys/new',
    'POST /keys/revoke',
    'GET /keys/:id/limits',
    'POST /keys/:id/limits',
  ),
  ...rows(
    'owner',
    ...['GET /webhooks', 'POST /webhooks', 'GET /webhooks/:id', 'POST /webhooks/:id/test'],
    ...['POST /webhooks/:id/enable', 'POST /webhooks/:id/retry', 'POST /webhooks/:id/remove'],
  ),
  ...rows('owner', 'GET /log', 'GET /log.csv'),
  'GET /host': 'host',
  'GET /statistics': 'owner admin',
  ...rows(
    'owner admin',
    ...['GET /claims', 'GET /claims.csv', 'GET /claims/:id', 'POST /claims'],
    ...['POST /claims/:id/reopen', 'POST /claims/:id/revoke'],
    ...['GET /claims/:id/player', 'POST /claims/:id/player'],
  ),
  'GET /orders': 'owner admin operator',
  'GET /orders.csv': 'owner admin',
  'GET /orders/:id': 'owner admin operator',
  'POST /orders/:id/cancel': 'owner admin operator',
  'POST /orders/:id/resume': 'owner admin operator',
  'GET /orders/:id/another': 'owner admin operator',
  'POST /orders/:id/another': 'owner admin operator',
};

const ROUTES = SCREENS.flatMap(({ routes }) => routes);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const ASKERS = [...ROLES, 'host'] as const;

let t: TestCore;
let account: TestAccount;
let testConsole: TestConsole;
beforeAll(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
  testConsole = openTestConsole(t);
});
afterAll(() => t.close());

test('every route has a row, and every row a route', () => {
  expect(Object.keys(ROWS).sort()).toEqual(ROUTES.map(nameOf).sort());
});

const actorOf = (asker: Role | 'host') =>
  asker === 'host' ? ({ kind: 'host', by: TEST_HOST } as const) : account.members[asker];

/** What is refused is refused before anything is looked for: numbers are of nothing. */
const pathOf = (path: string) => path.replaceAll(/:\w+/g, '999999');

describe.each(ASKERS)('%s', (asker) => {
  test('is let in where the table says so, and nowhere else', async () => {
    const browser = await testConsole.enter(actorOf(asker));
    const got: Record<string, string> = {};
    for (const route of ROUTES) {
      const path = pathOf(route.path);
      const { status } = route.method === 'GET' ? await browser.get(path) : await browser.post(path);
      got[nameOf(route)] = status === 403 ? 'refused' : 'let in';
    }
    const expected = Object.entries(ROWS).map(([name, who]) => [
      name,
      who.split(' ').includes(asker) ? 'let in' : 'refused',
    ]);
    expect(got).toEqual(Object.fromEntries(expected));
  });
});

test('without a session, and with one that has ended, nothing is shown and nothing is done', async () => {
  const browser = await testConsole.enter(account.members.owner);
  const { core } = t;
  const [session] = core.consoleAccess.list(account.members.owner.telegramId).slice(-1);
  await core.consoleAccess.end(account.members.owner, session!.id);
  for (const { method, path } of ROUTES) {
    const cookies = [browser.cookie, '__Host-console=guessed'].map((cookie) => ({ cookie }));
    for (const headers of [{}, ...cookies] as Record<string, string>[]) {
      const init = method === 'GET' ? { headers } : postOf({}, headers);
      const answer = await testConsole.app.request(`https://shop.example${pathOf(path)}`, init);
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
  }
});

test('a POST of another origin or another site is refused, whoever sends it', async () => {
  const browser = await testConsole.enter(account.members.owner);
  for (const { path } of ROUTES.filter(({ method }) => method === 'POST')) {
    const to = pathOf(path);
    const statuses = await Promise.all([
      browser.post(to, {}, { origin: 'https://else.example' }),
      browser.post(to, {}, { origin: 'null' }),
      browser.post(to, {}, { origin: '' }),
      browser.post(to, {}, { 'sec-fetch-site': 'same-site' }),
      browser.post(to, {}, { 'sec-fetch-site': 'none' }),
    ]);
    expect([path, statuses.map(({ status }) => status)]).toEqual([path, [403, 403, 403, 403, 403]]);
  }
});

test('a form with a field that stands twice is refused', async () => {
  const browser = await testConsole.enter(account.members.owner);
  const form = postOf({ session: 1 }, { cookie: browser.cookie });
  (form.body as FormData).append('session', '2');
  const answer = await testConsole.app.request('https://shop.example/me/end', form);
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('session stands twice'),
  ]);
});

test('the page of an act that is loaded anew is the page that the act is on', async () => {
  const browser = await testConsole.enter(account.members.owner);
  const shown = new Set(ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const acts = ROUTES.filter(({ path }) => !shown.has(path));
  expect(acts.length).toBeGreaterThan(15);
  for (const { path } of acts) {
    const { status, headers } = await browser.get(pathOf(path));
    const page = path.replace(/\/[^/]+$/, '');
    expect([path, status, headers.get('location'), shown.has(page)]).toEqual([path, 302, pathOf(page), true]);
  }
});

test('a method that a path does not take is 405, a path that is not there 404, and both are pages', async () => {
  const browser = await testConsole.enter(account.members.owner);
  const answer = await testConsole.app.request('https://shop.example/me', {
    method: 'PUT',
    headers: { cookie: browser.cookie },
  });
  expect([answer.status, (await browser.get('/nothing')).status]).toEqual([405, 404]);
});
