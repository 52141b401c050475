// The program as people start it: through npm. A signal to npm ends the program itself, nothing is left behind, and it
// starts again in the same place; a Node that is too old is told in a sentence, and so are settings that only the start can judge.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { findProcesses, ROOT, serviceEnv, spawnService } from './torture/process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'npm-scripts-'));
});
afterEach(() => {
  for (const pid of findProcesses(folder)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['start', [], '"msg":"serving HTTP"'],
  ['playground', ['the folder'], 'Ctrl-C here ends everything'],
])('a signal to `npm run %s` leaves nothing running, and it starts again', async (script, args, ready) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const npm = run(
      script,
      args.map(() => folder),
    );
    await says(npm, ready);
    expect(findProcesses(folder).length).toBeGreaterThan(0);
    const ended = once(npm, 'exit');
    npm.kill(signal);
    await ended;
    await expect.poll(() => findProcesses(folder)).toEqual([]);
  }
});

test('a Node that is too old is told in one sentence', async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const starting = ['start', 'cli', 'playground'].map((name) => scripts[name]);
  expect(starting.every((script) => script?.includes('--require ./src/node-version.cjs'))).toBe(true);

  const program = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' });
    require(${JSON.stringify(join(ROOT, 'src/node-version.cjs'))});
    console.log('went on');`;
  const { code, stdout, stderr } = await runNode(['-e', program]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^This is Node 20\.20\.2, and the service needs 2\d or newer: .+\n$/);
});

const WEBHOOK = { TELEGRAM_BOT_TOKEN: '7:AB', WEBHOOK_SECRET: 'secret' };

test.each([
  ['a HOST that is no name of anything', { HOST: 'no name' }, 'This machine does not know the name in HOST.'],
  [
    'a webhook of the bot at a path of the interface',
    { ...WEBHOOK, WEBHOOK_URL: 'https://bot.example.test/redeem' },
    'The path of WEBHOOK_URL, /redeem, is one of the interface: choose another one.',
  ],
  [
    'a file of the sandbox that cannot be one',
    { SANDBOX_PATH: '/dev/null/sandbox.db' },
    'The settings need a correction:\n  SANDBOX_PATH: /dev/null/sandbox.db is no file for the sandbox: ',
  ],
])('%s is told in a sentence', async (_, env, sentence) => {
  const failed: unknown = await spawnService({ folder, env }).catch((error: unknown) => error);
  const { stderr = '' } = failed as { stderr?: string };
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(sentence.split('\n').length);
});

function run(script: string, args: string[]): ChildProcess {
  return spawn('npm', ['run', script, '--', ...args], {
    cwd: ROOT,
    env: serviceEnv(folder, { PLAYGROUND_PORT: '0' }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function says(child: ChildProcess, words: string): Promise<void> {
  if (!child.stdout) throw new Error('It has no output.');
  for await (const line of createInterface({ input: child.stdout })) if (line.includes(words)) return;
  throw new Error('It ended before it was ready.');
}

function runNode(args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}
