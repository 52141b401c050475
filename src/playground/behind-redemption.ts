// A redemption on both sides, for the inspector: its rows in the database of the service, and the platform's own row.
// What is sealed or hashed in the file is told by its length alone, and a code by its end.
import Database from 'better-sqlite3';

import type { DatabaseView, Row } from './database-view.ts';
import type { BehindRedemption } from './protocol.ts';

type Shown = BehindRedemption['rows'][number]['row'];

export interface BehindRedemptions {
  find(id: number): BehindRedemption | undefined;
  close(): void;
}

const SHOWN_CHARACTERS = 6;
/** By our reference: it is what both sides call the redemption. */
const FIND = 'select * from redemptions where reference = ?';

/** Looks into the database, and into the file of the sandbox, which must exist. */
export function createBehindRedemptions(database: DatabaseView, sandboxPath: string): BehindRedemptions {
  const sandbox = new Database(sandboxPath, { readonly: true, fileMustExist: true });
  const find = sandbox.prepare<unknown[], Row>(FIND);
  return {
    find(id) {
      const rows = database.rowsOf(id);
      if (!rows) return undefined;
      const { redemption, attempts, code, usage } = rows;
      const platform = find.get(attempts[0]?.['reference']);
      return {
        id,
        rows: [
          { table: 'redemptions', row: show(redemption) },
          ...attempts.map((attempt) => ({ table: 'attempts', row: show(attempt) })),
          ...(code ? [{ table: 'codes', row: show(code) }] : []),
          ...(usage ? [{ table: 'usages', row: show(usage) }] : []),
        ],
        platform: platform
          ? show({ ...platform, code: `…${String(platform['code']).slice(-SHOWN_CHARACTERS)}` })
          : null,
      };
    },
    close: () => void sandbox.close(),
  };
}

function show(row: Row): Shown {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, showValue(name, value)]));
}

function showValue(name: string, value: Row[string]): string | number | null {
  if (Buffer.isBuffer(value))
    return `${name.endsWith('hash') ? 'keyed hash' : 'sealed'}, ${value.length} bytes`;
  // Moments are milliseconds in the file.
  if (typeof value === 'number' && /(^|_)at$/.test(name)) return new Date(value).toISOString();
  return value;
}
