// How the parts are put together: what a stop waits for, and who hears of a bot that cannot start.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startTestApp } from '../test/harness/app.ts';
import { makeCode } from '../test/harness/core.ts';
import { createApp } from './app.ts';
import { loadConfig } from './config.ts';
import { createLogger } from './log.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'app-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('a stop lets end what was begun from the chat', async () => {
  const platform = { kind: 'sandbox', path: join(folder, 'sandbox.db'), latencyMs: 300 } as const;
  const app = await startTestApp({ folder, platform });
  const request = { gameId: 'game_id_2', playerId: '5170925570', code: makeCode() };
  expect(await app.core.beginRedemption(app.actor, request)).toMatchObject({ status: 'begun' });
  await app.stop();
  const connection = new Database(app.databasePath, { readonly: true });
  expect(connection.prepare('select state from redemptions').pluck().all()).toEqual(['redeemed']);
  connection.close();
});

test('a bot that cannot stop takes no redemption its grace', async () => {
  const config = loadConfig({
    DATABASE_PATH: join(folder, 'redemption.db'),
    SANDBOX_PATH: join(folder, 'sandbox.db'),
    SANDBOX_LATENCY_MS: '300',
    PORT: '0',
    TELEGRAM_BOT_TOKEN: '1:hush',
  });
  // What the bot is made of refuses it: it can neither start nor stop.
  const broken = { ...config, bot: config.bot && { ...config.bot, token: '' } };
  const app = createApp(broken, {
    log: createLogger({ level: 'silent' }),
    listener: () => ({
      listen: () => Promise.resolve({ address: '', port: 0 }),
      close: () => Promise.resolve(),
    }),
  });
  await app.start();
  const host = { kind: 'host' } as const;
  const { accountId } = await app.core.accounts.create(host, { name: 'Shop', days: 1 });
  const actor = { kind: 'apiKey', accountId, apiKeyId: 1 } as const;
  const request = { gameId: 'game_id_2', playerId: '5170925570', code: makeCode() };
  await app.core.beginRedemption(actor, request);
  await expect(app.stop()).rejects.toThrow();
  const connection = new Database(config.databasePath, { readonly: true });
  expect(connection.prepare('select state from redemptions').pluck().all()).toEqual(['redeemed']);
  connection.close();
});

test('a token that Telegram does not know is told to whoever starts the program, and HTTP is served', async () => {
  const telegram = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: false, error_code: 401, description: 'Unauthorized' }));
  });
  await once(telegram.listen(0, '127.0.0.1'), 'listening');
  const { promise, resolve } = Promise.withResolvers<Error>();
  const config = loadConfig({
    DATABASE_PATH: join(folder, 'redemption.db'),
    SANDBOX_PATH: join(folder, 'sandbox.db'),
    PORT: '0',
    TELEGRAM_BOT_TOKEN: '1:hush',
    TELEGRAM_API_ROOT: `http://127.0.0.1:${(telegram.address() as AddressInfo).port}`,
  });
  const app = createApp(config, { log: createLogger({ level: 'silent' }), onWrongToken: resolve });
  const { port } = await app.start();
  expect((await promise).message).toContain('TELEGRAM_BOT_TOKEN');
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  await app.stop();
  telegram.close();
});

test('the game that is meant without one is one of the catalogue', async () => {
  const open = (gameId: string) => {
    const files = { DATABASE_PATH: join(folder, 'redemption.db'), SANDBOX_PATH: join(folder, 'sandbox.db') };
    const config = loadConfig({ ...files, PORT: '0', DEFAULT_GAME_ID: gameId });
    return createApp(config, { log: createLogger({ level: 'silent' }) });
  };
  expect(() => open('game_id_9')).toThrow(
    /DEFAULT_GAME_ID: is not a game of .* It has: game_id_1, game_id_2/,
  );
  await open('game_id_2').stop();
});
