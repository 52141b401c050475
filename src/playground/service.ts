// The service of the playground, as a process of its own so that it can be killed: the real app over the sandbox
// platform. It is steered over IPC by service-process.ts and started by nobody else; it reads no environment.
import { createApp, type App } from '../app.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { createConsole } from '../console/index.ts';
import { createLogger } from '../log.ts';
import type { Platform } from '../platform/port.ts';
import { createSandboxes, type Sandbox, type SandboxFault } from '../platform/sandbox/sandbox.ts';
import { nameSandboxes } from '../platforms.ts';

/** What the parent says. `start` comes first, once. */
export type ServiceCommand =
  | ({ order: 'start'; config: Config; clockAheadMs: number; sessionGames: string[] } & PlatformFaults)
  | ({ order: 'steer' } & PlatformFaults)
  | { order: 'clock'; aheadMs: number }
  | { order: 'link'; telegramId: number }
  | { order: 'stop' };

/** `away`: the numbers, from 1, of the upstreams that are down whatever the others do. */
export interface PlatformFaults {
  fault: SandboxFault;
  away: readonly number[];
}

/** What this process says. `struck`: the redemption that was to time out has. */
export type ServiceReport =
  | { report: 'ready'; port: number }
  | { report: 'struck' }
  | { report: 'linked'; link: string | undefined }
  | { report: 'failed'; message: string };

// What is kept is for the owner of the process alone.
process.umask(0o077);

/** The process is gone after this, whatever still hangs. */
const EXIT_WITHIN_MS = 9_500;

let app: App | undefined;
let sandboxes: Sandbox[] = [];
let faults: PlatformFaults = { fault: 'none', away: [] };
let clockAheadMs = 0;
let stopping = false;
let consoleSettings: Config['console'];

// A day that passes passes on both scales, as it does outside; what runs on timers takes as long as ever.
const clock: Clock = {
  now: () => systemClock.now() + clockAheadMs,
  elapsed: () => systemClock.elapsed() + clockAheadMs,
};

process.on('message', (order: ServiceCommand) => void obey(order).catch(fail));
// Ctrl-C reaches the whole group of processes; the parent decides. When it is gone, nobody is left to serve.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => void stop());

async function obey(order: ServiceCommand): Promise<void> {
  switch (order.order) {
    case 'start':
      return start(order);
    case 'steer':
      return steer(order);
    case 'clock':
      clockAheadMs = order.aheadMs;
      return;
    case 'link':
      return link(order.telegramId);
    case 'stop':
      return stop();
  }
}

async function start(order: Extract<ServiceCommand, { order: 'start' }>): Promise<void> {
  const { config, sessionGames } = order;
  if (config.platform.kind !== 'sandbox') throw new Error('The playground has no platform but the sandbox.');
  clockAheadMs = order.clockAheadMs;
  consoleSettings = config.console;
  const { upstreams: count } = config.platform;
  sandboxes = createSandboxes({ ...config.platform, count, clock, sessionGames });
  steer(order);
  // Standard output belongs to the parent: what goes wrong is written beside it.
  const destination = { write: (line: string) => void process.stderr.write(line) };
  app = createApp(config, {
    log: createLogger({ level: config.logLevel, destination }),
    clock,
    upstreams: nameSandboxes(sandboxes.map(watchFault)),
    createConsole,
  });
  const { port } = await app.start();
  report({ report: 'ready', port });
}

/** A link into the console, as the command line makes one; undefined for whoever may not enter. */
async function link(telegramId: number): Promise<void> {
  const { url, hostIds = [] } = consoleSettings ?? {};
  const mayEnter = hostIds.includes(telegramId) || app?.core.members.findActor(telegramId) !== undefined;
  const token = mayEnter && (await app?.core.consoleAccess.link({ kind: 'host', by: 'cli' }, telegramId));
  report({ report: 'linked', link: url && token ? `${url}/enter/${token}` : undefined });
}

function steer({ fault, away }: PlatformFaults): void {
  faults = { fault, away };
  for (const [index, sandbox] of sandboxes.entries())
    sandbox.steer(away.includes(index + 1) ? 'down' : fault);
}

/** A sandbox, telling when the redemption that was to time out has done so. */
function watchFault(watched: Sandbox): Platform {
  return {
    ...watched,
    async redeem(order, options) {
      const outcome = await watched.redeem(order, options);
      if (faults.fault === 'nextTimesOut' && outcome.status === 'unknown') {
        steer({ ...faults, fault: 'none' });
        report({ report: 'struck' });
      }
      return outcome;
    },
  };
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref();
  await app?.stop().catch(() => undefined);
  process.exit(0);
}

function report(what: ServiceReport): void {
  if (process.connected) process.send?.(what);
}

function fail(error: unknown): void {
  report({ report: 'failed', message: error instanceof Error ? error.message : String(error) });
  setTimeout(() => process.exit(1), 100);
}
