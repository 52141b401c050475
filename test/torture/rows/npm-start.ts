// Row 18, the program as the README starts it: a SIGTERM to `npm start` ends the service itself, with nothing left
// behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { makeServiceFolder, serviceEnv } from '../process.ts';
import type { Findings } from '../findings.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const GONE_WITHIN_MS = 10_000;

/** Starts it as people do, stops what they started, and looks for what goes on. */
export async function stopNpmStart(): Promise<Findings> {
  const { folder, remove } = makeServiceFolder();
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: serviceEnv(folder),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const violations: string[] = [];
  try {
    await serves(npm);
    const asked = performance.now();
    npm.kill('SIGTERM');
    await Promise.race([once(npm, 'exit'), pause(GONE_WITHIN_MS)]);
    while (findProcesses(folder).length > 0 && performance.now() - asked < GONE_WITHIN_MS) await pause(100);
    const left = findProcesses(folder);
    if (left.length > 0)
      violations.push(
        `${GONE_WITHIN_MS} ms after SIGTERM to npm start: ${left.map(({ name }) => name).join(', ')}`,
      );
  } finally {
    for (const { pid } of findProcesses(folder)) process.kill(pid, 'SIGKILL');
    remove();
  }
  return { tried: { npmStarts: 1 }, violations };
}

function serves(npm: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    npm.once('exit', (code) => reject(new Error(`npm start ended with ${code}.`)));
    if (!npm.stdout) throw new Error('npm start has no output.');
    createInterface({ input: npm.stdout }).on('line', (line) => {
      if (line.includes('"msg":"serving HTTP"')) resolve();
    });
  });
}

/** Every process that was given this folder. */
function findProcesses(folder: string): { pid: number; name: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATABASE_PATH=${folder}`)) return [];
        const name = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return name === '' ? [] : [{ pid: Number(pid), name }];
      } catch {
        // Gone meanwhile.
        return [];
      }
    });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
