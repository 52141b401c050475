// The real program as a process of its own, so that it can be killed in the middle and started again.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pause } from '../src/waiting.ts';

export interface Service {
  state(): 'running' | 'starting' | 'down';
  /** Resolves when it serves. Rejects with a sentence when it cannot. */
  start(): Promise<void>;
  /** SIGKILL, and another start a moment later; nothing where it does not run. */
  killAndStart(): Promise<void>;
  /** As on a signal: what runs is finished or left in doubt. */
  stop(): Promise<void>;
}

/** The service could not start. The message is the whole sentence. */
export class ServiceFailed extends Error {}

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** Ends the service when nobody is left to serve, however the playground ended. */
const LEASH = `data:text/javascript,process.once('disconnect',()=>process.kill(process.pid,'SIGINT'));process.channel.unref()`;
const LOOK_EVERY_MS = 40;
const STOP_WITHIN_MS = 10_000;
/** Long enough to be seen, and to be written to in vain. */
const DEAD_FOR_MS = 1_500;

/** A service that does not run yet, at `url`; `onChange` hears whenever it stands otherwise. */
export function createService(
  { folder, url, env }: { folder: string; url: string; env: Record<string, string> },
  onChange: () => void,
): Service {
  let child: ChildProcess | undefined;
  let state: ReturnType<Service['state']> = 'down';
  const change = (next: typeof state) => {
    state = next;
    onChange();
  };

  async function start(): Promise<void> {
    const started = spawn(folder, env);
    child = started;
    change('starting');
    started.once('exit', () => {
      if (child === started) child = undefined;
      change('down');
    });
    while (child === started && !(await isReady(url))) await pause(LOOK_EVERY_MS);
    if (child !== started) throw new ServiceFailed('The service ended before it served.');
    change('running');
  }

  async function end(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    if (!child) return;
    const ending = child;
    const timer = setTimeout(() => ending.kill('SIGKILL'), STOP_WITHIN_MS);
    const exited = once(ending, 'exit');
    ending.kill(signal);
    await exited;
    clearTimeout(timer);
  }

  return {
    state: () => state,
    start,
    async killAndStart() {
      if (state !== 'running') return;
      await end('SIGKILL');
      await pause(DEAD_FOR_MS);
      await start();
    },
    stop: () => end('SIGINT'),
  };
}

/**
 * In the folder of its data, where no .env leads it elsewhere, and apart from the terminal, whose Ctrl-C is the
 * playground's.
 */
function spawn(folder: string, settings: Record<string, string>): ChildProcess {
  // What is compiled already is compiled for both.
  const compiled = getCompileCacheDir();
  const env = compiled === undefined ? settings : { ...settings, NODE_COMPILE_CACHE: dirname(compiled) };
  const stdio = ['ignore', 2, 2, 'ipc'] as ['ignore', 2, 2, 'ipc'];
  return fork(MAIN, [], { cwd: folder, env, execArgv: ['--import', LEASH], detached: true, stdio });
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
