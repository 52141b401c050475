// The program: environment, signals, exit codes; nothing else. What it does is in app.ts, a redemption in
// core/redemption/redeem.ts.
import { existsSync } from 'node:fs';

import { createApp, type App } from './app.ts';
import { spawnBackup, spawnBackupNow } from './cli/spawn-backup.ts';
import { ConfigError, loadConfig, SETTINGS, type Config } from './config.ts';
import { PathTaken } from './http/server.ts';
import { createLogger, type Logger } from './log.ts';
import { listMisspelt } from './setting-names.ts';
import { StoreRefusal } from './store/index.ts';

// What is kept is for the owner of the process alone.
process.umask(0o077);
if (existsSync('.env')) process.loadEnvFile('.env');

/** How long a balancer can see that the service stops while it still serves, from the wire document. */
const DRAIN_MS = 2_000;
/** The process is gone after this, whatever still hangs. */
const EXIT_WITHIN_MS = 9_500;

try {
  await run();
} catch (error) {
  const sentence = describeRefusal(error);
  if (sentence === undefined) throw error;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  for (const says of listMisspelt(process.env, SETTINGS)) log.warn({}, says);
  const app = createApp(config, {
    log,
    makeBackup: spawnBackup,
    makeBackupNow: spawnBackupNow,
    createConsole: config.console && (await import('./console/index.ts')).createConsole,
  });
  stopOnSignals(app, log);
  const { address, port } = await app.start().catch(async (error: unknown) => {
    await app.stop();
    throw error;
  });
  log.info({ address, port, platform: config.platform.kind }, 'serving HTTP');
  warnOfSandbox(config, log);
  if (!config.bot) log.info({}, 'TELEGRAM_BOT_TOKEN is not set: serving HTTP alone, without the bot');
}

/** What the sandbox redeems is fiction: whoever serves people with it must know, and how to change that. */
function warnOfSandbox({ platform, bot }: Config, log: Logger): void {
  if (platform.kind !== 'sandbox') return;
  const connect =
    'to redeem for real set PLATFORM=upstream, UPSTREAM_URL and UPSTREAM_TOKEN, and start again';
  const whom = bot
    ? 'the bot serves people with the sandbox, and no code that it calls redeemed has reached a game'
    : 'the platform is the sandbox: for trying, nothing reaches a game';
  log.warn({ platform: 'sandbox' }, `${whom}; ${connect}`);
}

function stopOnSignals(app: App, log: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping: running redemptions have 8 seconds; a second signal stops at once');
    setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref();
    // Who presses Ctrl-C has no balancer.
    app.stop({ drainMs: signal === 'SIGTERM' ? DRAIN_MS : 0 }).then(
      () => process.exit(),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** What whoever starts the service can mend; undefined for a fault of ours. */
function describeRefusal(error: unknown): string | undefined {
  if (isAddressTrouble(error)) return formatAddressTrouble(error);
  const isMessage =
    error instanceof ConfigError || error instanceof StoreRefusal || error instanceof PathTaken;
  return isMessage ? error.message : undefined;
}

function isAddressTrouble(error: unknown): error is NodeJS.ErrnoException & { port?: number } {
  return error instanceof Error && 'syscall' in error && /^(listen|getaddrinfo)$/.test(String(error.syscall));
}

function formatAddressTrouble({ code, port, message }: NodeJS.ErrnoException & { port?: number }): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program, perhaps by another copy of this one. End that, or set PORT to a free one.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Set PORT to one of 1024 and above, and let a proxy listen in front.`;
    case 'EADDRNOTAVAIL':
      return 'This machine has no such address. Set HOST to one of its own, or to 0.0.0.0 for all of them.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'This machine does not know the name in HOST. Set it to an address of its own, or to 0.0.0.0 for all of them.';
    default:
      return message;
  }
}
