// A file with the history of years: two accounts that the core made, copied thousands of times.
import Database from 'better-sqlite3';

import { leaveHome } from '../../../src/store/engine/home.ts';
import { createStore } from '../../../src/store/index.ts';
import { dropIndexes, insertCopies, readAccount, type AccountRows, type Sealing } from './cloning.ts';
import { makeTemplate } from './template.ts';

export interface HistorySize {
  /** Ordinary accounts: 750 redemptions and 250 codes in stock each. */
  accounts: number;
  /** Of the big account: 750 redemptions and 750 codes in stock each. */
  blocks: number;
}

/** What a file of history is, for whoever measures on it. */
export interface About {
  redemptions: number;
  /** In stock; codes that were redeemed lie there beside them. */
  codes: number;
  accounts: number;
  /** When its last day ended. */
  madeAt: number;
  /** A quarter of all redemptions and half of the stock are one account's. */
  big: { accountId: number; apiKey: string; ownerTelegramId: number };
  redeemedCode: string;
}

/** Makes it at `path`, its key beside it. */
export async function makeHistory(
  path: string,
  { accounts, blocks }: HistorySize,
  tell: (line: string) => void,
): Promise<About> {
  let block: AccountRows | undefined;
  const template = await makeTemplate(path, (accountId) => {
    const reader = new Database(path, { readonly: true });
    block = readAccount(reader, accountId);
    reader.close();
  });
  const store = createStore({ path, exclusive: false });
  const sealing: Sealing = { seals: store.seals, secrets: store.secrets };
  await store.close();
  if (!block) throw new Error('The template did not come to its half.');
  const connection = openQuickly(path);
  const ordinary = readAccount(connection, template.ordinary.actor.accountId);
  const putIndexesBack = dropIndexes(connection);
  connection.exec('BEGIN');
  tell(`history: ${accounts} accounts`);
  insertCopies(connection, sealing, { rows: ordinary, count: accounts, into: 'accounts' });
  tell(`history: ${blocks} more blocks of the big account`);
  insertCopies(connection, sealing, { rows: block, count: blocks, into: 'itself' });
  tell('history: indexes');
  putIndexesBack();
  connection.exec('COMMIT');
  const { big, madeAt, redeemedCode } = template;
  const { actor, ...known } = big;
  const counted = countAll(connection);
  leaveHome(connection);
  connection.pragma('journal_mode = WAL');
  connection.close();
  return { ...counted, madeAt, redeemedCode, big: { accountId: actor.accountId, ...known } };
}

/** Nothing is lost if this process is: the file gets its name when it is finished. */
export function openQuickly(path: string): Database.Database {
  const connection = new Database(path);
  for (const pragma of [
    'journal_mode = DELETE',
    'journal_mode = OFF',
    'synchronous = OFF',
    'foreign_keys = OFF',
  ])
    connection.pragma(pragma);
  for (const pragma of ['locking_mode = EXCLUSIVE', 'cache_size = -400000', 'threads = 2'])
    connection.pragma(pragma);
  return connection;
}

function countAll(connection: Database.Database): Pick<About, 'redemptions' | 'codes' | 'accounts'> {
  const count = (sql: string) => Number(connection.prepare(sql).pluck().get());
  return {
    redemptions: count('select count(*) from redemptions'),
    codes: count("select count(*) from codes where state in ('available', 'unverified')"),
    accounts: count('select count(*) from accounts'),
  };
}
