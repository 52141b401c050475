// A run as one number: everything said and asked, and what the books hold, sealed values opened. Two runs of one seed
// have the same.
import { createHash, type Hash } from 'node:crypto';
import type Database from 'better-sqlite3';

import type { Call } from '../../telegram/calls.ts';
import { createSecrets, type Secrets } from '../../../src/store/engine/secrets.ts';
import { openAll, SEALED_COLUMNS } from '../../../src/store/backup/sealed-columns.ts';
import { look } from './rest.ts';
import { KEY } from '../machine/service.ts';
import type { World } from './world.ts';

/** Sealed anew each time, or drawn by chance, and deciding nothing. */
const LEFT_OUT = new Set(['meta', 'sqlite_sequence']);

/** From now on every call of the bot counts; the digest is of all until it is asked. */
export function keepTranscript({ telegram }: Pick<World, 'telegram'>): (world: World) => string {
  const said = createHash('sha256');
  telegram.api.watch(({ kind, detail }) => {
    if (kind !== 'call') return;
    const { method, payload, error } = detail as Call;
    said.update(nameUploads(JSON.stringify([method, payload, error])));
  });
  return ({ diary, disk, platform }) => {
    const all = createHash('sha256').update(said.copy().digest());
    all.update(JSON.stringify([diary.steps, diary.wishes, [...platform.spent]]));
    look(disk.databasePath(), (file) => readBooks(file, all));
    return all.digest('hex').slice(0, 16);
  };
}

/** Uploads have a name by chance, which only the call itself knows. */
function nameUploads(call: string): string {
  const names = [...call.matchAll(/attach:\/\/(\w+)/g)].map(([, name = '']) => name);
  return names.reduce((text, name) => text.replaceAll(name, 'upload'), call);
}

function readBooks(file: Database.Database, all: Hash): void {
  const tables = file.prepare("select name from sqlite_schema where type = 'table' order by name").pluck();
  for (const table of tables.all() as string[]) {
    if (LEFT_OUT.has(table)) continue;
    for (const row of file.prepare(`select * from ${table}`).iterate() as Iterable<Record<string, unknown>>)
      all.update(JSON.stringify(Object.entries(row).filter(([name]) => !name.endsWith('_secret'))));
  }
  const secrets = createSecrets(KEY);
  const open = <A extends [unknown, Buffer]>(how: (...args: A) => string) => {
    return (...args: A) => {
      const opened = how(...args);
      all.update(opened);
      return opened;
    };
  };
  const listening: Secrets = { ...secrets, open: open(secrets.open), openByHash: open(secrets.openByHash) };
  for (const column of SEALED_COLUMNS) openAll(file, column, listening, { report: () => undefined });
}
