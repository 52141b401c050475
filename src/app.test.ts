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
  const platform = {
    kind: 'sandbox',
    path: join(folder, 'sandbox.db'),
    latencyMs: 300,
    upstreams: 1,
  } as const;
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
  const host = { kind: 'host', by: 'cli' } as const;
  const { accountId } = await app.core.accounts.create(host, { name: 'Shop', days: 1 });
  const actor = { kind: 'apiKey', accountId, apiKeyId: 1 } as const;
  const request = { gameId: 'game_id_2', playerId: '5170925570', code: makeCode() };
  await app.core.beginRedemption(actor, request);
  await expect(app.stop()).rejects.toThrow();
  const connection = new Database(config.databasePath, { readonly: true });
  expect(connection.prepare('select state from redemptions').pluck().all()).toEqual(['redeemed']);
  connection.close();
});

test.each([401, 404])(
  'a token that Telegram answers with %i takes nothing from programs: HTTP is served, and says so',
  async (status) => {
    const telegram = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: false, error_code: status, description: 'No.' }));
    });
    await once(telegram.listen(0, '127.0.0.1'), 'listening');
    const told = Promise.withResolvers<string>();
    const log = createLogger({ level: 'error', destination: { write: told.resolve } });
    const config = loadConfig({
      DATABASE_PATH: join(folder, 'redemption.db'),
      SANDBOX_PATH: join(folder, 'sandbox.db'),
      PORT: '0',
      TELEGRAM_BOT_TOKEN: '1:hush',
      TELEGRAM_API_ROOT: `http://127.0.0.1:${(telegram.address() as AddressInfo).port}`,
    });
    const app = createApp(config, { log });
    const { port } = await app.start();
    expect(await told.promise).toContain('Telegram does not know this TELEGRAM_BOT_TOKEN');
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(await ready.json()).toMatchObject({ status: 'ready', telegram: 'revoked' });
    await app.stop();
    telegram.close();
  },
);

test('a stop in the middle of a start leaves nobody listening', async () => {
  const files = { DATABASE_PATH: join(folder, 'redemption.db'), SANDBOX_PATH: join(folder, 'sandbox.db') };
  const did: string[] = [];
  const [begun, opening] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const app = createApp(loadConfig({ ...files, PORT: '0' }), {
    log: createLogger({ level: 'silent' }),
    listener: () => ({
      async listen() {
        did.push('opens');
        begun.resolve();
        await opening.promise;
        did.push('is open');
        return { address: '', port: 0 };
      },
      close: () => Promise.resolve(void did.push('is closed')),
    }),
  });
  const started = app.start();
  await begun.promise;
  const stopped = app.stop();
  opening.resolve();
  await Promise.all([started, stopped]);
  expect(did).toEqual(['opens', 'is open', 'is closed']);
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
