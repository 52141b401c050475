// An update is set aside only where the process came to an unclean end three times while it was handled: stops and
// deployments cost it nothing.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const SET_ASIDE = "select update_id from inbox where state = 'set_aside' and received_at > ?";
const MOST_ENDS = 3;
export function noUpdateIsSetAsideTooSoon({ disk, diary, service }: World): string[] {
  const ends = service.takeEnds();
  if (ends >= MOST_ENDS) return [];
  const ids = look(
    disk.databasePath(),
    (file) => file.prepare(SET_ASIDE).pluck().all(diary.judgedUntil) as number[],
  );
  return ids.map((id) => `update ${id} was set aside after ${ends} unclean ends`);
}
