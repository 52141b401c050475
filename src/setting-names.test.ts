// What a name in the environment is taken for.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { SETTINGS } from './config.ts';
import { listMisspelt } from './setting-names.ts';

test.each([
  ['TELEGRAM_BOT_TOKN', 'TELEGRAM_BOT_TOKEN'],
  ['telegram_bot_token', 'TELEGRAM_BOT_TOKEN'],
  ['BOT_TOKEN', 'TELEGRAM_BOT_TOKEN'],
  ['TELEGRAM_TOKEN', 'TELEGRAM_BOT_TOKEN or TELEGRAM_API_ROOT'],
  ['UPSTREM_URL', 'UPSTREAM_URL'],
  ['HOST_ID', 'HOST_IDS'],
  ['HOSTIDS', 'HOST_IDS'],
  ['PROT', 'PORT'],
  ['PLATFROM', 'PLATFORM'],
  ['BACKUP_DIR', 'BACKUP_FOLDER or BACKUP_EVERY_HOURS or BACKUP_KEEP'],
  ['BACKUPS_FOLDER', 'BACKUP_FOLDER'],
  ['DATABASE_FILE', 'DATABASE_PATH'],
  ['\uFEFFOPEN_SIGN_UP', 'OPEN_SIGNUP'],
])('%s is told, and what is meant', (name, meant) => {
  const plain = name.replace('\uFEFF', '');
  const says = `${plain}: is no setting, and changes nothing; is ${meant} meant?`;
  expect(listMisspelt({ [name]: 'x' }, SETTINGS)).toEqual([says]);
  expect(listMisspelt({ [name]: ' ' }, SETTINGS)).toEqual([]);
});

test('what is a setting, and what is of others, is left alone', () => {
  const others =
    'PATH HOME HOSTNAME HOSTTYPE HOST_UID HOST_IP USER LOGNAME LANG TERM TZ PWD SHELL DATABASE_URL LOG_FORMAT SITE SERVICE CALLED_FROM NODE_ENV NODE_COMPILE_CACHE INVOCATION_ID JOURNAL_STREAM CACHE_DIRECTORY STATE_DIRECTORY SYSTEMD_EXEC_PID MEMORY_PRESSURE_WATCH PLATFORM_BRANCH GAMES REPORT EXPORT GHOST EAST_TOKEN npm_config_cache npm_lifecycle_event KUBERNETES_PORT REDEMPTION_SERVICE_HOST REDEMPTION_PORT_3000_TCP';
  const set = [...SETTINGS, `\uFEFF${SETTINGS[0]}`, ...others.split(' '), ...Object.keys(process.env)];
  expect(listMisspelt(Object.fromEntries(set.map((name) => [name, 'x'])), SETTINGS)).toEqual([]);
});

test('nor the tokens that the file of upstreams names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  const file = join(folder, 'u.json');
  writeFileSync(file, '[{"token":"$UPSTREAM_TOKEN_EAST"}]');
  const env = { UPSTREAMS_FILE: file, UPSTREAM_TOKEN_EAST: 'x', UPSTREAM_TOKEN_WEST: 'x' };
  expect(listMisspelt(env, SETTINGS)).toEqual([expect.stringMatching(/^UPSTREAM_TOKEN_WEST: /)]);
  rmSync(folder, { recursive: true });
});
