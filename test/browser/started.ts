// A playground of its own for a test in the browser: the real command on a free port, and a page that shows it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Locator, Page } from 'playwright-core';

import { COMPILE_CACHE } from '../harness/compile-cache.ts';

export interface StartedPlayground {
  url: string;
  apiKey: string;
  stop(): Promise<void>;
}

const HASTY = fileURLToPath(new URL('../harness/hasty-playground.ts', import.meta.url));

/** `npm run playground`, on a free port and a folder of its own; `hasty`: for nobody who would see its seconds pass. */
export async function startPlayground({
  language = 'en',
  hasty = false,
}: { language?: 'en' | 'ru'; hasty?: boolean } = {}): Promise<StartedPlayground> {
  const folder = mkdtempSync(join(tmpdir(), 'playground-test-'));
  const program = new URL('../../playground/main.ts', import.meta.url).pathname;
  const env = {
    ...process.env,
    ...COMPILE_CACHE,
    PLAYGROUND_PORT: '0',
    TELEGRAM_BOT_TOKEN: '',
    LC_ALL: `${language}.UTF-8`,
  };
  const child = spawn(process.execPath, [...(hasty ? ['--import', HASTY] : []), program, folder], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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

/** What a visitor sees and does on the page, in the words of the page. */
export function createVisitor(page: Page) {
  const log = () => page.getByRole('log').first();
  const field = () => page.locator('#message');
  return {
    field,
    person: (name: string): Locator =>
      page.getByRole('navigation').getByRole('button', { name, exact: true }),
    /** The last button of this label under a message. */
    key: (name: string | RegExp): Locator =>
      page
        .locator('.log')
        .getByRole('button', { name, exact: typeof name === 'string' })
        .last(),
    message: (text: string | RegExp): Locator => page.locator('.message', { hasText: text }).last(),
    log,
    async become(name: string): Promise<void> {
      await page.locator('.person', { hasText: name }).click();
      await page.locator('#chat-name', { hasText: name }).waitFor();
    },
    async say(text: string): Promise<void> {
      await field().fill(text);
      await field().press('Enter');
    },
  };
}

export type Visitor = ReturnType<typeof createVisitor>;
