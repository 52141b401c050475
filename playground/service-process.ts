// The service as its parent sees it: a process that is started, killed in the middle and started again.
import { fork, type ChildProcess } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Config } from '../src/config.ts';
import type { ServiceCommand, ServiceReport } from './service.ts';

type ServiceState = 'running' | 'starting' | 'down';

export interface ServiceProcess {
  state(): ServiceState;
  /** Where HTTP listens; the same after every start. */
  url(): string;
  /** A link into the console for a person. Rejects with a sentence for whoever may not enter. */
  linkToConsole(telegramId: number): Promise<string>;
  /** Resolves when it serves. Rejects with a sentence when it cannot. */
  start(): Promise<void>;
  /** SIGKILL: nothing is finished, nothing is said. Resolves when it is gone. */
  kill(): Promise<void>;
  /** As on a signal: what runs is finished or left in doubt. */
  stop(): Promise<void>;
}

/** The service could not start. The message is the whole sentence. */
export class ServiceFailed extends Error {}

const ENTRY = fileURLToPath(new URL('service.ts', import.meta.url));
const STOP_WITHIN_MS = 10_000;

/** How the service stands, as far as this process knows. */
interface Life {
  config: Config;
  onChange: () => void;
  child: ChildProcess | undefined;
  state: ServiceState;
  port: number;
}

/** A service that does not run yet; `onChange` hears whenever it stands otherwise. */
export function createServiceProcess(config: Config, onChange: () => void): ServiceProcess {
  const life: Life = { config, onChange, child: undefined, state: 'down', port: config.http.port };
  return {
    state: () => life.state,
    url: () => `http://127.0.0.1:${life.port}`,
    linkToConsole: (telegramId) => linkToConsole(life, telegramId),
    start: () => start(life),
    kill: () => end(life, (child) => void child.kill('SIGKILL')),
    stop: () => end(life, askToStop),
  };
}

function linkToConsole({ child }: Life, telegramId: number): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child) return reject(new Error('The service is down. Start it again.'));
    const hear = (told: ServiceReport) => {
      if (told.report !== 'linked') return;
      child.off('message', hear);
      if (told.link === undefined)
        reject(new Error('Only members of a shop and its host enter the console.'));
      else resolve(told.link);
    };
    child.on('message', hear);
    child.once('exit', () => reject(new Error('The service ended meanwhile.')));
    send(child, { order: 'link', telegramId });
  });
}

async function start(life: Life): Promise<void> {
  if (life.child) return;
  const child = spawn();
  life.child = child;
  change(life, 'starting');
  child.on('message', (told: ServiceReport) => {
    if (told.report === 'ready') life.port = told.port;
    life.onChange();
  });
  child.once('exit', () => {
    if (life.child !== child) return;
    life.child = undefined;
    change(life, 'down');
  });
  const ready = firstReport(child);
  const config = { ...life.config, http: { ...life.config.http, port: life.port } };
  send(child, { order: 'start', config });
  await ready;
  if (life.child === child) change(life, 'running');
}

async function end(life: Life, by: (child: ChildProcess) => void): Promise<void> {
  const { child } = life;
  if (!child) return;
  life.child = undefined;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  by(child);
  await exited;
  change(life, 'down');
}

function askToStop(child: ChildProcess): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  child.once('exit', () => clearTimeout(timer));
  if (child.connected) send(child, { order: 'stop' });
  else child.kill('SIGKILL');
}

function change(life: Life, state: ServiceState): void {
  life.state = state;
  life.onChange();
}

function send(child: ChildProcess | undefined, order: ServiceCommand): void {
  if (child?.connected) child.send(order, () => undefined);
}

/** Nothing of the environment reaches it that could lead it elsewhere. */
function spawn(): ChildProcess {
  // What is compiled already is compiled for both.
  const compiled = getCompileCacheDir();
  const env = compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) };
  return fork(ENTRY, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

function firstReport(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new ServiceFailed('The service ended before it served.')));
    child.on('message', (told: ServiceReport) => {
      if (told.report === 'ready') resolve();
      if (told.report === 'failed') reject(new ServiceFailed(told.message));
    });
  });
}
