// What needs a person: each line with how many, since when, and the list that it leads to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestConsole, TEST_HOST, type Browser } from '../../../test/harness/console.ts';
import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { Core, MemberActor } from '../../core/index.ts';

const HOUR_MS = 60 * 60 * 1000;
const PLAYER = { gameId: 'game_id_1', playerId: '5170925570' };

let t: TestCore;
let shop: TestAccount;
let core: Core;
beforeAll(async () => {
  t = await openTestCore();
  t.allowDrift();
  shop = await openTestAccount(t.store);
  const { accountId } = shop;
  await t.store.write((tables) => {
    const alert = (name: string) => ({ name, since: t.clock.now() - HOUR_MS, facts: {} });
    tables.hostAlerts.save({ alerts: ['upstream-unread', 'disk-low'].map(alert) });
    tables.inbox.save(7, '{}', t.clock.now() - HOUR_MS);
    tables.inbox.finish(7, 'set_aside');
  });
  core = t.restart();
  await core.start();
  await core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId, days: 30, purchased: 9 });
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'cut' });
  const [held] = await Promise.all([doubt(), doubt()]);
  t.inspect((file) => file.exec(`update tasks set run_at = null where job_key = 'doubt:${held}'`));
  await stopAnOrder();
  await setAside(shop.members.admin, 'undo', 1);
  await setAside(shop.members.operator, 'add', 2);
  await setAside(shop.members.admin, 'extract', 3);
});
afterAll(() => t.close());

async function doubt(): Promise<number> {
  const answer = await core.redeem(shop.members.owner, { ...PLAYER, code: makeCode() });
  return answer.status === 'answered' ? answer.redemption.id : 0;
}

async function stopAnOrder(key = 'one'): Promise<string> {
  const { script } = t.platform;
  script.redeem = () => ({ status: 'refused', errorCode: 'RISK_CONTROL', message: '', asked: true });
  if (key === 'one')
    await core.codes.add(shop.members.owner, PLAYER.gameId, [{ denomination: 60, codes: [makeCode()] }]);
  const placed = await core.orders.place(shop.members.owner, {
    ...{ ...PLAYER, items: [{ denomination: 60, count: 1 }], onShortage: 'refuse', onBadCode: 'stop' },
    idempotencyKey: { scope: 'http', key },
  });
  return endOf('order' in placed ? placed.order.id : '');
}

async function endOf(id: string): Promise<string> {
  while (core.orders.find(shop.members.owner, id)?.endedAt === undefined)
    await core.orders.waitForChange(shop.members.owner, id, 1_000);
  return id;
}

const setAside = (
  { accountId, telegramId }: MemberActor,
  kind: 'add' | 'undo' | 'extract',
  subjectId: number,
) =>
  t.store.write(({ jobs }) => {
    const now = t.clock.now() - HOUR_MS;
    const id = jobs.open({ accountId, actor: `member:${telegramId}`, kind, subjectId, total: 400, now });
    jobs.advance(id, { done: 320, cursor: null });
    jobs.end(id, 'set_aside', now);
  });

const enter = (actor: Parameters<ReturnType<typeof openTestConsole>['enter']>[0]) =>
  openTestConsole({ core, clock: t.clock }).enter(actor);

/** By its words: how many, how old the oldest is, and where it leads. */
async function readLines(
  browser: Browser,
): Promise<Record<string, [count: string, age: string, href: string]>> {
  const { html } = await browser.get('');
  const [, rows = ''] = /<tbody>([\s\S]*?)<\/tbody>/.exec(html) ?? [];
  const text = (cell: string) =>
    cell
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('\u00a0', ' ')
      .trim();
  return Object.fromEntries(
    [...rows.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) => {
      const cells = [...row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) => cell);
      const [, href = ''] = /href="\/console([^"]*)"/.exec(cells[0] ?? '') ?? [];
      expect(text(cells[3] ?? '')).not.toBe('');
      return [text(cells[0] ?? ''), [text(cells[1] ?? ''), text(cells[2] ?? ''), href]];
    }),
  );
}

