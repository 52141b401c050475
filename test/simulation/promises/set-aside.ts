// An update is set aside only where the process came to an unclean end while it was handled: stops and deployments cost it nothing.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const SET_ASIDE = "select update_id from inbox where state = 'set_aside' and received_at > ?";
const CLEAN = new Set([
  'a deployment',
  'a deployment is over',
  'an outage',
  'the end of an outage',
  'a day passes',
  'a long doubt',
]);

export function noUpdateIsSetAsideForAStop({ disk, diary }: World): string[] {
  if (diary.struck.some(({ what }) => !CLEAN.has(what)) || diary.restoredAt > diary.judgedUntil) return [];
  // What was set aside yesterday may be dated as of today.
  if (diary.isCalendarWrongToday) return [];
  const ids = look(
    disk.databasePath(),
    (file) => file.prepare(SET_ASIDE).pluck().all(diary.judgedUntil) as number[],
  );
  return ids.map((id) => `update ${id} was set aside, and nothing came to an unclean end today`);
}
