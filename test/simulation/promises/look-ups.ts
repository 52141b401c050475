// A look-up that told nothing costs nothing: where a program heard that a code is under way, or that nobody could be asked, no charge stays.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const WHOLE = 4;
const KEPT = `
  select count(*) from charges where account_id = ? and kind = 'redemptionTime' and returned_at is null
    and daily + purchased = ${WHOLE} and at between ? and ?`;

export function whatToldNothingCostsNothing({ disk, diary }: World): string[] {
  if (diary.isCalendarWrongToday || diary.isDiskFullToday) return [];
  const unanswered = diary.lookUps.filter(({ status, from }) => status === 503 && from > diary.restoredAt);
  if (unanswered.length === 0) return [];
  return look(disk.databasePath(), (file) => {
    const count = file.prepare(KEPT).pluck();
    return unanswered.flatMap(({ account, from, to }) => {
      const others = diary.lookUps.filter(
        (each) => each.account === account && each.status !== 503 && each.from <= to && each.to >= from,
      );
      const kept = count.get(account, from, to) as number;
      return kept > others.length ? [`a look-up of account ${account} told nothing, and is charged`] : [];
    });
  });
}
