// Batches as they leave: pages joined are the CSV, and both are what the core answers; a batch tells its figures, gives
// its bad codes to who has just entered, and is taken back after a question.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestConsole, type Browser, type TestConsole } from '../../../test/harness/console.ts';
import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { readCsv } from '../../../test/harness/csv.ts';
import { createSeeded, type Seeded } from '../../../test/harness/seeded.ts';
import {
  BATCH_FATES,
  dayAt,
  formatIsoDay,
  parseIsoDay,
  type ListedBatch,
  type MemberActor,
} from '../../core/index.ts';
import { batchesView } from './batches.ts';

const GAME = 'game_id_1';
const SUPPLIERS = ['Ivanov', 'Lucky <b>', 'Ёлка'] as const;
const MINUTE_MS = 60_000;

let t: TestCore;
let shop: TestAccount;
let app: TestConsole;
let owner: Browser;
beforeAll(async () => {
  t = await openTestCore();
  shop = await openTestAccount(t.store);
  app = openTestConsole(t);
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: shop.accountId, days: 90 });
  const random = createSeeded(5);
  for (let count = 0; count < 45; count += 1) {
    if (random.next() < 0.7) t.clock.advance(random.between(1, 12) * 60 * MINUTE_MS);
    await addBatch(random);
  }
  owner = await app.enter(shop.members.owner);
});
afterAll(() => t.close());

/** Some of its codes are taken out, or it is taken back. */
async function addBatch(random: Seeded): Promise<void> {
  const actor = random.pick([shop.members.owner, shop.members.operator]);
  const id = await t.core.imports.begin(actor, { gameId: GAME });
  const text = Array.from({ length: random.between(1, 4) }, () => `60 UC ${makeCode()}`).join('\n');
  await t.core.imports.addPiece(actor, id, { key: 'one', position: 0, kind: 'message', text });
  if (random.next() < 0.6) await t.core.imports.setSupplier(actor, id, random.pick(SUPPLIERS));
  const { batchId = 0 } = (await t.core.imports.commit(actor, id)) ?? {};
  if (random.next() < 0.2) await t.core.imports.undo(actor, batchId);
  if (random.next() < 0.3)
    await t.core.codes.extract(shop.members.owner, { gameId: GAME, denomination: 60, amount: 2 });
}

function drawParams(random: Seeded): URLSearchParams {
  const params = new URLSearchParams();
  const maybe = (key: string, value: string) => {
    if (random.next() < 0.4) params.set(key, value);
  };
  const day = () => formatIsoDay(dayAt('UTC', t.clock.now() - random.between(0, 12) * DAY_MS));
  maybe('from', day());
  maybe('to', day());
  maybe('supplier', random.pick(['ivanov', 'LUCKY <b>', 'Ёлка', 'nobody']));
  maybe('game', random.pick(t.core.games.managed).id);
  maybe('sort', random.pick(batchesView.sorts));
  return params;
}

const toCells = ({ id, added, supplier, fate }: ListedBatch) =>
  [id, supplier ?? '', added, ...BATCH_FATES.map((each) => fate?.[each])].map(String);

async function coreCells(actor: MemberActor, params: URLSearchParams): Promise<string[][]> {
  const filter = {
    from: parseIsoDay(params.get('from') ?? ''),
    to: parseIsoDay(params.get('to') ?? ''),
    gameId: params.get('game') ?? undefined,
    supplier: params.get('supplier') ?? undefined,
  };
  const slices = t.core.batches.walk(actor, params.get('sort') === 'at' ? 'oldest' : 'newest', filter);
  const found: string[][] = [];
  for await (const batches of slices) found.push(...batches.map(toCells));
  return found;
}

async function csvCells(browser: Browser, params: URLSearchParams): Promise<string[][]> {
  const [head = [], ...rows] = readCsv((await browser.get(`/batches.csv?${params.toString()}`)).html);
  const at = ['batchId', 'supplier', 'added', ...BATCH_FATES].map((name) => head.indexOf(name));
  return rows.filter((row) => row.length > 1).map((row) => at.map((index) => row[index] ?? ''));
}

