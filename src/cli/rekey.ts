// `rekey`: another encryption key, while the service is stopped.
import { randomBytes } from 'node:crypto';
import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import { record } from '../core/audit-log.ts';
import { rekey } from '../store/backup/rekey.ts';
import { idOf, keptKeyFileOf, loadKeyRing } from '../store/engine/keys.ts';
import { KEY_BYTES } from '../store/engine/secrets.ts';
import { printLine, readSettings, Refusal, requireDatabase, warn, withStore } from './command.ts';
import { HOST } from './verbs.ts';

export const rekeyCommand = new Command('rekey')
  .description(
    'seals everything with another encryption key, while the service is stopped: about a minute a million codes. The older key stays beside it, for backups of before',
  )
  .action(async () => {
    const config = readSettings();
    requireDatabase(config);
    const { databasePath, encryptionKey, encryptionKeyNew } = config;
    if (encryptionKey && !encryptionKeyNew) throw new Refusal(BY_SETTINGS);
    if (!encryptionKey && encryptionKeyNew) throw new Refusal(NOT_BY_SETTINGS);
    const ring = loadKeyRing(databasePath, encryptionKey);
    const next = encryptionKeyNew ?? randomBytes(KEY_BYTES);
    const { older, unopened } = rekey(databasePath, { ring, next, hasKeyFiles: !encryptionKey });
    const left = unopened.reduce((sum, { values }) => sum + values, 0);
    await withStore({ ...config, encryptionKey: encryptionKeyNew }, (store) =>
      store.write((tables) =>
        record(tables, HOST, 'keyChanged', { accountId: null, after: { left } }, systemClock.now()),
      ),
    );
    for (const each of unopened)
      await printLine({ unopened: each.values, of: `${each.table}.${each.column}` });
    await printLine({
      rekey: 'done',
      key: idOf(next),
      ...(encryptionKey ? {} : { older: keptKeyFileOf(databasePath, older) }),
    });
    warn(encryptionKey ? SETTLED : KEPT);
  });

const BY_SETTINGS =
  'ENCRYPTION_KEY is set: say the new one (`openssl rand -base64 32`) as ENCRYPTION_KEY_NEW for this one command. Nothing was changed.';
const NOT_BY_SETTINGS =
  'ENCRYPTION_KEY_NEW goes with ENCRYPTION_KEY; without it the key is made here, and kept beside the database. Nothing was changed.';
const SETTLED =
  'Put the new key into ENCRYPTION_KEY now, and take ENCRYPTION_KEY_NEW out. Backups of before open with the older one alone. A copy that Litestream keeps is begun anew.';
const KEPT =
  'Keep a copy of encryption.key apart from the backups, now. Backups of before open with the older key alone, which stays beside it until you delete it. A copy that Litestream keeps is begun anew.';
