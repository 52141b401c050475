// What is done in the console, as a browser does it: entering, adding codes and taking them back, keys, roles; and what
// no page may hold.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../test/harness/accounts.ts';
import { CONSOLE_ORIGIN, openTestConsole, postOf, type TestConsole } from '../../test/harness/console.ts';
import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';

const MINUTE_MS = 60_000;

let t: TestCore;
let a: TestAccount;
let testConsole: TestConsole;
beforeAll(async () => {
  t = await openTestCore();
  testConsole = openTestConsole(t);
});
afterAll(() => t.close());
beforeEach(async () => {
  a = await openTestAccount(t.store);
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: a.accountId, days: 30 });
});

const pathOf = (answer: { headers: Headers }) =>
  (answer.headers.get('location') ?? '').replace('/console', '');
const ask = (path: string, init?: RequestInit) => testConsole.app.request(`${CONSOLE_ORIGIN}${path}`, init);

describe('entering', () => {
  test('a preview changes nothing; one press lets in, another browser reads who came first', async () => {
    const path = `/enter/${await t.core.consoleAccess.link(a.members.owner, a.members.owner.telegramId)}`;
    for (const method of ['GET', 'HEAD', 'GET']) {
      const looked = await ask(path, { method });
      expect([looked.status, looked.headers.get('set-cookie')]).toEqual([200, null]);
    }
    expect(await (await ask(path)).text()).toContain('Continue as owner, owner of Shop');
    const entered = await ask(path, postOf({ once: 'a' }));
    expect(entered.status).toBe(303);
    expect(entered.headers.get('set-cookie')).toMatch(
      /^__Host-console=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    // A double click of one page is one session.
    const again = await ask(path, postOf({ once: 'a' }));
    expect(again.headers.get('set-cookie')).toBe(entered.headers.get('set-cookie'));
    expect(t.core.consoleAccess.list(a.members.owner.telegramId)).toHaveLength(1);
    const second = await ask(path, postOf({ once: 'b' }, { 'user-agent': 'Chrome/1 Windows' }));
    expect([second.status, second.headers.get('set-cookie')]).toEqual([410, null]);
    expect(await second.text()).toContain('Firefox on Linux');
  });

  test('six minutes later the link says so, to a look and to a press', async () => {
    const path = `/enter/${await t.core.consoleAccess.link(a.members.owner, a.members.owner.telegramId)}`;
    t.clock.advance(6 * MINUTE_MS);
    for (const answer of [await ask(path), await ask(path, postOf({ once: 'a' }))]) {
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([410, null]);
      expect(await answer.text()).toContain('older than five minutes');
    }
  });

  test('a link is pressed from its own page alone, and ten times a minute at most', async () => {
    t.clock.advance(MINUTE_MS);
    const path = `/enter/${await t.core.consoleAccess.link(a.members.owner, a.members.owner.telegramId)}`;
    expect((await ask(path, postOf({ once: 'a' }, { origin: 'https://else.example' }))).status).toBe(403);
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries += 1)
      statuses.push((await ask('/enter/guessed', postOf({ once: 'a' }))).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([410, 429]);
    t.clock.advance(MINUTE_MS);
    expect((await ask(path, postOf({ once: 'a' }))).status).toBe(303);
  });

  test('every answer has the headers that keep it in', async () => {
    const browser = await testConsole.enter(a.members.owner);
    for (const shown of [await browser.get(''), await browser.get('/nothing'), await ask('/me')]) {
      expect(shown.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; .*frame-ancestors 'none'$/,
      );
      expect(shown.headers.get('cache-control')).toBe('no-store');
      expect(shown.headers.get('referrer-policy')).toBe('same-origin');
    }
    expect((await browser.get('/stock')).html).not.toMatch(/ style=| on\w+=|<script>|javascript:/);
  });
});

describe('a role', () => {
  test('that changes, changes what the very next request may do: the session is over', async () => {
    const browser = await testConsole.enter(a.members.operator);
    expect((await browser.get('/stock/add')).status).toBe(200);
    await t.core.members.changeRole(a.members.owner, a.members.operator.telegramId, 'support');
    expect((await browser.get('/stock/add')).status).toBe(401);
  });

  test('is looked up at every request, whatever the session was opened as', async () => {
    const browser = await testConsole.enter(a.members.operator);
    // Past the triggers, as if one were missing.
    const { telegramId, accountId } = a.members.operator;
    await t.store.write((tables) => {
      const [session] = tables.consoleSessions.list(telegramId);
      tables.members.setRole({ accountId, telegramId, from: 'operator', role: 'support', now: 0 });
      tables.consoleSessions.insert({ ...session!, now: session!.enteredAt });
    });
    expect((await browser.get('/stock/add')).status).toBe(403);
    expect((await browser.get('/stock')).status).toBe(200);
  });

  test('that needs it is given within five minutes after entering', async () => {
    const browser = await testConsole.enter(a.members.owner);
    const change = { person: a.members.support.telegramId, from: 'support', role: 'operator' };
    t.clock.advance(6 * MINUTE_MS);
    const late = await browser.post('/people/role', change);
    expect([late.status, late.html.includes('/console to the bot')]).toEqual([403, true]);
    const fresh = await testConsole.enter(a.members.owner);
    expect(pathOf(await fresh.post('/people/role', change))).toBe('/people?said=role-changed');
    expect(t.core.members.findActor(a.members.support.telegramId)?.role).toBe('operator');
  });

  test('is changed from what the page showed: of two pages that are sent the second is told', async () => {
    const { telegramId } = a.members.support;
    const change = { person: telegramId, from: 'support' };
    const browser = await testConsole.enter(a.members.owner);
    expect((await browser.post('/people/role', { ...change, role: 'operator' })).status).toBe(303);
    const second = await browser.post('/people/role', { ...change, role: 'admin' });
    expect([second.status, t.core.members.findActor(telegramId)?.role]).toEqual([409, 'operator']);
  });
});

describe('codes', () => {
  const available = () => t.core.codes.countAvailable(a.members.owner, 'game_id_1').get(60);

  test('are added after a look, and taken back by Undo, which only shows them while it is fresh', async () => {
    const browser = await testConsole.enter(a.members.operator);
    const codes = Array.from({ length: 50 }, () => makeCode());
    const piece = crypto.randomUUID();
    const paste = { which: 'game_id_1:', piece, text: `60 UC:\n${codes.join('\n')}` };
    const preview = pathOf(await browser.post('/stock/add', paste));
    // The same page sent once more.
    expect(pathOf(await browser.post('/stock/add', paste))).toBe(`${preview}?said=codes-joined`);
    const shown = await browser.get(preview);
    expect(shown.html).toContain('Add 50 codes');
    for (const code of codes) expect(shown.html).not.toContain(code);
    expect(available()).toBe(0);
    const [, revision = ''] = /name="revision" value="([^"]+)"/.exec(shown.html) ?? [];
    const added = await Promise.all([
      browser.post(`${preview}/commit`, { revision, supplier: 'Ivanov' }),
      browser.post(`${preview}/commit`, { revision, supplier: 'Ivanov' }),
    ]);
    expect(added.map(pathOf)).toEqual([pathOf(added[0]), pathOf(added[0])]);
    expect(available()).toBe(50);
    // Typed beside what adds them, and not kept by itself before.
    expect((await browser.get(pathOf(added[0]))).html).toContain('Ivanov');
    expect((await browser.get(pathOf(added[0]))).html).not.toContain(codes[0]!);
    const batch = pathOf(added[0]).replace(/\?.*/, '');
    await browser.post(`${batch}/undo`, { sure: 'yes' });
    expect(available()).toBe(0);
    expect((await browser.get(batch)).html).toContain(codes[0]!);
    t.clock.advance(6 * MINUTE_MS);
    expect((await browser.get(batch)).html).not.toContain(codes[0]!);
  });

  test('of another account, or another operator, are not there', async () => {
    const browser = await testConsole.enter(a.members.operator);
    const paste = { which: 'game_id_1:60', piece: crypto.randomUUID(), text: makeCode() };
    const preview = pathOf(await browser.post('/stock/add', paste));
    const stranger = await testConsole.enter((await openTestAccount(t.store)).members.owner);
    const admin = await testConsole.enter(a.members.admin);
    for (const other of [stranger, admin]) {
      expect((await other.get(preview)).status).toBe(404);
      expect((await other.post(`${preview}/cancel`)).status).toBe(404);
    }
    expect(pathOf(await browser.post(`${preview}/cancel`))).toBe('/stock?said=codes-dropped');
  });
});

