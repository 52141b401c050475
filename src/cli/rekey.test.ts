// `rekey` beside the running service: a key is prepared, the next start turns to it, and it is told how far it is.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { runHere } from '../../test/harness/run-here.ts';
import { numberedCodes, openTrader } from '../../test/harness/traded-store.ts';
import { createStore } from '../store/index.ts';

const GAMES_FILE = fileURLToPath(new URL('../../data/games.json', import.meta.url));

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'rekey-cli-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string) => join(folder, name);
const run = (args: string[], env: Record<string, string> = {}) =>
  runHere(folder, args, { GAMES_FILE, DATABASE_PATH: file('redemption.db'), ...env });
const open = () => createStore({ path: file('redemption.db'), exclusive: true });
const read = (out: string) => JSON.parse(out) as Record<string, unknown>;

test('a key is prepared, turned to at the next start, and told of until all is sealed with it', async () => {
  let store = open();
  const trader = await openTrader(
    () => store,
    () => 1,
  );
  await trader.addCodes(numberedCodes('K', 200));
  const none = read((await run(['rekey', '--status'])).out);
  expect(none).toEqual({ rekey: 'none', key: expect.stringMatching(/^[0-9a-f]{8}$/) });

  const ready = await run(['rekey']);
  expect(ready).toMatchObject({ exitCode: 0, err: expect.stringContaining('Start the service again') });
  expect(read(ready.out)).toEqual({ rekey: 'ready', key: none.key, next: file('encryption.key.next') });
  expect(statSync(file('encryption.key.next')).mode & 0o777).toBe(0o600);
  const key = readFileSync(file('encryption.key.next'), 'utf8');
  // Said twice it is the same key.
  expect(read((await run(['rekey'])).out).rekey).toBe('ready');
  expect(readFileSync(file('encryption.key.next'), 'utf8')).toBe(key);
  expect(read((await run(['rekey', '--status'])).out).rekey).toBe('ready');
  expect([ready.out, ready.err].join('')).not.toContain(key.trim());

  await store.close();
  store = open();
  expect(readFileSync(file('encryption.key'), 'utf8')).toBe(key);
  expect(existsSync(file(`encryption.key.${String(none.key)}`))).toBe(true);
  const running = read((await run(['rekey'])).out);
  expect(running).toMatchObject({ rekey: 'running', pass: 1, part: 1 });
  expect(running.key).not.toBe(none.key);
  // What is beside the service goes on with both.
  expect(await run(['account', 'create', '--name', 'Meanwhile'])).toMatchObject({ exitCode: 0 });
  expect((await run(['doctor'])).out).toContain('a rekey is under way');
  expect(await run(['check'])).toMatchObject({ exitCode: 0 });
  expect(await run(['backup', file('meanwhile.db')])).toMatchObject({ exitCode: 0 });
  expect(await run(['restore', '--drill', file('meanwhile.db')])).toMatchObject({ exitCode: 0 });

  while (store.rekey.isRunning()) await store.rekey.step(() => undefined);
  expect(read((await run(['rekey', '--status'])).out)).toEqual({ rekey: 'none', key: running.key });
  expect(await run(['check'])).toMatchObject({ exitCode: 0 });
  await store.close();
});

test('a backup of before is drilled by the key that is kept, and asked for by its name where it is not', async () => {
  let store = open();
  await openTrader(
    () => store,
    () => 1,
  );
  const { key } = read((await run(['rekey', '--status'])).out);
  await run(['backup', file('before.db')]);
  await run(['rekey']);
  await store.close();
  store = open();
  while (store.rekey.isRunning()) await store.rekey.step(() => undefined);
  expect(await run(['restore', '--drill', file('before.db')])).toMatchObject({ exitCode: 0, err: '' });
  rmSync(file(`encryption.key.${String(key)}`));
  const { exitCode, out, err } = await run(['restore', '--drill', file('before.db')]);
  expect([exitCode, out]).toEqual([1, '']);
  expect(err).toContain(`was sealed with the key ${String(key)}`);
  await store.close();
});

test('where the key is in the settings it is changed there', async () => {
  await open().close();
  const ENCRYPTION_KEY = readFileSync(file('encryption.key'), 'utf8').trim();
  const { exitCode, out, err } = await run(['rekey'], { ENCRYPTION_KEY });
  expect([exitCode, out]).toEqual([1, '']);
  expect(err).toContain('ENCRYPTION_KEY_OLD');
  expect(existsSync(file('encryption.key.next'))).toBe(false);
});

test('there is none without a database', async () => {
  const { exitCode, out, err } = await run(['rekey']);
  expect([exitCode, out]).toEqual([1, '']);
  expect(err).toContain('There is no database');
  expect(existsSync(file('encryption.key.next'))).toBe(false);
});
