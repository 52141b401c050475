// What does not open any more in the backup is taken from the replaced database, where it opens there.
import { to, type Carrying } from './carrying.ts';
import { SEALED_COLUMNS, type SealedRow } from './sealed-columns.ts';

/** What a sealed value is opened by, as its verification in sealed-columns.ts names it. */
const PARTS = {
  codes: 'o.game_id as gameId, o.code_hash as hash',
  redemptions: 'o.game_id as gameId, o.code_hash as hash, o.reference',
};
const SAME = { codes: 'o.code_hash = n.code_hash', redemptions: 'o.reference = n.reference' };

/** Heals codes, and the codes and credentials of redemptions. Call it when both are recognised and carried. */
export function healSecrets(carrying: Carrying): void {
  for (const { table, column, verify } of SEALED_COLUMNS) {
    if (table === 'codes' || table === 'redemptions') healColumn(carrying, table, column, verify);
  }
}

function healColumn(
  { connection, secrets }: Carrying,
  table: keyof typeof PARTS,
  column: string,
  verify: (row: SealedRow, secrets: Carrying['secrets']) => void,
): void {
  const opens = (row: SealedRow) => {
    try {
      verify(row, secrets);
      return true;
    } catch {
      return false;
    }
  };
  const differing = connection
    .prepare(
      `select o.id as row, o.${column} as sealed, n.${column} as other, ${PARTS[table]}
       from main.${table} n cross join fresh.${table} o on o.id = ${to(table, 'n.id')} and ${SAME[table]}
       where o.${column} <> n.${column}`,
    )
    .all() as (SealedRow & { other: Buffer })[];
  const heal = connection.prepare(`update fresh.${table} set ${column} = ? where id = ?`);
  for (const row of differing) {
    if (!opens(row) && opens({ ...row, sealed: row.other })) heal.run(row.other, row.row);
  }
}
