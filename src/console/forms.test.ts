// A form that is refused comes again with what was typed and what is wrong; so does one that was sent after the end of
// the session.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../test/harness/accounts.ts';
import { CONSOLE_ORIGIN, openTestConsole, postOf, type Browser } from '../../test/harness/console.ts';
import { openTestCore, type TestCore } from '../../test/harness/core.ts';

let t: TestCore;
let shop: TestAccount;
let owner: Browser;
beforeAll(async () => {
  t = await openTestCore();
  shop = await openTestAccount(t.store);
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: shop.accountId, days: 30 });
  owner = await openTestConsole(t).enter(shop.members.owner);
});
afterAll(() => t.close());

test('an address that is none', async () => {
  const typed = { url: 'http://shop.example/"hook', 'order.settled': 'yes' };
  const { status, html } = await owner.post('/webhooks', typed);
  expect(status).toBe(400);
  expect(html).toMatch(/role="alert">That cannot be taken: /);
  expect(html).toContain('value="http://shop.example/&quot;hook"');
  const checked = [...html.matchAll(/name="([\w.]+)" value="yes" checked/g)].map(([, event]) => event);
  expect(checked).toEqual(['order.settled']);
});

test('the codes of a paste for which there is no game, and the number under which it counts once', async () => {
  const piece = '0b5a6f0e-6d0e-4c7e-9d53-4f8f2c6f5a11';
  const { status, html } = await owner.post('/stock/add', { which: 'none', piece, text: '60 UC\n<b>AAA' });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(html).toContain('role="alert"');
  expect(html).toContain(`name="piece" value="${piece}"`);
  expect(html).toMatch(/<textarea[^>]*>60 UC\r\n&lt;b&gt;AAA<\/textarea/);
});

test('limits of a key that are none', async () => {
  const issued = await t.core.apiKeys.issueOrdered(shop.members.owner, 'page:1', undefined, 'till');
  const [{ id } = { id: 0 }] = t.core.apiKeys.list(shop.members.owner);
  expect(issued.status).not.toBe('alreadyRevoked');
  const typed = { dayLimit: 'many', addresses: '10.0.0.0/8', lastDay: '2026-12-31' };
  const { status, html } = await owner.post(`/keys/${id}/limits`, typed);
  expect(status).toBe(400);
  for (const kept of ['value="many"', '10.0.0.0/8</textarea', 'value="2026-12-31"', 'role="alert"'])
    expect(html).toContain(kept);
});

test('filters of a list, which takes an amount as its own column shows it', async () => {
  const { status, html } = await owner.get('/receipts?player=51709&amount=sixty&state=failed');
  expect(status).toBe(400);
  for (const kept of ['role="alert"', 'value="51709"', 'value="sixty"', 'value="failed" selected'])
    expect(html).toContain(kept);
  expect(html).not.toContain('<table');
  expect((await owner.get('/receipts?amount=60%20UC')).status).toBe(200);
});

test('what a role may not do is no form again', async () => {
  const support = await openTestConsole(t).enter(shop.members.support);
  const { status, html } = await support.post('/webhooks', { url: 'http://shop.example' });
  expect([status, html.includes('http://shop.example')]).toEqual([403, false]);
});

test('a paste that is sent after the end of the session is sent again once there is another', async () => {
  const { app } = openTestConsole(t);
  const text = '60 UC\n<b>"AAA"';
  const answer = await app.request(`${CONSOLE_ORIGIN}/stock/add`, postOf({ text, which: 'game_id_1:' }));
  const html = await answer.text();
  expect(answer.status).toBe(401);
  expect(html).toMatch(/<form\s+method="post"\s+action="\/console\/stock\/add"/);
  expect(html).toContain('name="text" value="60 UC\r\n&lt;b&gt;&quot;AAA&quot;"');
  const elsewhere = postOf({ text }, { origin: 'https://elsewhere.example' });
  const foreign = await app.request(`${CONSOLE_ORIGIN}/stock/add`, elsewhere);
  expect([foreign.status, (await foreign.text()).includes('AAA')]).toEqual([403, false]);
});
