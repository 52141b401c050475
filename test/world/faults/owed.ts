// What a program was still owed of a redemption when a backup was made it is owed after the restore, whatever that is
// put in place of.
import Database from 'better-sqlite3';

const OWED = `
  select d.id, d.state from webhook_deliveries d join webhook_messages m on m.id = d.message_id
  where m.type = 'redemption.settled'`;

/** Reads the backup; what it returns tells what the restored database does not owe any more. */
export function expectStillOwed(backup: string): (restored: string) => string[] {
  const owed = readOwed(backup);
  return (restored) => {
    const now = new Set(readOwed(restored));
    return owed
      .filter((id) => !now.has(id))
      .map((id) => `a restore no longer owes what delivery ${id} was to tell of a redemption`);
  };
}

function readOwed(path: string): number[] {
  const file = new Database(path, { readonly: true });
  try {
    const rows = file.prepare(OWED).all() as { id: number; state: string }[];
    return rows.filter(({ state }) => state === 'waiting').map(({ id }) => id);
  } finally {
    file.close();
  }
}
