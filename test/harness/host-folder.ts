// A folder of a host for each test: commands run in it with the catalogue and a key of its own, and its database is
// opened as the service would. Registers the hooks that make it and remove it.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';

import { createStore } from '../../src/store/index.ts';
import { runHere } from './run-here.ts';

export function useHostFolder() {
  const key = Buffer.alloc(32, 5);
  const settings = {
    GAMES_FILE: fileURLToPath(new URL('../../data/games.json', import.meta.url)),
    ENCRYPTION_KEY: key.toString('base64'),
  };
  let folder = '';
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'host-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const database = () => join(folder, 'data/redemption.db');
  return {
    folder: () => folder,
    database,
    run: (args: string[], env: Record<string, string> = {}) => runHere(folder, args, { ...settings, ...env }),
    open: () => createStore({ path: database(), encryptionKey: key, exclusive: true }),
  };
}

/** The answers of a command, one JSON object a line. */
export const linesOf = (out: string): unknown[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

/** A Bot API that knows the name of a bot: `getMe` is answered with the status that the token begins with. */
export async function nameTheBot(): Promise<{ root: string; close(): void }> {
  const server = createServer(({ url = '' }, response) => {
    const [, status = ''] = /^\/bot(\d+):hush\/getMe$/.exec(url) ?? [];
    response.writeHead(Number(status));
    response.end(JSON.stringify({ ok: status === '200', result: { username: 'shop_bot' } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { root, close: () => void server.close() };
}
