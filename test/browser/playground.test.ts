// The page of the playground: a real start, a real browser, the whole service underneath. The tour is in tour.test.ts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Browser, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';
import { createVisitor, startPlayground, type StartedPlayground, type Visitor } from './started.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PLAYER = '5170925571';
const PATIENT = { timeout: 30_000 };
const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
];

describe.skipIf(noBrowser)(`the playground${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let started: StartedPlayground;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let visitor: Visitor;

  beforeAll(async () => {
    [started, browser] = await Promise.all([startPlayground({ hasty: true }), startBrowser()]);
    watched = await openPage(browser, { viewport: { width: 1366, height: 860 } });
    page = watched.page;
    visitor = createVisitor(page);
    await page.goto(started.url);
    await page.locator('.person').first().waitFor();
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  const { become, say, key, message, field } = later(() => visitor);
  const focused = () => page.evaluate('document.activeElement?.closest("[data-message]")?.dataset.message');
  const stock = (denomination: number) => page.locator(`tr[data-denomination="${denomination}"] .available`);

  test('says on top what it is and for whom, under its own name', async () => {
    expect(await page.title()).toBe('Code Redemption Service');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Code Redemption Service');
    expect(await page.getByRole('banner').innerText()).toMatch(
      /shop redeems prepaid game codes for its customers/,
    );
  });

  test('a person’s line follows what they are now', async () => {
    const about = (text: string) => page.locator('.who p', { hasText: text }).waitFor(PATIENT);
    await become('Stranger');
    await about('Has never written to the bot');
    await page.locator('.log').getByRole('button', { name: 'Start' }).click();
    await about('Has an account of their own now');
    await become('Owner');
    await about('Whose account it is');
  });

  test('a redemption changes its one message, keeps the focus there, and its secrets stay hidden until they are opened', async () => {
    await become('Operator');
    await say(`${PLAYER} 60`);
    await key('Redeem').press('Enter');
    const receipt = message('/receipt_');
    await receipt.filter({ hasText: 'Password:' }).waitFor(PATIENT);
    expect(await receipt.locator('.edited').count()).toBe(1);
    // The button is gone: its message has the focus now, not the top of the page.
    expect(await focused()).toBe(await receipt.getAttribute('data-message'));
    const hidden = receipt.locator('.spoiler').last();
    expect(await opacity(hidden)).toBe('0');
    await hidden.press('Enter');
    await expect.poll(() => opacity(hidden)).toBe('1');
    expect(await focused()).toBe(await receipt.getAttribute('data-message'));
    await key('Password').click();
    expect(await hidden.textContent()).toBe(await page.evaluate('navigator.clipboard.readText()'));
    // What comes later folds nothing that was opened.
    await say('/quota');
    await message('Daily quota').waitFor();
    expect(await opacity(hidden)).toBe('1');
  });

  test('the commands stay open until one is chosen', async () => {
    const quota = page.locator('#commands').getByRole('button', { name: '/quota' });
    await page.getByRole('button', { name: 'Commands' }).click();
    await quota.waitFor();
    await page.keyboard.press('Escape');
    await quota.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Commands' }).press('Enter');
    await quota.press('Enter');
    await quota.waitFor({ state: 'hidden' });
    await message('Daily quota').waitFor();
  });

  test('the field grows with its text and shows no bar for scrolling', async () => {
    await field().fill('one line');
    const overflow =
      '(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.getElementById("message"))';
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    await field().fill('1\n2\n3\n4');
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    await field().fill('');
  });

  test('the tour goes on under the keyboard: what is due has the focus', async () => {
    await page.getByRole('button', { name: 'Become Admin' }).press('Enter');
    const copies = page.getByRole('button', { name: 'Copy five codes' });
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Copy five codes');
    await copies.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Paste and send');
  });

  test('each copy of fresh codes has other ones', async () => {
    const read = () => page.evaluate<string>('navigator.clipboard.readText()');
    for (let times = 0; times < 2; times += 1) {
      const before = await read();
      await page.getByRole('button', { name: '5 fresh codes of 60 UC' }).click();
      await expect.poll(read).not.toBe(before);
      expect(await read()).toMatch(/^60 UC:(\n60S\w{13}){5}$/);
    }
  });

  test('a killed process is started again, and the page says so', async () => {
    await page.locator('#kill').click();
    await page.locator('#process-light.bad').waitFor(PATIENT);
    await page.locator('#process-light.good').waitFor(PATIENT);
  }, 180_000);

  test('an invoice is paid once, and says so', async () => {
    await become('Owner');
    await say('/buy_activations 1');
    await page.locator('.key.pay').last().click();
    await page.locator('.key.paid').waitFor();
    await expect.poll(() => page.locator('#quota-left').textContent()).toMatch(/\+ 1000 bought$/);
    expect(await page.locator('.key.pay').count()).toBe(0);
  });

  test('what a person types is text, whatever it looks like', async () => {
    await say('<img src=x onerror="document.title=1"><b>bold?</b>');
    await message('<b>bold?</b>').waitFor();
    expect(await page.locator('.log .text img').count()).toBe(0);
    expect(await page.title()).toBe('Code Redemption Service');
  });

  test('what a program adds is in the stock beside the chat', async () => {
    const before = Number(await stock(60).textContent());
    const [address = '', key = ''] = await page.locator('.copy-row code').allTextContents();
    expect(key).toBe(started.apiKey);
    const answer = await fetch(`${address}/db`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify([{ denomination: 60, codes: ['60Sabcdefghijk01', '60Sabcdefghijk02'] }]),
    });
    expect(answer.status).toBe(200);
    await expect.poll(() => stock(60).textContent()).toBe(String(before + 2));
  });

  test('the page speaks Russian, and so does the bot to everybody', async () => {
    await page.getByRole('button', { name: 'Русский' }).click();
    await page.getByRole('heading', { name: 'Аккаунт сейчас' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('ru');
    await become('Админ');
    await say('/quota');
    await message('Дневная квота').waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'The account now' }).waitFor();
  });

  test('where the machine speaks another language than the browser, page, bot and names speak the one of the browser', async () => {
    const other = await startPlayground({ hasty: true, language: 'ru' });
    onTestFinished(() => other.stop());
    const { page: opened } = await openPage(browser, { locale: 'en-US' });
    await opened.goto(other.url);
    const log = opened.locator('.log');
    await log.getByText('Activations').first().waitFor(PATIENT);
    expect(await log.locator('.message').count()).toBe(2);
    // Nobody's greeting is news; that an activation is in doubt since yesterday is, to the host.
    const unread = opened.locator('.person', { has: opened.locator('.badge') });
    await expect.poll(() => unread.filter({ hasNotText: 'Service' }).count()).toBe(0);
    await opened.context().close();
  }, 180_000);

  test.each(['light', 'dark'] as const)(
    'axe finds nothing serious on any screen, %s',
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const found = new Set<string>();
      const look = async (screen: string) => {
        for (const line of await seriousFaults(page)) found.add(`${screen}: ${line}`);
      };
      await become('Operator');
      await look('a receipt');
      await become('Owner');
      await page.getByRole('button', { name: 'Commands' }).click();
      await look('commands and a paid invoice');
      await page.keyboard.press('Escape');
      await become('Group');
      await look('group');
      await page.setViewportSize({ width: 1024, height: 768 });
      await look('two columns');
      await page.setViewportSize({ width: 390, height: 844 });
      for (const place of ['Tour', 'Chat', 'Account']) {
        await page.locator('.tab-bar').getByRole('button', { name: place }).click();
        await look(`phone, ${place}`);
      }
      await page.setViewportSize({ width: 1366, height: 860 });
      expect([...found].join('\n')).toBe('');
    },
    180_000,
  );

  test('a language chosen while the other is still on its way is chosen', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const hold = async (route: Route) => {
      const response = await route.fetch();
      await answered;
      await route.fulfill({ response });
    };
    await page.route('**/language?*', hold, { times: 1 });
    await page.getByRole('button', { name: 'Русский' }).click();
    await page.getByRole('button', { name: 'English' }).click(PATIENT);
    await page.getByRole('button', { name: 'Русский' }).waitFor(PATIENT);
    answer();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test.each(SIZES)(
    'nothing is wider than its place at $width pixels, in both languages',
    async (viewport) => {
      await page.setViewportSize(viewport);
      for (const language of ['Русский', 'English']) {
        await page.getByRole('button', { name: language }).click();
        const places = page.locator('.tab-bar button:visible');
        for (let at = 0; at < Math.max(1, await places.count()); at += 1) {
          if (await places.count()) await places.nth(at).click();
          expect(await page.evaluate(TOO_WIDE), `${viewport.width}, ${language}, place ${at}`).toEqual([]);
        }
      }
    },
  );

  test('no other host was contacted, and the page complained of nothing', () => {
    expect(watched.foreign).toEqual([]);
    expect(watched.complaints).toEqual([]);
  });
});

/** Elements whose content sticks out of them, of the page or of a panel. */
const TOO_WIDE = `[...document.querySelectorAll('html, .top, .panel, .log, .people, .who, .person, .tab-bar button')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.className || one.tagName)`;

interface AxeResults {
  violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[];
}

/** What axe calls serious or critical, an element a line. */
async function seriousFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`));
}

/** The visitor's ways, for tests that are written before there is one. */
function later(visitor: () => Visitor): Visitor {
  return new Proxy({} as Visitor, {
    get:
      (_, name: keyof Visitor) =>
      (...args: never[]) =>
        (visitor()[name] as (...given: never[]) => unknown)(...args),
  });
}

// What runs in the page knows the page's globals, which this file's types do not.
interface PageWindow {
  getComputedStyle(element: unknown): { opacity: string };
}

function opacity(spoiler: Locator): Promise<string> {
  const inside = spoiler.locator('.spoiler-text');
  return inside.evaluate(
    (element) => (globalThis as unknown as PageWindow).getComputedStyle(element).opacity,
  );
}
