// An update is set aside only where the process came to an unclean end three times while it was handled: stops and
// deployments cost it nothing.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const SET_ASIDE = "select update_id from inbox where state = 'set_aside' and received_at > ?";
const MOST_ENDS = 3;
const CLEAN = new Set([
  'a deployment',
  'a deployment is over',
  'an outage',
  'the end of an outage',
  'a day passes',
  'a long doubt',
]);

export function noUpdateIsSetAsideTooSoon({ disk, diary }: World): string[] {
  const unclean = diary.struck.filter(({ what }) => !CLEAN.has(what));
  if (unclean.length >= MOST_ENDS || diary.isDiskFullToday || diary.restoredAt > diary.judgedUntil) return [];
  // What was set aside yesterday may be dated as of today.
  if (diary.isCalendarWrongToday) return [];
  const ids = look(
    disk.databasePath(),
    (file) => file.prepare(SET_ASIDE).pluck().all(diary.judgedUntil) as number[],
  );
  return ids.map((id) => `update ${id} was set aside after ${unclean.length} unclean ends`);
}
