// The console in a browser: each screen at a phone's and a desk's width, light and dark, looked at by axe; and the work
// of a shop without a script; what support is asked, by keyboard alone.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SCREENS } from '../../src/console/screens/index.ts';
import { openTestAccount, type TestAccount } from '../harness/accounts.ts';
import { serveConsole, type ServedConsole } from '../harness/console-server.ts';
import { makeCode, openTestCore, type TestCore } from '../harness/core.ts';
import { noBrowser, openPage, startBrowser } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What a page is asked of that has none without. */
const ASKED_OF: Record<string, string> = { '/stock/in-question': '?game=game_id_1&denomination=60' };
const WIDTHS = { light: 360, dark: 1280 } as const;
/** In the dark nothing is other but the colours. */
const ASKED = { light: '', dark: ", runOnly: ['color-contrast']" } as const;

/** Of the receipts below. */
const CODES = [makeCode('60SFIRST'), makeCode('60SOTHER'), makeCode('60SUSED')];
const [ONCE, TWICE] = ['5170925570', '5170925571'];

/** What a customer says, what answers it, and what is pressed on the way from the box. */
const ASKED_OF_SUPPORT: readonly [said: string, answer: string | RegExp, ways: RegExp[]][] = [
  [ONCE, 'the code is spent', []],
  [`Player ${ONCE}`, 'spent for this receipt', []],
  [CODES[0]!, 'the code is spent', []],
  [`${TWICE} failed`, 'Code already used', []],
  [TWICE, 'What happened', [/^\d+$/]],
  [ONCE, `pw-${CODES[0]}`, [/^Show code and login$/]],
];

/** One player has a receipt, the other two, of which one failed. */
async function redeemAll({ core, platform }: TestCore, { members }: TestAccount): Promise<void> {
  const redeem = (playerId: string, code: string) =>
    core.redeem(members.owner, { gameId: 'game_id_1', playerId, code });
  await redeem(ONCE, CODES[0]!);
  await redeem(TWICE, CODES[1]!);
  platform.script.redeem = () => ({ status: 'refused', errorCode: 'CODE_USED', message: '', asked: true });
  await redeem(TWICE, CODES[2]!);
}

/** Two links, of which one is stuck: that one. */
async function giveLinks({ core, store }: TestCore, { members }: TestAccount): Promise<string> {
  const answer = await core.claims.issue(members.owner, {
    ...{ gameId: 'game_id_1', denomination: 60, count: 2, reference: 'Lot 7' },
    idempotencyKey: { scope: 'http', key: 'links' },
  });
  const [claim] = answer.status === 'issued' ? answer.claims : [];
  if (!claim) throw new Error(answer.status);
  await store.write(({ claims }) => claims.stick(claims.findByName(claim.id)!.id, 'lookUps'));
  return claim.id;
}

/** Keys alone; counts them, and what they set off. */
function createHand(page: Page) {
  const hand = {
    keys: 0,
    acts: 0,
    async press(key: string): Promise<void> {
      hand.keys += 1;
      if (key !== 'Enter') return page.keyboard.press(key);
      hand.acts += 1;
      await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press(key)]);
    },
    /** To what is called so, in the order in which the page offers it. */
    async tabTo(name: string | RegExp): Promise<void> {
      for (let tabs = 0; tabs < 60; tabs += 1) {
        await hand.press('Tab');
        const called = await page.evaluate<string>(
          `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`,
        );
        if (typeof name === 'string' ? called === name : name.test(called)) return;
      }
      throw new Error(`No key leads to ${name}.`);
    },
  };
  return hand;
}

