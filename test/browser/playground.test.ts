// The playground, as a newcomer plays it: a real start, a real browser, the whole service underneath.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

const PLAYER = '5170925571';
const PATIENT = { timeout: 30_000 };

describe.skipIf(noBrowser)(`the playground${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let started: Started;
  let browser: Browser;
  let watched: WatchedPage;

  beforeAll(async () => {
    [started, browser] = await Promise.all([startPlayground(), startBrowser()]);
    watched = await openPage(browser, { viewport: { width: 1360, height: 860 } });
    await watched.page.goto(started.url);
    await person('Owner').waitFor();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  const person = (name: string) => watched.page.locator('.person', { hasText: name }).first();
  const field = () => watched.page.getByRole('combobox', { name: 'Message' });
  const key = (name: string | RegExp): Locator =>
    watched.page
      .locator('.log')
      .getByRole('button', { name, exact: typeof name === 'string' })
      .last();
  const lastBubble = () => watched.page.locator('.message').last();
  const step = (id: string) => watched.page.locator(`[data-step="${id}"].done`);

  async function become(name: string): Promise<void> {
    await person(name).click();
    await watched.page.locator('#chat-name', { hasText: name }).waitFor();
  }

  async function say(text: string): Promise<void> {
    await field().fill(text);
    await field().press('Enter');
  }

  async function available(denomination: number): Promise<number> {
    const row = watched.page.locator(`[data-denomination="${denomination}"] .vital-figure`);
    return Number((await row.textContent())?.split(' · ')[0]);
  }

  test('the owner adds codes by paste, and the stock beside the chat grows', async () => {
    const before = await available(60);
    await watched.page.getByRole('button', { name: 'Copy: 5 fresh codes of 60 UC' }).click();
    await say('/add_codes 60');
    await key('Done').waitFor();
    await field().focus();
    await watched.page.keyboard.press('Control+V');
    await field().press('Enter');
    await watched.page.locator('.message', { hasText: 'Codes so far: 5' }).last().waitFor();
    await key('Done').click();
    await key('Add 5 codes').click();
    await watched.page.locator('.message', { hasText: '5 codes added' }).waitFor();
    await step('add').waitFor();
    expect(await available(60)).toBe(before + 5);
  });

  test('the owner redeems: one message changes in place and becomes the receipt, with its secrets hidden', async () => {
    await say(`${PLAYER} 60`);
    await watched.page.locator('.message', { hasText: 'Redeem this?' }).last().waitFor();
    await key('Redeem').click();
    const receipt = watched.page.locator('.message', { hasText: '/receipt_' }).last();
    await receipt.filter({ hasText: 'Password:' }).waitFor(PATIENT);
    expect(await receipt.locator('.edited').count()).toBe(1);
    const hidden = receipt.locator('.spoiler').last();
    expect(await opacity(hidden)).toBe('0');
    await hidden.press('Enter');
    await expect.poll(() => opacity(hidden)).toBe('1');
    await key('Copy password').click();
    const copied = await watched.page.evaluate('navigator.clipboard.readText()');
    expect(await hidden.textContent()).toBe(copied);
    await step('redeem').waitFor();
  });

  test('support pulls that receipt, and has no button to redeem again', async () => {
    const command = await watched.page
      .locator('.message .text-link', { hasText: '/receipt_' })
      .last()
      .textContent();
    await become('Support');
    await say(command ?? '');
    await lastBubble().filter({ hasText: 'Login:' }).waitFor();
    expect(
      await lastBubble()
        .getByRole('button', { name: /^Again for/ })
        .count(),
    ).toBe(0);
    await step('support').waitFor();
  });

  test('typing "/" offers the commands of the role, and Tab completes', async () => {
    await field().pressSequentially('/quo');
    await watched.page.getByRole('option', { name: /\/quota/ }).waitFor();
    await field().press('Tab');
    expect(await field().inputValue()).toBe('/quota ');
    await field().fill('/redee');
    expect(await watched.page.getByRole('option').count()).toBe(0);
    await field().fill('');
  });

  test('a thousand activations are paid through the invoice and credited', async () => {
    await become('Owner');
    await say('/buy_activations 1');
    await watched.page.locator('.invoice').waitFor();
    await watched.page.locator('.key.pay').last().click();
    await watched.page.getByRole('dialog').getByRole('button', { name: 'Pay' }).click();
    await step('buy').waitFor();
    expect(await watched.page.locator('.purchased').textContent()).toContain('1000');
  });

  test('a redemption that times out is in doubt, and settles by itself', async () => {
    await watched.page.getByRole('button', { name: 'Next redemption times out' }).click();
    await watched.page.locator('#lever-timeout[aria-pressed="true"]').waitFor();
    await say(`${PLAYER} 60`);
    // The player has just got the same, and whoever orders it is told.
    await key('Redeem again').click();
    await watched.page.locator('.message', { hasText: 'Not certain yet' }).waitFor(PATIENT);
    await step('settle').waitFor(PATIENT);
  }, 60_000);

  test('killed and started again, the bot goes on with what was begun', async () => {
    await say('/add_codes 60');
    await key('Done').waitFor();
    await watched.page.getByRole('button', { name: 'Kill the process' }).click();
    await watched.page.locator('#process-light:not(.good)').waitFor();
    await watched.page.locator('#process-light.good').waitFor(PATIENT);
    await say('USEDabcdefgh12345');
    await watched.page.locator('.message', { hasText: 'Codes so far: 1' }).waitFor(PATIENT);
    await step('kill').waitFor();
    await say('/cancel');
  }, 60_000);

  test('what a person types is text, whatever it looks like', async () => {
    await say('<img src=x onerror="document.title=1"><b>bold?</b>');
    await watched.page.locator('.message.mine', { hasText: '<b>bold?</b>' }).last().waitFor();
    expect(await watched.page.locator('.log .text img').count()).toBe(0);
    expect(await watched.page.title()).toBe('Playground');
  });

  test('a call of the HTTP tab answers live', async () => {
    await watched.page.getByRole('tab', { name: 'HTTP' }).click();
    const call = watched.page.locator('[data-call="GET /quota"]');
    await call.locator('summary').click();
    expect(await call.locator('.curl').textContent()).toContain(started.apiKey);
    await call.getByRole('button', { name: /^Run/ }).click();
    await call.locator('.status', { hasText: '200' }).waitFor();
  });

  test('at a phone’s width nothing is wider than the screen', async () => {
    const phone = await openPage(browser, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await phone.page.goto(started.url);
    await phone.page.locator('.person', { hasText: 'Owner' }).click();
    await phone.page.locator('.message').last().waitFor();
    const width =
      'Math.max(document.documentElement.scrollWidth, document.querySelector(".log").scrollWidth)';
    expect(await phone.page.evaluate(width)).toBeLessThanOrEqual(360);
    await phone.page.getByRole('button', { name: 'Back to people' }).click();
    expect(await phone.page.locator('.person', { hasText: 'Support' }).isVisible()).toBe(true);
    expect(phone.complaints).toEqual([]);
  });

  test('no other host was contacted, and the page complained of nothing', () => {
    expect(watched.foreign).toEqual([]);
    expect(watched.complaints).toEqual([]);
  });
});

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

interface Started {
  url: string;
  apiKey: string;
  stop(): Promise<void>;
}

/** `npm run playground`, on a free port and a folder of its own. */
async function startPlayground(): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'playground-test-'));
  const program = new URL('../../src/playground/main.ts', import.meta.url).pathname;
  const env = { ...process.env, PLAYGROUND_PORT: '0', TELEGRAM_BOT_TOKEN: '' };
  const child = spawn(process.execPath, [program, folder], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await readUntil(child, /Open\s+(\S+)\s+API key\s+(\S+)/);
  return {
    url: said[1] ?? '',
    apiKey: said[2] ?? '',
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readUntil(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.once('exit', (code) => reject(new Error(`the playground ended with ${code}: ${output}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = pattern.exec(output);
      if (found) resolve(found);
    });
  });
}
