// Row 30 in a browser: how long after it was asked for a page of the console is first painted.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, Page } from 'playwright-core';

import type { Clock } from '../../src/clock.ts';
import type { Core, MemberActor } from '../../src/core/index.ts';
import { noBrowser, startBrowser } from '../browser/browser.ts';
import { serveConsole } from '../harness/console-server.ts';
import type { ConsolePage } from './console-pages.ts';
import { roundsOf, scaled, skipped, value, word, type BenchOptions, type Figure } from './figures.ts';
import { median, takeTurns } from './rounds.ts';

const ROW = 30;
const AT_MOST = 100;
/** What a browser needs for any page on this machine. */
const BARE = '<!doctype html><title>bare</title><p>bare</p>';
/** In ms since it was asked for. */
const FIRST_PAINT = `new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntriesByName('first-contentful-paint')[0].startTime))
    .observe({ type: 'paint', buffered: true }))`;

interface PaintedShop {
  core: Core;
  clock: Clock;
  owner: MemberActor;
  pages: readonly ConsolePage[];
  /** `of 1,000,000 receipts`. */
  receipts: string;
}

export async function measurePaint(options: BenchOptions, shop: PaintedShop): Promise<Figure> {
  const what = `first paint in chromium, the longest ${shop.receipts}`;
  if (noBrowser) return skipped(ROW, what, noBrowser, `≤ ${AT_MOST} ms`);
  const [served, bare, browser] = await Promise.all([serveConsole(shop), serveBare(), startBrowser()]);
  try {
    const page = await enter(browser, shop, served.url);
    const { each, load } = await takeTurns(roundsOf(options), {
      each: () => paintAll(options, page, served.url, shop.pages),
    });
    const of = (name: string) => each.map((painted) => painted.get(name) ?? NaN);
    const names = shop.pages.map(({ name }) => name);
    const [worst = '', ...next] = names.toSorted((a, b) => median(of(b)) - median(of(a)));
    const then = next.slice(0, 4).map((name) => `${name} ${word(median(of(name)), 'ms')}`);
    return value(ROW, `${what}: "${worst}"`, {
      ...{ values: of(worst), atMost: AT_MOST, unit: 'ms', load },
      note: `then ${then.join(', ')}; a bare page ${word(await paint(options, page, bare.url), 'ms')}`,
    });
  } finally {
    await browser.close();
    served.close();
    bare.close();
  }
}

async function enter(browser: Browser, { core, owner }: PaintedShop, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${url}/enter/${await core.consoleAccess.link(owner, owner.telegramId)}`);
  await page.locator('button.main').click();
  return page;
}

/** The median of each page's repetitions, by its name. */
async function paintAll(
  options: BenchOptions,
  page: Page,
  url: string,
  pages: readonly ConsolePage[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { name, path } of pages) {
    const painted = await paint(options, page, url + path);
    found.set(name, painted);
    options.tell(`  ${name}: painted after ${word(painted, 'ms')}`);
  }
  return found;
}

/** The median of its repetitions. */
async function paint(options: BenchOptions, page: Page, url: string): Promise<number> {
  const each: number[] = [];
  for (let left = scaled(options, { tiny: 1, quick: 3, normal: 5 }); left > 0; left -= 1) {
    await page.goto(url);
    each.push(await page.evaluate<number>(FIRST_PAINT));
  }
  return median(each);
}

async function serveBare(): Promise<{ url: string; close(): void }> {
  const server = createServer((_asked, answer) => {
    answer.setHeader('content-type', 'text/html').end(BARE);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
