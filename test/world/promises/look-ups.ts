// A look-up that told nothing costs nothing: where a program heard that a code is under way, or that nobody could be
// asked, no usage stays.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const WHOLE = 4;
/**
 * Usages are dated on a scale that no correction of the calendar moves: by so much it may have been corrected within
 * the day.
 */
const CORRECTED_MS = 5_000;
const AHEAD = "select cast(cast(value as text) as integer) from meta where key = 'calendar_ahead'";
/**
 * But for what a busy day (faults/busy.ts) has used up: that is written as look-ups of twice as much, all in one go.
 */
const KEPT = `
  select count(*) from usages c where account_id = ? and kind = 'redemptionTime' and returned_at is null
    and daily + purchased = ${WHOLE} and at between ? and ? and not exists (
      select 1 from usages b where b.id between c.id - 400 and c.id + 400 and b.account_id = c.account_id
        and b.kind = 'redemptionTime' and b.daily = 2 * ${WHOLE})`;

export function whatToldNothingCostsNothing({ disk, diary }: World): string[] {
  const unanswered = diary.lookUps.filter(({ status }) => status === 503);
  if (unanswered.length === 0) return [];
  return look(disk.databasePath(), (file) => {
    const count = file.prepare(KEPT).pluck();
    const aheadMs = (file.prepare(AHEAD).pluck().get() as number | undefined) ?? 0;
    return unanswered.flatMap((lookUp) => {
      const { account } = lookUp;
      const [from, to] = [lookUp.from - CORRECTED_MS, lookUp.to + CORRECTED_MS];
      const others = diary.lookUps.filter(
        (each) => each.account === account && each.status !== 503 && each.from <= to && each.to >= from,
      );
      const kept = count.get(account, from - aheadMs, to - aheadMs) as number;
      return kept > others.length ? [`a look-up of account ${account} told nothing, and is charged`] : [];
    });
  });
}
