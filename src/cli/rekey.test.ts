// `rekey` while the service is stopped: a key beside the database, or the one of the settings.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { runHere } from '../../test/harness/run-here.ts';
import { numberedCodes, openTrader } from '../../test/harness/traded-store.ts';
import { createStore } from '../store/index.ts';

const GAMES_FILE = fileURLToPath(new URL('../../data/games.json', import.meta.url));
const NEXT = Buffer.alloc(32, 9).toString('base64');

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'rekey-cli-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string) => join(folder, name);
const run = (args: string[], env: Record<string, string> = {}) =>
  runHere(folder, args, { GAMES_FILE, DATABASE_PATH: file('redemption.db'), ...env });
const open = () => createStore({ path: file('redemption.db'), exclusive: true });
const read = (out: string) => JSON.parse(out) as Record<string, unknown>;

async function trade(): Promise<void> {
  const store = open();
  const trader = await openTrader(
    () => store,
    () => 1,
  );
  await trader.addCodes(numberedCodes('K', 200));
  await store.close(1);
}

test('everything is sealed with a key that is made, the older stays, and backups of before open with it', async () => {
  await trade();
  await run(['backup', file('before.db')]);
  const older = readFileSync(file('encryption.key'), 'utf8');
  const done = await run(['rekey']);
  expect(done).toMatchObject({ exitCode: 0, err: expect.stringContaining('Keep a copy of encryption.key') });
  const { key, older: kept, ...rest } = read(done.out) as { key: string; older: string };
  expect(rest).toEqual({ rekey: 'done' });
  expect(readFileSync(kept, 'utf8')).toBe(older);
  expect(readFileSync(file('encryption.key'), 'utf8')).toBe(
    readFileSync(file(`encryption.key.${key}`), 'utf8'),
  );
  expect(done.out + done.err).not.toContain(older.trim());
  expect(await run(['check'])).toMatchObject({ exitCode: 0 });
  expect((await run(['log'])).out).toContain('keyChanged');
  expect(await run(['restore', '--drill', file('before.db')])).toMatchObject({ exitCode: 0, err: '' });
  rmSync(kept);
  const { exitCode, out, err } = await run(['restore', '--drill', file('before.db')]);
  expect([exitCode, out]).toEqual([1, '']);
  expect(err).toContain('was sealed with the key');
});

test('a service that runs keeps its key', async () => {
  await trade();
  const key = readFileSync(file('encryption.key'), 'utf8');
  const store = open();
  const { exitCode, err } = await run(['rekey']);
  await store.close(1);
  expect(exitCode).toBe(1);
  expect(err).toContain('Another process');
  expect(readFileSync(file('encryption.key'), 'utf8')).toBe(key);
  expect(await run(['check'])).toMatchObject({ exitCode: 0 });
});

test('where the key is in the settings the new one is said beside it, and neither is written to the disk', async () => {
  await trade();
  const ENCRYPTION_KEY = readFileSync(file('encryption.key'), 'utf8').trim();
  rmSync(file('encryption.key'));
  const alone = await run(['rekey'], { ENCRYPTION_KEY });
  expect([alone.exitCode, alone.out]).toEqual([1, '']);
  expect(alone.err).toContain('ENCRYPTION_KEY_NEW');
  expect(await run(['rekey'], { ENCRYPTION_KEY, ENCRYPTION_KEY_NEW: NEXT })).toMatchObject({ exitCode: 0 });
  expect(existsSync(file('encryption.key'))).toBe(false);
  expect(await run(['check'], { ENCRYPTION_KEY: NEXT })).toMatchObject({ exitCode: 0 });
  expect((await run(['check'], { ENCRYPTION_KEY })).err).toContain('Set the right ENCRYPTION_KEY');
});

test('a new key without one before it is refused, and so is a place without a database', async () => {
  expect((await run(['rekey'])).err).toContain('There is no database');
  await trade();
  expect((await run(['rekey'], { ENCRYPTION_KEY_NEW: NEXT })).err).toContain('goes with ENCRYPTION_KEY');
});
