// A browser for tests, where the machine has one, and a note of every request that leaves for another host.
import { existsSync } from 'node:fs';

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
/**
 * Playwright's own list, which another takes the place of; and of the window what no test sees: two pages of its own
 * each.
 */
const WITHOUT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding', 'OptimizationHints'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
];
const QUIET = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT.join(',')}`,
];

/** Why browser tests are skipped here; undefined when they can run. */
export const noBrowser = existsSync(CHROMIUM) ? undefined : `there is no ${CHROMIUM}`;

/** Starts chromium without any of its own traffic. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET });
}

export interface WatchedPage {
  page: Page;
  /** Requests to anything but loopback. */
  foreign: string[];
  /** What the page complained of. */
  complaints: string[];
}

/** A page of its own session that tells what it asks for and complains of. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  const foreign: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && hostname !== '127.0.0.1') foreign.push(request.url());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') complaints.push(line.text());
  });
  page.setDefaultTimeout(15_000);
  return { page, foreign, complaints };
}
