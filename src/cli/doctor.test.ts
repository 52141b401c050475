// What the doctor says of each, and of what is bad.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { linesOf, nameTheBot, useHostFolder } from '../../test/harness/host-folder.ts';
import { json, startScriptedServer } from '../../test/scripted-server.ts';

const { folder, database, run, open } = useHostFolder();

const namesOf = (lines: { check: string; state: string }[], state: string) =>
  lines.filter((line) => line.state === state).map(({ check }) => check);
/** Nothing listens there, so that whoever has the lock is taken for the service. */
const look = async (env: Record<string, string> = {}) => {
  const looked = await run(['doctor'], { PORT: '0', ...env });
  const lines = linesOf(looked.out) as { check: string; state: string; says: string }[];
  return { ...looked, lines, bad: namesOf(lines, 'bad') };
};

test('says a line of each where nothing is there yet, and makes nothing', async () => {
  const { exitCode, err, lines, bad } = await look();
  expect([exitCode, err, bad]).toEqual([0, '', []]);
  expect(lines.map(({ check }) => check)).toEqual([
    'settings',
    'games',
    'rights',
    'key',
    'database',
    'disk',
    'lock',
    'backup',
    'token',
    'platform',
  ]);
  // What works and may not be meant: no backups, no bot, nothing redeemed for real.
  expect(namesOf(lines, 'note')).toEqual(['backup', 'token', 'platform']);
  expect(readdirSync(folder())).toEqual([]);
});

test('tells that the service runs, and that the key opens the database', async () => {
  const store = open();
  const { lines } = await look();
  expect(lines.find(({ check }) => check === 'lock')?.says).toBe('the service runs');
  expect(lines.find(({ check }) => check === 'key')?.says).toBe('ENCRYPTION_KEY opens the database');
  await store.close();
  const after = await look();
  const says = 'the service does not run here';
  expect(after.lines.find(({ check }) => check === 'lock')).toEqual({ check: 'lock', state: 'bad', says });
  expect(after.exitCode).toBe(1);
});

test('a service that does not answer, or is not ready, is bad', async () => {
  const store = open();
  const { url, close, answerWith } = await startScriptedServer();
  const lock = async (port: string) =>
    (await look({ PORT: port })).lines.find(({ check }) => check === 'lock');
  const { port } = new URL(url);
  answerWith(json(200, { status: 'ready' }));
  expect(await lock(port)).toMatchObject({
    state: 'ok',
    says: expect.stringMatching(/\{"status":"ready"\}$/) as string,
  });
  answerWith(json(503, { status: 'unavailable' }));
  expect(await lock(port)).toMatchObject({
    state: 'bad',
    says: expect.stringContaining('unavailable') as string,
  });
  await close();
  const says = `nothing answers at http://127.0.0.1:${port}/readyz, and yet: Another process is using data/redemption.db. Stop it first.`;
  expect(await lock(port)).toEqual({ check: 'lock', state: 'bad', says });
  await store.close();
});

test('of a database that is gone the key is no new one', async () => {
  await open().close();
  const says = async (env = {}) =>
    (await look({ ENCRYPTION_KEY: '', ...env })).lines.slice(3, 5).map((line) => line.says);
  rmSync(database());
  const [key, lost] = await says();
  expect(key).toMatch(/encryption\.key is gone with the database: put its copy back/);
  expect(lost).toMatch(/^There was a database here/);
  writeFileSync(join(folder(), 'data/encryption.key'), '');
  expect((await says())[0]).toMatch(/encryption\.key is there; there is no database$/);
  expect((await says({ ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64') }))[0]).not.toMatch(
    /first start/,
  );
});

test('a name that was meant for a setting is a note, with what was meant', async () => {
  const { lines } = await look({ BACKUP_FOLDR: '/x' });
  const says = 'can be used; BACKUP_FOLDR: is no setting, and changes nothing; is BACKUP_FOLDER meant?';
  expect(lines[0]).toEqual({ check: 'settings', state: 'note', says });
});

test('a database of a newer version is bad, and of an earlier one a note: the start would say so', async () => {
  await open().close();
  const change = (sql: string) => {
    const connection = new Database(join(folder(), 'data/redemption.db'));
    connection.exec(sql);
    connection.close();
  };
  const says = async () => (await look()).lines.find(({ check }) => check === 'database');
  change("insert into migrations (tag, written) values ('9999_later', 1)");
  expect(await says()).toMatchObject({
    state: 'bad',
    says: expect.stringContaining('newer version') as string,
  });
  change('delete from migrations');
  expect(await says()).toMatchObject({
    state: 'note',
    says: expect.stringContaining('upgrades it') as string,
  });
});

test('says that what should hold the backups is no folder', async () => {
  const file = join(folder(), 'a-file');
  writeFileSync(file, '');
  const { lines } = await look({ BACKUP_FOLDER: file });
  const says = `${file} (BACKUP_FOLDER) cannot be read as a folder: ENOTDIR.`;
  expect(lines.find(({ check }) => check === 'backup')).toEqual({ check: 'backup', state: 'bad', says });
});

test('tells the age of the last backup, and that one is late', async () => {
  const store = open();
  const env = { BACKUP_FOLDER: folder(), BACKUP_EVERY_HOURS: '24' };
  expect((await look(env)).bad).toEqual(['backup']);
  const place = (at: number) => {
    const name = `redemption-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`;
    writeFileSync(join(folder(), name), '');
  };
  place(Date.now() - 3 * 86_400_000);
  expect((await look(env)).bad).toEqual(['backup']);
  place(Date.now() - 86_400_000);
  const { bad, lines } = await look(env);
  expect(bad).toEqual([]);
  expect(lines.find(({ check }) => check === 'backup')?.says).toMatch(/is 24\.0 hours old$/);
  await store.close();
});

test.each([
  ['settings', { PORT: 'x' }],
  ['games', { GAMES_FILE: 'none.json' }],
  ['key', { ENCRYPTION_KEY: Buffer.alloc(32, 6).toString('base64') }],
  ['token', { TELEGRAM_BOT_TOKEN: '1:hush', TELEGRAM_API_ROOT: 'http://127.0.0.1:1' }],
  ['platform', { PLATFORM: 'upstream', UPSTREAM_URL: 'http://127.0.0.1:1', UPSTREAM_TOKEN: 'hush' }],
  ['platform', { SANDBOX_PATH: tmpdir() }],
])('a bad %s is said, with exit 1 and no secret', async (name, env) => {
  const store = open();
  const { exitCode, out, bad } = await look(env);
  expect([exitCode, bad]).toEqual([1, [name]]);
  expect(out).not.toContain('hush');
  await store.close();
});

test('tells whether Telegram knows the token', async () => {
  const telegram = await nameTheBot();
  const sayOf = async (status: number) => {
    const env = { TELEGRAM_BOT_TOKEN: `${status}:hush`, TELEGRAM_API_ROOT: telegram.root };
    return (await look(env)).lines.find(({ check }) => check === 'token');
  };
  const gone = 'Telegram does not know this token: take it from @BotFather again';
  expect(await Promise.all([200, 401, 404, 502].map(sayOf))).toEqual([
    { check: 'token', state: 'ok', says: 'Telegram knows it as @shop_bot' },
    { check: 'token', state: 'bad', says: gone },
    { check: 'token', state: 'bad', says: gone },
    { check: 'token', state: 'bad', says: 'Telegram answered with status 502' },
  ]);
  telegram.close();
});
