// The service as its parent sees it: a process that is started, steered, killed in the middle and started again.
import { fork, type ChildProcess } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { SandboxFault } from '../platform/sandbox/sandbox.ts';
import type { PlatformFaults, ServiceCommand, ServiceReport } from './service.ts';

type ServiceState = 'running' | 'starting' | 'down';

export interface ServiceProcess {
  state(): ServiceState;
  /** Where HTTP listens; the same after every start. */
  url(): string;
  /** When it was started last, by the machine's clock. */
  startedAt(): number;
  fault(): SandboxFault;
  steer(fault: SandboxFault): void;
  /** Of each upstream, whether it answers by itself: `steer` says of all. */
  upstreams(): boolean[];
  /** `number` from 1. */
  setUpstream(number: number, isUp: boolean): void;
  setClockAhead(aheadMs: number): void;
  /** A link into the console for a person. Rejects with a sentence for whoever may not enter. */
  linkToConsole(telegramId: number): Promise<string>;
  /** Resolves when it serves. Rejects with a sentence when it cannot. */
  start(): Promise<void>;
  /** SIGKILL: nothing is finished, nothing is said. Resolves when it is gone. */
  kill(): Promise<void>;
  /** As on a signal: what runs is finished or left in doubt. */
  stop(): Promise<void>;
}

export interface ServiceProcessOptions {
  config: Config;
  sessionGames: string[];
  clockAheadMs: number;
  onChange: () => void;
  /** Told when it ended by itself, which it never should. */
  onDeath: () => void;
}

/** The service could not start. The message is the whole sentence. */
export class ServiceFailed extends Error {}

const ENTRY = fileURLToPath(new URL('service.ts', import.meta.url));
const STOP_WITHIN_MS = 10_000;

/** How the service stands, as far as this process knows. */
interface Life extends ServiceProcessOptions, PlatformFaults {
  child: ChildProcess | undefined;
  state: ServiceState;
  port: number;
  startedAt: number;
}

/** A service that does not run yet. */
export function createServiceProcess(options: ServiceProcessOptions): ServiceProcess {
  const { port } = options.config.http;
  const { platform } = options.config;
  const count = platform.kind === 'sandbox' ? platform.upstreams : 1;
  const calm: PlatformFaults = { fault: 'none', away: [] };
  const life: Life = { ...options, ...calm, child: undefined, state: 'down', port, startedAt: 0 };
  return {
    state: () => life.state,
    url: () => `http://127.0.0.1:${life.port}`,
    startedAt: () => life.startedAt,
    fault: () => life.fault,
    steer: (fault) => steer(life, { fault, away: life.away }),
    upstreams: () => Array.from({ length: count }, (_, index) => !life.away.includes(index + 1)),
    setUpstream(number, isUp) {
      const others = life.away.filter((each) => each !== number);
      steer(life, { fault: life.fault, away: isUp ? others : [...others, number] });
    },
    setClockAhead(aheadMs) {
      life.clockAheadMs = aheadMs;
      send(life.child, { order: 'clock', aheadMs });
    },
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

function steer(life: Life, { fault, away }: PlatformFaults): void {
  Object.assign(life, { fault, away });
  send(life.child, { order: 'steer', fault, away });
  life.onChange();
}

async function start(life: Life): Promise<void> {
  if (life.child) return;
  const { clockAheadMs, fault, away, sessionGames } = life;
  const child = spawn();
  life.child = child;
  life.startedAt = systemClock.now();
  change(life, 'starting');
  child.on('message', (told: ServiceReport) => {
    if (told.report === 'ready') life.port = told.port;
    if (told.report === 'struck' && life.fault === 'nextTimesOut') life.fault = 'none';
    life.onChange();
  });
  child.once('exit', () => {
    if (life.child !== child) return;
    life.child = undefined;
    change(life, 'down');
    life.onDeath();
  });
  const ready = firstReport(child);
  const config = { ...life.config, http: { ...life.config.http, port: life.port } };
  send(child, { order: 'start', config, clockAheadMs, fault, away, sessionGames });
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
