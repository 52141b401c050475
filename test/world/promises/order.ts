// What is taken first: of codes the oldest, of activations those of the day.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { DAILY_QUARTERS, DAY_MS, ACTION_QUARTERS } from './quota.ts';

const PASSED_OVER = `
  select taken.id as taken, older.id as older
  from redemptions r
  join codes taken on taken.id = r.code_id
  join codes older on older.account_id = taken.account_id and older.game_id = taken.game_id
    and older.denomination = taken.denomination and older.id < taken.id
  where r.mode = 'database' and r.created_at > ? and taken.returns = 0
    and older.state = 'available' and older.returns = 0 and older.changed_at < r.created_at
  limit 1`;

export function theOldestCodeGoesFirst({ disk, diary }: World): string[] {
  const since = diary.judgedUntil;
  const rows = look(disk.databasePath(), (file) => file.prepare(PASSED_OVER).all(since)) as {
    taken: number;
    older: number;
  }[];
  return rows.map(({ taken, older }) => `code ${taken} was taken while ${older} waited`);
}

/** Refused by nothing that the code can help: it would head its queue for ever. */
const STEPS_BACK = "('RISK_CONTROL', 'LOGIN_FAILED')";
const TRIED_AGAIN = `
  select again.id as id, other.id as other
  from redemptions r
  join redemptions again on again.code_id = r.code_id and again.mode = 'database' and again.id > r.id
    and not exists (select 1 from redemptions b where b.code_id = r.code_id and b.id > r.id and b.id < again.id)
  join codes other on other.account_id = r.account_id and other.game_id = r.game_id and other.denomination = again.denomination
    and other.state = 'available' and other.returns = 0 and other.changed_at < again.created_at
  where r.mode = 'database' and r.error_code in ${STEPS_BACK} and r.settled_at < again.created_at and again.created_at > @since
  limit 1`;

export function aRefusedCodeStepsBack({ disk, diary }: World): string[] {
  const since = diary.judgedUntil;
  const rows = look(disk.databasePath(), (file) => file.prepare(TRIED_AGAIN).all({ since })) as {
    id: number;
    other: number;
  }[];
  return rows.map(
    ({ id, other }) => `redemption ${id} took a code that was just refused, and ${other} waited`,
  );
}

/** Of what has waited since before the order, what lies behind: hand-outs take from the tail. */
const LEFT_BEHIND = `
  select taken.id as taken, next.id as next
  from extractions e
  join codes taken on taken.extraction_id = e.id
  join codes next on next.account_id = e.account_id and next.game_id = e.game_id and next.denomination = e.denomination
    and next.state = 'available' and next.changed_at < e.at and (next.returns > 0, -next.id) < (taken.returns > 0, -taken.id)
  where e.at > ?
  limit 1`;

export function theLastCodesAreTakenOut({ disk, diary }: World): string[] {
  const since = diary.judgedUntil;
  const rows = look(disk.databasePath(), (file) => file.prepare(LEFT_BEHIND).all(since)) as {
    taken: number;
    next: number;
  }[];
  return rows.map(
    ({ taken, next }) => `code ${taken} was taken out, and ${next} would have been redeemed later`,
  );
}

/**
 * What was booked before counts, also where a clock that began by a wrong calendar has dated it later. What one action
 * costs is split to the quarter; more than that at once is what a busy day has spent (faults/busy.ts).
 */
const BOUGHT_FIRST = `
  select id from usages c where purchased > 0 and at > ? and ${DAILY_QUARTERS} - iif(purchased > ${ACTION_QUARTERS}, purchased, 1) >=
    (select coalesce(sum(daily), 0) from usages o where o.account_id = c.account_id and o.id <= c.id and o.at >= c.at - ${DAY_MS})
  limit 1`;

export function whatWasBoughtIsUsedLast({ disk, diary }: World): string[] {
  const ids = look(disk.databasePath(), (file) =>
    file.prepare(BOUGHT_FIRST).pluck().all(diary.judgedUntil),
  ) as number[];
  return ids.map((id) => `charge ${id} was paid by what was bought, while the day had activations left`);
}
