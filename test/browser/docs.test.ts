// The documentation of the service, in a browser: its prose, and the reference on a page of its own.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../harness/app.ts';
import { noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(noBrowser)(`/docs${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let app: TestApp;
  let browser: Browser;
  let docs: WatchedPage;

  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(), startBrowser()]);
    docs = await openPage(browser);
    await docs.page.goto(`${app.url}/docs`);
  });

  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  test.each(['light', 'dark'] as const)('axe finds nothing serious in the prose, %s', async (colorScheme) => {
    const { page } = docs;
    await page.emulateMedia({ colorScheme });
    await page.locator('h2', { hasText: 'In doubt: what to do' }).waitFor();
    await page.evaluate(AXE);
    const found = await page.evaluate<string[]>(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
         .filter(({ impact }) => ['serious', 'critical'].includes(impact))
         .flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`,
    );
    expect(found).toEqual([]);
  });

  test('commands name this very service', async () => {
    const first = await docs.page.locator('pre code').first().textContent();
    expect(first).toMatch(new RegExp(`^BASE=${app.url}\\n# shown once[^\\n]+\\nKEY=crs_…`));
  });

  test('the reference shows every endpoint and every message, and contacts no other host', async () => {
    const { page } = docs;
    await page.getByRole('link', { name: 'Reference' }).click();
    await page.locator('.opblock-summary-path', { hasText: '/redeem' }).first().waitFor();
    const shown = await page.locator('.opblock').count();
    const described = (await app.request('/openapi.json')).json as Record<
      'paths' | 'webhooks',
      Record<string, object>
    >;
    const endpoints = [described.paths, described.webhooks].flatMap((each) =>
      Object.values(each).flatMap((item) => Object.keys(item)),
    );
    expect(shown).toBe(endpoints.length);
    expect([docs.foreign, docs.complaints]).toEqual([[], []]);
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
    async (scheme) => {
      const { page } = await openPage(browser, {
        colorScheme: scheme,
        viewport: { width: 390, height: 844 },
      });
      for (const path of ['/docs', '/docs/reference']) {
        await page.goto(app.url + path);
        await page.locator('.prose h2, #operations-Redemption-redeem').first().waitFor();
        const [wide, grounds] = await page.evaluate<[number, string[]]>(
          `[document.documentElement.scrollWidth, [document.documentElement, document.body]
            .map((one) => getComputedStyle(one).backgroundColor)]`,
        );
        const isDark = grounds.some((ground) => /^rgb\([1-3]?\d,/.test(ground));
        expect([path, wide, isDark]).toEqual([path, 390, scheme === 'dark']);
      }
    },
  );
});
