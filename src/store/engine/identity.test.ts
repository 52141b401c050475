// A service starts on its own database alone: every other file is refused in a sentence, and stays as it is.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { numberedCodes, openTrader } from '../../../test/harness/traded-store.ts';
import { backup } from '../backup/backup.ts';
import { restore } from '../backup/restore.ts';
import { createStore, type Store } from '../index.ts';
import { createSecrets } from './secrets.ts';

const KEY = Buffer.alloc(32, 7);
const UPSTREAM = 'upstream https://shop.example.org';

let folder: string;
let path: string;
let store: Store | undefined;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'identity-'));
  path = join(folder, 'redemption.db');
  lines = [];
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const say = (_fields: object, message: string) => void lines.push(message);
const log = { info: say, warn: say, error: say };

function start(platform = 'sandbox', upstreams: Record<string, string> = {}): Store {
  const settings = { platform, upstreams: new Map(Object.entries(upstreams)) };
  store = createStore({ path, encryptionKey: KEY, exclusive: true, platform: settings, log });
  return store;
}
async function stop(): Promise<void> {
  await store?.close();
  store = undefined;
}
const openAccount = (name: string) =>
  store?.write((tables) => tables.accounts.insert({ name, now: 0, subscriptionExpiresAt: null }));
describe('a platform', () => {
  test('is that of the first start, and another one is refused from the first code on', async () => {
    start();
    await stop();
    const served = start(UPSTREAM);
    await (await openTrader(() => served, Date.now)).addCodes(numberedCodes('A', 1));
    await stop();
    const before = readFileSync(path);
    expect(() => start('sandbox')).toThrow(
      /was used with the platform upstream https:\/\/shop\.example\.org, and the settings name sandbox.*platform adopt/,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
    start(UPSTREAM);
  });
});

describe('an upstream', () => {
  const EAST = { 'sandbox-1': 'interface at https://east.example.org' };
  const MOVED = { 'sandbox-1': 'interface at https://elsewhere.example.org' };
  const WEST = { west: 'job-poll at https://west.example.org' };

  test('is named, and the same, for as long as something is not proven that was sent there', async () => {
    const trader = await openTrader(
      () => store ?? start('upstreams', EAST),
      () => 5,
    );
    await trader.addCodes(numberedCodes('A', 2));
    const [doubtful, pending] = [await trader.begin(), await trader.begin()];
    await trader.doubt(doubtful);
    await stop();
    const before = readFileSync(path);
    expect(() => start('upstreams', WEST)).toThrow(
      /^2 attempts are not proven that .* has sent to the upstream sandbox-1, which the settings do not name/,
    );
    expect(() => start('upstreams', { ...WEST, ...MOVED })).toThrow(
      /that was interface at https:\/\/east\.example\.org; the settings have .*platform adopt --name sandbox-1/,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
    start('upstreams', { ...WEST, ...EAST });
    await trader.giveBack(doubtful);
    await trader.redeem(pending);
    await stop();
    start('upstreams', { ...WEST, ...MOVED });
    await stop();
    start('upstreams', WEST);
  });

  test('of a file takes the place of the one of the settings, and the other way round; never that of a sandbox', async () => {
    const trader = await openTrader(
      () => store ?? start(UPSTREAM, EAST),
      () => 5,
    );
    await trader.addCodes(numberedCodes('A', 1));
    await stop();
    for (const platform of ['upstreams', UPSTREAM]) {
      start(platform, EAST);
      await stop();
    }
    expect(() => start('sandbox')).toThrow(/was used with the platform upstream/);
  });
});

describe('a backup', () => {
  const makeBackup = async (name: string) => {
    const file = join(folder, name);
    await backup(path, file, { secrets: createSecrets(KEY), now: 5 });
    return file;
  };

  test('that was put in place by hand is refused, also beside the log of another, and restored by what the sentence says', async () => {
    start();
    await openAccount('A');
    const file = await makeBackup('b.db');
    await openAccount('B');
    copyFileSync(`${path}-wal`, join(folder, 'left'));
    await stop();
    copyFileSync(file, path);
    for (const log of [false, true]) {
      if (log) copyFileSync(join(folder, 'left'), `${path}-wal`);
      expect(() => start()).toThrow(/is a backup that was put there by hand.*restore/);
      expect(readFileSync(path).equals(readFileSync(file))).toBe(true);
    }
    const aside = `${path}.backup`;
    copyFileSync(path, aside);
    rmSync(path);
    restore({ file: aside, databasePath: path, key: KEY, now: 10 });
    start();
    expect(lines).toEqual([]);
  });
});

describe('a file that is older than it was', () => {
  test('is refused, and a restore begins anew', async () => {
    start();
    await openAccount('A');
    await stop();
    copyFileSync(path, join(folder, 'older.db'));
    start();
    await openAccount('B');
    await stop();
    copyFileSync(join(folder, 'older.db'), path);
    expect(() => start()).toThrow(/is older than it was/);
    rmSync(path);
    restore({ file: join(folder, 'older.db'), databasePath: path, key: KEY, now: 10 });
    expect(start().lost?.until).toBe(10);
  });

  test('is not hidden by the command line', async () => {
    start();
    await openAccount('A');
    copyFileSync(path, join(folder, 'older.db'));
    copyFileSync(`${path}-wal`, join(folder, 'older.db-wal'));
    await openAccount('B');
    await stop();
    for (const suffix of ['', '-wal']) copyFileSync(join(folder, `older.db${suffix}`), path + suffix);
    await createStore({ path, encryptionKey: KEY, exclusive: false }).close();
    expect(() => start()).toThrow(/is older than it was/);
  });
});
