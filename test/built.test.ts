// What `npm run build` makes is the service: its four programs run, and what they read is found.
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createAccount, linkOwner } from './harness/host.ts';
import { makeXlsx } from './harness/xlsx.ts';
import { createTalker, openChat, type Chat, type Talker } from './torture/chat.ts';
import { makeServiceFolder, ROOT, serviceEnv, spawnService, type Service } from './torture/process.ts';

const DIST = join(ROOT, 'dist');

const { folder, remove } = makeServiceFolder();
let chat: Chat;
let service: Service;
let owner: Talker;
let entrance: string;

beforeAll(async () => {
  execFileSync(process.execPath, [join(ROOT, 'deploy/build.ts')], { stdio: 'pipe' });
  chat = await openChat();
  const env = { ...chat.env, CONSOLE_URL: 'http://127.0.0.1:3000/console' };
  service = await spawnService({ folder, env, main: join(DIST, 'main.js') });
  owner = createTalker(chat.api, 'Owner');
  const { accountId } = await createAccount(folder);
  entrance = await linkOwner(folder, accountId, owner.user.id);
});
afterAll(async () => {
  await service.kill();
  await chat.close();
  remove();
});

const runCli = (...args: string[]) =>
  execFileSync(process.execPath, [join(DIST, 'cli.js'), ...args], {
    cwd: ROOT,
    env: serviceEnv(folder),
    encoding: 'utf8',
  });

test.each([
  '/docs',
  '/docs/swagger-ui.css',
  '/docs/docs.css',
  '/openapi.json',
  '/console/assets/console.css',
])('%s is served', async (path) => {
  const answer = await fetch(`${service.url}${path}`);
  expect([answer.status, (await answer.text()).length > 100]).toEqual([200, true]);
});

test('the console is entered', async () => {
  const answer = await fetch(`${service.url}/console/enter/${entrance}`);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Owner')]);
});

test('a backup is made, proven and read', () => {
  const file = join(folder, 'backup.db');
  runCli('backup', file);
  expect(existsSync(file)).toBe(true);
});

test('statistics come as a picture', async () => {
  owner.says('/stats');
  expect((await owner.sees(({ photo }) => photo !== undefined))?.photo).toBeDefined();
});

test('a spreadsheet is read', async () => {
  const rows = [['Code', 'UC'], ...['A', 'B', 'C'].map((end) => [`60S91000000000${end}`, '60'])];
  const bytes = makeXlsx([{ name: 'Codes', rows }]);
  chat.api.send(owner.user, owner.user, { document: { name: 'codes.xlsx', bytes } });
  expect(await owner.sees(({ text }) => text.includes('60 UC: 3 new'))).toBeDefined();
});

test('the log is copied by a thread', async () => {
  const thread = new Worker(join(DIST, 'checkpoint-worker.js'), {
    workerData: { path: join(folder, 'redemption.db') },
  });
  // How many pages the log has.
  expect(await once(thread, 'message')).toEqual([expect.any(Number)]);
  thread.postMessage('end');
  await once(thread, 'exit');
});

test('by the command line of the unit what was compiled is found, whatever the folder is called', () => {
  const unit = readFileSync(join(ROOT, 'deploy/systemd/code-redemption.service'), 'utf8');
  const [, args = ''] = /^ExecStart=\S+node (.+)$/m.exec(unit) ?? [];
  const [, settings = ''] = /^Environment=(NODE_COMPILE_CACHE=.+)$/m.exec(unit) ?? [];
  const link = join(folder, 'release');
  symlinkSync(ROOT, link);
  const { stderr, stdout } = spawnSync(process.execPath, args.split(' '), {
    cwd: link,
    env: {
      ...Object.fromEntries(settings.split(' ').map((setting) => setting.split('='))),
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
      PORT: 'none',
    },
    encoding: 'utf8',
  });
  const accepted = /\/dist\/(\S+\.js) was accepted/g;
  expect([...(stderr + stdout).matchAll(accepted)].map(([, name]) => name)).toContain('main.js');
  expect(stderr + stdout).not.toMatch(/rejected|\.js\.\.\. failed/);
});

test('it ends without a word', async () => {
  await service.kill('SIGTERM');
  expect(service.errors()).toEqual([]);
});
