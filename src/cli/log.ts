// `log`: what was done and by whom, of every account, out of any database file. It is only read, without its key, its
// lock or an upgrade: so that what was ended on an old disk that turns up can be ended again here.
import { Command, InvalidArgumentError } from 'commander';

import { openReader } from '../store/engine/connection.ts';
import { printLine, readSettings, requireDatabase } from './command.ts';

export const logCommand = new Command('log')
  .description('prints the audit log of every account, one act a line, the oldest first; nothing is changed')
  .option('--since <time>', 'only what was done from then on: 2026-11-26T18:20Z, or a day', toTime, 0)
  .action(async ({ since }: { since: number }) => {
    const config = readSettings();
    requireDatabase(config, { isRead: true });
    const connection = openReader(config.databasePath);
    try {
      for (const { at, facts, ...act } of connection.prepare<[number], Line>(SINCE).iterate(since))
        await printLine({ at: new Date(at).toISOString(), ...act, ...(JSON.parse(facts) as object) });
    } finally {
      connection.close();
    }
  });

interface Line {
  at: number;
  facts: string;
}

const SINCE = `
  select at, account_id as accountId, actor, door, what, object,
    json_object('before', json(before), 'after', json(after), 'reason', reason) as facts
  from audit_log where at >= ? order by id`;

function toTime(value: string): number {
  const time = Date.parse(value);
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError('It must be a time like 2026-11-26T18:20Z, or a day like 2026-11-26.');
}
