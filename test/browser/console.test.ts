// The console in a browser: each screen at a phone's and a desk's width, light and dark, looked at by axe; and the work
// of a shop without a script.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createConsole } from '../../src/console/index.ts';
import { SCREENS } from '../../src/console/screens/index.ts';
import { randomIds } from '../../src/ids.ts';
import { openTestAccount, type TestAccount } from '../harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../harness/core.ts';
import { noBrowser, openPage, startBrowser } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDTHS = { light: 360, dark: 1280 } as const;
/** In the dark nothing is other but the colours. */
const ASKED = { light: '', dark: ", runOnly: ['color-contrast']" } as const;

describe.skipIf(noBrowser)(`the console${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let t: TestCore;
  let account: TestAccount;
  let browser: Browser;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    [t, browser] = await Promise.all([openTestCore(), startBrowser()]);
    account = await openTestAccount(t.store);
    await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: account.accountId, days: 30 });
    const { owner } = account.members;
    await t.core.codes.add(owner, 'game_id_1', [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
    const settings = { url: '', hostIds: [owner.telegramId] };
    const log = { error: (fields: object) => expect(fields).toBeUndefined() };
    const pages = createConsole({ core: t.core, clock: t.clock, ids: randomIds, log, settings });
    const app = new Hono().route('/console', pages as never);
    const answer = getRequestListener(app.fetch);
    server = createServer((incoming, outgoing) => void answer(incoming, outgoing)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = settings.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/console`;
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    await t?.close();
  });

  async function enter(page: Page): Promise<void> {
    const { owner } = account.members;
    await page.goto(`${url}/enter/${await t.core.consoleAccess.link(owner, owner.telegramId)}`);
    await page.getByRole('button', { name: 'Continue as' }).click();
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
        .map(({ path }) => (path === '/' ? '' : path));
      const found: string[] = [];
      for (const path of paths) {
        await page.goto(url + path);
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
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

  test('codes are added and taken back at 360 px, without a script', async () => {
    const viewport = { width: 360, height: 740 };
    const { page } = await openPage(browser, { viewport, javaScriptEnabled: false, locale: 'en' });
    await enter(page);
    await page.getByText('Menu').click();
    await page.getByRole('link', { name: 'Stock', exact: true }).click();
    await page.getByRole('link', { name: 'Add codes' }).click();
    await page.getByLabel('Codes, as your supplier').fill(`325 UC\n${makeCode('325S')}`);
    await page.getByRole('button', { name: 'Look at them' }).click();
    await page.getByRole('button', { name: 'Add 1 code' }).click();
    const available = () => t.core.codes.countAvailable(account.members.owner, 'game_id_1').get(325);
    expect(available()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(available()).toBe(0);
    await page.context().close();
  });
});
