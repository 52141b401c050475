// A second request of a code that is under way is settled with the first: the code is used where that one was redeemed
// or found it used; else nothing came of either.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

interface Row {
  id: number;
  errorCode: string;
  firstId: number;
  state: string;
  firstCode: string | null;
}

/** Of those that waited: what is refused at once, or comes while the service stops, waits for nobody. */
const WAITED = `
  select t.id, t.error_code as errorCode, f.id as firstId, f.state, f.error_code as firstCode
  from redemptions t join redemptions f on f.game_id = t.game_id and f.code_hash = t.code_hash and f.id < t.id
    and f.created_at <= t.created_at and f.settled_at > t.created_at and f.usage_id is not null
  where t.mode = 'direct' and t.usage_id is null and t.state = 'failed' and t.settled_at > t.created_at
    and t.id > ?`;

export function aSecondRequestEndsAsTheFirst({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(WAITED).all(diary.judgedRedemption) as Row[]);
  return rows.flatMap(({ id, errorCode, firstId, state, firstCode }) => {
    const isSpent = state === 'redeemed' || firstCode === 'CODE_USED';
    return errorCode === (isSpent ? 'CODE_USED' : 'NETWORK_ERROR')
      ? []
      : [`redemption ${id} of the code of ${firstId} (${firstCode ?? state}) ended as ${errorCode}`];
  });
}