test('a key is shown once, and revoked after a question', async () => {
  const browser = await testConsole.enter(a.members.owner);
  const order = crypto.randomUUID();
  const issued = await browser.post('/keys/new', { order, name: 'Till' });
  const [key = ''] = /crs_[\w-]{43}/.exec(issued.html) ?? [];
  expect(t.core.apiKeys.authenticate(key)).toBeDefined();
  expect((await browser.post('/keys/new', { order, name: 'Till' })).html).toContain(key);
  const listed = (await browser.get('/keys')).html;
  expect([listed.includes('Till'), listed.includes(key)]).toEqual([true, false]);
  const [{ id } = { id: 0 }] = t.core.apiKeys.list(a.members.owner);
  expect((await browser.post('/keys/revoke', { key: id })).status).toBe(200);
  expect(t.core.apiKeys.authenticate(key)).toBeDefined();
  expect(pathOf(await browser.post('/keys/revoke', { key: id, sure: 'yes' }))).toBe('/keys?said=key-revoked');
  expect(t.core.apiKeys.authenticate(key)).toBeUndefined();
});

test('limits of a key are kept as they are typed, and what is left empty limits nothing', async () => {
  const browser = await testConsole.enter(a.members.owner);
  await browser.post('/keys/new', { order: crypto.randomUUID(), name: 'Till' });
  const limits = () => t.core.apiKeys.list(a.members.owner)[0]?.limits;
  const [{ id } = { id: 0 }] = t.core.apiKeys.list(a.members.owner);
  const typed = { dayLimit: '12,25', addresses: '203.0.113.7\r\n2001:db8::/32', lastDay: '2026-12-31' };
  expect(pathOf(await browser.post(`/keys/${id}/limits`, typed))).toBe('/keys?said=key-limited');
  expect(limits()).toEqual({
    ...{ dayLimit: 12.25, addresses: ['203.0.113.7', '2001:db8::/32'] },
    expiresAt: Date.UTC(2027, 0, 1),
  });
  expect((await browser.get('/keys')).html).toContain('12.25 a day · 2 addresses · until 31 Dec 2026');
  expect((await browser.get(`/keys/${id}/limits`)).html).toMatch(
    /value="12\.25"[\s\S]*203\.0\.113\.7\n2001[\s\S]*value="2026-12-31"/,
  );
  for (const wrong of [{ dayLimit: 'ten' }, { dayLimit: '0.3' }, { addresses: 'here' }, { lastDay: 'soon' }])
    expect((await browser.post(`/keys/${id}/limits`, { ...typed, ...wrong })).status).toBe(400);
  expect((await browser.post('/keys/999999/limits', typed)).status).toBe(404);
  expect(limits()?.dayLimit).toBe(12.25);
  await browser.post(`/keys/${id}/limits`, { dayLimit: '', addresses: ' ', lastDay: '' });
  expect(limits()).toEqual({});
});

test('what is done here is in the log, with the mark of the console', async () => {
  const browser = await testConsole.enter(a.members.owner);
  await browser.post('/keys/new', { order: crypto.randomUUID() });
  const { entries } = t.core.readAuditLog(a.members.owner, { limit: 10 });
  expect(entries.map(({ what, door }) => `${what} ${door}`)).toEqual(
    expect.arrayContaining(['keyIssued page', 'consoleEntered page']),
  );
});

test('names that people typed are text, whatever they hold', async () => {
  const name = '<img src=x onerror=alert(1)>"\'&';
  await t.core.members.saveName({ telegramId: a.members.operator.telegramId, name });
  await t.core.accounts.rename(a.members.owner, a.accountId, name);
  const browser = await testConsole.enter(a.members.owner);
  for (const path of ['', '/people', '/me']) expect((await browser.get(path)).html).not.toContain('<img');
});
