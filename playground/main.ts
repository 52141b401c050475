// `npm run playground -- [FOLDER] [--port N]`: the bot to talk to in a browser, without Telegram and without a network.
// Arguments, output, signals and exit codes; what it does is in playground.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { StoreRefusal } from '../src/store/index.ts';
import type { PageLanguage } from './personas.ts';
import { createPlayground } from './playground.ts';
import { servePage } from './server.ts';
import { ServiceFailed } from './service.ts';

// What is kept is for the owner of the process alone.
process.umask(0o077);

const DEFAULT_PORT = 4000;
const USAGE = `Usage: npm run playground -- [FOLDER] [--port N]

Talk to the bot in a browser: no token, no network, everything on this machine.

  FOLDER      keeps everything there for the next start; without it nothing is kept
  --port N    of the page, or the next free one (default: PLAYGROUND_PORT, or ${DEFAULT_PORT})
  -h, --help  prints this
`;

/** Something to correct; the message is the whole sentence. */
class Refusal extends Error {}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal || error instanceof StoreRefusal || error instanceof ServiceFailed))
    throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function run(typed: string[]): Promise<void> {
  const { help, folder: named, port: asked } = readArguments(typed);
  if (help) return void process.stdout.write(USAGE);
  if (process.env.TELEGRAM_BOT_TOKEN) {
    throw new Refusal(
      'TELEGRAM_BOT_TOKEN is set: the playground talks to no real bot. Unset it, then start again.',
    );
  }
  const port =
    asked === undefined
      ? readPort('PLAYGROUND_PORT', process.env.PLAYGROUND_PORT)
      : readPort('--port', asked);
  const folder = named === undefined ? mkdtempSync(join(tmpdir(), 'playground-')) : resolve(named);
  const tidy = () => {
    if (named === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const stop = onFirstSignal(tidy);
  try {
    const playground = await createPlayground(folder, readLanguage());
    const page = await servePage(playground, port);
    process.stdout.write(
      `Open     ${page.url}\nAPI key  ${playground.apiKey}\n` +
        `Folder   ${folder}${named === undefined ? ' (removed at the end)' : ''}\n` +
        'Talk to the bot on the page; Ctrl-C here ends everything.\n',
    );
    stop.by(async () => {
      await page.close();
      await playground.close();
    });
  } catch (error) {
    tidy();
    throw error;
  }
}

function readArguments(typed: string[]): {
  help: boolean;
  folder?: string | undefined;
  port?: string | undefined;
} {
  const options = { help: { type: 'boolean', short: 'h' }, port: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: typed, options, allowPositionals: true });
    const [folder, more] = positionals;
    if (more !== undefined) throw new Error('The playground takes one folder at most.');
    return { help: values.help === true, folder, port: values.port };
  } catch (error) {
    const [sentence] = error instanceof Error ? error.message.split('. ', 1) : [];
    throw new Refusal(`${sentence?.replace(/\.$/, '')}. Say --help for what it takes.`);
  }
}

function readPort(name: string, value: string | undefined): number {
  if (!value) return DEFAULT_PORT;
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535) {
    throw new Refusal(`${name} must be a whole number from 0 to 65535, not ${JSON.stringify(value)}.`);
  }
  return port;
}

/** As the machine speaks. */
function readLanguage(): PageLanguage {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  return /^ru/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'ru' : 'en';
}

/** The first signal ends everything in order, as soon as there is an order; the second ends the process. */
function onFirstSignal(tidy: () => void): { by(end: () => Promise<void>): void } {
  let wanted = false;
  let end: (() => Promise<void>) | undefined;
  const leave = async (): Promise<void> => {
    await end?.();
    tidy();
    process.exit(0);
  };
  const onSignal = (): void => {
    if (wanted) {
      tidy();
      process.exit(1);
    }
    wanted = true;
    if (end) void leave();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    by(ending) {
      end = ending;
      if (wanted) void leave();
    },
  };
}
