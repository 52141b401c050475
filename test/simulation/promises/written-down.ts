// The audit log: every act of which the database keeps a trace stands in it, once, with its account; and no line of it
// ever changes or goes.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

/** What was done by now, as the tables of its things have it. */
const DONE = `
  select 'accountOpened' as what, null as object, id as accountId from accounts
  union all select 'keyIssued', 'key:' || id, account_id from api_keys
  union all select 'keyRevoked', 'key:' || id, account_id from api_keys where revoked_at is not null
  union all select 'webhookAdded', 'webhook:' || id, account_id from webhooks
  union all select 'webhookRemoved', 'webhook:' || id, account_id from webhooks where removed_at is not null
  union all select 'codesExtracted', 'extraction:' || id, account_id from extractions
  union all select 'batchUndone', 'batch:' || id, account_id from batches where undone_at is not null
  union all select 'refunded', 'payment:' || id, account_id from purchases where refunded_at is not null`;

const UNWRITTEN = `
  select d.what || ' ' || coalesce(d.object, '') || ' of ' || d.accountId || ': ' || count(l.id) from (${DONE}) d
  left join audit_log l on l.what = d.what and l.object is d.object and l.account_id = d.accountId
  group by d.what, d.object, d.accountId having count(l.id) <> 1`;

export const everyActIsWrittenDown = ({ disk }: World): string[] =>
  look(disk.databasePath(), (file) =>
    (file.prepare(UNWRITTEN).pluck().all() as string[]).map((act) => `lines of ${act}`),
  );

const knownOf = new WeakMap<World['diary'], Map<number, string>>();

export function whatIsWrittenDownStands({ disk, diary }: World): string[] {
  const lines = look(disk.databasePath(), (file) => {
    const rows = file.prepare('select * from audit_log order by id').raw().all() as [number, ...unknown[]][];
    return new Map(rows.map(([id, ...line]) => [id, JSON.stringify(line)]));
  });
  const known = knownOf.get(diary);
  knownOf.set(diary, lines);
  // Another past has other lines.
  if (!known || diary.restoredAt > diary.judgedUntil) return [];
  return [...known].flatMap(([id, line]) =>
    lines.get(id) === line ? [] : [`line ${id} was ${line}, and is ${lines.get(id) ?? 'gone'}`],
  );
}
