// The program of the host's commands (cli/commands.ts). One JSON object a line on standard output, mistakes as a
// sentence on standard error with exit 1. All but `restore`, `new`, `adopt` and `platform adopt` work beside
// the running service.
import { existsSync } from 'node:fs';

import { runCommand } from './cli/commands.ts';

// What is kept is for the owner of the process alone.
process.umask(0o077);
// Whoever reads may stop reading (`mint … | head`): nothing is left to say then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
if (existsSync('.env')) process.loadEnvFile('.env');
await runCommand(process.argv.slice(2));
