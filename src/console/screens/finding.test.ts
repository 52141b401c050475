// From what somebody says to what happened: the search box, a receipt, statistics whose figures are their lists, and
// orders.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestConsole, type Browser } from '../../../test/harness/console.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

let t: TestCore;
let shop: TestAccount;
let owner: Browser;
let [redeemed, failed] = [0, 0];
const CODE = '60S00000ZZZXYZ12';

beforeAll(async () => {
  t = await openTestCore();
  shop = await openTestAccount(t.store);
  const { accountId } = shop;
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId, days: 30, purchased: 9 });
  redeemed = await redeem('5170925570', CODE);
  t.platform.script.redeem = () => ({ status: 'refused', errorCode: 'CODE_USED', message: '', asked: true });
  failed = await redeem('5170925571', makeCode());
  await redeem('5170925571', makeCode());
  owner = await openTestConsole(t).enter(shop.members.owner);
});
afterAll(() => t.close());

async function redeem(playerId: string, code: string): Promise<number> {
  const answer = await t.core.redeem(shop.members.owner, { gameId: 'game_id_1', playerId, code });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption.id;
}

const find = (q: string) => owner.get(`/receipts?${new URLSearchParams({ q }).toString()}`);
const placeOf = async (q: string) => (await find(q)).headers.get('location');

describe('the search box', () => {
  test('opens the one receipt that a customer’s words are of', async () => {
    for (const words of [CODE, 'xyz12'.padStart(6, 'z'), '5170925570', `#${redeemed}`])
      expect([words, await placeOf(words)]).toEqual([words, `/console/receipts/${redeemed}`]);
    expect(await placeOf(`5170925570 state:redeemed`)).toBe(`/console/receipts/${redeemed}`);
  });

  test('leads to the list where words of filters are all that is said', async () => {
    expect(await placeOf('state:failed before:2026-11-01 player:77 key:3')).toBe(
      '/console/receipts?state=failed&to=2026-10-31&player=77&key=3',
    );
    expect(await placeOf('after:2026-02-28')).toBe('/console/receipts?from=2026-03-01');
  });

  test('and finds a player in whatever digits the ID is typed, in the list, too', async () => {
    expect(await placeOf('٥١٧٠٩٢٥٥٧٠ state:redeemed')).toBe(`/console/receipts/${redeemed}`);
    for (const player of ['５１７０９２５５７０', '5170 925 570', '\u200e5170925570'])
      expect((await owner.get(`/receipts?${new URLSearchParams({ player }).toString()}`)).html).toContain(
        `/console/receipts/${redeemed}"`,
      );
  });

  test('says what it understood, where there are several or none', async () => {
    const { status, html, headers } = await find('5170925571 failed');
    expect([status, headers.get('location')]).toEqual([200, null]);
    expect(html).toContain('<code>5170925571</code>');
    expect(html).toContain(`/console/receipts/${failed}"`);
    expect(html).not.toContain(`/console/receipts/${redeemed}"`);
    const none = await find('5170925570 state:failed');
    expect(none.html).toContain('Nothing matches.');
    expect(none.html).toContain('state:failed');
  });

  test('refuses what a filter cannot be', async () => {
    for (const words of ['state:fialed', 'before:soon']) expect((await find(words)).status).toBe(400);
  });

  test('escapes what was typed', async () => {
    expect((await find('<b>bold name')).html).not.toContain('<b>');
  });
});

describe('a receipt', () => {
  test('tells what happened, and neither code nor login before they are asked for', async () => {
    const { html } = await owner.get(`/receipts/${redeemed}`);
    for (const told of [
      'Asked for by owner',
      'Charged: 1 activation',
      'attempt 1',
      'the code is spent',
      'spent for this receipt',
    ])
      expect(html).toContain(told);
    expect(html).not.toContain(CODE);
    const shown = await owner.post(`/receipts/${redeemed}/show`);
    expect(shown.html).toContain(CODE);
    expect(shown.html).toContain('Code and login were shown to');
    expect((await owner.get(`/receipts/${redeemed}`)).html).not.toContain(CODE);
  });

  test('of another account, and of another’s for an operator, is not there', async () => {
    const other = await openTestAccount(t.store);
    for (const actor of [other.members.owner, shop.members.operator]) {
      const browser = await openTestConsole(t).enter(actor);
      expect((await browser.get(`/receipts/${redeemed}`)).status).toBe(404);
      expect((await browser.post(`/receipts/${redeemed}/show`)).status).toBe(404);
    }
  });
});

test('every figure of the statistics, and of doubts in the stock, leads to a list of so many', async () => {
  const stocked = { gameId: 'game_id_1', playerId: '5170925572', denomination: 60 };
  await t.core.codes.add(shop.members.owner, stocked.gameId, [{ denomination: 60, codes: [makeCode()] }]);
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'cut' });
  await t.core.redeem(shop.members.owner, stocked);
  const links = [];
  for (const path of ['/statistics', '/stock']) {
    const { html } = await owner.get(path);
    const found = [...html.matchAll(/href="\/console(\/receipts\?[^"]+)"[^>]*>(?:<strong>)?(\d+)</g)];
    expect([path, found.length]).not.toEqual([path, 0]);
    links.push(...found);
  }
  expect(links.length).toBeGreaterThan(5);
  for (const [, path, figure] of links) {
    const list = await owner.get(path!.replaceAll('&amp;', '&'));
    expect([path, list.html.match(/(\d+) rows?/)?.[1]]).toEqual([path, figure]);
  }
  expect((await owner.get('/statistics?from=2026-01-01&to=2025-01-01')).status).toBe(400);
  expect((await owner.get('/statistics?from=2025-01-01&to=2025-12-31')).status).toBe(400);
  expect((await owner.get('/statistics?days=7')).status).toBe(400);
});

test('an order is listed, exported, cancelled, and found by its number', async () => {
  const { owner: actor } = shop.members;
  const placed = await t.core.orders.place(actor, {
    ...{ gameId: 'game_id_1', playerId: '5170925570', reference: 'WEB-17' },
    ...{ onShortage: 'wait', onBadCode: 'replace' },
    ...{ items: [{ denomination: 60, count: 2 }], idempotencyKey: { scope: 'http', key: 'one' } },
  });
  const id = 'order' in placed ? placed.order.id : '';
  expect((await owner.get('/orders?reference=WEB-17')).html).toContain('WEB-17');
  expect((await owner.get(`/orders?player=${encodeURIComponent('５１７０９２５５７０')}`)).html).toContain(
    'WEB-17',
  );
  expect((await owner.get('/orders?state=done')).html).not.toContain('WEB-17');
  expect((await owner.get('/orders.csv')).html).toContain(`${id},WEB-17,`);
  expect(await placeOf(id)).toBe(`/console/orders/${id}`);
  expect((await owner.get(`/orders/${id}`)).html).toContain('Cancel');
  expect((await owner.post(`/orders/${id}/cancel`)).html).toContain('nothing more of this order');
  expect((await owner.get(`/orders/${id}`)).html).toContain('Cancel');
  await owner.post(`/orders/${id}/cancel`, { sure: 'yes' });
  expect((await owner.get(`/orders/${id}?said=order-cancelled`)).html).toContain('Cancelled');
  expect((await owner.post(`/orders/${id}/resume`, { once: 'x' })).status).toBe(409);
});
