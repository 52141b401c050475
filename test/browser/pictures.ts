// `npm run pictures`: the pictures of the chat and the console and the animation of the README, taken from the page
// itself while it is played: a redemption, then one in whose middle the process is killed. Writes chat.png, console.png
// and playground.webp beside this file.
import { writeFileSync } from 'node:fs';

import type { Browser, Page } from 'playwright-core';

import { animate, type Frame } from './animated-webp.ts';
import { noBrowser, startBrowser } from './browser.ts';
import { startPlayground } from './started.ts';

const SIZE = { width: 1280, height: 780 };
const QUALITY = 0.8;
const PATIENT = { timeout: 40_000 };

/** A screenshot, and how long it stays. */
interface Shot {
  png: Buffer;
  durationMs: number;
}

/** Runs in the browser: the rectangle that differs from the last picture, as WebP; null where nothing does. */
const ENCODE = `async (png, quality) => {
  const picture = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  const before = globalThis.before;
  globalThis.before = pixels;
  let [left, top, right, bottom] = before ? [width, height, -1, -1] : [0, 0, width - 1, height - 1];
  for (let at = 0; before && at < pixels.length; at += 1) {
    if (pixels[at] === before[at]) continue;
    const x = at % width;
    const y = (at - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (right < 0) return null;
  const x = left - (left % 2);
  const y = top - (top % 2);
  const part = new OffscreenCanvas(right - x + 1, bottom - y + 1);
  part.getContext('2d').drawImage(picture, -x, -y);
  const bytes = new Uint8Array(await (await part.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 1) text += String.fromCharCode(bytes[at]);
  return { x, y, width: part.width, height: part.height, webp: btoa(text) };
}`;

if (noBrowser) throw new Error(`No pictures: ${noBrowser}.`);
const [started, browser] = await Promise.all([startPlayground(), startBrowser()]);
try {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', locale: 'en-US' });
  await page.goto(started.url);
  const shots = await play(page);
  save('chat.png', await shootChat(browser, started.url));
  save('console.png', await shootConsole(browser, started.url));
  const frames = await encode(browser, shots);
  save('playground.webp', animate(frames, SIZE.width, SIZE.height));
} finally {
  await browser.close();
  await started.stop();
}

function save(name: string, bytes: Buffer): void {
  writeFileSync(new URL(name, import.meta.url), bytes);
  process.stdout.write(`${name}: ${Math.round(bytes.length / 1024)} KiB\n`);
}

/** What the operator of a shop sees on a phone, from the order to its receipt, without the page around it. */
async function shootChat(by: Browser, url: string): Promise<Buffer> {
  const options = { viewport: { width: 420, height: 1200 }, deviceScaleFactor: 2 };
  const page = await by.newPage({ ...options, colorScheme: 'light', locale: 'en-US' });
  await page.goto(url);
  await page.locator('.tab-bar button').nth(1).click();
  await page.locator('.person', { hasText: 'Support' }).click();
  await page.locator('.person', { hasText: 'Operator' }).click();
  await page.locator('#message').fill('5124780131 60');
  await page.locator('.send').click();
  const order = page.locator('.message.mine', { hasText: '5124780131' }).last();
  const answer = order.locator('xpath=following-sibling::article[last()]');
  await answer.getByRole('button', { name: 'Redeem', exact: true }).click();
  await answer.filter({ hasText: 'Password:' }).waitFor(PATIENT);
  await page.waitForTimeout(600);
  const top = (await order.boundingBox())?.y ?? 0;
  const end = await answer.boundingBox();
  const frame = await page.locator('.log').boundingBox();
  if (!end || !frame) throw new Error('The chat is not there.');
  const clip = { x: frame.x, y: top - 10, width: frame.width, height: end.y + end.height - top + 20 };
  return page.screenshot({ clip });
}

/** The receipts of a shop, as its owner has them at a desk. */
async function shootConsole(by: Browser, url: string): Promise<Buffer> {
  const page = await by.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  await page.goto(url);
  await page.locator('.person', { hasText: 'Owner' }).click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open the console' }).click();
  const desk = await opened;
  await desk.setViewportSize({ width: 1280, height: 800 });
  await desk.locator('button.main').click();
  await desk.getByRole('link', { name: 'Receipts' }).click();
  return desk.screenshot();
}

async function play(page: Page): Promise<Shot[]> {
  const shots: Shot[] = [];
  const shoot = async (durationMs: number) => shots.push({ png: await page.screenshot(), durationMs });
  const next = page.locator('.move.next .move-button:enabled');
  const move = async (durationMs: number) => {
    const words = (await page.locator('.move.next .move-words').textContent()) ?? '';
    await next.click();
    await page.mouse.move(0, 0);
    await page.locator('.move.next', { hasText: words }).waitFor({ state: 'detached' });
    await shoot(durationMs);
  };
  const watch = async (selector: string, everyMs: number) => {
    const end = page.locator(selector).last();
    while (!(await end.isVisible())) {
      await page.waitForTimeout(everyMs);
      await shoot(everyMs);
    }
  };

  await page.locator('.rail-step[data-step="redeem"]').click();
  await shoot(2200);
  await move(1200);
  await move(1800);
  await move(600);
  await watch('.step-done', 700);
  await page.waitForTimeout(400);
  await shoot(3000);
  await page.locator('.rail-step[data-step="kill"]').click();
  await shoot(2200);
  await move(1800);
  await move(500);
  await move(1200);
  await watch('.step-done', 700);
  // The message of the chat follows the books within a moment.
  await page
    .locator('.message', { hasText: /Redeemed[^]*325 UC/ })
    .last()
    .waitFor(PATIENT);
  await page.waitForTimeout(600);
  await shoot(5000);
  return shots;
}

/** Each shot as what changed since the one before, encoded by the browser. */
async function encode(by: Browser, shots: readonly Shot[]): Promise<Frame[]> {
  const page = await by.newPage();
  const frames: Frame[] = [];
  for (const { png, durationMs } of shots) {
    const change = await page.evaluate<Change | null>(
      `(${ENCODE})(${JSON.stringify(png.toString('base64'))}, ${QUALITY})`,
    );
    const last = frames.at(-1);
    if (change) {
      const { webp, ...place } = change;
      frames.push({ ...place, webp: Buffer.from(webp, 'base64'), durationMs });
    } else if (last) last.durationMs += durationMs;
  }
  return frames;
}

interface Change {
  x: number;
  y: number;
  width: number;
  height: number;
  webp: string;
}
