// What people chose since the backup stands as it stood after a restore over a database that can be read, and what is not known to be
// unspent is asked about. What either past knew for certain is held by restored.ts.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

/** Where a past that was lost came back, the later decision holds, whichever past made it. */
const DECIDED = new Set(['a member', 'an address']);
/** By what is the same in both files, whatever numbers rows have: each row is there again. */
const STANDING: Readonly<Record<string, string>> = {
  'a used link': 'select hex(token_hash), used_by from invitations where used_by is not null',
  'a threshold': `select x.created_at, s.game_id, s.denomination, s.threshold from stock_alerts s join accounts x on x.id = s.account_id`,
  'a choice': 'select telegram_id, language, muted_notices from preferences',
  'a time zone': 'select created_at, name, time_zone from accounts',
  'a member': `select m.telegram_id, m.role, x.created_at from members m join accounts x on x.id = m.account_id`,
  'an address': 'select reference, events from webhooks where removed_at is null',
};
/** What is not known to be unspent is asked about before it is used. */
const UNASKED = `
  select count(*) from codes where state = 'available' or (state in ('reserved', 'in_doubt') and claimed_from = 'available')`;

export type Standing = ReadonlyMap<string, ReadonlySet<string>>;

export function readStanding({ disk }: World): Standing {
  return look(
    disk.databasePath(),
    (file) =>
      new Map(
        Object.entries(STANDING).map(([what, sql]) => [
          what,
          new Set((file.prepare(sql).raw().all() as unknown[][]).map((row) => JSON.stringify(row))),
        ]),
      ),
  );
}

/** Right after the restore, before anything runs again. `before` is undefined where nobody could read it. */
export function compareStanding(world: World, before: Standing | undefined): void {
  const { disk, diary } = world;
  const unasked = look(disk.databasePath(), (file) => file.prepare(UNASKED).pluck().get() as number);
  if (unasked > 0) diary.amiss.push(`after a restore ${unasked} codes are taken for unspent unasked`);
  if (!before) return;
  const after = readStanding(world);
  for (const [what, rows] of before) {
    if (diary.isPastLost && DECIDED.has(what)) continue;
    for (const row of rows)
      if (!after.get(what)?.has(row)) diary.amiss.push(`a restore lost ${what}: ${row}`);
  }
}
