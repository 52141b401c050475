// What `cli check` proves: no code, usage or purchase is lost, made up or counted twice, and every sealed value opens.
import Database from 'better-sqlite3';

import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { checkConservation } from '../../../src/store/backup/conservation.ts';
import { look } from '../run/rest.ts';
import { KEY } from '../machine/service.ts';
import type { World } from '../run/world.ts';

/** Opening every sealed value takes longer than everything else of an evening. */
const OPENED_EVERY = 5;
const TAMPERED_EVERY = 40;
const TAMPERED_AT = 4;
const secrets = createSecrets(KEY);

export function codesAndUsagesAreConserved({ disk, day }: World): string[] {
  const { rows } = look(disk.databasePath(), (file) =>
    checkConservation(file, day % OPENED_EVERY === 0 ? { secrets } : {}),
  );
  return rows.map((row) => JSON.stringify(row));
}

/** In a copy of the file two logins have changed places: their seals tell, or nobody would know whose is whose. */
export function whatIsSealedOpensInItsPlaceAlone({ disk, day }: World): string[] {
  if (day % TAMPERED_EVERY !== TAMPERED_AT) return [];
  const bytes = look(disk.databasePath(), (file) => file.serialize());
  // As a file without a log beside it (bytes 18 and 19 of its header): there is none in memory.
  bytes.fill(1, 18, 20);
  const copy = new Database(bytes);
  try {
    const ids = copy
      .prepare('select id from redemptions where credentials_secret is not null order by id desc limit 2')
      .pluck()
      .all() as number[];
    const find = copy.prepare('select credentials_secret from redemptions where id = ?').pluck();
    const [one, other] = ids.map((id) => find.get(id));
    const put = copy.prepare('update redemptions set credentials_secret = ? where id = ?');
    put.run(other, ids[0]);
    put.run(one, ids[1]);
    const { unreadable } = checkConservation(copy, { secrets });
    return unreadable >= ids.length
      ? []
      : [`the logins of ${ids.join(' and ')} changed places, and both open`];
  } finally {
    copy.close();
  }
}