async function joinPages(browser: Browser, params: URLSearchParams): Promise<string[]> {
  const found: string[] = [];
  for (let path: string | undefined = `/batches?${params.toString()}`; path !== undefined;) {
    const { html } = await browser.get(path);
    found.push(...[...html.matchAll(/href="\/console\/batches\/(\d+)"/g)].map(([, id]) => id ?? ''));
    path = /href="\/console([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  }
  return found;
}

test('pages joined are the CSV, both are what the core answers, and an operator has their own', async () => {
  const { members } = shop;
  const operator = await app.enter(members.operator);
  const random = createSeeded(9);
  const sizes = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const [browser, actor] = random.next() < 0.7 ? [owner, members.owner] : [operator, members.operator];
    const params = drawParams(random);
    const answer = await coreCells(actor, params);
    sizes.add(answer.length);
    expect([params.toString(), await csvCells(browser, params)]).toEqual([params.toString(), answer]);
    params.set('per', '10');
    const ids = answer.map(([id]) => id);
    expect([params.toString(), await joinPages(browser, params)]).toEqual([params.toString(), ids]);
  }
  expect(sizes.size).toBeGreaterThan(5);
  // What the rows say, said without the list: how many there are, and whose.
  const [all, own] = [
    await csvCells(owner, new URLSearchParams()),
    await csvCells(operator, new URLSearchParams()),
  ];
  const ofAccount = 'select count(*) from batches where account_id = ?';
  expect(all).toHaveLength(t.inspect((file) => Number(file.prepare(ofAccount).pluck().get(shop.accountId))));
  const ofOperator = all.filter(([id]) => t.core.batches.find(members.operator, Number(id)));
  expect([own, own.length > 5 && own.length < all.length]).toEqual([ofOperator, true]);
});

test('a batch tells its bad codes to who has just entered, and to nobody of whom it is not', async () => {
  const { members } = shop;
  await t.core.codes.extract(members.owner, { gameId: GAME, denomination: 60, amount: 200 });
  const codes = [makeCode(), makeCode()];
  const { batchId } = await t.core.codes.add(members.owner, GAME, [{ denomination: 60, codes }]);
  t.platform.script.redeem = () => ({ status: 'refused', errorCode: 'CODE_USED', message: '', asked: true });
  await t.core.redeem(members.owner, { gameId: GAME, playerId: '5170925570', denomination: 60 });
  owner = await app.enter(members.owner);
  const shown = await owner.get(`/batches/${batchId}`);
  expect(shown.html).toMatch(/<dt>Available<\/dt>\s*<dd>1<\/dd>[^]*<dt>Bad<\/dt>\s*<dd>1<\/dd>/);
  for (const code of codes) expect(shown.html).not.toContain(code);
  const bad = (browser: Browser) => browser.get(`/batches/${batchId}/bad.csv`);
  const [told] = (await t.core.badCodes.readOfBatch(members.owner, batchId)) ?? [];
  expect(readCsv((await bad(owner)).html).slice(0, 2)).toEqual([
    ['denomination', 'code', 'answer', 'time'],
    ['60', told?.code, 'CODE_USED', new Date(t.clock.now()).toISOString()],
  ]);
  const others = [members.operator, (await openTestAccount(t.store)).members.owner];
  for (const other of await Promise.all(others.map((each) => app.enter(each)))) {
    const statuses = [await bad(other), await other.get(`/batches/${batchId}`)].map(({ status }) => status);
    expect(statuses).toEqual([404, 404]);
    expect((await other.post(`/batches/${batchId}/undo`, { sure: 'yes' })).status).toBe(404);
  }
  t.clock.advance(6 * MINUTE_MS);
  expect((await bad(owner)).status).toBe(403);
  const { html: late } = await owner.get(`/batches/${batchId}`);
  expect([late.includes('bad.csv'), late.includes('first five minutes')]).toEqual([false, true]);
});

test('it is taken back after a question, and for an hour', async () => {
  const { members } = shop;
  const codes = [makeCode(), makeCode()];
  const { batchId } = await t.core.codes.add(members.owner, GAME, [{ denomination: 60, codes }]);
  owner = await app.enter(members.owner);
  const undo = (fields = {}) => owner.post(`/batches/${batchId}/undo`, fields);
  const isOffered = async () => (await owner.get(`/batches/${batchId}`)).html.includes(`/${batchId}/undo"`);
  const available = async () => (await t.core.batches.findFate(members.owner, batchId))?.available;
  expect((await undo()).html).toContain('2 codes');
  expect([await available(), await isOffered()]).toEqual([2, true]);
  expect((await undo({ sure: 'yes' })).headers.get('location')).toContain(
    `/batches/${batchId}?said=codes-undone`,
  );
  expect([await available(), await isOffered()]).toEqual([0, false]);
});
