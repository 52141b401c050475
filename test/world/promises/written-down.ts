// The audit log: every act of which the database keeps a trace stands in it, once, with its account; and no line of it
// ever changes or goes.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

/** What was done by now, as the tables of its things have it. */
const DONE = `
  select 'accountOpened' as what, null as object, id as accountId from accounts
  union all select 'keyIssued', 'key:' || id, account_id from api_keys
  union all select 'keyRevoked', 'key:' || id, account_id from api_keys where revoked_at is not null
    and not exists (select 1 from audit_log where what = 'accountClosed' and account_id = api_keys.account_id and at = revoked_at)
  union all select 'webhookAdded', 'webhook:' || id, account_id from webhooks
  union all select 'webhookRemoved', 'webhook:' || id, account_id from webhooks where removed_at is not null
  union all select 'codesExtracted', 'extraction:' || id, account_id from extractions
  union all select 'batchUndone', 'batch:' || id, account_id from batches where undone_at is not null
  union all select iif(subscription_days <> 0, 'daysGranted', 'activationsGranted'), 'payment:' || id, account_id
    from purchases where charge_id like 'host:%'
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
  if (!known) return [];
  return [...known].flatMap(([id, line]) =>
    lines.get(id) === line ? [] : [`line ${id} was ${line}, and is ${lines.get(id) ?? 'gone'}`],
  );
}

/** Acts that leave no object: as many lines as there are things of an account. */
const COUNTED = `
  select a.id as accountId,
    (select count(*) from invitations i where i.account_id = a.id) as invitations,
    (select count(*) from audit_log l where l.account_id = a.id and l.what in ('memberInvited', 'ownerInvited')) as invited,
    a.paused_at is not null as isPaused,
    coalesce((select l.what = 'accountPaused' from audit_log l
      where l.account_id = a.id and l.what in ('accountPaused', 'accountResumed') order by l.id desc limit 1), 0) as wasPaused
  from accounts a`;

interface Counted {
  accountId: number;
  invitations: number;
  invited: number;
  isPaused: number;
  wasPaused: number;
}

export const everyInvitationAndPauseIsWrittenDown = ({ disk }: World): string[] =>
  look(disk.databasePath(), (file) =>
    (file.prepare(COUNTED).all() as Counted[])
      .filter((row) => row.invitations !== row.invited || row.isPaused !== row.wasPaused)
      .map((row) => `the audit log and account ${row.accountId} do not fit: ${JSON.stringify(row)}`),
  );

interface Line {
  accountId: number;
  actor: string;
  what: string;
  object: string | null;
  after: string | null;
}

const OF_ROLES = `
  select account_id as accountId, actor, what, object, after from audit_log where account_id is not null and what in
    ('accountOpened', 'memberJoined', 'memberLeft', 'memberRemoved', 'roleChanged', 'handedOver') order by id`;

/** Who is what in which account is what the lines say one after another. */
export function everyRoleIsWrittenDown({ disk }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const isTold = file.prepare("select 1 from audit_log where what = 'accountClosed'").get();
    if (isTold) return [];
    const roles = new Map<string, string>();
    for (const line of file.prepare(OF_ROLES).all() as Line[]) follow(roles, line);
    const held = file
      .prepare("select account_id || ' member:' || telegram_id as who, role from members")
      .all() as { who: string; role: string }[];
    const wrong = held.filter(({ who, role }) => roles.get(who) !== role);
    for (const { who } of held) roles.delete(who);
    return [
      ...wrong.map(({ who, role }) => `${who} is ${role}, and no line of the audit log says so`),
      ...[...roles].map(([who, role]) => `by the audit log ${who} is ${role}, and is not there`),
    ];
  });
}

function follow(roles: Map<string, string>, { accountId, actor, what, object, after }: Line): void {
  const role = (JSON.parse(after ?? '{}') as { role?: string }).role ?? '';
  const [by, of] = [`${accountId} ${actor}`, `${accountId} ${object}`];
  if (what === 'accountOpened' && actor.startsWith('member:')) roles.set(by, 'owner');
  if (what === 'memberJoined') roles.set(by, role);
  if (what === 'memberLeft' || what === 'memberRemoved') roles.delete(what === 'memberLeft' ? by : of);
  if (what === 'roleChanged') roles.set(of, role);
  if (what === 'handedOver') roles.set(of, 'owner').set(by, 'admin');
}