describe.skipIf(noBrowser)(`the console${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let t: TestCore;
  let account: TestAccount;
  let browser: Browser;
  let served: ServedConsole;
  let url: string;
  /** A link that waits for its shop. */
  let stuck: string;

  beforeAll(async () => {
    [t, browser] = await Promise.all([openTestCore(), startBrowser()]);
    account = await openTestAccount(t.store);
    await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: account.accountId, days: 30 });
    const { owner } = account.members;
    await t.core.codes.add(owner, 'game_id_1', [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
    await redeemAll(t, account);
    stuck = await giveLinks(t, account);
    served = await serveConsole(t, [owner.telegramId]);
    ({ url } = served);
  });
  afterAll(async () => {
    await browser?.close();
    served?.close();
    await t?.close();
  });

  async function enter(page: Page, role: 'owner' | 'support' = 'owner'): Promise<void> {
    const actor = account.members[role];
    await page.goto(`${url}/enter/${await t.core.consoleAccess.link(actor, actor.telegramId)}`);
    // Not before its script runs: a key that is pressed on the page before is lost.
    await Promise.all([
      page.waitForURL(({ pathname }) => !pathname.includes('/enter/')),
      page.getByRole('button', { name: 'Continue as' }).click(),
    ]);
  }

  test.each(['light', 'dark'] as const)(
    'every screen fits, and axe finds nothing serious, %s',
    async (scheme) => {
      const width = WIDTHS[scheme];
      const viewport = { width, height: 800 };
      const watched = await openPage(browser, { viewport, colorScheme: scheme, locale: 'en' });
      const { page, foreign, complaints } = watched;
      await enter(page);
      const paths = SCREENS.flatMap(({ routes }) => routes)
        .filter(({ method, path }) => method === 'GET' && !path.includes(':') && !path.endsWith('.csv'))
        .map(({ path }) => (path === '/' ? '' : path + (ASKED_OF[path] ?? '')))
        .concat('/receipts/1', `/claims/${stuck}`, `/claims/${stuck}/player`);
      const found: string[] = [];
      for (const path of paths) {
        await page.goto(url + path);
        const over = await page.evaluate<number>(
          `Math.max(...[document.documentElement, ...document.querySelectorAll('.scroll')]
           .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`,
        );
        if (over > 0) found.push(`${path} is wider than ${width}`);
        await page.evaluate(AXE);
        const serious = await page.evaluate<string[]>(
          `axe.run({ resultTypes: ['violations']${ASKED[scheme]} }).then(({ violations }) => violations
           .filter(({ impact }) => ['serious', 'critical'].includes(impact))
           .flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`,
        );
        found.push(...serious.map((each) => `${path}: ${each}`));
      }
      expect([found, foreign, complaints]).toEqual([[], [], []]);
      await page.context().close();
    },
  );

  test.each([
    { script: true, first: 0 },
    { script: false, first: 1 },
  ])(
    'support answers a customer in two acts, by keyboard alone, at a desk and a phone, script: $script',
    async ({ script, first }) => {
      const options = { javaScriptEnabled: script, locale: 'en' };
      const { page, foreign, complaints } = await openPage(browser, options);
      await enter(page, 'support');
      const steps = [];
      for (const [index, [said, answer, ways]] of ASKED_OF_SUPPORT.entries()) {
        // With and without a script each of them at the other width.
        await page.setViewportSize({ width: Object.values(WIDTHS)[(index + first) % 2]!, height: 740 });
        const hand = createHand(page);
        if (script) await hand.press('/');
        // The same key on a Russian keyboard.
        if (script)
          expect(
            await page.evaluate(`document.activeElement.blur(), document.dispatchEvent(new KeyboardEvent('keydown',
              { key: '.', code: 'Slash' })), document.activeElement.name`),
          ).toBe('q');
        else await hand.tabTo('Find anything');
        await page.keyboard.insertText(said);
        await hand.press('Enter');
        for (const way of ways) {
          await hand.tabTo(way);
          await hand.press('Enter');
        }
        await page.getByText(answer).first().waitFor();
        steps.push({ said, acts: hand.acts, few: hand.keys <= 30 || hand.keys });
      }
      const expected = ASKED_OF_SUPPORT.map(([said, , ways]) => ({ said, acts: 1 + ways.length, few: true }));
      expect([steps, foreign, complaints]).toEqual([expected, [], []]);
      await page.context().close();
    },
  );

  // Another port is the same site, to which a strict cookie goes along; another name is not.
  test.each([
    { host: '127.0.0.1', isCookieSent: true },
    { host: 'localhost', isCookieSent: false },
  ])('a form on a page of another origin, at $host, does nothing', async ({ host, isCookieSent }) => {
    const { page } = await openPage(browser, { locale: 'en' });
    await enter(page);
    const { owner } = account.members;
    const openSessions = () => t.core.consoleAccess.list(owner.telegramId).map(({ id }) => id);
    const session = openSessions().at(-1);
    const html = `<form method="post" action="${url}/me/end" enctype="text/plain">
      <input name="session" value="${session}" /><button>Win a prize</button></form>`;
    const server = createServer((_, answer) => void answer.setHeader('content-type', 'text/html').end(html));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
      await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
      await page.evaluate(`document.forms[0].enctype = '${enctype}'`);
      const [request] = await Promise.all([
        page.waitForRequest(`${url}/me/end`),
        page.getByRole('button', { name: 'Win a prize' }).click(),
      ]);
      expect([(await request.allHeaders()).cookie !== undefined, enctype]).toEqual([isCookieSent, enctype]);
      await page.getByText('not sent from a page of the console').waitFor();
      expect(openSessions()).toContain(session);
    }
    server.close();
    await page.context().close();
  });

  test('codes are added and taken back at 360 px, without a script', async () => {
    const viewport = { width: 360, height: 740 };
    const { page } = await openPage(browser, { viewport, javaScriptEnabled: false, locale: 'en' });
    await enter(page);
    await page.getByText('Menu').click();
    await page.getByRole('link', { name: 'Stock', exact: true }).click();
    await page.getByRole('link', { name: 'Add codes' }).click();
    await page.getByLabel('Codes, as your supplier').fill(`325 UC\n${makeCode('325S')}`);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Add 1 code' }).click();
    const available = () => t.core.codes.countAvailable(account.members.owner, 'game_id_1').get(325);
    expect(available()).toBe(1);
    await page.getByText('For an hour they can be taken back').waitFor();
    // The press, and the answer to its question.
    for (let press = 0; press < 2; press += 1) await page.getByRole('button', { name: 'Undo' }).click();
    expect(available()).toBe(0);
    await page.context().close();
  });
});
