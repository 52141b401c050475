// Orders on their screens: who is led to them, and what may be done about what is missing of one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestConsole, type Browser, type TestConsole } from '../../../test/harness/console.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { MemberActor } from '../../core/index.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';

let t: TestCore;
let shop: TestAccount;
let testConsole: TestConsole;
let keys = 0;
beforeAll(async () => {
  t = await openTestCore();
  await t.core.start();
  shop = await openTestAccount(t.store);
  const { accountId } = shop;
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId, days: 30, purchased: 99 });
  testConsole = openTestConsole(t);
});
afterAll(() => t.close());

const browsers = new Map<MemberActor, Promise<Browser>>();
/** A person enters a few times a minute at most. */
function enter(actor: MemberActor): Promise<Browser> {
  const browser = browsers.get(actor) ?? testConsole.enter(actor);
  browsers.set(actor, browser);
  return browser;
}

/** An order of so many 60, whose stock is there, as it ended. */
async function order(count: number, reference = 'INV-1') {
  const { admin } = shop.members;
  const codes = Array.from({ length: count }, () => makeCode());
  await t.core.codes.add(admin, GAME, [{ denomination: 60, codes }]);
  const placed = await t.core.orders.place(admin, {
    ...{ gameId: GAME, playerId: PLAYER, onShortage: 'refuse', onBadCode: 'stop' },
    items: [{ denomination: 60, count }],
    reference,
    idempotencyKey: { scope: 'http', key: `order-${(keys += 1)}` },
  });
  const id = 'order' in placed ? placed.order.id : '';
  await t.until(() => t.core.orders.find(admin, id)?.endedAt);
  return t.core.orders.find(admin, id)!;
}

test('a receipt leads to its order where orders may be seen, and names it to support', async () => {
  const { id, items } = await order(1, 'WEB-7');
  const pages = await Promise.all(
    [shop.members.admin, shop.members.support].map(async (actor) => {
      const browser = await enter(actor);
      return (await browser.get(`/receipts/${items[0]?.redemptionId}`)).html;
    }),
  );
  expect(
    pages.map((html) => [html.includes('WEB-7'), html.includes(`href="/console/orders/${id}"`)]),
  ).toEqual([
    [true, true],
    [true, false],
  ]);
});

test('one that stops again is resumed again, and once however often its page is sent', async () => {
  const { script } = t.platform;
  script.redeem = () => ({ status: 'refused', errorCode: 'RISK_CONTROL', message: '', asked: true });
  const { id } = await order(1, 'INV-9');
  const { admin } = shop.members;
  const browser = await enter(admin);
  const [path, find] = [`/orders/${id}/resume`, () => t.core.orders.find(admin, id)];
  for (const run of [2, 3]) {
    const fields = fieldsOf((await browser.get(`/orders/${id}`)).html, path);
    for (let sent = 0; sent < 2; sent += 1) {
      await browser.post(path, fields);
      await t.until(() => find()?.endedAt);
      expect([find()?.run, find()?.state]).toEqual([run, 'stopped']);
    }
  }
  delete script.redeem;
  await t.core.codes.extract(admin, { gameId: GAME, denomination: 60, amount: 1 });
});

/** What the form of a page that leads there sends. */
function fieldsOf(html: string, path: string): Record<string, string> {
  const [, form = ''] = html.split(`action="/console${path}"`);
  const [fields = ''] = form.split('</form>');
  const named = fields.matchAll(/name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...named].map(([, name = '', value = '']) => [name, value]));
}

