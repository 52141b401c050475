// Row 30 in a browser: how long after it was asked for a page of the console is first painted.
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
  const [served, browser] = await Promise.all([serveConsole(shop), startBrowser()]);
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
      note: `then ${then.join(', ')}`,
    });
  } finally {
    await browser.close();
    served.close();
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
  const repetitions = scaled(options, { tiny: 1, quick: 3, normal: 5 });
  const found = new Map<string, number>();
  for (const { name, path } of pages) {
    const each: number[] = [];
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      await page.goto(url + path);
      each.push(await page.evaluate<number>(FIRST_PAINT));
    }
    found.set(name, median(each));
    options.tell(`  ${name}: painted after ${word(median(each), 'ms')}`);
  }
  return found;
}
