// A folder of a host for each test: commands run in it with the catalogue and a key of its own, and its database is
// opened as the service would. Registers the hooks that make it and remove it.
import { mkdtempSync, rmSync } from 'node:fs';
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
