// The service of the playground, as a process of its own so that it can be killed: the real app over the sandbox
// platform. It is told over IPC by service-process.ts and started by nobody else; it reads no environment.
import { createApp, type App } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { createConsole } from '../src/console/index.ts';
import { createLogger } from '../src/log.ts';

/** What the parent says. `start` comes first, once. */
export type ServiceCommand =
  { order: 'start'; config: Config } | { order: 'link'; telegramId: number } | { order: 'stop' };

/** What this process says. */
export type ServiceReport =
  | { report: 'ready'; port: number }
  | { report: 'linked'; link: string | undefined }
  | { report: 'failed'; message: string };

// What is kept is for the owner of the process alone.
process.umask(0o077);

/** The process is gone after this, whatever still hangs. */
const EXIT_WITHIN_MS = 9_500;

let app: App | undefined;
let stopping = false;
let consoleSettings: Config['console'];

process.on('message', (order: ServiceCommand) => void obey(order).catch(fail));
// Ctrl-C reaches the whole group of processes; the parent decides. When it is gone, nobody is left to serve.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => void stop());

async function obey(order: ServiceCommand): Promise<void> {
  switch (order.order) {
    case 'start':
      return start(order.config);
    case 'link':
      return link(order.telegramId);
    case 'stop':
      return stop();
  }
}

async function start(config: Config): Promise<void> {
  consoleSettings = config.console;
  // Standard output belongs to the parent: what goes wrong is written beside it.
  const destination = { write: (line: string) => void process.stderr.write(line) };
  app = createApp(config, { log: createLogger({ level: config.logLevel, destination }), createConsole });
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
