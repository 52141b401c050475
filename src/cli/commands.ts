// The host's commands, a noun a file: what is typed is taken to its command, mistakes become a sentence on standard
// error with exit 1.
import { readFileSync } from 'node:fs';

import { Command, CommanderError } from 'commander';

import { accountCommands } from './account.ts';
import { adoptCommand } from './adopt.ts';
import { backupCommand } from './backup.ts';
import { checkCommand } from './check.ts';
import { answerIn, endTables, Refusal } from './command.ts';
import { consoleCommands } from './console.ts';
import { doctorCommand } from './doctor.ts';
import { forgetCommand } from './forget.ts';
import { keyCommands } from './key.ts';
import { logCommand } from './log.ts';
import { mintCommand } from './mint.ts';
import { newCommand } from './new.ts';
import { platformCommands } from './platform.ts';
import { rekeyCommand } from './rekey.ts';
import { restoreCommand } from './restore.ts';
import { sweepCommands } from './sweep.ts';
import { upstreamCommands } from './upstream.ts';
import { ConfigError } from '../config.ts';
import { CoreError } from '../core/errors.ts';
import { asset } from '../files.ts';
import { isBusy } from '../store/engine/group-commit.ts';
import { StoreRefusal } from '../store/index.ts';

const PACKAGE_FILE = asset('package.json');
const { version } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string };

/** One that left says in a sentence where to look now. */
const testifyCommand = new Command('testify')
  .argument('[anything...]')
  .allowUnknownOption()
  .action(() => {
    throw new Refusal(
      'A past does not testify any more. An old disk is only read: `DATABASE_PATH=… redemption log --since TIME` prints what was ended there, to be ended here.',
    );
  });

const program = new Command('redemption')
  .description(
    'The commands of the service administrator. A terminal is answered in tables, a pipe in JSON, one object a line (mint: bare codes).',
  )
  .version(version, '--version', 'prints the version of the service')
  .option('--json', 'answers in JSON at a terminal, too')
  .hook('preAction', (all) => answerIn(process.stdout.isTTY && !all.opts().json ? 'tables' : 'json'))
  .addCommand(accountCommands)
  .addCommand(keyCommands)
  .addCommand(consoleCommands)
  .addCommand(forgetCommand)
  .addCommand(logCommand)
  .addCommand(doctorCommand)
  .addCommand(mintCommand)
  .addCommand(platformCommands)
  .addCommand(upstreamCommands)
  .addCommand(adoptCommand)
  .addCommand(newCommand)
  .addCommand(rekeyCommand)
  .addCommand(backupCommand)
  .addCommand(restoreCommand)
  .addCommand(sweepCommands)
  .addCommand(checkCommand)
  .addCommand(testifyCommand, { hidden: true });

/** Every command ends by throwing instead of ending the process, and says where its help is. */
function prepare(command: Command): void {
  command.exitOverride().showHelpAfterError('Say --help after a command for what it takes.');
  command.configureOutput({ outputError: (said, write) => write(reword(said)) });
  command.configureHelp({ showGlobalOptions: true });
  command.commands.forEach(prepare);
}

/**
 * A mistake in what was typed, as a sentence like every other: `error: unknown command 'acount'⏎(Did you mean
 * account?)`.
 */
function reword(said: string): string {
  const [first = '', ...rest] = said
    .trim()
    .replace(/^error: /, '')
    .replace(/\n\((.*)\)$/, '. $1');
  return `${first.toUpperCase()}${rest.join('').replace(/(?<![.?])$/, '.')}\n`;
}

function explain(error: unknown): string {
  const sentence = error instanceof Refusal || error instanceof StoreRefusal || error instanceof CoreError;
  if (sentence || error instanceof ConfigError) return `${error.message}\n`;
  if (isBusy(error)) return 'The database is busy. Try again in a moment.\n';
  return `That did not work: ${error instanceof Error ? error.message : String(error)}\n`;
}

prepare(program);

/** Runs what was typed behind the name of the program; its exit code is that of the process. */
export async function runCommand(typed: readonly string[]): Promise<void> {
  try {
    if (typed.length === 0) program.help({ error: true });
    await program.parseAsync(typed, { from: 'user' });
  } catch (error) {
    // What was typed wrongly, or the help asked for: commander has said it already.
    if (error instanceof CommanderError) process.exitCode = error.exitCode;
    else {
      endTables();
      process.stderr.write(explain(error));
      process.exitCode = 1;
    }
  }
  endTables();
}
