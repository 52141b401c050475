// The tour of the playground from its first step to its last: by its own buttons, and by hand, following its words
// literally.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';
import { createVisitor, startPlayground } from './started.ts';

const STEPS = ['add', 'redeem', 'support', 'story', 'settle', 'buy', 'console', 'kill'];
const PATIENT = { timeout: 40_000 };

describe.skipIf(noBrowser)(`the tour${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await startBrowser()));
  afterAll(() => browser?.close());

  /**
   * Opens a fresh playground, lets `tour` take the tour, and expects that every step came true and nothing was amiss.
   */
  async function takeTour(options: Parameters<typeof openPage>[1], tour: (page: Page) => Promise<void>) {
    const started = await startPlayground({ language: options?.locale === 'ru-RU' ? 'ru' : 'en' });
    let watched: WatchedPage | undefined;
    try {
      watched = await openPage(browser, options);
      await watched.page.goto(started.url);
      watched.page.on('popup', (desk) => void enterConsole(desk));
      await tour(watched.page);
      expect(await watched.page.locator('.rail-step.done').count()).toBe(STEPS.length);
      expect(watched.foreign).toEqual([]);
      expect(watched.complaints).toEqual([]);
    } catch (error) {
      const stood = await watched?.page.locator('body').innerText();
      throw new Error(`${String(error)}\nThe page stood at:\n${stood?.slice(-3000)}`, { cause: error });
    } finally {
      await watched?.page.context().close();
      await started.stop();
    }
  }

  test.concurrent(
    'its own buttons lead from the first step to the last, in Russian on a phone',
    async () => {
      const taken: string[] = [];
      await takeTour({ viewport: { width: 390, height: 844 }, locale: 'ru-RU' }, async (page) => {
        for (let step = await stepOf(page); step !== undefined; step = await stepOf(page)) {
          taken.push(step);
          await pressThrough(page);
          await goOn(page, step);
        }
        await page.getByRole('heading', { name: 'Вот и весь тур' }).waitFor();
      });
      expect(taken).toEqual(STEPS);
    },
    120_000,
  );

  test.concurrent(
    'whoever does by hand exactly what its words say gets there, too',
    async () => {
      const taken: string[] = [];
      await takeTour({ viewport: { width: 1280, height: 800 }, locale: 'en-US' }, async (page) => {
        for (let step = await stepOf(page); step !== undefined; step = await stepOf(page)) {
          taken.push(step);
          await follow(page);
          await goOn(page, step);
        }
        await page.getByRole('heading', { name: 'That was the tour' }).waitFor();
      });
      expect(taken).toEqual(STEPS);
    },
    120_000,
  );
});

/** Presses Continue in a window that the tour has opened, where it asks, and comes back to the tour. */
async function enterConsole(desk: Page): Promise<void> {
  await desk.waitForLoadState();
  if (desk.url().includes('/enter/')) {
    await desk.locator('button.main').click();
    await desk.waitForURL((url) => !url.pathname.includes('/enter/'));
  }
  await desk.close();
}

/** The step that is open; undefined at the end. */
async function stepOf(page: Page): Promise<string | undefined> {
  await page.locator('section.step').waitFor({ state: 'attached' });
  return (await page.locator('section.step').getAttribute('data-step')) ?? undefined;
}

/** From a step that is done to the next. */
async function goOn(page: Page, step: string): Promise<void> {
  await page.locator('.step-done .move-button:visible').click();
  await page.locator(`section.step[data-step="${step}"]`).waitFor({ state: 'detached' });
}

/** Presses the button of each move as it is due, until the step is done. */
async function pressThrough(page: Page): Promise<void> {
  const done = page.locator('.step-done:visible');
  const due = page.locator('.move .move-button:visible');
  while ((await done.count()) === 0) {
    await due.or(done).first().waitFor(PATIENT);
    if ((await done.count()) > 0) break;
    // A step may come true, and its button go, at the moment of the press.
    await due.click({ timeout: 1_000 }).catch(() => undefined);
  }
}

/** Reads each move and does what it says with mouse and keyboard, never with the tour's own shortcuts. */
async function follow(page: Page): Promise<void> {
  const done = page.locator('.step-done');
  const moves = page.locator('.moves .move');
  for (let at = 0; at < (await moves.count()); at += 1) {
    const due = moves.nth(at).and(page.locator('.next'));
    await due.or(done).first().waitFor(PATIENT);
    if ((await done.count()) > 0) break;
    const words = due.locator('.move-words');
    // What is pressed in the chat is named as it is called there, once the bot has answered.
    if (/^Press .* (answer|invoice)/.test((await words.textContent()) ?? '')) {
      await due.locator('.move-button').waitFor();
    }
    await obey(page, (await words.textContent()) ?? '', await words.locator('b').allInnerTexts());
  }
  await done.waitFor(PATIENT);
}

async function obey(page: Page, words: string, named: string[]): Promise<void> {
  const visitor = createVisitor(page);
  const [target = ''] = named;
  if (words.startsWith('Watch')) return;
  if (words.startsWith('Choose'))
    return page.locator('.people').getByRole('button', { name: target }).click();
  if (words.startsWith('Write')) {
    await visitor.field().click();
    await page.keyboard.type(target);
    if (words.includes('paste')) {
      await page.keyboard.type(' ');
      await page.keyboard.press('Control+V');
    }
    return page.keyboard.press('Enter');
  }
  if (words.startsWith('Paste')) {
    await visitor.field().click();
    await page.keyboard.press('Control+V');
    return page.keyboard.press('Enter');
  }
  if (words.includes(' here')) {
    return page.locator('.tour').getByRole('button', { name: target, exact: true }).click();
  }
  if (words.includes('above the chat'))
    return page.locator('.who').getByRole('button', { name: target, exact: true }).click();
  if (!words.startsWith('Press')) throw new Error(`Nobody could do this literally: ${words}`);
  await page.locator('.log').getByRole('button', { name: target, exact: true }).last().click();
}
