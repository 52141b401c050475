// The host's commands, one a file in cli/. One JSON object a line on standard output, mistakes as a sentence on standard
// error with exit 1. All but `restore` work beside the running service.
import { existsSync } from 'node:fs';

import { Command, CommanderError } from 'commander';

import { accountCreate } from './cli/account-create.ts';
import { accountGrant } from './cli/account-grant.ts';
import { accountList } from './cli/account-list.ts';
import { accountShow } from './cli/account-show.ts';
import { backup } from './cli/backup.ts';
import { check } from './cli/check.ts';
import { Refusal } from './cli/command.ts';
import { doctor } from './cli/doctor.ts';
import { keyCreate } from './cli/key-create.ts';
import { keyList } from './cli/key-list.ts';
import { keyRevoke } from './cli/key-revoke.ts';
import { mint } from './cli/mint.ts';
import { restore } from './cli/restore.ts';
import { ConfigError } from './config.ts';
import { CoreError } from './core/errors.ts';
import { isBusy } from './store/engine/group-commit.ts';
import { StoreRefusal } from './store/index.ts';

const account = new Command('account').description('the subscribers');
const key = new Command('key').description('the API keys of an account');

const program = new Command('npm run -s cli --')
  .description('The commands of the host. Each answers in JSON, one object a line (mint: bare codes).')
  .addCommand(group(account, [accountCreate, accountList, accountShow, accountGrant]))
  .addCommand(group(key, [keyCreate, keyList, keyRevoke]))
  .addCommand(doctor)
  .addCommand(mint)
  .addCommand(backup)
  .addCommand(restore)
  .addCommand(check);

function group(parent: Command, commands: Command[]): Command {
  for (const command of commands) parent.addCommand(command);
  return parent;
}

/** Every command ends by throwing instead of ending the process, and says where its help is. */
function prepare(command: Command): void {
  command.exitOverride().showHelpAfterError('Say --help after a command for what it takes.');
  command.commands.forEach(prepare);
}

function explain(error: unknown): string {
  const sentence = error instanceof Refusal || error instanceof StoreRefusal || error instanceof CoreError;
  if (sentence || error instanceof ConfigError) return `${error.message}\n`;
  if (isBusy(error)) return 'The database is busy. Try again in a moment.\n';
  return `That did not work: ${error instanceof Error ? error.message : String(error)}\n`;
}

async function main(): Promise<void> {
  prepare(program);
  try {
    if (process.argv.length <= 2) program.help({ error: true });
    await program.parseAsync();
  } catch (error) {
    // What was typed wrongly, or the help asked for: commander has said it already.
    if (error instanceof CommanderError) process.exitCode = error.exitCode;
    else {
      process.stderr.write(explain(error));
      process.exitCode = 1;
    }
  }
}

// What is kept is for the owner of the process alone.
process.umask(0o077);
// Whoever reads may stop reading (`mint … | head`): nothing is left to say then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
if (existsSync('.env')) process.loadEnvFile('.env');
await main();
