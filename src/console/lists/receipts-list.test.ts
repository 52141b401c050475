// A list as it leaves: its pages joined are its CSV, and both are what the core answers; what there is not is told.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestConsole, type Browser } from '../../../test/harness/console.ts';
import { DAY_MS, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { readCsv } from '../../../test/harness/csv.ts';
import { addGeneratedCodes, GENERATED, generateReceipts } from '../../../test/harness/generated-receipts.ts';
import { createSeeded, type Seeded } from '../../../test/harness/seeded.ts';
import { dayAt, formatIsoDay, LISTED_STATES, parseIsoDay } from '../../core/index.ts';

let t: TestCore;
let shop: TestAccount;
let owner: Browser;
let app: ReturnType<typeof openTestConsole>;
beforeAll(async () => {
  t = await openTestCore();
  t.allowDrift();
  shop = await openTestAccount(t.store);
  app = openTestConsole(t);
  await addGeneratedCodes(t, shop.members.owner);
  await generateReceipts(t.store, createSeeded(11), {
    ...{ accountId: shop.accountId, otherId: t.actor.accountId, count: 260, stepMs: 2 * 60 * 60 * 1000 },
    ...{
      actors: ['apiKey:1', `member:${shop.members.operator.telegramId}`],
      from: t.clock.now() - 20 * DAY_MS,
    },
  });
  owner = await app.enter(shop.members.owner);
});
afterAll(() => t.close());

function drawParams(random: Seeded): URLSearchParams {
  const params = new URLSearchParams();
  const maybe = (key: string, value: string | number) => {
    if (random.next() < 0.25) params.set(key, String(value));
  };
  const day = () => formatIsoDay(dayAt('UTC', t.clock.now() - random.between(0, 20) * DAY_MS));
  maybe('state', random.pick(LISTED_STATES));
  maybe('from', day());
  maybe('to', day());
  maybe('game', random.pick(GENERATED.games));
  maybe('amount', random.pick([0, ...GENERATED.amounts]));
  maybe('player', random.pick(GENERATED.players));
  maybe('name', random.pick(['iva', 'ИВА', '<b>']));
  maybe('key', 1);
  maybe('error', random.pick(GENERATED.errors));
  maybe('batch', random.between(1, 3));
  maybe('sort', random.pick(['at', '-at']));
  return params;
}

const idsIn = (html: string) =>
  [...html.matchAll(/href="\/console\/receipts\/(\d+)"/g)].map(([, id]) => Number(id));
const linkIn = (html: string, rel: string) =>
  new RegExp(`href="/console([^"]+)" rel="${rel}"`).exec(html)?.[1]?.replaceAll('&amp;', '&');

async function joinPages(params: URLSearchParams): Promise<number[]> {
  const found: number[] = [];
  for (let path: string | undefined = `/receipts?${params.toString()}`; path !== undefined;) {
    const { html } = await owner.get(path);
    found.push(...idsIn(html));
    path = linkIn(html, 'next');
  }
  return found;
}

async function csvIds(params: URLSearchParams): Promise<number[]> {
  const { html: text, headers } = await owner.get(`/receipts.csv?${params.toString()}`);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return readCsv(text)
    .slice(1)
    .map(([id]) => Number(id));
}

async function coreIds(params: URLSearchParams): Promise<number[]> {
  const text = (key: string) => params.get(key) ?? undefined;
  const number = (key: string) => (params.has(key) ? Number(params.get(key)) : undefined);
  const filter = {
    ...{ playerId: text('player'), name: text('name'), gameId: text('game'), errorCode: text('error') },
    ...{ amount: number('amount'), apiKeyId: number('key'), batchId: number('batch') },
    state: LISTED_STATES.find((state) => state === params.get('state')),
    from: parseIsoDay(params.get('from') ?? ''),
    to: parseIsoDay(params.get('to') ?? ''),
  };
  const order = params.get('sort') === 'at' ? 'oldest' : 'newest';
  const found: number[] = [];
  const slices = await t.core.receiptList.walk(shop.members.owner, filter, { order, full: false });
  for await (const rows of slices) found.push(...rows.map(({ id }) => id));
  return found;
}

test('pages joined are the CSV, and both are what the core answers', async () => {
  const random = createSeeded(3);
  const sizes = new Set<number>();
  for (let round = 0; round < 25; round += 1) {
    const params = drawParams(random);
    const answer = await coreIds(params);
    sizes.add(answer.length);
    expect([params.toString(), await csvIds(params)]).toEqual([params.toString(), answer]);
    params.set('per', String(random.between(10, 100)));
    expect([params.toString(), await joinPages(params)]).toEqual([params.toString(), answer]);
  }
  expect(sizes.size).toBeGreaterThan(8);
});

test('the CSV begins with a mark and the names of the export, and holds no code and no formula', async () => {
  const { html: text, headers } = await owner.get('/receipts.csv');
  expect(headers.get('content-disposition')).toBe('attachment; filename="receipts-2026-01-13.csv"');
  // The text of an answer is read without its mark.
  expect(readCsv(text)[0]?.slice(0, 4)).toEqual(['receiptId', 'createdAt', 'settledAt', 'state']);
  expect(text).not.toContain('60S0000000');
  expect(text).toContain("'=cmd()");
});

describe('what there is not is a 400 that tells what there is', () => {
  test.each([
    ['stat=failed', 'state, from, to, player'],
    ['state=fialed', 'redeemed, failed, open'],
    ['state=failed&amp;state=redeemed'.replace('amp;', ''), 'given twice'],
    ['from=yesterday', 'YYYY-MM-DD'],
    ['from=2026-02-30', 'YYYY-MM-DD'],
    ['amount=-1', '0–'],
    ['sort=player', '-at, at'],
    ['per=5', '10–200'],
    ['per=201', '10–200'],
    ['after=zz', 'no place of this list'],
    ['after=0.00', 'no place of this list'],
    ['after=1.1&before=1.1', 'given twice'],
    ['codes=some', 'masked, full'],
  ])('%s', async (query, told) => {
    for (const path of ['/receipts', '/receipts.csv']) {
      const { status, html } = await owner.get(`${path}?${query}`);
      expect([path, status]).toEqual([path, 400]);
      expect(html).toContain(told);
    }
  });

  test('but an empty value is not asked for', async () => {
    expect((await owner.get('/receipts?state=&from=&player=')).status).toBe(200);
  });
});

test('codes leave with a reason alone, for the owner alone, while they have just entered', async () => {
  const asked = await owner.get('/receipts.csv?state=redeemed&codes=full');
  expect(asked.html).toContain('What is it for?');
  expect(asked.html).not.toContain('60S0000000');
  expect((await owner.post('/receipts.csv?state=redeemed&codes=full', { reason: ' ' })).status).toBe(400);
  const full = await owner.post('/receipts.csv?state=redeemed&codes=full', { reason: 'the supplier asks' });
  expect(full.html).toContain('60S0000000');
  expect(t.core.readAuditLog(shop.members.owner, { limit: 1 }).entries).toMatchObject([
    {
      what: 'credentialsExported',
      reason: 'the supplier asks',
      after: { filter: 'state=redeemed&codes=full' },
    },
  ]);
  const admin = await app.enter(shop.members.admin);
  expect((await admin.get('/receipts.csv?codes=full')).status).toBe(403);
  expect((await admin.post('/receipts.csv?codes=full', { reason: 'x' })).status).toBe(403);
  t.clock.advance(6 * 60 * 1000);
  for (const { status } of [
    await owner.get('/receipts.csv?codes=full'),
    await owner.post('/receipts.csv?codes=full', { reason: 'x' }),
  ])
    expect(status).toBe(403);
});

test('today, yesterday and a week are one link away, under the other filters', async () => {
  const { html } = await owner.get('/receipts?state=failed&from=2025-12-30');
  const [yesterday] = /href="[^"]*"\s*>Yesterday/.exec(html) ?? [];
  expect(yesterday).toContain('/console/receipts?state=failed&amp;from=2026-01-12&amp;to=2026-01-12');
});

test('a session makes one file at a time, which ends with its reader', async () => {
  const open = () =>
    app.app.request('https://shop.example/receipts.csv', { headers: { cookie: owner.cookie } });
  const first = await open();
  const reader = first.body!.getReader();
  await reader.read();
  expect((await open()).status).toBe(409);
  await reader.cancel();
  const again = await open();
  expect(again.status).toBe(200);
  expect(readCsv(await again.text()).length).toBeGreaterThan(200);
  expect((await owner.get('/receipts.csv')).status).toBe(200);
});
