// The service as its host starts it, in a process of its own on a free port, with a folder for its files.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { start: string };
};
const START = scripts.start;
/** The program of the host's commands, from there. */
export const CLI = 'src/cli.ts';
const GIVE_UP_MS = 60_000;

export interface Service {
  port: number;
  /** From spawning the process to the first 200 of /readyz. */
  readyMs: number;
  /** Memory that is no file's, in MB; undefined where the system does not tell. */
  anonymousMb(): number | undefined;
  stop(): Promise<void>;
}

/** Starts `src/main.ts` on the database of a folder; resolves when it is ready. */
export async function startService(folder: string): Promise<Service> {
  const port = await findFreePort();
  const startedAt = performance.now();
  // As `npm start` does it: the shell becomes the service.
  const child = spawn('sh', ['-c', START], {
    cwd: ROOT,
    env: {
      ...serviceEnvironment(folder),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error('The service did not start.');
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error('The service does not get ready.');
    await pause(5);
  }
  return {
    port,
    readyMs: performance.now() - startedAt,
    anonymousMb: () => readAnonymousMb(child.pid ?? 0),
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      process.off('exit', kill);
    },
  };
}

/** Runs a command of the host beside the service, and parses the line it prints. */
export function runCli(folder: string, ...words: string[]): unknown {
  const options = { cwd: ROOT, env: serviceEnvironment(folder), encoding: 'utf8' } as const;
  return JSON.parse(execFileSync(process.execPath, [CLI, ...words], options));
}

/** Of a service, or a command of its host, whose files are in this folder. */
export function serviceEnvironment(folder: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    DATABASE_PATH: join(folder, 'redemption.db'),
    SANDBOX_PATH: join(folder, 'sandbox.db'),
    SANDBOX_LATENCY_MS: '0',
  };
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode === 200));
    }).once('error', () => resolve(false));
  });
}

function readAnonymousMb(pid: number): number | undefined {
  try {
    const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
