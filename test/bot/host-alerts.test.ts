// Host alerts of the real process, over the stand-in for Telegram: an end that nobody ordered, a restore, damage that a
// check finds, a database that is moved away; each told once, and once when it is over.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createBotApi, type BotApi } from '../telegram/telegram.ts';
import type { User } from '../telegram/types.ts';
import { createAccount, grantDays } from '../harness/host.ts';
import { runCliHere } from '../harness/run-here.ts';
import { makeServiceFolder, spawnService, type Service } from '../torture/process.ts';

const TOKEN = '123456:host-alerts';
const HOST_ID = 900_001;
let api: BotApi;
let host: User;
let service: Service;
let place: ReturnType<typeof makeServiceFolder>;
const start = async (url: string) =>
  spawnService({
    folder: place.folder,
    env: {
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: url,
      HOST_IDS: String(HOST_ID),
      OPEN_SIGNUP: 'true',
    },
  });
let startAgain: () => Promise<void>;
const database = () => join(place.folder, 'redemption.db');

beforeEach(async () => {
  place = makeServiceFolder();
  api = createBotApi({ token: TOKEN, flood: 'none' });
  const { url } = await api.listen();
  startAgain = async () => void (service = await start(url));
  await startAgain();
  host = api.createUser({ id: HOST_ID, first_name: 'Host', language_code: 'en' });
  api.send(host, host, '/start');
  await told(/./);
});
afterEach(async () => {
  await service.kill();
  await api.close();
  place.remove();
});

const count = (pattern: RegExp) =>
  api.messages(host).filter((message) => message.byBot && pattern.test(message.text)).length;
const told = (pattern: RegExp) =>
  api.waitFor(() => (count(pattern) > 0 ? true : undefined), 30_000, String(pattern));

test('an end that nobody ordered is told by the next process, once; one that was ordered is not', async () => {
  await service.kill('SIGINT');
  await startAgain();
  await service.kill('SIGKILL');
  await startAgain();
  await told(/ended without being stopped/);
  await service.kill('SIGINT');
  await startAgain();
  api.send(host, host, '/health');
  await told(/unclean-end since/);
  expect(count(/ended without being stopped/)).toBe(1);
}, 60_000);

test('a restore is told to the host and to owners, once', async () => {
  const owner = api.createUser({ first_name: 'Owner', language_code: 'en' });
  api.send(owner, owner, '/start');
  await api.waitFor(
    () => api.messages(owner).find(({ text }) => /you are the owner/.test(text)),
    20_000,
    'it',
  );
  await grantDays(place.folder, 1, 30);
  const backup = join(place.folder, 'b.db');
  await runCliHere(place.folder, 'backup', backup);
  await service.kill('SIGKILL');
  for (const suffix of ['', '-wal', '-shm', '.state']) rmSync(database() + suffix, { force: true });
  await runCliHere(place.folder, 'restore', backup);
  await startAgain();
  await told(/A backup was restored at/);
  const isOwnerTold = () =>
    api.messages(owner).filter(({ text }) => /backup of the service was restored/.test(text));
  await expect.poll(() => isOwnerTold().length, { timeout: 20_000 }).toBe(1);
  await service.kill('SIGINT');
  await startAgain();
  api.send(host, host, '/health');
  await told(/Version/);
  expect(count(/A backup was restored at/)).toBe(1);
}, 60_000);

test('damage that a check finds is told, and that the next one finds none', async () => {
  await createAccount(place.folder);
  const change = (by: string) => {
    const connection = new Database(database());
    connection.exec(`update quotas set purchased = purchased ${by}`);
    connection.close();
  };
  change('+ 1');
  expect(await runCliHere(place.folder, 'check')).toMatchObject({ exitCode: 1 });
  await told(/Damage was found in the data/);
  change('- 1');
  await runCliHere(place.folder, 'check');
  await told(/Neither the last backup nor the last check found damage/);
  expect(count(/Damage was found/)).toBe(1);
}, 60_000);

test('a database that is moved away is told, and that it is back', async () => {
  renameSync(database(), `${database()}.away`);
  await told(/was moved away or deleted/);
  renameSync(`${database()}.away`, database());
  await told(/is where it was again/);
  expect(count(/was moved away or deleted/)).toBe(1);
}, 60_000);
