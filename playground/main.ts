// `npm run playground -- [FOLDER] [--port N]`: the bot to talk to in a browser, without Telegram and without a network.
// Arguments, output, signals and exit codes; what it does is in playground.ts.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Command, InvalidArgumentError, Option } from 'commander';

import { StoreRefusal } from '../src/store/index.ts';
import { createPlayground } from './playground.ts';
import { servePage } from './server.ts';
import { ServiceFailed } from './service.ts';

// What is kept is for the owner of the process alone.
process.umask(0o077);

const program = new Command('npm run playground --')
  .description('Talk to the bot in a browser: no token, no network, everything on this machine.')
  .argument('[folder]', 'keeps everything there for the next start; without it nothing is kept')
  .addOption(
    new Option('--port <n>', 'of the page, or a free one where it is taken')
      .env('PLAYGROUND_PORT')
      .default(4000)
      .argParser((typed) => {
        if (/^\d{1,5}$/.test(typed) && Number(typed) <= 65_535) return Number(typed);
        throw new InvalidArgumentError('It is a whole number from 0 to 65535.');
      }),
  )
  .parse();
if (process.env.TELEGRAM_BOT_TOKEN)
  program.error(
    'TELEGRAM_BOT_TOKEN is set: the playground talks to no real bot. Unset it, then start again.',
  );

// The first signal ends everything in order, as soon as there is an order; the second ends the process.
const ended = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
const [named] = program.args;
const folder = named === undefined ? mkdtempSync(join(tmpdir(), 'playground-')) : resolve(named);
try {
  // As the machine speaks.
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  const language = /^ru/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'ru' : 'en';
  const playground = await createPlayground(folder, language);
  const url = await servePage(playground, program.opts<{ port: number }>().port);
  process.stdout.write(
    `Open     ${url}\nAPI key  ${playground.apiKey}\n` +
      `Folder   ${folder}${named === undefined ? ' (removed at the end)' : ''}\n` +
      'Talk to the bot on the page; Ctrl-C here ends everything.\n',
  );
  await ended;
  await playground.close();
} catch (error) {
  if (!(error instanceof StoreRefusal || error instanceof ServiceFailed)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  if (named === undefined) rmSync(folder, { recursive: true, force: true });
}
process.exit();
