// Claim links on their screens: what is listed and filed of them, what one shows, and what may be done about it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestConsole, type Browser } from '../../../test/harness/console.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { readCsv } from '../../../test/harness/csv.ts';
import type { ClaimRequest, IssuedClaim } from '../../core/index.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';
const MINUTE_MS = 60_000;

let t: TestCore;
let shop: TestAccount;
let admin: Browser;
let keys = 0;
beforeAll(async () => {
  t = await openTestCore();
  await t.core.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  // Ten may enter in a minute.
  t.clock.advance(MINUTE_MS);
  shop = await openTestAccount(t.store);
  const { accountId } = shop;
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId, days: 30, purchased: 99 });
  admin = await openTestConsole(t).enter(shop.members.admin);
  t.platform.script.findCharacter = (playerId) => ({ status: 'found', openid: playerId, name: 'Nick' });
  delete t.platform.script.redeem;
});

async function issue(asked: Partial<ClaimRequest> = {}): Promise<IssuedClaim> {
  await t.core.codes.add(shop.members.admin, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  const answer = await t.core.claims.issue(shop.members.admin, {
    ...{ gameId: GAME, denomination: 60, count: 1 },
    idempotencyKey: { scope: 'http', key: `lot-${(keys += 1)}` },
    ...asked,
  });
  if (answer.status !== 'issued') throw new Error(answer.status);
  return answer.claims[0]!;
}
const stateOf = ({ id }: IssuedClaim) => t.core.claimList.read(shop.members.admin, id)?.state;
async function use(claim: IssuedClaim, playerId = PLAYER): Promise<void> {
  await t.core.visits.lookUp(claim.token, playerId);
  const nonce = t.core.visits.open(claim.token)?.candidate?.nonce ?? '';
  await t.core.visits.confirm(claim.token, nonce, 'browser');
  await t.until(() => ['settled', 'stuck'].includes(stateOf(claim) ?? ''));
}
const stick = (claim: IssuedClaim, trouble: 'lookUps' | 'afterRestore', isUndecided = false) =>
  t.store.write((tables) => {
    const row = tables.claims.findByName(claim.id)!;
    if (isUndecided) tables.claims.doubt(row.id);
    tables.claims.stick(row.id, trouble);
  });
/** What the forms of a page do. */
const actsOf = (html: string): string[] =>
  [...html.matchAll(/action="\/console\/claims(?:\/[\w-]+\/(\w+))?" ?$/gm)].map(
    ([, name = 'reopen all']) => name,
  );

test('the list and its file hold the same, and neither a link nor a name that opens one', async () => {
  const used = await issue({ reference: 'INV-1' });
  const open = await issue({ reference: '=cmd()' });
  await use(used);
  const { html } = await admin.get('/claims');
  for (const word of ['INV-1', 'Redeemed', 'Not used yet', PLAYER]) expect(html).toContain(word);
  const csv = await admin.get('/claims.csv?sort=at');
  const [head = [], ...rows] = readCsv(csv.html);
  const cells = rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
  expect(cells).toMatchObject([
    { claimId: used.id, reference: 'INV-1', state: 'settled', amount: '60', playerId: PLAYER, promised: '0' },
    { claimId: open.id, reference: "'=cmd()", state: 'open', amount: '60', playerId: '', promised: '1' },
  ]);
  const pages = [html, csv.html, (await admin.get(`/claims/${used.id}`)).html];
  const tokens = [used, open].map(({ token }) => token);
  expect(
    pages.filter((page) => tokens.some((token) => page.includes(token)) || page.includes('/c/')),
  ).toEqual([]);
});

test('a filter of the page is the filter of the file', async () => {
  const [first] = [await issue({ reference: 'A' }), await issue({ reference: 'B' })];
  await stick(first, 'lookUps');
  for (const query of ['state=stuck', 'trouble=lookUps', 'reference=A', 'reference=A&amount=60+UC']) {
    const [page, csv] = [await admin.get(`/claims?${query}`), await admin.get(`/claims.csv?${query}`)];
    expect([query, page.html.includes('1 row'), readCsv(csv.html).length]).toEqual([query, true, 2]);
  }
  expect((await admin.get('/claims?state=lost')).html).toContain('It can be: open, confirmed, settled');
});

test('one that is redeemed shows its player, its order and its receipt, and nothing is to be done', async () => {
  const claim = await issue();
  await use(claim);
  const { html } = await admin.get(`/claims/${claim.id}`);
  const { orderId } = t.core.claims.find(shop.members.admin, claim.id)!;
  expect(html).toMatch(/Player 5170925570[\s\S]*Its codes[\s\S]*href="\/console\/receipts\/\d+"/);
  expect(html).toContain(`href="/console/orders/${orderId}"`);
  expect(html).toContain('1 of 5, of whom 0 do not exist');
  expect(actsOf(html)).toEqual([]);
});

test('one that nobody used is revoked once it is asked about, and a used one is not', async () => {
  const [open, used] = [await issue(), await issue()];
  expect(actsOf((await admin.get(`/claims/${open.id}`)).html)).toEqual(['revoke']);
  await admin.post(`/claims/${open.id}/revoke`);
  expect(stateOf(open)).toBe('open');
  await use(used);
  for (const claim of [open, used]) await admin.post(`/claims/${claim.id}/revoke`, { sure: 'yes' });
  expect([stateOf(open), stateOf(used)]).toEqual(['revoked', 'settled']);
});

test('one that is stuck says why and what comes next, and is opened again', async () => {
  const claim = await issue();
  await stick(claim, 'lookUps');
  const { html } = await admin.get(`/claims/${claim.id}`);
  expect(html).toContain('Allow more, and tell your buyer');
  expect(actsOf(html)).toEqual(['revoke', 'reopen']);
  expect((await admin.get('')).html).toContain('Links that are stuck');
  await admin.post(`/claims/${claim.id}/reopen`);
  expect(stateOf(claim)).toBe('open');
  expect((await admin.post(`/claims/${claim.id}/reopen`)).html).toContain('It is not stuck any more');
});

test('one whose order stopped is opened for another player where nothing of it was redeemed', async () => {
  const claim = await issue();
  t.platform.script.redeem = () => ({
    ...({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND', message: '', asked: true } as const),
  });
  await use(claim);
  expect(actsOf((await admin.get(`/claims/${claim.id}`)).html)).toEqual(['reopen']);
  await admin.post(`/claims/${claim.id}/reopen`);
  delete t.platform.script.redeem;
  await use(claim, '5170925571');
  expect(t.core.claims.find(shop.members.admin, claim.id)).toMatchObject({
    ...{ state: 'settled', playerId: '5170925571' },
  });
});

test('those of before a restore are opened by one press; one that nobody can tell of is asked about by itself', async () => {
  const [first, second, undecided] = [await issue(), await issue(), await issue()];
  await Promise.all([stick(first, 'afterRestore'), stick(second, 'afterRestore')]);
  await stick(undecided, 'afterRestore', true);
  expect(actsOf((await admin.get('/claims')).html)).toEqual(['reopen all']);
  const asked = await admin.post('/claims');
  expect(asked.html).toContain('found by proof');
  await admin.post('/claims', { sure: 'yes' });
  expect([first, second, undecided].map(stateOf)).toEqual(['open', 'open', 'stuck']);
  expect(actsOf((await admin.get('/claims')).html)).toEqual([]);
  const question = await admin.post(`/claims/${undecided.id}/reopen`);
  expect([question.html.includes('Ask your buyer first'), stateOf(undecided)]).toEqual([true, 'stuck']);
  await admin.post(`/claims/${undecided.id}/reopen`, { sure: 'yes' });
  expect(stateOf(undecided)).toBe('open');
});

test('the account sets the player: the name is told before, and the same page sent again is the same', async () => {
  const claim = await issue();
  await stick(claim, 'lookUps');
  const path = `/claims/${claim.id}/player`;
  const once = /name="once" value="([^"]+)"/.exec((await admin.get(path)).html)?.[1] ?? '';
  expect((await admin.post(path, { once, player: '12' })).status).toBe(404);
  const asked = await admin.post(path, { once, player: PLAYER });
  expect([asked.html.includes(`60 UC for Nick (${PLAYER})`), stateOf(claim)]).toEqual([true, 'stuck']);
  const sure = { once, player: PLAYER, name: 'Nick', sure: 'yes' };
  for (const { headers } of [await admin.post(path, sure), await admin.post(path, sure)])
    expect(headers.get('location')).toContain('said=claim-player-set');
  await t.until(() => stateOf(claim) === 'settled');
  expect(t.core.claims.find(shop.members.admin, claim.id)).toMatchObject({ playerId: PLAYER });
  const other = await admin.post(path, { ...sure, player: '5170925579' });
  expect([other.status, t.platform.orders.filter(({ playerId }) => playerId === '5170925579')]).toEqual([
    409,
    [],
  ]);
});

test('without an address for links they are in the menu of whoever has some', async () => {
  const menu = async (browser: Browser) => (await browser.get('')).html.includes('href="/console/claims"');
  expect(await menu(admin)).toBe(false);
  expect(await menu(await openTestConsole(t, { hasLinks: true }).enter(shop.members.owner))).toBe(true);
  expect(await menu(await openTestConsole(t, { hasLinks: true }).enter(shop.members.operator))).toBe(false);
  await issue();
  expect(await menu(admin)).toBe(true);
});
