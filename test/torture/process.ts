// The real program as a child process: src/main.ts under plain node, or as `npm start` has it, in a folder of its own,
// with a sandbox platform beside it. Also the host's commands through the real src/cli.ts. Whoever spawns a service
// ends it.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { pause } from '../../src/waiting.ts';
import { countStart } from '../starts.ts';
import { COMPILE_CACHE } from '../harness/compile-cache.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'src/main.ts');
export const CLI = join(ROOT, 'src/cli.ts');
const START_WITHIN_MS = 30_000;
/** On a busy machine much comes late. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 50;

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Service {
  url: string;
  pid: number;
  /** From spawning the process to the first 200 of /readyz. */
  readyMs: number;
  /** Sends a signal and resolves when the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<Exit>;
  /** Sends a signal and does not wait. */
  signal(signal: NodeJS.Signals): void;
  exited: Promise<Exit>;
  stderr(): string;
  /** The log lines at level error. */
  errors(): string[];
  /** Everything it logged. */
  log(): string;
  /** Talks to a preload that listens; resolves with its answer. */
  command(message: object): Promise<Record<string, unknown>>;
}

export interface ServiceOptions {
  /** Holds both databases and the key. */
  folder: string;
  env?: Record<string, string>;
  /** Modules that are loaded before the program. */
  preload?: string | readonly string[];
  /** By the command of `npm start`, whose shell becomes the service; else plain node, with what is preloaded. */
  asStarted?: boolean;
  /** Another program than that of the sources. */
  main?: string;
  /** Its log is thrown away once it serves: reading it takes time from what is measured. */
  isMeasured?: boolean;
}

/** A folder for one service; gone after `remove`. */
export function makeServiceFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'redemption-service-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The settings that place a service in its folder; nothing is inherited that could lead it elsewhere. */
export function serviceEnv(folder: string, env: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return {
    PATH,
    HOME,
    ...COMPILE_CACHE,
    DATABASE_PATH: join(folder, 'redemption.db'),
    SANDBOX_PATH: join(folder, 'sandbox.db'),
    SANDBOX_LATENCY_MS: '5',
    PLATFORM_TIMEOUT_MS: '100',
    PORT: '0',
    ...env,
  };
}

/** Starts the program and waits until it is ready. Rejects with what it wrote when it dies before. */
export async function spawnService({
  folder,
  env,
  preload = [],
  asStarted,
  main = MAIN,
  isMeasured,
}: ServiceOptions): Promise<Service> {
  countStart();
  const preloads = [preload].flat().flatMap((module) => ['--import', module]);
  const [program, args] = asStarted
    ? ['sh', ['-c', readStartCommand()]]
    : [process.execPath, [...preloads, main]];
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: ROOT,
    env: serviceEnv(folder, env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const heard = listen(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), START_WITHIN_MS);
  try {
    const port = await Promise.race([
      heard.port,
      heard.exited.then(({ code, signal }): never => {
        throw new ServiceDied(
          `The service ended before it was ready (${code ?? signal}).\n${heard.stderr()}`,
          heard.stderr(),
        );
      }),
    ]);
    const url = `http://127.0.0.1:${port}`;
    const ready = await fetch(`${url}/readyz`);
    if (!ready.ok) throw new Error(`The service is not ready: ${await ready.text()}`);
    if (isMeasured) heard.stopReading();
    return toService(child, url, { ...heard, readyMs: performance.now() - startedAt });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function readStartCommand(): string {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start;
}

/** The service was gone before it was ready. */
export class ServiceDied extends Error {
  readonly stderr: string;
  constructor(message: string, stderr: string) {
    super(message);
    this.stderr = stderr;
  }
}

function listen(child: ChildProcess) {
  let stderr = '';
  const errors: string[] = [];
  const log: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  let tellPort: (port: number) => void = () => undefined;
  const port = new Promise<number>((resolve) => (tellPort = resolve));
  const { stdout } = child;
  const lines = stdout && createInterface({ input: stdout });
  lines?.on('line', (line) => {
    log.push(line);
    if (line.includes('"level":"error"')) errors.push(line);
    if (line.includes('"msg":"serving HTTP"')) tellPort((JSON.parse(line) as { port: number }).port);
  });
  const stopReading = () => {
    lines?.close();
    stdout?.resume();
  };
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const told = { stderr: () => stderr, errors: () => errors, log: () => log.join('\n') };
  return { port, exited, stopReading, ...told };
}

function toService(
  child: ChildProcess,
  url: string,
  { readyMs, ...heard }: ReturnType<typeof listen> & { readyMs: number },
): Service {
  let asked = 0;
  return {
    url,
    pid: child.pid ?? 0,
    readyMs,
    exited: heard.exited,
    stderr: heard.stderr,
    errors: heard.errors,
    log: heard.log,
    signal: (signal) => void child.kill(signal),
    kill(signal = 'SIGKILL') {
      child.kill(signal);
      return heard.exited;
    },
    command(message) {
      const id = (asked += 1);
      return new Promise((resolve, reject) => {
        const onMessage = (answer: unknown) => {
          if (typeof answer !== 'object' || answer === null || !('id' in answer) || answer.id !== id) return;
          child.off('message', onMessage);
          resolve({ ...answer });
        };
        child.on('message', onMessage);
        void heard.exited.then(() => reject(new Error('The service ended before it answered the command.')));
        child.send({ ...message, id }, (error) => {
          if (error) reject(error);
        });
      });
    },
  };
}

export interface CliResult {
  exitCode: number;
  /** What it printed, parsed: one object a line. */
  lines: Record<string, unknown>[];
  stderr: string;
}

/** Whether it holds in time; looked at again and again, since another process makes it so. */
export async function becomes(
  holds: () => unknown,
  withinMs = PATIENCE_MS,
  everyMs = LOOK_EVERY_MS,
): Promise<boolean> {
  for (const until = performance.now() + withinMs; performance.now() < until; await pause(everyMs))
    if (await holds()) return true;
  return false;
}

/** Every process that was given this folder. */
export function findProcesses(folder: string): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATABASE_PATH=${folder}`);
      // A process that has ended and was not waited for has no command line.
      return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '' ? [Number(pid)] : [];
    } catch {
      // Gone meanwhile.
      return [];
    }
  });
}

/** The user who may not do everything: nobody, where root runs the tests. */
export const ANYBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

/** The program or a command of the host, as ANYBODY. */
export const runAsAnybody = (folder: string, ...args: string[]): Promise<CliResult> =>
  runProgram(folder, args.length === 0 ? [MAIN] : [CLI, ...args], ANYBODY);

function runProgram(folder: string, args: string[], user: typeof ANYBODY = undefined): Promise<CliResult> {
  return new Promise((resolve) => {
    countStart();
    const options = { cwd: ROOT, env: serviceEnv(folder), maxBuffer: 1 << 28, ...user };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve(readResult(exitCode, stdout, stderr));
    });
  });
}

/** What a command has answered. */
export function readResult(exitCode: number, stdout: string, stderr: string): CliResult {
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { exitCode, lines, stderr };
}