// In this order: the last lets days pass.
describe('what needs a person', { shuffle: false }, () => {
  test('of an account: each line says how many and since when, and leads to a list of so many', async () => {
    const owner = await enter(shop.members.owner);
    const lines = await readLines(owner);
    expect(lines).toMatchObject({
      'In doubt': ['2', '0 s ago', '/receipts?state=in_doubt&amp;sort=at'],
      'Stopped orders': ['1', '0 s ago', expect.stringMatching(/^\/orders\?state=stopped&amp;from=/)],
      'Bulk work set aside': ['3', '60 min ago', '/jobs'],
    });
    for (const name of ['In doubt', 'Stopped orders']) {
      const [count = '', , href = ''] = lines[name] ?? [];
      const list = await owner.get(href.replaceAll('&amp;', '&'));
      expect(list.html).toMatch(new RegExp(`>\\s*${count} rows?\\b`));
    }
    const { html } = await owner.get('/jobs');
    for (const told of ['Taking batch 1 back', 'batch 2', 'Extraction 3', '320 of 400'])
      expect(html).toContain(told);
  });

  test('an order that went on for another player needs nobody any more', async () => {
    const { owner } = shop.members;
    const id = await stopAnOrder('another');
    const line = async () => (await readLines(await enter(owner)))['Stopped orders']?.[0];
    expect(await line()).toBe('2');
    const placed = await core.orders.place(owner, {
      ...{ ...PLAYER, playerId: '5170925571', items: [{ denomination: 60, count: 1 }] },
      ...{ onShortage: 'wait', onBadCode: 'stop', idempotencyKey: { scope: 'http', key: 'two' } },
      insteadOf: { id, seen: core.orders.find(owner, id)!.standing },
    });
    await endOf('order' in placed ? placed.order.id : '');
    // The other has stopped in its place.
    expect(await line()).toBe('2');
  });

  test('an operator is told of their own bulk work alone', async () => {
    const operator = await enter(shop.members.operator);
    expect(await readLines(operator)).toMatchObject({ 'Bulk work set aside': ['1', '60 min ago', '/jobs'] });
    const { html } = await operator.get('/jobs');
    expect([html.includes('batch 2'), html.includes('batch 1')]).toEqual([true, false]);
  });

  test('whoever sees the stock is told of it by the thresholds of the account', async () => {
    await core.stockAlerts.set(shop.members.admin, { gameId: 'game_id_1', denomination: 60, threshold: 3 });
    const told = await Promise.all(
      Object.values(shop.members).map(async (member) => {
        const browser = await enter(member);
        const { html } = await browser.get('/stock');
        return [
          (await readLines(browser))['Stock that runs out']?.[0],
          /class="badge[^"]*">([^<]+)/.exec(html)?.[1],
        ];
      }),
    );
    expect(told).toEqual(Array(4).fill(['1', 'low']));
  });

  test('of the service: what has a line of its own is no trouble beside it, and each line leads to its part', async () => {
    const host = await enter({ kind: 'host', by: TEST_HOST });
    const lines = await readLines(host);
    expect(lines).toMatchObject({
      'Troubles of the service': ['1', '60 min ago', '/host#alerts'],
      'Doubts that wait for a person': ['1', expect.stringMatching(/ago$/), '/host#doubts'],
      'In doubt, all accounts': ['2', expect.stringMatching(/ago$/), '/host#doubts'],
      'Answers that could not be read': ['1', '60 min ago', '/host#alerts'],
      'Updates set aside': ['1', '60 min ago', '/host#updates'],
    });
    const { html } = await host.get('/host');
    for (const [, , href] of Object.values(lines)) expect(html).toContain(`id="${href.split('#')[1]}"`);
    expect(html.match(/waits for a person/g)?.length).toBe(1);
    expect(html.match(/>\s*asked about/g)?.length).toBe(1);
  });

  test('of several it says since when the oldest needs somebody', async () => {
    t.clock.advance(2 * HOUR_MS);
    await stopAnOrder('late');
    await setAside(shop.members.admin, 'undo', 4);
    await t.store.write((tables) => {
      tables.inbox.save(8, '{}', t.clock.now());
      tables.inbox.finish(8, 'set_aside');
    });
    await doubt();
    expect(await readLines(await enter(shop.members.owner))).toMatchObject({
      'Stopped orders': ['3', '2 h ago', expect.anything()],
      'Bulk work set aside': ['4', '3 h ago', '/jobs'],
    });
    expect(await readLines(await enter({ kind: 'host', by: TEST_HOST }))).toMatchObject({
      'Doubts that wait for a person': ['1', '2 h ago', '/host#doubts'],
      'In doubt, all accounts': [expect.anything(), '2 h ago', '/host#doubts'],
      'Updates set aside': ['2', '3 h ago', '/host#updates'],
    });
  });

  test('an order that stopped a week ago needs nobody any more', async () => {
    t.clock.advance(8 * DAY_MS);
    expect(await readLines(await enter(shop.members.owner))).not.toHaveProperty('Stopped orders');
  });
});

test('tells what may be redeemed still, and until when', async () => {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'cut' });
  await doubt();
  const { html } = await openTestConsole(t)
    .enter(shop.members.support)
    .then((browser) => browser.get('/'));
  const { daily, purchased } = core.quota(shop.members.owner);
  expect(daily.remaining).toBeLessThan(300);
  expect(html).toContain(`<dd>${daily.remaining} of 300 in 24 h, and ${purchased} bought</dd>`);
  expect(html).toContain('Subscription until');
  expect(html).toMatch(/Support · UTC/);
});
