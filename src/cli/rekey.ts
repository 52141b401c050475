// `rekey`: another encryption key. The service may run: it turns to the new key at its next start, and seals everything
// anew while it serves.
import { existsSync } from 'node:fs';
import { Command } from 'commander';

import { readRekey } from '../store/backup/rekey.ts';
import { openReader } from '../store/engine/connection.ts';
import { nextKeyFileOf, prepareNext } from '../store/engine/key-ring.ts';
import { loadSecrets, printLine, readSettings, Refusal, warn } from './command.ts';

export const rekeyCommand = new Command('rekey')
  .description(
    'makes another encryption key, which the service turns to at its next start: then everything is sealed anew while it serves, and it tells when that is done. The older key stays beside it, for backups of before',
  )
  .option('--status', 'tells only how far it is')
  .action(async ({ status }: { status?: true }) => {
    const config = readSettings();
    const { databasePath, encryptionKey } = config;
    const key = loadSecrets(config).keyId.toString('hex');
    const running = readProgress(databasePath);
    if (running) return printLine({ rekey: 'running', key, ...running });
    const next = nextKeyFileOf(databasePath);
    const isReady = encryptionKey === undefined && existsSync(next);
    if (status) return printLine({ rekey: isReady ? 'ready' : 'none', key });
    if (encryptionKey) throw new Refusal(BY_SETTINGS);
    await printLine({ rekey: 'ready', key, next: prepareNext(databasePath) });
    warn(READY);
  });

function readProgress(path: string) {
  const connection = openReader(path);
  try {
    return readRekey(connection);
  } finally {
    connection.close();
  }
}

const BY_SETTINGS =
  'ENCRYPTION_KEY is set, so the key is changed there: put what it is now into ENCRYPTION_KEY_OLD, a new one (`openssl rand -base64 32`) into ENCRYPTION_KEY, and start the service again.';
const READY =
  'Start the service again: it turns to this key then. Until it tells that it is done, and for backups of before, both keys are needed: keep copies of both apart from the backups.';
