// The documentation page of the service, in a browser.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../harness/app.ts';
import { noBrowser, openPage, startBrowser } from './browser.ts';

describe.skipIf(noBrowser)(`/docs${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let app: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(), startBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  test('it shows every endpoint and contacts no other host', async () => {
    const { page, foreign, complaints } = await openPage(browser);
    await page.goto(`${app.url}/docs`);
    await page.locator('.opblock-summary-path', { hasText: '/redeem' }).first().waitFor();
    const shown = await page.locator('.opblock').count();
    const described = (await app.request('/openapi.json')).json as { paths: Record<string, object> };
    const endpoints = Object.values(described.paths).flatMap((path) => Object.keys(path));
    expect(shown).toBe(endpoints.length);
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
