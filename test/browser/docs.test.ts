// The documentation page of the service, in a browser.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../harness/app.ts';
import { noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The reference's own: an operation that opens holds a button of its own. */
const OF_THE_REFERENCE = 'nested-interactive';
const PATIENT = { timeout: 10_000 };

describe.skipIf(noBrowser)(`/docs${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let app: TestApp;
  let browser: Browser;
  let docs: WatchedPage;

  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(), startBrowser()]);
    docs = await openPage(browser);
    await docs.page.goto(`${app.url}/docs`);
    await docs.page.locator('.opblock-summary-path', { hasText: '/redeem' }).first().waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  test('it shows every endpoint and every message, below the prose, and contacts no other host', async () => {
    const { page, foreign, complaints } = docs;
    await page.locator('h2', { hasText: 'In doubt: what to do' }).waitFor();
    const shown = await page.locator('.opblock').count();
    const described = (await app.request('/openapi.json')).json as Record<
      'paths' | 'webhooks',
      Record<string, object>
    >;
    const endpoints = [described.paths, described.webhooks].flatMap((each) =>
      Object.values(each).flatMap((item) => Object.keys(item)),
    );
    expect(shown).toBe(endpoints.length);
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('axe finds nothing serious in it, %s', async (colorScheme) => {
    const { page } = docs;
    await page.emulateMedia({ colorScheme });
    const isDark = () => page.evaluate('document.documentElement.classList.contains("dark-mode")');
    await expect.poll(isDark, PATIENT).toBe(colorScheme === 'dark');
    // Halfway from one colour to the other nothing can be told.
    await expect.poll(() => page.evaluate('document.getAnimations().length'), PATIENT).toBe(0);
    await page.evaluate(AXE);
    const found = await page.evaluate<string[]>(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
         .filter(({ id, impact }) => id !== '${OF_THE_REFERENCE}' && ['serious', 'critical'].includes(impact))
         .flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`,
    );
    expect(found).toEqual([]);
  });

  test('commands name this very service, and are copied whole by a button', async () => {
    const { page } = docs;
    const [first] = await page.locator('.code').all();
    await first?.getByRole('button', { name: 'Copy' }).click();
    await first?.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(new RegExp(`^BASE=${app.url}\\n# shown once[^\\n]+\\nKEY=crs_…`));
    expect(copied).toBe(await first?.locator('code').textContent());
  });

  test('what is tried out has a key of its own each time; a key that the reader wrote stays', async () => {
    const { page } = docs;
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
    });
    await page.locator('#operations-Redemption-redeem .opblock-summary-control').click();
    await page.locator('#operations-Redemption-redeem .try-out__btn').click();
    const execute = page.locator('#operations-Redemption-redeem .execute');
    for (const count of [1, 2]) {
      await execute.click();
      await expect.poll(() => keys.length).toBe(count);
    }
    await page.locator('#operations-Redemption-redeem input[placeholder="Idempotency-Key"]').fill('order-1');
    await execute.click();
    await expect.poll(() => keys.length).toBe(3);
    expect(keys).toEqual([
      expect.stringMatching(/^try-\d+-\d+$/),
      expect.stringMatching(/^try-\d+-\d+$/),
      'order-1',
    ]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test.each(['light', 'dark'] as const)(
    'on a phone it is %s as the phone is, and nothing hangs out',
    async (colorScheme) => {
      const { page } = await openPage(browser, { colorScheme, viewport: { width: 390, height: 844 } });
      await page.goto(`${app.url}/docs`);
      await page.locator('#operations-Redemption-redeem .opblock-summary-control').click();
      await page.locator('#operations-Redemption-redeem .responses-wrapper').waitFor();
      const [wide, ground] = await page.evaluate<[number, string]>(
        '[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor]',
      );
      expect(wide).toBe(390);
      expect(ground).toBe(colorScheme === 'dark' ? 'rgb(18, 21, 27)' : 'rgb(255, 255, 255)');
    },
  );
});