describe('what is missing of one, for another player', () => {
  const OTHER = '5170925571';
  const ask = (html: string) => /name="once" value="([^"]+)"/.exec(html)?.[1] ?? '';

  test('is ordered once its name is confirmed, and once however often that is pressed', async () => {
    const { script } = t.platform;
    script.redeem = () => ({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND', message: '', asked: true });
    const stopped = await order(2, 'INV-2');
    delete script.redeem;
    const { admin, operator } = shop.members;
    const browser = await enter(admin);
    expect((await browser.get(`/orders/${stopped.id}`)).html).toContain('Another ID');
    const path = `/orders/${stopped.id}/another`;
    const page = (await browser.get(path)).html;
    expect([page.includes('60 UC × 2'), page.includes(`value="${PLAYER}"`)]).toEqual([true, true]);
    script.findCharacter = () => ({ status: 'notFound' });
    expect((await browser.post(path, { once: ask(page), player: '5170925999' })).status).toBe(404);
    script.findCharacter = () => ({ status: 'found', openid: 'o', name: '<b>Nick</b>' });
    const form = { once: ask(page), player: OTHER };
    const asked = (await browser.post(path, form)).html;
    expect(asked).toContain('60 UC × 2 for &lt;b&gt;Nick&lt;/b&gt; (5170925571)? It costs 2 activations.');
    const before = t.core.orders.list(admin, {}).length;
    const sure = { ...form, name: 'Nick', sure: 'yes' };
    const pressed = await Promise.all([browser.post(path, sure), browser.post(path, sure)]);
    const places = pressed.map(({ headers }) => headers.get('location'));
    expect(places[0]).toBe(places[1]);
    expect(t.core.orders.list(admin, {}).length).toBe(before + 1);
    const id = /orders\/([\w-]+)/.exec(places[0] ?? '')?.[1] ?? '';
    expect(t.core.orders.find(admin, id)).toMatchObject({
      ...{ playerId: OTHER, reference: 'INV-2', wanted: { codes: 2 } },
    });
    await t.until(() => t.core.orders.find(admin, id)?.state === 'done');
    const again = await browser.post(path, { ...form, once: crypto.randomUUID() });
    expect(again.html).toContain('has just got 60 UC');
    for (const player of ['５１７０９２５５７１', '٥١٧٠٩٢٥٥٧١', '5170\u200b 925-571']) {
      const { html } = await browser.post(path, { ...form, once: crypto.randomUUID(), player });
      expect([player, html.includes('has just got 60 UC'), html.includes(`value="${OTHER}"`)]).toEqual([
        player,
        true,
        true,
      ]);
    }
    const old = (await browser.get(`/orders/${stopped.id}`)).html;
    expect(old).toContain(`href="/console/orders/${id}"`);
    const resume = `/orders/${stopped.id}/resume`;
    const asks = (await browser.post(resume, { once: 'a' })).html;
    expect([asks.includes('Then both get it'), asks.includes(`href="/console/orders/${id}"`)]).toEqual([
      true,
      true,
    ]);
    const meanwhile = await browser.post(resume, { ...fieldsOf(asks, resume), seen: '1.ord_other.1' });
    expect(meanwhile.html).toContain('both');
    expect(t.core.orders.find(admin, stopped.id)?.state).toBe('stopped');
    await browser.post(resume, fieldsOf(asks, resume));
    expect(t.core.orders.find(admin, stopped.id)?.run).toBe(2);
    await t.core.orders.cancel(admin, stopped.id);
    // Of another member, an operator sees nothing.
    const other = await enter(operator);
    expect((await other.post(path, sure)).status).toBe(404);
  });

  /** Two denominations are missing; the other player has just got the one, or each of them. */
  test.each<[got: number[], said: string]>([
    [[60], '60 UC'],
    [[325], '325 UC'],
    [[60, 325], '60 UC, 325 UC'],
  ])('is warned of where they have just got %j', async (got, said) => {
    const { admin } = shop.members;
    const place = async (playerId: string, denominations: readonly number[]) => {
      const stock = denominations.map((denomination) => ({ denomination, codes: [makeCode()] }));
      await t.core.codes.add(admin, GAME, stock);
      const placed = await t.core.orders.place(admin, {
        ...{ gameId: GAME, playerId, onShortage: 'refuse', onBadCode: 'stop' },
        items: denominations.map((denomination) => ({ denomination, count: 1 })),
        idempotencyKey: { scope: 'http', key: `order-${(keys += 1)}` },
      });
      const id = 'order' in placed ? placed.order.id : '';
      await t.until(() => t.core.orders.find(admin, id)?.endedAt);
      return id;
    };
    const { script } = t.platform;
    script.redeem = () => ({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND', message: '', asked: true });
    const id = await place(PLAYER, [60, 325]);
    delete script.redeem;
    script.findCharacter = () => ({ status: 'found', openid: 'o', name: 'Nick' });
    const player = `51709256${(keys += 1)}`;
    await place(player, got);
    const form = { once: crypto.randomUUID(), player };
    const { html } = await (await enter(admin)).post(`/orders/${id}/another`, form);
    expect(/has just got (.*), or has/.exec(html)?.[1]).toBe(said);
    for (const denomination of [60, 325])
      await t.core.codes.extract(admin, { gameId: GAME, denomination, amount: 2 });
  });

  test('is ordered by one of two pages that are sent at once, and the other is asked once more', async () => {
    const { admin, owner } = shop.members;
    const { script } = t.platform;
    script.redeem = () => ({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND', message: '', asked: true });
    const { id } = await order(1, `INV-3-${(keys += 1)}`);
    delete script.redeem;
    const codes = [makeCode(), makeCode(), makeCode()];
    await t.core.codes.add(admin, GAME, [{ denomination: 60, codes }]);
    const path = `/orders/${id}/another`;
    const tabs = await Promise.all(
      [admin, admin, owner].map(async (actor) => {
        const browser = await enter(actor);
        const once = ask((await browser.get(path)).html);
        const { html } = await browser.post(path, { once, player: '5170925573' });
        return { browser, form: fieldsOf(html, path) };
      }),
    );
    const { reference } = t.core.orders.find(admin, id) ?? {};
    const listed = () => t.core.orders.list(admin, { reference });
    const answers = await Promise.all(tabs.map(({ browser, form }) => browser.post(path, form)));
    expect(answers.map(({ status }) => status)).toEqual([303, 200, 200]);
    const [other] = listed();
    expect(listed()).toHaveLength(2);
    for (const { html } of answers.slice(1))
      expect([html.includes('bought twice'), html.includes(`href="/console/orders/${other?.id}"`)]).toEqual([
        true,
        true,
      ]);
    // Whoever has read that may have it twice; what else was asked before is asked again.
    const again = await tabs[1]!.browser.post(path, fieldsOf(answers[1]!.html, path));
    expect([again.status, listed().length]).toEqual([303, 3]);
    expect((await tabs[2]!.browser.post(path, fieldsOf(answers[2]!.html, path))).status).toBe(200);
    const resume = fieldsOf((await tabs[0]!.browser.get(`/orders/${id}`)).html, `/orders/${id}/resume`);
    expect((await tabs[0]!.browser.post(`/orders/${id}/resume`, resume)).html).toContain('both');
    expect(listed()).toHaveLength(3);
  });

  test('is ordered or resumed, whichever comes first', async () => {
    const { admin } = shop.members;
    const { script } = t.platform;
    script.redeem = () => ({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND', message: '', asked: true });
    const { id } = await order(1, 'INV-4');
    delete script.redeem;
    const browser = await enter(admin);
    const path = `/orders/${id}/another`;
    const once = ask((await browser.get(path)).html);
    const form = fieldsOf((await browser.post(path, { once, player: '5170925574' })).html, path);
    const resume = fieldsOf((await browser.get(`/orders/${id}`)).html, `/orders/${id}/resume`);
    expect((await browser.post(`/orders/${id}/resume`, resume)).status).toBe(303);
    expect((await browser.post(path, form)).status).toBe(409);
    expect(t.core.orders.list(admin, { reference: 'INV-4' })).toHaveLength(1);
  });

  test('is not to be had of an order that is done', async () => {
    const { id } = await order(1);
    const browser = await enter(shop.members.admin);
    expect((await browser.get(`/orders/${id}`)).html).not.toContain('Another ID');
    expect((await browser.get(`/orders/${id}/another`)).status).toBe(409);
  });

  test('is refused where the codes are not there', async () => {
    const { admin } = shop.members;
    const placed = await t.core.orders.place(admin, {
      ...{ gameId: GAME, playerId: PLAYER, onShortage: 'wait', onBadCode: 'stop' },
      ...{ items: [{ denomination: 325, count: 1 }], idempotencyKey: { scope: 'http', key: 'short' } },
    });
    const id = 'order' in placed ? placed.order.id : '';
    await t.core.orders.cancel(admin, id);
    const browser = await enter(admin);
    const sure = { once: 'a', player: OTHER, sure: 'yes' };
    const refused = await browser.post(`/orders/${id}/another`, sure);
    expect([refused.status, refused.html.includes('not enough codes')]).toEqual([409, true]);
  });
});
