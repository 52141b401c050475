// A restore that is killed: started for real, and killed before each change that it makes to the folder.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';

import { COMPILE_CACHE } from '../../test/harness/compile-cache.ts';
import { makeUnreadable } from '../../test/harness/damaged-file.ts';
import { runHere } from '../../test/harness/run-here.ts';
import { numberedCodes, openTrader } from '../../test/harness/traded-store.ts';
import { checkConservation } from '../store/backup/conservation.ts';
import { createSecrets } from '../store/engine/secrets.ts';
import { createStore } from '../store/index.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const GAMES = fileURLToPath(new URL('../../data/games.json', import.meta.url));
const KEY = Buffer.alloc(32, 5);
const SETTINGS = { GAMES_FILE: GAMES, ENCRYPTION_KEY: KEY.toString('base64') };

const folder = mkdtempSync(join(tmpdir(), 'restore-killed-'));
afterEach(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'data/redemption.db');
const open = () => createStore({ path: path, encryptionKey: KEY, exclusive: true });
const run = (args: string[]) => runHere(folder, args, SETTINGS);

test('a restore killed at any moment leaves the old database or the new one, and is done once it is repeated', async () => {
  const store = open();
  const trader = await openTrader(() => store, Date.now);
  await trader.addCodes(numberedCodes('A', 40));
  await run(['backup', 'b.db']);
  await store.close();
  const lay = new Set<string>();
  for (let step = 1, ended = false; !ended; step += 1) {
    makeUnreadable(path);
    writeFileSync(`${path}-wal`, 'no log either');
    ended = (await killAt(step, ['restore', 'b.db'])) === 'ended';
    const isOld = readFileSync(path, 'utf8').startsWith('no database');
    const { exitCode, err } = await run(['restore', 'b.db']);
    expect([exitCode, /is sound/.test(err)]).toEqual(isOld ? [0, false] : [1, true]);
    lay.add(isOld ? 'old' : 'new');
    await open().close();
    expect(describeDatabase()).toBe('40 added, 40 unverified');
    expect(readdirSync(join(folder, 'data')).filter((name) => name.includes('restoring'))).toEqual([]);
  }
  expect(lay).toEqual(new Set(['old', 'new']));
});

/** Throws when the database that is in place has any drift. */
function describeDatabase(): string {
  const connection = new Database(path, { readonly: true });
  const { rows, counts } = checkConservation(connection, {
    secrets: createSecrets(KEY),
  });
  connection.close();
  expect(rows).toEqual([]);
  return `${counts.added} added, ${counts.codes.unverified} unverified`;
}

/** Runs a command that is killed just before it changes the folder for the `step`th time. */
function killAt(step: number, args: string[]): Promise<'killed' | 'ended'> {
  const preload = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    let steps = 0;
    for (const name of ['copyFileSync', 'linkSync', 'renameSync', 'rmSync']) {
      const original = fs[name];
      fs[name] = (...given) => {
        if (++steps === ${step}) process.kill(process.pid, 'SIGKILL');
        return original(...given);
      };
    }
    syncBuiltinESMExports();`;
  const options = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...options, CLI, ...args], {
      cwd: folder,
      env: { ...COMPILE_CACHE, ...SETTINGS },
      stdio: 'ignore',
    });
    child.once('close', (_code, signal) => resolve(signal === 'SIGKILL' ? 'killed' : 'ended'));
  });
}
